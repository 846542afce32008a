#include "asking.h"

#include <algorithm>
#include <map>
#include <stdexcept>

#include "described.h"
#include "requests.h"
#include "shisanzhi/cards.h"
#include "shisanzhi/refusal.h"

Json AskEvaluate(Service& service, const Json& golden) {
  const auto response = service.Ask("Evaluate", &Stub::Evaluate, EvaluateRequest(golden, {golden.at("row")}));
  Same("number of values", 1, response.values_size());
  const auto& value = response.values(0);
  Same("strength above 0", true, value.strength() > 0);
  return {
      {"category", Named(v1::Category_Name(value.category()), "CATEGORY_")},
      {"ranks", std::vector<int>(value.ranks().begin(), value.ranks().end())},
  };
}

// Compares every two strengths, and each with itself.
Json AskOrder(Service& service, const Json& golden) {
  const std::vector<std::string> rows = golden.at("ascending");
  const auto request = EvaluateRequest(golden, rows);
  const auto first = service.Ask("Evaluate", &Stub::Evaluate, request);
  const auto again = service.Ask("Evaluate", &Stub::Evaluate, request);
  for (std::size_t greater = 0; greater < rows.size(); ++greater) {
    for (std::size_t lower = 0; lower < greater; ++lower) {
      const bool below = first.values(lower).strength() < first.values(greater).strength();
      Same(rows[lower] + " below " + rows[greater], true, below);
    }
    Same("strength of " + rows[greater], first.values(greater).strength(), again.values(greater).strength());
  }
  return Json::object();
}

Json AskValidate(Service& service, const Json& golden) {
  const auto response = service.Ask("Validate", &Stub::Validate, ValidateRequest(golden));
  Json reasons = Json::array();
  for (const auto& broken : response.violations()) {
    reasons.push_back(Named(v1::ViolationReason_Name(broken.reason()), "VIOLATION_REASON_"));
  }
  return {{"legal", response.legal()}, {"reasons", reasons}};
}

Json AskScore(Service& service, const Json& golden) {
  return Units(service.Ask("Score", &Stub::Score, ScoreRequest(golden)).result());
}

std::vector<Json> AskBatchScore(Service& service, const std::vector<Json>& cases) {
  v1::BatchScoreRequest request;
  for (const auto& golden : cases) *request.add_requests() = ScoreRequest(golden);
  const auto response = service.Ask("BatchScore", &Stub::BatchScore, request);
  std::vector<Json> units;
  for (const auto& each : response.responses()) units.push_back(Units(each.result()));
  return units;
}

Json AskPairs(Service& service, const Json& golden) {
  Json pairs = Json::array();
  const auto response = service.Ask("Score", &Stub::Score, ScoreRequest(golden));
  for (const auto& pair : response.result().pairs()) pairs.push_back(Pair(pair));
  return {{"pairs", pairs}};
}

Json AskDeal(Service& service, const Json& golden) {
  const auto deal = service.Ask("DealRound", &Stub::DealRound, DealRequest(golden));
  Same("algorithm", "shisanzhi.v1", deal.algorithm());
  return Deal(deal);
}

Json AskSeats(Service& service, const Json& golden) {
  const std::vector<std::string> players = {"ann", "bob", "cho", "dee"};
  v1::StartMatchRequest request;
  request.set_ruleset(v1::RULESET_CLASSIC);
  request.set_seed(Bytes(golden.at("seed")));
  for (const auto& player : players) request.add_player_ids(player);
  const auto response = service.Ask("StartMatch", &Stub::StartMatch, request);
  std::vector<int> player_in_seat(4);
  std::vector<std::string> draws;
  for (const auto& draw : response.draws()) {
    player_in_seat.at(draw.seat()) = draw.player();
    draws.resize(draw.cards_size());
    for (int number = 0; number < draw.cards_size(); ++number) {
      draws[number] += (draws[number].empty() ? "" : " ") + shisanzhi::FormatCard(draw.cards(number));
    }
  }
  for (int seat = 0; seat < 4; ++seat) {
    Same("player in seat " + std::to_string(seat), players[player_in_seat[seat]], response.match().player_ids(seat));
  }
  return {{"draws", draws}, {"player_in_seat", player_in_seat}};
}

Json AskArrange(Service& service, const Json& golden) {
  return Arranged(service.Ask("Arrange", &Stub::Arrange, ArrangeRequest(golden)));
}

std::vector<Json> AskBatchArrange(Service& service, const std::vector<Json>& cases) {
  v1::BatchArrangeRequest request;
  for (const auto& golden : cases) *request.add_requests() = ArrangeRequest(golden);
  const auto response = service.Ask("BatchArrange", &Stub::BatchArrange, request);
  std::vector<Json> arranged;
  for (const auto& each : response.responses()) arranged.push_back(Arranged(each));
  return arranged;
}

// Hands every answer back: the service remembers nothing.
Json AskMatch(Service& service, const Json& golden) {
  const auto started = service.Ask("StartMatch", &Stub::StartMatch, StartMatchRequest(golden));
  Json draws = Json::array();
  for (const auto& draw : started.draws()) {
    draws.push_back({{"cards", shisanzhi::FormatCards(draw.cards())}, {"seat", draw.seat()}});
  }
  v1::Match match = started.match();
  Json matches = Json::array({Match(match)});
  for (const auto& round : golden.at("rounds")) {
    v1::AdvanceMatchRequest request;
    *request.mutable_match() = match;
    for (const auto& units : round) request.add_units(units);
    match = service.Ask("AdvanceMatch", &Stub::AdvanceMatch, request).match();
    matches.push_back(Match(match));
  }
  return {{"draws", draws}, {"matches", matches}};
}

Json AskRuleset(Service& service, const Json& golden) {
  v1::GetRulesetRequest request;
  request.set_ruleset(RulesetOf(golden));
  return RulesetInfo(service.Ask("GetRuleset", &Stub::GetRuleset, request).ruleset());
}

// Gives to each case what the list says of its ruleset.
std::vector<Json> AskListRulesets(Service& service, const std::vector<Json>& cases) {
  const auto response = service.Ask("ListRulesets", &Stub::ListRulesets, v1::ListRulesetsRequest());
  std::vector<std::string> got;
  std::map<std::string, Json> listed;
  for (const auto& each : response.rulesets()) {
    const Json info = RulesetInfo(each);
    got.push_back(info.at("ruleset"));
    listed[got.back()] = info;
  }
  std::vector<std::string> expected;
  std::vector<Json> infos;
  for (const auto& golden : cases) {
    const std::string ruleset = golden.at("ruleset");
    if (std::find(expected.begin(), expected.end(), ruleset) == expected.end()) expected.push_back(ruleset);
    infos.push_back(listed[ruleset]);
  }
  Same("list", expected, got);
  return infos;
}

namespace {

template <typename Lines, typename Name>
Json TextsOf(const Lines& lines, Name name, const std::string& prefix) {
  Json texts = Json::array();
  for (const auto& line : lines) {
    texts.push_back({{"value", Unprefixed(name(line.value()), prefix)}, {"text", Texts(line.text())}});
  }
  return texts;
}

}  // namespace

Json AskTexts(Service& service, const Json& golden) {
  const auto texts = service.Ask("GetTexts", &Stub::GetTexts, v1::GetTextsRequest());
  const std::map<std::string, Json> by_enum = {
      {"ViolationReason",
       TextsOf(texts.violation_reasons(), v1::ViolationReason_Name<v1::ViolationReason>, "VIOLATION_REASON_")},
      {"ErrorReason", TextsOf(texts.error_reasons(), v1::ErrorReason_Name<v1::ErrorReason>, "ERROR_REASON_")},
      {"FinishReason", TextsOf(texts.finish_reasons(), v1::FinishReason_Name<v1::FinishReason>, "FINISH_REASON_")},
      {"RowOutcome", TextsOf(texts.row_outcomes(), v1::RowOutcome_Name<v1::RowOutcome>, "ROW_OUTCOME_")},
  };
  return {{"texts", by_enum.at(golden.at("enum"))}};
}

namespace {

using Sender = std::function<grpc::Status(Service&, const std::string&)>;

template <typename Request, typename Response>
Sender Sending(Method<Request, Response> method) {
  return [method](Service& service, const std::string& bytes) {
    Request request;
    Response response;
    request.ParseFromString(bytes);
    return service.Try(method, request, response);
  };
}

// Every method by its name.
const std::map<std::string, Sender>& Senders() {
  static const std::map<std::string, Sender> kSenders = {
      {"Evaluate", Sending(&Stub::Evaluate)},
      {"Validate", Sending(&Stub::Validate)},
      {"Score", Sending(&Stub::Score)},
      {"DealRound", Sending(&Stub::DealRound)},
      {"Arrange", Sending(&Stub::Arrange)},
      {"BatchArrange", Sending(&Stub::BatchArrange)},
      {"BatchScore", Sending(&Stub::BatchScore)},
      {"GetRuleset", Sending(&Stub::GetRuleset)},
      {"ListRulesets", Sending(&Stub::ListRulesets)},
      {"GetTexts", Sending(&Stub::GetTexts)},
      {"StartMatch", Sending(&Stub::StartMatch)},
      {"AdvanceMatch", Sending(&Stub::AdvanceMatch)},
  };
  return kSenders;
}

}  // namespace

Json AskErrors(Service& service, const Json& golden) {
  const std::string method = golden.at("method");
  const auto status = Senders().at(method)(service, Bytes(golden.at("request_bytes")));
  const auto refusal = shisanzhi::Refusal::From(status);
  if (!refusal) {
    throw CallFailed(method, status);
  }
  Json faults = Json::array();
  for (const auto& fault : refusal->faults) faults.push_back({{"path", fault.path}, {"reason", fault.reason}});
  return {
      {"code", CodeName(refusal->code)},
      {"reason", refusal->reason},
      {"faults", faults},
      {"left_out", refusal->faults_left_out},
  };
}
