package shisanzhi.conformance;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import java.util.List;
import java.util.Optional;
import shisanzhi.Deals;
import shisanzhi.v1.Card;
import shisanzhi.v1.CardList;
import shisanzhi.v1.DealRoundRequest;
import shisanzhi.v1.DealRoundResponse;

/** Repeats every golden deal without the service. */
final class VerifyChecks {
  private VerifyChecks() {}

  static List<Optional<String>> run(List<JsonObject> cases) {
    return cases.stream().map(golden -> Kind.outcome(() -> check(golden))).toList();
  }

  private static void check(JsonObject golden) {
    DealRoundRequest request = Requests.deal(golden);
    DealRoundResponse.Builder dealt = dealt(golden);
    Deals.verify(dealt.getCommitment(), request, dealt.build())
        .ifPresent(
            wrong -> {
              throw new AssertionError(wrong);
            });
    CardList.Builder hand = dealt.getHandsBuilder(3);
    hand.setCards(
        5, hand.getCards(5) == Card.CARD_SPADES_ACE ? Card.CARD_CLUBS_TWO : Card.CARD_SPADES_ACE);
    if (Deals.verify(dealt.getCommitment(), request, dealt.build()).isEmpty()) {
      throw new AssertionError("expected a no when a card is changed, got a yes");
    }
  }

  /** Writes a case as the answer of DealRound that it describes. */
  private static DealRoundResponse.Builder dealt(JsonObject golden) {
    return DealRoundResponse.newBuilder()
        .setSeed(Requests.bytes(golden.get("seed")))
        .setCommitment(Requests.bytes(golden.get("commitment")))
        .setDealer(golden.get("dealer").getAsInt())
        .setCutCard(Requests.card(golden, "cut_card"))
        .setTurnedUpCard(Requests.card(golden, "turned_up_card"))
        .setFirstReceiver(golden.get("first_receiver").getAsInt())
        .addAllHands(
            Requests.elements(golden, "hands")
                .map(JsonElement::getAsString)
                .map(Requests::cardList)
                .toList())
        .setAlgorithm("shisanzhi.v1");
  }
}
