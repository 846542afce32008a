package shisanzhi;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import shisanzhi.v1.Card;

/**
 * Cards as text.
 *
 * <p>Cards to be written are numbers, as {@code getCardsValueList()} gives them: a card that only a
 * newer server knows has no other form. It is written as its number.
 */
public final class Cards {
  // In the order of the contract's numbers: a card is 16 times its suit, from 1, plus its rank, from 2.
  private static final String RANKS = "23456789TJQKA";
  private static final String SUITS = "cdhs";
  private static final String SYMBOLS = "♣♦♥♠";

  private Cards() {}

  /** Reads a card: As, td, 10d, A♠. */
  public static Card parse(String text) {
    String word = text.replaceFirst("10", "T");
    if (word.length() == 2) {
      int rank = RANKS.indexOf(Character.toUpperCase(word.charAt(0)));
      int suit =
          Math.max(
              SUITS.indexOf(Character.toLowerCase(word.charAt(1))), SYMBOLS.indexOf(word.charAt(1)));
      if (rank >= 0 && suit >= 0) {
        return Card.forNumber(16 * (suit + 1) + rank + 2);
      }
    }
    throw new IllegalArgumentException(
        "expected a card such as As, Td, 10d or A♠, got '" + text + "'");
  }

  /** Reads cards with blanks between them. */
  public static List<Card> parseAll(String text) {
    return Stream.of(text.split(" ")).filter(word -> !word.isEmpty()).map(Cards::parse).toList();
  }

  /** Writes a card as {@link #parse} reads it: As. */
  public static String format(int card) {
    return isCard(card)
        ? rank(card % 16) + SUITS.charAt(card / 16 - 1)
        : Integer.toString(card);
  }

  /** Writes cards with blanks between them. */
  public static String format(List<Integer> cards) {
    return cards.stream().map(Cards::format).collect(Collectors.joining(" "));
  }

  /** Writes a card for people: A♠, 10♦. */
  public static String pretty(int card) {
    return isCard(card)
        ? rank(card % 16).replace("T", "10") + SYMBOLS.charAt(card / 16 - 1)
        : Integer.toString(card);
  }

  /** Writes a rank: 2 to 9, T, J, Q, K, A. */
  public static String rank(int rank) {
    return 2 <= rank && rank <= 14
        ? RANKS.substring(rank - 2, rank - 1)
        : Integer.toString(rank);
  }

  private static boolean isCard(int card) {
    return card != Card.CARD_UNSPECIFIED_VALUE && Card.forNumber(card) != null;
  }
}
