#include "described.h"

#include "shisanzhi/cards.h"

namespace {

std::string Hexadecimal(const std::string& bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const unsigned char byte : bytes) text += {kDigits[byte >> 4], kDigits[byte & 15]};
  return text;
}

Json CardOrNull(int card) { return card == 0 ? Json() : Json(shisanzhi::FormatCard(card)); }

Json Outcome(v1::RowOutcome outcome) { return Named(v1::RowOutcome_Name(outcome), "ROW_OUTCOME_"); }

}  // namespace

Json Units(const v1::RoundResult& result) {
  Json units;
  for (const auto& seat : result.seats()) {
    units["gunshot"].push_back(seat.gunshot_units());
    units["home_run"].push_back(seat.home_run_units());
    units["royalty"].push_back(seat.royalty_units());
    units["pair"].push_back(seat.pair_units());
    units["total"].push_back(seat.total_units());
    units["place"].push_back(seat.place());
  }
  return units;
}

Json Pair(const v1::PairResult& pair) {
  int royalty = 0;
  for (const auto& each : pair.royalties()) {
    const int units = static_cast<int>(each.units());
    royalty += each.payee() == pair.seat() ? units : -units;
  }
  return {
      {"seat", pair.seat()},
      {"opponent", pair.opponent()},
      {"front", Outcome(pair.front())},
      {"middle", Outcome(pair.middle())},
      {"back", Outcome(pair.back())},
      {"pair", pair.pair_units()},
      {"gunshot", pair.gunshot_units()},
      {"home_run", pair.home_run_units()},
      {"royalty", royalty},
      {"total", pair.total_units()},
      {"guns", pair.guns()},
      {"gunned", pair.gunned()},
  };
}

Json Deal(const v1::DealRoundResponse& deal) {
  Json hands = Json::array();
  for (const auto& hand : deal.hands()) hands.push_back(shisanzhi::FormatCards(hand.cards()));
  return {
      {"seed", Hexadecimal(deal.seed())},
      {"commitment", Hexadecimal(deal.commitment())},
      {"dealer", deal.dealer()},
      {"first_receiver", deal.first_receiver()},
      {"cut_card", CardOrNull(deal.cut_card())},
      {"turned_up_card", CardOrNull(deal.turned_up_card())},
      {"hands", hands},
  };
}

Json Arranged(const v1::ArrangeResponse& response) {
  Json suggestions = Json::array();
  for (const auto& each : response.suggestions()) {
    suggestions.push_back({
        {"front", shisanzhi::FormatCards(each.arrangement().front())},
        {"middle", shisanzhi::FormatCards(each.arrangement().middle())},
        {"back", shisanzhi::FormatCards(each.arrangement().back())},
        {"discards", shisanzhi::FormatCards(each.discards())},
        {"expected_units", each.expected_units()},
    });
  }
  return {{"dragon", response.dragon()}, {"suggestions", suggestions}};
}

Json Match(const v1::Match& match) {
  Json standings = Json::array();
  for (const auto& line : match.standings()) standings.push_back({{"place", line.place()}, {"seat", line.seat()}});
  return {
      {"player_ids", match.player_ids()},
      {"next_round", match.next_round()},
      {"dealer", match.dealer()},
      {"units", match.units()},
      {"points", match.points()},
      {"finished", match.finished()},
      {"finish_reason", Named(v1::FinishReason_Name(match.finish_reason()), "FINISH_REASON_")},
      {"standings", standings},
  };
}

Json RulesetInfo(const v1::RulesetInfo& info) {
  Json rows = Json::array();
  for (const auto& line : info.rows()) {
    rows.push_back({
        {"row", Named(v1::Row_Name(line.row()), "ROW_")},
        {"name", Texts(line.name())},
        {"size", line.size()},
    });
  }
  Json ladder = Json::array();
  for (const auto& line : info.ladder()) {
    ladder.push_back({
        {"category", Named(v1::Category_Name(line.category()), "CATEGORY_")},
        {"name", Texts(line.name())},
        {"fits_front", line.fits_front()},
    });
  }
  Json royalties = Json::array();
  for (const auto& line : info.royalties()) {
    royalties.push_back({
        {"row", Named(v1::Row_Name(line.row()), "ROW_")},
        {"category", Named(v1::Category_Name(line.category()), "CATEGORY_")},
        {"units", line.units()},
        {"name", Texts(line.name())},
    });
  }
  return {
      {"ruleset", info.ruleset() == v1::RULESET_BONUS ? "bonus" : "classic"},
      {"name", Texts(info.name())},
      {"deck", shisanzhi::FormatCards(info.deck())},
      {"hand_size", info.hand_size()},
      {"rows", rows},
      {"middle_may_equal_back", info.middle_may_equal_back()},
      {"ladder", ladder},
      {"royalties", royalties},
      {"unit_name", Texts(info.unit_name())},
      {"gunshot_name", Texts(info.gunshot_name())},
      {"home_run_name", Texts(info.home_run_name())},
      {"pair_units", info.pair_units()},
      {"gunshot_units", info.gunshot_units()},
      {"home_run_units", info.home_run_units()},
      {"dragon_units", info.dragon_units()},
      {"points_per_unit", info.points_per_unit()},
      {"starting_points", info.starting_points()},
      {"rounds", info.rounds()},
      {"arrange_seconds", info.arrange_seconds()},
      {"has_bonus_rank", info.has_bonus_rank()},
      {"max_cuts", info.max_cuts()},
  };
}

Json Texts(const v1::LocalizedText& text) { return {{"zh_hant", text.zh_hant()}, {"en", text.en()}}; }

Json Named(const std::string& name, const std::string& prefix) {
  const std::string rest = Unprefixed(name, prefix);
  return rest == "UNSPECIFIED" ? Json() : Json(rest);
}

std::string Unprefixed(const std::string& name, const std::string& prefix) {
  return name.rfind(prefix, 0) == 0 ? name.substr(prefix.size()) : name;
}
