package shisanzhi.example;

import com.google.protobuf.ByteString;
import io.grpc.InsecureChannelCredentials;
import io.grpc.ManagedChannel;
import shisanzhi.Shisanzhi;
import shisanzhi.v1.ArrangeRequest;
import shisanzhi.v1.CardList;
import shisanzhi.v1.DealRoundRequest;
import shisanzhi.v1.DealRoundResponse;
import shisanzhi.v1.GameLogicServiceGrpc;
import shisanzhi.v1.GameLogicServiceGrpc.GameLogicServiceBlockingStub;
import shisanzhi.v1.Ruleset;
import shisanzhi.v1.ScoreRequest;
import shisanzhi.v1.SeatResult;

/** Deals a round, arranges the four hands and settles it. */
public final class FirstRound {
  private FirstRound() {}

  public static void main(String[] arguments) {
    String target = arguments.length > 0 ? arguments[0] : "127.0.0.1:50051";
    ManagedChannel channel = Shisanzhi.connect(target, InsecureChannelCredentials.create());
    play(GameLogicServiceGrpc.newBlockingStub(channel));
    channel.shutdown();
  }

  static void play(GameLogicServiceBlockingStub service) {
    ByteString seed = ByteString.fromHex("000102030405060708090a0b0c0d0e0f");
    DealRoundResponse deal =
        service.dealRound(
            DealRoundRequest.newBuilder().setRuleset(Ruleset.RULESET_BONUS).setSeed(seed).build());
    ScoreRequest.Builder round =
        ScoreRequest.newBuilder()
            .setRuleset(Ruleset.RULESET_BONUS)
            .setCutCardValue(deal.getCutCardValue())
            .setDealer(deal.getDealer())
            .addAllHands(deal.getHandsList());
    for (CardList hand : deal.getHandsList()) {
      ArrangeRequest question =
          ArrangeRequest.newBuilder()
              .setRuleset(Ruleset.RULESET_BONUS)
              .setCutCardValue(deal.getCutCardValue())
              .addAllHandValue(hand.getCardsValueList())
              .build();
      round.addArrangements(service.arrange(question).getSuggestions(0).getArrangement());
    }
    for (SeatResult seat : service.score(round.build()).getResult().getSeatsList()) {
      System.out.printf("seat %d: %d%n", seat.getSeat(), seat.getTotalUnits());
    }
  }
}
