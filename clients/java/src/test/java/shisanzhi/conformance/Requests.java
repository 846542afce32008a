package shisanzhi.conformance;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.protobuf.ByteString;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import shisanzhi.Cards;
import shisanzhi.v1.ArrangeRequest;
import shisanzhi.v1.Arrangement;
import shisanzhi.v1.Card;
import shisanzhi.v1.CardList;
import shisanzhi.v1.DealRoundRequest;
import shisanzhi.v1.EvaluateRequest;
import shisanzhi.v1.Ruleset;
import shisanzhi.v1.ScoreRequest;
import shisanzhi.v1.StartMatchRequest;
import shisanzhi.v1.ValidateRequest;

/** Golden cases as requests. */
final class Requests {
  private Requests() {}

  static EvaluateRequest evaluate(JsonObject golden, List<String> rows) {
    return EvaluateRequest.newBuilder()
        .setRuleset(ruleset(golden))
        .setCutCard(card(golden, "cut"))
        .addAllRows(rows.stream().map(Requests::cardList).toList())
        .build();
  }

  static ValidateRequest validate(JsonObject golden) {
    return ValidateRequest.newBuilder()
        .setRuleset(ruleset(golden))
        .setCutCard(card(golden, "cut"))
        .setArrangement(arrangement(golden))
        .addAllHand(cards(golden, "hand"))
        .build();
  }

  static ScoreRequest score(JsonObject golden) {
    return ScoreRequest.newBuilder()
        .setRuleset(ruleset(golden))
        .setCutCard(card(golden, "cut"))
        .setDealer(golden.get("dealer").getAsInt())
        .addAllArrangements(
            elements(golden, "arrangements").map(each -> arrangement(each.getAsJsonObject())).toList())
        .build();
  }

  static DealRoundRequest deal(JsonObject golden) {
    DealRoundRequest.Builder request =
        DealRoundRequest.newBuilder()
            .setRuleset(ruleset(golden))
            .setSeed(bytes(golden.get("seed")))
            .addAllPlayerSeeds(elements(golden, "player_seeds").map(Requests::bytes).toList())
            .setRound((int) golden.get("round").getAsLong())
            .addAllCuts(elements(golden, "cuts").map(JsonElement::getAsInt).toList());
    if (!golden.get("dealer_named").isJsonNull()) {
      request.setDealer(golden.get("dealer_named").getAsInt());
    }
    return request.build();
  }

  static ArrangeRequest arrange(JsonObject golden) {
    return ArrangeRequest.newBuilder()
        .setRuleset(ruleset(golden))
        .setCutCard(card(golden, "cut"))
        .addAllHand(cards(golden, "hand"))
        .setMaxSuggestions(golden.getAsJsonArray("suggestions").size())
        .build();
  }

  static StartMatchRequest startMatch(JsonObject golden) {
    return StartMatchRequest.newBuilder()
        .setRuleset(ruleset(golden))
        .setSeed(bytes(golden.get("seed")))
        .addAllPlayerSeeds(elements(golden, "player_seeds").map(Requests::bytes).toList())
        .addAllPlayerIds(texts(golden, "player_ids"))
        .build();
  }

  static Ruleset ruleset(JsonObject golden) {
    return Ruleset.valueOf("RULESET_" + golden.get("ruleset").getAsString().toUpperCase());
  }

  static CardList cardList(String cards) {
    return CardList.newBuilder().addAllCards(Cards.parseAll(cards)).build();
  }

  /** Reads a card; null is none. */
  static Card card(JsonObject golden, String field) {
    return golden.get(field).isJsonNull()
        ? Card.CARD_UNSPECIFIED
        : Cards.parse(golden.get(field).getAsString());
  }

  static ByteString bytes(JsonElement hexadecimal) {
    return ByteString.fromHex(hexadecimal.getAsString());
  }

  static List<String> texts(JsonObject golden, String field) {
    return elements(golden, field).map(JsonElement::getAsString).toList();
  }

  static Stream<JsonElement> elements(JsonObject golden, String field) {
    JsonArray array = golden.getAsJsonArray(field);
    return StreamSupport.stream(array.spliterator(), false);
  }

  private static Arrangement arrangement(JsonObject golden) {
    return Arrangement.newBuilder()
        .addAllFront(cards(golden, "front"))
        .addAllMiddle(cards(golden, "middle"))
        .addAllBack(cards(golden, "back"))
        .build();
  }

  private static List<Card> cards(JsonObject golden, String field) {
    return golden.get(field).isJsonNull()
        ? List.of()
        : Cards.parseAll(golden.get(field).getAsString());
  }
}
