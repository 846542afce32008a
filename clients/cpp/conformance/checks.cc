#include "checks.h"

#include <array>
#include <cstdio>

#include "requests.h"
#include "shisanzhi/cards.h"
#include "shisanzhi/deal.h"
#include "shisanzhi/names.h"
#include "shisanzhi/refusal.h"

namespace {

// Writes a case as the answer of DealRound that it describes.
v1::DealRoundResponse GoldenDeal(const Json& golden) {
  v1::DealRoundResponse deal;
  deal.set_seed(Bytes(golden.at("seed")));
  deal.set_commitment(Bytes(golden.at("commitment")));
  deal.set_dealer(golden.at("dealer"));
  deal.set_cut_card(Card(golden.at("cut_card")));
  deal.set_turned_up_card(Card(golden.at("turned_up_card")));
  deal.set_first_receiver(golden.at("first_receiver"));
  for (const auto& hand : golden.at("hands")) *deal.add_hands() = CardList(hand);
  deal.set_algorithm("shisanzhi.v1");
  return deal;
}

void Verify(const Json& golden) {
  const auto request = DealRequest(golden);
  auto dealt = GoldenDeal(golden);
  Same("nothing wrong", "", shisanzhi::VerifyDeal(dealt.commitment(), request, dealt));
  auto* hand = dealt.mutable_hands(3);
  hand->set_cards(5, hand->cards(5) == v1::CARD_SPADES_ACE ? v1::CARD_CLUBS_TWO : v1::CARD_SPADES_ACE);
  const bool accepted = shisanzhi::VerifyDeal(dealt.commitment(), request, dealt).empty();
  Same("a yes when a card is changed", false, accepted);
}

constexpr int kLater = 99;

void LaterCategory(Service& service) {
  const auto response = service.Ask("Evaluate", &Stub::Evaluate, v1::EvaluateRequest());
  const auto& first = response.values(0);
  Same("category", kLater, static_cast<int>(first.category()));
  Same("name of it", "", v1::Category_Name(first.category()));  // the trap that README.md names
  Same("ranks", {14, kLater, 2}, std::vector<int>(first.ranks().begin(), first.ranks().end()));
  Same("rank as text", "99", shisanzhi::FormatRank(first.ranks(1)));
  Same("first greater", true, first.strength() > response.values(1).strength());
}

void LaterName(Service& service) {
  const auto info = service.Ask("GetRuleset", &Stub::GetRuleset, v1::GetRulesetRequest()).ruleset();
  const shisanzhi::Names chinese{info, shisanzhi::Language::kZhHant};
  const shisanzhi::Names english{info, shisanzhi::Language::kEnglish};
  Same("name", "新牌型", chinese.Category(kLater));
  Same("name", "new category", english.Category(kLater));
  Same("name of a category without one", "98", english.Category(98));
}

void LaterViolation(Service& service) {
  const auto response = service.Ask("Validate", &Stub::Validate, v1::ValidateRequest());
  const auto& broken = response.violations(0);
  Same("legal", false, response.legal());
  Same("reason", kLater, static_cast<int>(broken.reason()));
  Same("row", kLater, static_cast<int>(broken.row()));
  Same("card", kLater, static_cast<int>(broken.card()));
  Same("card as text", "99", shisanzhi::FormatCard(broken.card()));
  Same("card for people", "99", shisanzhi::PrettyCard(broken.card()));
}

void LaterReason(Service& service) {
  v1::ScoreResponse response;
  const auto status = service.Try(&Stub::Score, v1::ScoreRequest(), response);
  const auto refusal = shisanzhi::Refusal::From(status);
  if (!refusal) {
    throw CallFailed("Score", status);
  }
  Same("reason", "LATER_REASON", refusal->reason);
  Same("its value", 0, static_cast<int>(shisanzhi::ReasonValue(refusal->reason)));
  Same("path", "later[0].field", refusal->faults.at(0).path);
  Same("reason of the fault", "LATER_REASON", refusal->faults.at(0).reason);
  Same("faults left out", 3, refusal->faults_left_out);
}

// Hands back what the server will look for: a field that this client does not know.
void LaterMatch(Service& service) {
  v1::AdvanceMatchRequest request;
  *request.mutable_match() = service.Ask("StartMatch", &Stub::StartMatch, v1::StartMatchRequest()).match();
  const auto advanced = service.Ask("AdvanceMatch", &Stub::AdvanceMatch, request);
  Same("next round", 2, advanced.match().next_round());
}

}  // namespace

std::vector<std::string> VerifyChecks(const std::vector<Json>& cases) {
  std::vector<std::string> outcomes;
  for (const auto& golden : cases) {
    outcomes.push_back(Outcome([&] { Verify(golden); }));
  }
  return outcomes;
}

std::vector<std::string> ExampleCheck(const std::string& target) {
  const std::string command = std::string(EXAMPLE) + " " + target;
  std::string printed;
  FILE* example = popen(command.c_str(), "r");
  std::array<char, 256> read;
  while (fgets(read.data(), read.size(), example) != nullptr) printed += read.data();
  const int exit_code = pclose(example);
  return {Outcome([&] {
    Same("lines", "seat 0: -2\nseat 1: 0\nseat 2: 4\nseat 3: -2\n", printed);
    Same("exit code", 0, exit_code);
  })};
}

std::vector<std::string> NewerChecks(Service& service) {
  std::vector<std::string> outcomes;
  for (auto check : {LaterCategory, LaterName, LaterViolation, LaterReason, LaterMatch}) {
    outcomes.push_back(Outcome([&] { check(service); }));
  }
  return outcomes;
}
