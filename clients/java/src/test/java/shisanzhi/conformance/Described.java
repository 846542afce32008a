package shisanzhi.conformance;

import com.google.protobuf.ByteString;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import shisanzhi.Cards;
import shisanzhi.v1.ArrangeResponse;
import shisanzhi.v1.DealRoundResponse;
import shisanzhi.v1.LocalizedText;
import shisanzhi.v1.Match;
import shisanzhi.v1.PairResult;
import shisanzhi.v1.RoundResult;
import shisanzhi.v1.Royalty;
import shisanzhi.v1.RulesetInfo;
import shisanzhi.v1.SeatResult;

/** Answers as the golden files write them. */
final class Described {
  private Described() {}

  static Map<String, Object> units(RoundResult result) {
    return fields(
        "gunshot", bySeat(result, SeatResult::getGunshotUnits),
        "home_run", bySeat(result, SeatResult::getHomeRunUnits),
        "royalty", bySeat(result, SeatResult::getRoyaltyUnits),
        "pair", bySeat(result, SeatResult::getPairUnits),
        "total", bySeat(result, SeatResult::getTotalUnits),
        "place", bySeat(result, SeatResult::getPlace));
  }

  private static List<Integer> bySeat(RoundResult result, Function<SeatResult, Integer> part) {
    return result.getSeatsList().stream().map(part).toList();
  }

  static Map<String, Object> pair(PairResult pair) {
    int royalty = 0;
    for (Royalty each : pair.getRoyaltiesList()) {
      royalty += each.getPayee() == pair.getSeat() ? each.getUnits() : -each.getUnits();
    }
    return fields(
        "seat", pair.getSeat(),
        "opponent", pair.getOpponent(),
        "front", name(pair.getFront(), "ROW_OUTCOME_"),
        "middle", name(pair.getMiddle(), "ROW_OUTCOME_"),
        "back", name(pair.getBack(), "ROW_OUTCOME_"),
        "pair", pair.getPairUnits(),
        "gunshot", pair.getGunshotUnits(),
        "home_run", pair.getHomeRunUnits(),
        "royalty", royalty,
        "total", pair.getTotalUnits(),
        "guns", pair.getGuns(),
        "gunned", pair.getGunned());
  }

  static Map<String, Object> deal(DealRoundResponse deal) {
    return fields(
        "seed", hexadecimal(deal.getSeed()),
        "commitment", hexadecimal(deal.getCommitment()),
        "dealer", deal.getDealer(),
        "first_receiver", deal.getFirstReceiver(),
        "cut_card", cardOrNull(deal.getCutCardValue()),
        "turned_up_card", cardOrNull(deal.getTurnedUpCardValue()),
        "hands", deal.getHandsList().stream().map(h -> Cards.format(h.getCardsValueList())).toList());
  }

  static Map<String, Object> arranged(ArrangeResponse response) {
    return fields(
        "dragon", response.getDragon(),
        "suggestions",
            response.getSuggestionsList().stream()
                .map(
                    each ->
                        fields(
                            "front", Cards.format(each.getArrangement().getFrontValueList()),
                            "middle", Cards.format(each.getArrangement().getMiddleValueList()),
                            "back", Cards.format(each.getArrangement().getBackValueList()),
                            "discards", Cards.format(each.getDiscardsValueList()),
                            "expected_units", each.getExpectedUnits()))
                .toList());
  }

  static Map<String, Object> match(Match match) {
    return fields(
        "player_ids", match.getPlayerIdsList(),
        "next_round", match.getNextRound(),
        "dealer", match.getDealer(),
        "units", match.getUnitsList(),
        "points", match.getPointsList(),
        "finished", match.getFinished(),
        "finish_reason", name(match.getFinishReason(), "FINISH_REASON_"),
        "standings",
            match.getStandingsList().stream()
                .map(line -> fields("place", line.getPlace(), "seat", line.getSeat()))
                .toList());
  }

  static Map<String, Object> ruleset(RulesetInfo info) {
    return fields(
        "ruleset", name(info.getRuleset(), "RULESET_").toLowerCase(),
        "name", texts(info.getName()),
        "deck", Cards.format(info.getDeckValueList()),
        "hand_size", info.getHandSize(),
        "rows",
            info.getRowsList().stream()
                .map(
                    line ->
                        fields(
                            "row", name(line.getRow(), "ROW_"),
                            "name", texts(line.getName()),
                            "size", line.getSize()))
                .toList(),
        "middle_may_equal_back", info.getMiddleMayEqualBack(),
        "ladder",
            info.getLadderList().stream()
                .map(
                    line ->
                        fields(
                            "category", name(line.getCategory(), "CATEGORY_"),
                            "name", texts(line.getName()),
                            "fits_front", line.getFitsFront()))
                .toList(),
        "royalties",
            info.getRoyaltiesList().stream()
                .map(
                    line ->
                        fields(
                            "row", name(line.getRow(), "ROW_"),
                            "category", name(line.getCategory(), "CATEGORY_"),
                            "units", line.getUnits(),
                            "name", texts(line.getName())))
                .toList(),
        "unit_name", texts(info.getUnitName()),
        "gunshot_name", texts(info.getGunshotName()),
        "home_run_name", texts(info.getHomeRunName()),
        "pair_units", info.getPairUnits(),
        "gunshot_units", info.getGunshotUnits(),
        "home_run_units", info.getHomeRunUnits(),
        "dragon_units", info.getDragonUnits(),
        "points_per_unit", info.getPointsPerUnit(),
        "starting_points", info.getStartingPoints(),
        "rounds", info.getRounds(),
        "arrange_seconds", info.getArrangeSeconds(),
        "has_bonus_rank", info.getHasBonusRank(),
        "max_cuts", info.getMaxCuts());
  }

  static Map<String, Object> texts(LocalizedText text) {
    return fields("zh_hant", text.getZhHant(), "en", text.getEn());
  }

  /** Gives a value's name without its prefix; null for the unspecified one. */
  static String name(Enum<?> value, String prefix) {
    String name = value.name().replaceFirst(prefix, "");
    return name.equals("UNSPECIFIED") ? null : name;
  }

  /** Gives names and values, taken in turns, as a map; a value may be null. */
  static Map<String, Object> fields(Object... namesAndValues) {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      fields.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return fields;
  }

  private static String hexadecimal(ByteString bytes) {
    return HexFormat.of().formatHex(bytes.toByteArray());
  }

  private static String cardOrNull(int card) {
    return card == 0 ? null : Cards.format(card);
  }
}
