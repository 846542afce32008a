package shisanzhi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import shisanzhi.v1.Card;

class CardsTest {
  @Test
  void everyCardIsReadAsItIsWritten() {
    List<Card> cards =
        Arrays.stream(Card.values())
            .filter(card -> card != Card.UNRECOGNIZED && card != Card.CARD_UNSPECIFIED)
            .toList();
    assertEquals(52, cards.size());
    for (Card card : cards) {
      assertEquals(card, Cards.parse(Cards.format(card.getNumber())));
      assertEquals(card, Cards.parse(Cards.pretty(card.getNumber())));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"Td", "td", "10d", "10D", "T♦", "10♦"})
  void aCardIsReadInAnyOfItsSpellings(String text) {
    assertEquals(Card.CARD_DIAMONDS_TEN, Cards.parse(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "A", "As♠", "1s", "sA", "Ax", "十s"})
  void whatIsNoCardIsRefused(String text) {
    assertThrows(IllegalArgumentException.class, () -> Cards.parse(text));
  }

  @Test
  void aCardOfANewerServerIsItsNumber() {
    assertEquals("0 15 17 31 82 99 -1", Cards.format(List.of(0, 15, 17, 31, 82, 99, -1)));
    assertEquals("99", Cards.pretty(99));
  }
}
