package shisanzhi.conformance;

import static shisanzhi.conformance.Described.fields;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import shisanzhi.Cards;
import shisanzhi.Refusal;
import shisanzhi.v1.AdvanceMatchRequest;
import shisanzhi.v1.BatchArrangeRequest;
import shisanzhi.v1.BatchScoreRequest;
import shisanzhi.v1.DealRoundResponse;
import shisanzhi.v1.EvaluateRequest;
import shisanzhi.v1.GetRulesetRequest;
import shisanzhi.v1.GetTextsRequest;
import shisanzhi.v1.GetTextsResponse;
import shisanzhi.v1.ListRulesetsRequest;
import shisanzhi.v1.Match;
import shisanzhi.v1.RowValue;
import shisanzhi.v1.Ruleset;
import shisanzhi.v1.RulesetInfo;
import shisanzhi.v1.SeatDraw;
import shisanzhi.v1.StartMatchRequest;
import shisanzhi.v1.StartMatchResponse;
import shisanzhi.v1.ValidateResponse;

/** Asks the service what a golden case asks. */
final class Asking {
  private Asking() {}

  static Map<String, Object> evaluate(Service service, JsonObject golden) {
    EvaluateRequest request = Requests.evaluate(golden, List.of(golden.get("row").getAsString()));
    RowValue value = service.stub.evaluate(request).getValues(0);
    if (value.getStrength() <= 0) {
      throw new AssertionError("expected a strength above 0, got " + value.getStrength());
    }
    return fields(
        "category", Described.name(value.getCategory(), "CATEGORY_"), "ranks", value.getRanksValueList());
  }

  /** Compares every two strengths, and each with itself. */
  static Map<String, Object> order(Service service, JsonObject golden) {
    List<String> rows = Requests.texts(golden, "ascending");
    EvaluateRequest request = Requests.evaluate(golden, rows);
    List<RowValue> first = service.stub.evaluate(request).getValuesList();
    List<RowValue> again = service.stub.evaluate(request).getValuesList();
    for (int greater = 0; greater < rows.size(); greater++) {
      for (int lower = 0; lower < greater; lower++) {
        if (first.get(lower).getStrength() >= first.get(greater).getStrength()) {
          throw new AssertionError(
              "expected " + rows.get(lower) + " below " + rows.get(greater) + ", got another order");
        }
      }
    }
    if (!first.equals(again)) {
      throw new AssertionError("expected the same values again, got others");
    }
    return Map.of();
  }

  static Map<String, Object> validate(Service service, JsonObject golden) {
    ValidateResponse response = service.stub.validate(Requests.validate(golden));
    return fields(
        "legal", response.getLegal(),
        "reasons",
            response.getViolationsList().stream()
                .map(each -> Described.name(each.getReason(), "VIOLATION_REASON_"))
                .toList());
  }

  static Map<String, Object> score(Service service, JsonObject golden) {
    return Described.units(service.stub.score(Requests.score(golden)).getResult());
  }

  static List<Map<String, Object>> batchScore(Service service, List<JsonObject> cases) {
    BatchScoreRequest request =
        BatchScoreRequest.newBuilder()
            .addAllRequests(cases.stream().map(Requests::score).toList())
            .build();
    return service.stub.batchScore(request).getResponsesList().stream()
        .map(each -> Described.units(each.getResult()))
        .toList();
  }

  static Map<String, Object> pairs(Service service, JsonObject golden) {
    return fields(
        "pairs",
        service.stub.score(Requests.score(golden)).getResult().getPairsList().stream()
            .map(Described::pair)
            .toList());
  }

  static Map<String, Object> deal(Service service, JsonObject golden) {
    DealRoundResponse response = service.stub.dealRound(Requests.deal(golden));
    if (!response.getAlgorithm().equals("shisanzhi.v1")) {
      throw new AssertionError("expected the algorithm shisanzhi.v1, got " + response.getAlgorithm());
    }
    return Described.deal(response);
  }

  static Map<String, Object> seats(Service service, JsonObject golden) {
    List<String> players = List.of("ann", "bob", "cho", "dee");
    StartMatchResponse response =
        service.stub.startMatch(
            StartMatchRequest.newBuilder()
                .setRuleset(Ruleset.RULESET_CLASSIC)
                .setSeed(Requests.bytes(golden.get("seed")))
                .addAllPlayerIds(players)
                .build());
    Integer[] playerInSeat = new Integer[4];
    List<List<Integer>> draws = new ArrayList<>();
    for (SeatDraw draw : response.getDrawsList()) {
      playerInSeat[draw.getSeat()] = draw.getPlayer();
      for (int number = 0; number < draw.getCardsCount(); number++) {
        if (number == draws.size()) {
          draws.add(new ArrayList<>());
        }
        draws.get(number).add(draw.getCardsValue(number));
      }
    }
    List<String> expected = Arrays.stream(playerInSeat).map(players::get).toList();
    List<String> seated = List.copyOf(response.getMatch().getPlayerIdsList());
    if (!seated.equals(expected)) {
      throw new AssertionError("expected " + expected + " seated, got " + seated);
    }
    return fields("draws", draws.stream().map(Cards::format).toList(), "player_in_seat", playerInSeat);
  }

  static Map<String, Object> arrange(Service service, JsonObject golden) {
    return Described.arranged(service.stub.arrange(Requests.arrange(golden)));
  }

  static List<Map<String, Object>> batchArrange(Service service, List<JsonObject> cases) {
    BatchArrangeRequest request =
        BatchArrangeRequest.newBuilder()
            .addAllRequests(cases.stream().map(Requests::arrange).toList())
            .build();
    return service.stub.batchArrange(request).getResponsesList().stream()
        .map(Described::arranged)
        .toList();
  }

  /** Hands every answer back: the service remembers nothing. */
  static Map<String, Object> match(Service service, JsonObject golden) {
    StartMatchResponse started = service.stub.startMatch(Requests.startMatch(golden));
    List<Map<String, Object>> draws =
        started.getDrawsList().stream()
            .map(draw -> fields("cards", Cards.format(draw.getCardsValueList()), "seat", draw.getSeat()))
            .toList();
    Match match = started.getMatch();
    List<Map<String, Object>> matches = new ArrayList<>(List.of(Described.match(match)));
    for (JsonElement round : golden.getAsJsonArray("rounds")) {
      AdvanceMatchRequest.Builder request = AdvanceMatchRequest.newBuilder().setMatch(match);
      round.getAsJsonArray().forEach(units -> request.addUnits(units.getAsInt()));
      match = service.stub.advanceMatch(request.build()).getMatch();
      matches.add(Described.match(match));
    }
    return fields("draws", draws, "matches", matches);
  }

  static Map<String, Object> ruleset(Service service, JsonObject golden) {
    GetRulesetRequest request =
        GetRulesetRequest.newBuilder().setRuleset(Requests.ruleset(golden)).build();
    return Described.ruleset(service.stub.getRuleset(request).getRuleset());
  }

  /** Gives to each case what the list says of its ruleset. */
  static List<Map<String, Object>> listRulesets(Service service, List<JsonObject> cases) {
    Map<Ruleset, Map<String, Object>> listed = new LinkedHashMap<>();
    for (RulesetInfo each :
        service.stub.listRulesets(ListRulesetsRequest.getDefaultInstance()).getRulesetsList()) {
      listed.put(each.getRuleset(), Described.ruleset(each));
    }
    List<Ruleset> expected = cases.stream().map(Requests::ruleset).distinct().toList();
    if (!expected.equals(List.copyOf(listed.keySet()))) {
      throw new AssertionError("expected the list " + expected + ", got " + listed.keySet());
    }
    return cases.stream().map(golden -> listed.get(Requests.ruleset(golden))).toList();
  }

  static Map<String, Object> texts(Service service, JsonObject golden) {
    GetTextsResponse texts = service.stub.getTexts(GetTextsRequest.getDefaultInstance());
    return fields(
        "texts",
        switch (golden.get("enum").getAsString()) {
          case "ViolationReason" ->
              texts.getViolationReasonsList().stream()
                  .map(each -> line(each.getValue(), "VIOLATION_REASON_", Described.texts(each.getText())))
                  .toList();
          case "ErrorReason" ->
              texts.getErrorReasonsList().stream()
                  .map(each -> line(each.getValue(), "ERROR_REASON_", Described.texts(each.getText())))
                  .toList();
          case "FinishReason" ->
              texts.getFinishReasonsList().stream()
                  .map(each -> line(each.getValue(), "FINISH_REASON_", Described.texts(each.getText())))
                  .toList();
          case "RowOutcome" ->
              texts.getRowOutcomesList().stream()
                  .map(each -> line(each.getValue(), "ROW_OUTCOME_", Described.texts(each.getText())))
                  .toList();
          default -> throw new AssertionError("expected an enum that has texts, got " + golden.get("enum"));
        });
  }

  private static Map<String, Object> line(Enum<?> value, String prefix, Map<String, Object> text) {
    return fields("value", value.name().replaceFirst(prefix, ""), "text", text);
  }

  static Map<String, Object> refusal(Service service, JsonObject golden) {
    byte[] request = Requests.bytes(golden.get("request_bytes")).toByteArray();
    try {
      service.call(golden.get("method").getAsString(), request);
    } catch (StatusRuntimeException e) {
      Refusal refusal = Refusal.of(e).orElseThrow(() -> e);
      return fields(
          "code", refusal.code(),
          "reason", refusal.reason(),
          "faults",
              refusal.faults().stream()
                  .map(fault -> fields("path", fault.path(), "reason", fault.reason()))
                  .toList(),
          "left_out", refusal.faultsLeftOut());
    }
    throw new AssertionError("expected a refusal, got an answer");
  }
}
