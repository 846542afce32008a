/** Cards drawn in SVG. */

import { type Card, drawCard, drawRank, rankOf, Suit, suitOf } from "shisanzhi";
import { useSay } from "./words.js";

/** Suits in a square of 32, drawn for this page. */
const SHAPES: Partial<Record<Suit, string>> = {
  [Suit.CLUBS]:
    "M16 3.500a6 6 0 0 1 4.700 9.700 6 6 0 1 1-2.900 9.900c.3 2.600 1.100 4.200 2.700 5.900h-9c1.600-1.700 2.400-3.300 2.700-5.900a6 6 0 1 1-2.900-9.900A6 6 0 0 1 16 3.500z",
  [Suit.DIAMONDS]:
    "M16 2.500C18.600 7.700 21.900 12 26 16c-4.100 4-7.400 8.300-10 13.500C13.400 24.300 10.100 20 6 16c4.100-4 7.400-8.300 10-13.500z",
  [Suit.HEARTS]:
    "M16 28.500C14 23.700 4 18.400 4 10.700 4 6.900 6.800 4 10.200 4c2.600 0 4.700 1.500 5.800 4 1.100-2.500 3.200-4 5.800-4C25.200 4 28 6.900 28 10.700c0 7.700-10 13-12 17.800z",
  [Suit.SPADES]:
    "M16 2.500c2 4.900 11.500 10.200 11.500 17 0 3.700-2.600 6-5.600 6-1.800 0-3.300-.8-4.300-2.300.3 2.500 1.200 4.400 2.900 6.300h-9c1.700-1.900 2.600-3.800 2.900-6.300-1 1.500-2.500 2.300-4.300 2.300-3 0-5.600-2.300-5.600-6 0-6.800 9.500-12.100 11.500-17z",
};

export const SUIT_NAMES: Record<number, string> = {
  1: "clubs",
  2: "diamonds",
  3: "hearts",
  4: "spades",
};

/** The face of a card; a mark in the corner says that its rank is the bonus rank. */
export function Face({ card, bonus = false }: { card: Card; bonus?: boolean }) {
  const shape = SHAPES[suitOf(card)] ?? "";
  const rank = drawRank(rankOf(card));
  return (
    <svg class={`face ${SUIT_NAMES[suitOf(card)] ?? ""}`} viewBox="0 0 60 84" aria-hidden="true">
      <rect class="paper" x="0.75" y="0.75" width="58.500" height="82.500" rx="6.500" />
      {bonus && <path class="bonus" d="M38 .75h14.750a6.500 6.500 0 0 1 6.500 6.500V22z" />}
      <text class={rank.length > 1 ? "rank two" : "rank"} x="6" y="27">
        {rank}
      </text>
      <path class="suit" transform="translate(6 32) scale(.5)" d={shape} />
      <path class="suit" transform="translate(21 44) scale(1.080)" d={shape} />
    </svg>
  );
}

/** A card that is only shown. */
export function ShownCard({ card, bonus = false }: { card: Card; bonus?: boolean }) {
  return (
    <span class="card" role="img" aria-label={drawCard(card)}>
      <Face card={card} bonus={bonus} />
    </span>
  );
}

/** Some cards side by side, small. */
export function ShownCards({
  cards,
  bonusRank,
}: {
  cards: readonly Card[];
  bonusRank?: number | undefined;
}) {
  return (
    <span class="shown">
      {cards.map((card, place) => (
        <ShownCard key={`${card} ${place}`} card={card} bonus={rankOf(card) === bonusRank} />
      ))}
    </span>
  );
}

/** A card as text, in the colour of its suit. */
export function CardText({ card }: { card: Card }) {
  return <span class={`text ${SUIT_NAMES[suitOf(card)] ?? ""}`}>{drawCard(card)}</span>;
}

/** What a card is called aloud. */
export function useCardName(bonusRank: number | undefined): (card: Card) => string {
  const say = useSay();
  return (card) =>
    rankOf(card) === bonusRank ? `${drawCard(card)}, ${say("bonusCard")}` : drawCard(card);
}

/** High to low, as a hand is held. */
export function byRank(a: Card, b: Card): number {
  return rankOf(b) - rankOf(a) || suitOf(b) - suitOf(a);
}

/** What makes the category first: pairs and trips before kickers. */
export function byGroups(cards: readonly Card[]): Card[] {
  const count = (card: Card) => cards.filter((each) => rankOf(each) === rankOf(card)).length;
  return [...cards].sort((a, b) => count(b) - count(a) || byRank(a, b));
}
