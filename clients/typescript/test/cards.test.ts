import assert from "node:assert/strict";
import { test } from "node:test";
import { Card, drawCard, drawRank, formatCard, parseCard, parseCards, Rank, Suit } from "shisanzhi";

const CARDS = Object.values(Card).filter(
  (card): card is Card => typeof card === "number" && card > 0,
);

test("every card is read as it is written", () => {
  assert.equal(CARDS.length, 52);
  assert.deepEqual(CARDS.map(formatCard).map(parseCard), CARDS);
  assert.deepEqual(CARDS.map(drawCard).map(parseCard), CARDS);
});

test("a card is read however people write it", () => {
  const tens = ["Ts", "10s", "T♠", "♠10", "tS"].map(parseCard);
  assert.deepEqual(new Set(tens), new Set([Card.SPADES_TEN]));
  assert.deepEqual(parseCards(" As  2c\n"), [Card.SPADES_ACE, Card.CLUBS_TWO]);
});

test("what is no card is refused with what was expected", () => {
  for (const text of ["", "A", "1s", "Asx", "sA", "As Kd"]) {
    assert.throws(() => parseCard(text), {
      name: "SyntaxError",
      message: `expected a card such as As, Td, 10d or A♠, got '${text}'`,
    });
  }
});

test("what is unknown is its number", () => {
  assert.deepEqual([0, 15, 17, 65, 82, 99].map(formatCard), ["0", "15", "17", "65", "82", "99"]);
  assert.equal(drawCard(99 as Card), "99");
  assert.deepEqual([Rank.ACE, Rank.TEN, Rank.TWO, 99 as Rank].map(drawRank), [
    "A",
    "10",
    "2",
    "99",
  ]);
  assert.equal(parseCard("As"), Suit.SPADES * 16 + Rank.ACE);
});
