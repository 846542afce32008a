package shisanzhi;

import static java.nio.charset.StandardCharsets.US_ASCII;

import com.google.protobuf.ByteString;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import shisanzhi.v1.Card;
import shisanzhi.v1.CardList;
import shisanzhi.v1.DealRoundRequest;
import shisanzhi.v1.DealRoundResponse;

/** Deals repeated without the service: algorithm shisanzhi.v1, from nothing but HMAC-SHA256. */
public final class Deals {
  private static final String ALGORITHM = "shisanzhi.v1";

  private Deals() {}

  /**
   * Checks that the request's seed is the one that was committed to before the round, and that it
   * deals what was dealt.
   *
   * @return what is not so, or empty if all is well
   */
  public static Optional<String> verify(
      ByteString commitment, DealRoundRequest request, DealRoundResponse dealt) {
    DealRoundResponse repeated = repeat(request);
    if (!repeated.getCommitment().equals(commitment)) {
      return Optional.of("expected the seed that was committed to, got another");
    }
    List<String> expected = described(repeated);
    List<String> got = described(dealt);
    for (int i = 0; i < expected.size(); i++) {
      if (!expected.get(i).equals(got.get(i))) {
        return Optional.of("expected " + expected.get(i) + ", got " + got.get(i));
      }
    }
    return Optional.empty();
  }

  private static List<String> described(DealRoundResponse deal) {
    return List.of(
        "algorithm " + deal.getAlgorithm(),
        "commitment " + HexFormat.of().formatHex(deal.getCommitment().toByteArray()),
        "dealer " + deal.getDealer(),
        "cut card " + Cards.format(deal.getCutCardValue()),
        "turned up card " + Cards.format(deal.getTurnedUpCardValue()),
        "first receiver " + deal.getFirstReceiver(),
        "hands " + deal.getHandsList().stream().map(h -> Cards.format(h.getCardsValueList())).toList());
  }

  /** Answers as DealRound does, from the request alone. It draws no seed and checks no ranges. */
  public static DealRoundResponse repeat(DealRoundRequest request) {
    boolean bonus =
        switch (request.getRuleset()) {
          case RULESET_BONUS -> true;
          case RULESET_CLASSIC -> false;
          default ->
              throw new IllegalArgumentException(
                  "expected a ruleset that " + ALGORITHM + " deals, got " + request.getRulesetValue());
        };
    String round =
        (bonus ? "bonus/" : "classic/")
            + (request.getRound() == 0 ? "1" : Integer.toUnsignedString(request.getRound()));
    byte[] key = key(request);
    int dealer =
        request.hasDealer() ? request.getDealer() : new Draws(key, "dealer/" + round).below(4);

    List<Card> deck = canonicalDeck(bonus);
    Draws draws = new Draws(key, "deal/" + round);
    for (int last = deck.size() - 1; last > 0; last--) {
      Collections.swap(deck, last, draws.below(last + 1));
    }
    for (int cut : request.getCutsList()) {
      Collections.rotate(deck, -cut);
    }
    int shown = draws.below(deck.size());
    DealRoundResponse.Builder deal =
        DealRoundResponse.newBuilder()
            .setSeed(request.getSeed())
            .setCommitment(ByteString.copyFrom(sha256(request.getSeed().toByteArray())))
            .setDealer(dealer)
            .setFirstReceiver(dealer)
            .setAlgorithm(ALGORITHM);
    if (bonus) {
      deal.setCutCard(deck.remove(shown));
    } else {
      deal.setTurnedUpCard(deck.get(shown));
      deal.setFirstReceiver((dealer + number(deck.get(shown)) - 1) % 4);
    }
    List<CardList.Builder> hands = Stream.generate(CardList::newBuilder).limit(4).toList();
    for (int place = 0; place < deck.size(); place++) {
      hands.get((deal.getFirstReceiver() + place) % 4).addCards(deck.get(place));
    }
    hands.forEach(deal::addHands);
    return deal.build();
  }

  /** The seed, with the players' seeds mixed in, so that the house alone does not choose the deal. */
  private static byte[] key(DealRoundRequest request) {
    byte[] seed = request.getSeed().toByteArray();
    if (request.getPlayerSeedsCount() == 0) {
      return seed;
    }
    ByteString message = ByteString.copyFrom(ALGORITHM + "/mix", US_ASCII);
    for (ByteString each : request.getPlayerSeedsList()) {
      message = message.concat(ByteString.copyFrom(new byte[] {(byte) each.size()})).concat(each);
    }
    return hmac(seed, message.toByteArray());
  }

  /** Clubs, diamonds, hearts, spades, each from 2 to A, and in BONUS spades once more. */
  private static List<Card> canonicalDeck(boolean bonus) {
    List<Integer> suits = bonus ? List.of(1, 2, 3, 4, 4) : List.of(1, 2, 3, 4);
    List<Card> deck = new ArrayList<>();
    for (int suit : suits) {
      for (int rank = 2; rank <= 14; rank++) {
        deck.add(Card.forNumber(16 * suit + rank));
      }
    }
    return deck;
  }

  /** What a card that is turned up counts off: an ace 1. */
  private static int number(Card card) {
    int rank = card.getNumber() % 16;
    return rank == 14 ? 1 : rank;
  }

  /** Numbers drawn from the stream of one purpose. */
  private static final class Draws {
    private final byte[] key;
    private final String label;
    private int blocks;
    private ByteBuffer block = ByteBuffer.allocate(0);

    Draws(byte[] key, String label) {
      this.key = key;
      this.label = label;
    }

    /** Draws a number below a limit, each as likely as the others. */
    int below(int limit) {
      long all = 1L << 32;
      long word;
      do {
        if (!block.hasRemaining()) {
          String message = ALGORITHM + "/" + label + "/" + blocks++;
          block = ByteBuffer.wrap(hmac(key, message.getBytes(US_ASCII)));
        }
        word = Integer.toUnsignedLong(block.getInt());
      } while (word >= all - all % limit);
      return (int) (word % limit);
    }
  }

  private static byte[] hmac(byte[] key, byte[] message) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac.doFinal(message);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e); // every Java has it
    }
  }
}
