import type { Card, Rank, Suit } from "../gen/shisanzhi/v1/card_pb.js";

const RANKS = "23456789TJQKA";
const SUITS = "cdhs";
const SYMBOLS = "♣♦♥♠";
const CARD = /^(?:(10|[2-9TJQKA])([cdhs♣♦♥♠])|([♣♦♥♠])(10|[2-9TJQKA]))$/iu;

/** The rank of a card: 2 to 14. */
export function rankOf(card: Card): Rank {
  return card % 16;
}

/** The suit of a card. */
export function suitOf(card: Card): Suit {
  return Math.floor(card / 16);
}

/** The card of a rank and a suit. */
export function cardOf(rank: Rank, suit: Suit): Card {
  return suit * 16 + rank;
}

/** Whether a number is one of the 52 cards; a newer server may know others. */
export function isCard(card: number): card is Card {
  return RANKS[(card % 16) - 2] !== undefined && SUITS[Math.floor(card / 16) - 1] !== undefined;
}

/** Reads a card: `As`, `Td`, `10d`, `A♠` or `♠A`. */
export function parseCard(text: string): Card {
  const [, rank, suit, suitFirst, rankLast] = CARD.exec(text) ?? [];
  const letter = (rank ?? rankLast)?.toUpperCase().replace("10", "T");
  const sign = (suit ?? suitFirst)?.toLowerCase();
  if (letter === undefined || sign === undefined) {
    throw new SyntaxError(`expected a card such as As, Td, 10d or A♠, got '${text}'`);
  }
  const suitIndex = Math.max(SUITS.indexOf(sign), SYMBOLS.indexOf(sign));
  return cardOf(RANKS.indexOf(letter) + 2, suitIndex + 1);
}

/** Reads cards with blanks between. */
export function parseCards(text: string): Card[] {
  return text.split(/\s+/u).filter(Boolean).map(parseCard);
}

/** Writes a card as `parseCard` reads it: `As`; one that is unknown as its number. */
export function formatCard(card: Card): string {
  return isCard(card) ? `${RANKS[rankOf(card) - 2]}${SUITS[suitOf(card) - 1]}` : `${card}`;
}

/** Writes cards with blanks between. */
export function formatCards(cards: readonly Card[]): string {
  return cards.map(formatCard).join(" ");
}

/** Writes a card as people read it: `A♠`, `10♦`; one that is unknown as its number. */
export function drawCard(card: Card): string {
  return isCard(card) ? `${drawRank(rankOf(card))}${drawSuit(suitOf(card))}` : `${card}`;
}

/** Writes a rank as it is printed on cards: `A`, `10`; one that is unknown as its number. */
export function drawRank(rank: Rank): string {
  return rank < 11 ? `${rank}` : (RANKS[rank - 2] ?? `${rank}`);
}

/** Writes the symbol of a suit; the number of one that is unknown. */
export function drawSuit(suit: Suit): string {
  return SYMBOLS[suit - 1] ?? `${suit}`;
}
