#include "kinds.h"

#include <stdexcept>

#include "asking.h"

const std::vector<Kind>& Kinds() {
  static const std::set<std::string> kRound = {"ruleset", "cut", "dealer", "arrangements"};
  static const std::vector<Kind> kKinds = {
      {"evaluate", {"ruleset", "cut", "row"}, {"category", "ranks"}, AskEvaluate, nullptr},
      {"order", {"ruleset", "cut", "ascending"}, {}, AskOrder, nullptr},
      {"validate", {"ruleset", "cut", "front", "middle", "back", "hand"}, {"legal", "reasons"}, AskValidate, nullptr},
      {"score", kRound, {"gunshot", "home_run", "royalty", "pair", "total", "place"}, AskScore, AskBatchScore},
      {"pairs", kRound, {"pairs"}, AskPairs, nullptr},
      {"deal",
       {"ruleset", "round", "dealer_named", "player_seeds", "cuts"},
       {"seed", "dealer", "first_receiver", "cut_card", "turned_up_card", "commitment", "hands"},
       AskDeal,
       nullptr},
      {"seats", {"seed"}, {"draws", "player_in_seat"}, AskSeats, nullptr},
      {"arrange", {"ruleset", "cut", "hand"}, {"dragon", "suggestions"}, AskArrange, AskBatchArrange},
      {"match",
       {"ruleset", "seed", "player_seeds", "player_ids", "rounds"},
       {"draws", "matches"},
       AskMatch,
       nullptr},
      {"rulesets",
       {},
       {"ruleset",       "name",         "deck",           "hand_size",       "rows",
        "ladder",        "royalties",    "unit_name",      "gunshot_name",    "home_run_name",
        "pair_units",    "dragon_units", "gunshot_units",  "points_per_unit", "starting_points",
        "rounds",        "max_cuts",     "has_bonus_rank", "home_run_units",  "middle_may_equal_back",
        "arrange_seconds"},
       AskRuleset,
       AskListRulesets},
      {"texts", {"enum"}, {"texts"}, AskTexts, nullptr},
      {"errors", {"method", "request", "request_bytes"}, {"code", "reason", "faults", "left_out"}, AskErrors, nullptr},
  };
  return kKinds;
}

std::vector<std::string> Kind::Run(Service& service, const std::vector<Json>& cases) const {
  std::vector<std::string> outcomes;
  for (const auto& golden : cases) {
    outcomes.push_back(Outcome([&] { Compare(golden, ask(service, golden)); }));
  }
  if (!ask_all) {
    return outcomes;
  }
  std::vector<Json> together;
  const std::string failed = Outcome([&] {
    together = ask_all(service, cases);
    Same("answers in one call", cases.size(), together.size());
  });
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string wrong = failed.empty() ? Outcome([&] { Compare(cases[i], together[i]); }) : failed;
    if (outcomes[i].empty()) {
      outcomes[i] = wrong;
    }
  }
  return outcomes;
}

void Kind::Compare(const Json& golden, const Json& said) const {
  for (const auto& field : answers) {
    if (field == "reasons") {
      Same(field, golden.at(field).get<std::set<std::string>>(), said.at(field).get<std::set<std::string>>());
    } else {
      Same(field, golden.at(field), said.at(field));
    }
  }
}

std::string Outcome(const std::function<void()>& check) {
  try {
    check();
    return "";
  } catch (const std::exception& wrong) {
    return wrong.what();
  }
}

void Same(const std::string& what, const Json& expected, const Json& got) {
  if (expected != got) {
    throw std::runtime_error("expected " + what + " " + expected.dump() + ", got " + got.dump());
  }
}
