package shisanzhi.conformance;

import java.util.List;

/** Every kind of golden cases. */
final class Kinds {
  private static final String ROUND = "ruleset cut dealer arrangements";

  static final List<Kind> ALL =
      List.of(
          Kind.of("evaluate", "ruleset cut row", "category ranks", Asking::evaluate, null),
          Kind.of("order", "ruleset cut ascending", "", Asking::order, null),
          Kind.of(
              "validate", "ruleset cut front middle back hand", "legal reasons", Asking::validate, null),
          Kind.of(
              "score", ROUND, "gunshot home_run royalty pair total place", Asking::score, Asking::batchScore),
          Kind.of("pairs", ROUND, "pairs", Asking::pairs, null),
          Kind.of(
              "deal",
              "ruleset round dealer_named player_seeds cuts",
              "seed dealer first_receiver cut_card turned_up_card commitment hands",
              Asking::deal,
              null),
          Kind.of("seats", "seed", "draws player_in_seat", Asking::seats, null),
          Kind.of(
              "arrange", "ruleset cut hand", "dragon suggestions", Asking::arrange, Asking::batchArrange),
          Kind.of(
              "match", "ruleset seed player_seeds player_ids rounds", "draws matches", Asking::match, null),
          Kind.of(
              "rulesets",
              "",
              "ruleset name deck hand_size rows middle_may_equal_back ladder royalties unit_name "
                  + "gunshot_name home_run_name pair_units gunshot_units home_run_units dragon_units "
                  + "points_per_unit starting_points rounds arrange_seconds has_bonus_rank max_cuts",
              Asking::ruleset,
              Asking::listRulesets),
          Kind.of("texts", "enum", "texts", Asking::texts, null),
          Kind.of(
              "errors", "method request request_bytes", "code reason faults left_out", Asking::refusal, null));

  private Kinds() {}
}
