package shisanzhi.conformance;

import io.grpc.StatusRuntimeException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;
import shisanzhi.Cards;
import shisanzhi.Language;
import shisanzhi.Names;
import shisanzhi.Refusal;
import shisanzhi.v1.AdvanceMatchRequest;
import shisanzhi.v1.Category;
import shisanzhi.v1.ErrorReason;
import shisanzhi.v1.EvaluateRequest;
import shisanzhi.v1.EvaluateResponse;
import shisanzhi.v1.GetRulesetRequest;
import shisanzhi.v1.Match;
import shisanzhi.v1.RowValue;
import shisanzhi.v1.RulesetInfo;
import shisanzhi.v1.ScoreRequest;
import shisanzhi.v1.StartMatchRequest;
import shisanzhi.v1.ValidateRequest;
import shisanzhi.v1.ValidateResponse;
import shisanzhi.v1.Violation;

/** Asks a server that says what this client does not know. */
final class NewerChecks {
  private NewerChecks() {}

  static List<Optional<String>> run(Service service) {
    return Stream.<Consumer<Service>>of(
            NewerChecks::category,
            NewerChecks::name,
            NewerChecks::violation,
            NewerChecks::reason,
            NewerChecks::match)
        .map(check -> Kind.outcome(() -> check.accept(service)))
        .toList();
  }

  private static void category(Service service) {
    EvaluateResponse response = service.stub.evaluate(EvaluateRequest.getDefaultInstance());
    RowValue first = response.getValues(0);
    same(
        List.of(Category.UNRECOGNIZED, 99, List.of(14, 99, 2), "99", true),
        List.of(
            first.getCategory(),
            first.getCategoryValue(),
            List.copyOf(first.getRanksValueList()),
            Cards.rank(first.getRanksValue(1)),
            first.getStrength() > response.getValues(1).getStrength()));
    try { // the trap that README.md names
      RowValue.newBuilder().addAllRanks(first.getRanksList());
    } catch (IllegalArgumentException e) {
      return;
    }
    throw new AssertionError("expected addAllRanks to refuse an unknown rank, got a copy");
  }

  private static void name(Service service) {
    RulesetInfo info = service.stub.getRuleset(GetRulesetRequest.getDefaultInstance()).getRuleset();
    Names chinese = new Names(info, Language.ZH_HANT);
    Names english = new Names(info, Language.EN);
    same(
        List.of("新牌型", "new category", "98"),
        List.of(chinese.category(99), english.category(99), english.category(98)));
  }

  private static void violation(Service service) {
    ValidateResponse response = service.stub.validate(ValidateRequest.getDefaultInstance());
    Violation broken = response.getViolations(0);
    same(
        List.of(false, 99, 99, 99, "99", "99"),
        List.of(
            response.getLegal(),
            broken.getReasonValue(),
            broken.getRowValue(),
            broken.getCardValue(),
            Cards.format(broken.getCardValue()),
            Cards.pretty(broken.getCardValue())));
  }

  private static void reason(Service service) {
    Refusal refusal = null;
    try {
      service.stub.score(ScoreRequest.getDefaultInstance());
    } catch (StatusRuntimeException e) {
      refusal = Refusal.of(e).orElseThrow(() -> e);
    }
    Refusal.Fault fault = refusal.faults().get(0);
    same(
        List.of("LATER_REASON", ErrorReason.ERROR_REASON_UNSPECIFIED, "later[0].field", "LATER_REASON", 3),
        List.of(
            refusal.reason(),
            Refusal.valueOf(refusal.reason()),
            fault.path(),
            fault.reason(),
            refusal.faultsLeftOut()));
  }

  /** Hands back what the server will look for: a field that this client does not know. */
  private static void match(Service service) {
    Match match = service.stub.startMatch(StartMatchRequest.getDefaultInstance()).getMatch();
    AdvanceMatchRequest request = AdvanceMatchRequest.newBuilder().setMatch(match).build();
    same(List.of(2), List.of(service.stub.advanceMatch(request).getMatch().getNextRound()));
  }

  private static void same(List<?> expected, List<?> got) {
    if (!expected.equals(got)) {
      throw new AssertionError("expected " + expected + ", got " + got);
    }
  }
}
