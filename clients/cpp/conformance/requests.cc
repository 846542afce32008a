#include "requests.h"

#include <stdexcept>

#include "shisanzhi/cards.h"

namespace {

std::vector<v1::Card> Cards(const Json& text) {
  const auto cards = shisanzhi::ParseCards(text.is_null() ? "" : text.get<std::string>());
  if (!cards) {
    throw std::invalid_argument("expected cards, got " + text.dump());
  }
  return *cards;
}

v1::Arrangement Arrangement(const Json& golden) {
  v1::Arrangement arrangement;
  for (auto card : Cards(golden.at("front"))) arrangement.add_front(card);
  for (auto card : Cards(golden.at("middle"))) arrangement.add_middle(card);
  for (auto card : Cards(golden.at("back"))) arrangement.add_back(card);
  return arrangement;
}

}  // namespace

v1::EvaluateRequest EvaluateRequest(const Json& golden, const std::vector<std::string>& rows) {
  v1::EvaluateRequest request;
  request.set_ruleset(RulesetOf(golden));
  request.set_cut_card(Card(golden.at("cut")));
  for (const auto& row : rows) *request.add_rows() = CardList(row);
  return request;
}

v1::ValidateRequest ValidateRequest(const Json& golden) {
  v1::ValidateRequest request;
  request.set_ruleset(RulesetOf(golden));
  request.set_cut_card(Card(golden.at("cut")));
  *request.mutable_arrangement() = Arrangement(golden);
  for (auto card : Cards(golden.at("hand"))) request.add_hand(card);
  return request;
}

v1::ScoreRequest ScoreRequest(const Json& golden) {
  v1::ScoreRequest request;
  request.set_ruleset(RulesetOf(golden));
  request.set_cut_card(Card(golden.at("cut")));
  request.set_dealer(golden.at("dealer"));
  for (const auto& each : golden.at("arrangements")) *request.add_arrangements() = Arrangement(each);
  return request;
}

v1::DealRoundRequest DealRequest(const Json& golden) {
  v1::DealRoundRequest request;
  request.set_ruleset(RulesetOf(golden));
  request.set_seed(Bytes(golden.at("seed")));
  for (const auto& seed : golden.at("player_seeds")) request.add_player_seeds(Bytes(seed));
  request.set_round(golden.at("round"));
  if (!golden.at("dealer_named").is_null()) request.set_dealer(golden.at("dealer_named"));
  for (const auto& cut : golden.at("cuts")) request.add_cuts(cut);
  return request;
}

v1::ArrangeRequest ArrangeRequest(const Json& golden) {
  v1::ArrangeRequest request;
  request.set_ruleset(RulesetOf(golden));
  request.set_cut_card(Card(golden.at("cut")));
  for (auto card : Cards(golden.at("hand"))) request.add_hand(card);
  request.set_max_suggestions(golden.at("suggestions").size());
  return request;
}

v1::StartMatchRequest StartMatchRequest(const Json& golden) {
  v1::StartMatchRequest request;
  request.set_ruleset(RulesetOf(golden));
  request.set_seed(Bytes(golden.at("seed")));
  for (const auto& seed : golden.at("player_seeds")) request.add_player_seeds(Bytes(seed));
  for (const auto& id : golden.at("player_ids")) request.add_player_ids(id);
  return request;
}

v1::Ruleset RulesetOf(const Json& golden) {
  return golden.at("ruleset") == "bonus" ? v1::RULESET_BONUS : v1::RULESET_CLASSIC;
}

v1::Card Card(const Json& text) { return text.is_null() ? v1::CARD_UNSPECIFIED : Cards(text).at(0); }

v1::CardList CardList(const Json& text) {
  v1::CardList list;
  for (auto card : Cards(text)) list.add_cards(card);
  return list;
}

std::string Bytes(const std::string& hexadecimal) {
  std::string bytes;
  for (std::size_t place = 0; place < hexadecimal.size(); place += 2) {
    bytes += static_cast<char>(std::stoi(hexadecimal.substr(place, 2), nullptr, 16));
  }
  return bytes;
}
