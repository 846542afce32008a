import { type Card, Rank } from "../gen/shisanzhi/v1/card_pb.js";
import type { DealRoundResponse } from "../gen/shisanzhi/v1/game_logic_service_pb.js";
import { Ruleset } from "../gen/shisanzhi/v1/ruleset_pb.js";
import { cardOf, rankOf } from "./cards.js";

/** What a deal is made from. */
export interface DealInputs {
  readonly ruleset: Ruleset;
  readonly seed: Uint8Array;
  readonly playerSeeds?: readonly Uint8Array[];
  /** From 1; left out, 1. */
  readonly round?: number;
  /** Left out, the seed draws the dealer. */
  readonly dealer?: number | undefined;
  /** CLASSIC: where the players cut the deck. */
  readonly cuts?: readonly number[];
}

/** A deal made again, with every step on the way. */
export interface RepeatedDeal {
  /** SHA-256 of the seed. */
  readonly commitment: Uint8Array;
  /** The seed, with the players' mixed in. */
  readonly key: Uint8Array;
  readonly dealer: number;
  /** The deck after the shuffle, and after the cuts. */
  readonly shuffled: readonly Card[];
  readonly deck: readonly Card[];
  /** The place in the deck of the card that was cut out or turned up, and that card. */
  readonly shownAt: number;
  readonly shown: Card;
  readonly firstReceiver: number;
  /** By seat, in the order received. */
  readonly hands: readonly Card[][];
  /** The random numbers that the deal took, and those of them that were passed over. */
  readonly words: number;
  readonly passedOver: number;
}

/** Repeats a deal without the server: algorithm shisanzhi.v1, with nothing but a hash function. */
export async function repeatDeal(inputs: DealInputs): Promise<RepeatedDeal> {
  const { ruleset, seed, playerSeeds = [], round = 1, cuts = [] } = inputs;
  const bonus = ruleset === Ruleset.BONUS;
  const key = playerSeeds.length ? await mix(seed, playerSeeds) : seed;
  const named = `${bonus ? "bonus" : "classic"}/${round}`;
  const dealer = inputs.dealer ?? (await new Words(key, `dealer/${named}`).below(4));
  const words = new Words(key, `deal/${named}`);
  const shuffled = canonicalDeck(bonus);
  for (let last = shuffled.length - 1; last > 0; last--) {
    const other = await words.below(last + 1);
    [shuffled[last], shuffled[other]] = [shuffled[other] as Card, shuffled[last] as Card];
  }
  const deck = cuts.reduce((cards, cut) => [...cards.slice(cut), ...cards.slice(0, cut)], shuffled);
  const shownAt = await words.below(deck.length);
  const shown = deck[shownAt] as Card;
  const firstReceiver = (dealer + (bonus ? 0 : numberOf(shown) - 1)) % 4;
  const dealt = bonus ? deck.toSpliced(shownAt, 1) : deck;
  const hands = [0, 1, 2, 3].map((seat) =>
    dealt.filter((_, place) => (firstReceiver + place) % 4 === seat),
  );
  const commitment = new Uint8Array(await subtle().digest("SHA-256", new Uint8Array(seed)));
  const { taken, passedOver } = words;
  return {
    commitment,
    key,
    dealer,
    shuffled,
    deck,
    shownAt,
    shown,
    firstReceiver,
    hands,
    words: taken,
    passedOver,
  };
}

/** Whether a seed deals what the server said it deals. */
export async function verifyDeal(inputs: DealInputs, said: DealRoundResponse): Promise<boolean> {
  const deal = await repeatDeal(inputs);
  const facts = (...parts: unknown[]) => JSON.stringify(parts);
  return (
    facts([...deal.commitment], deal.dealer, deal.shown, deal.firstReceiver, deal.hands) ===
    facts(
      [...said.commitment],
      said.dealer,
      said.cutCard || said.turnedUpCard,
      said.firstReceiver,
      said.hands.map((hand) => hand.cards),
    )
  );
}

/** What a card counts for the first receiver: an ace 1, a king 13. */
function numberOf(card: Card): number {
  return rankOf(card) === Rank.ACE ? 1 : rankOf(card);
}

/** The 32-bit numbers of one purpose in one round. */
class Words {
  taken = 0;
  passedOver = 0;
  #block = 0;
  #words: number[] = [];

  constructor(
    private readonly key: Uint8Array,
    private readonly purpose: string,
  ) {}

  /** A number below a limit, each as likely as the others. */
  async below(limit: number): Promise<number> {
    const end = 2 ** 32 - (2 ** 32 % limit);
    for (;;) {
      const word = await this.#next();
      if (word < end) {
        return word % limit;
      }
      this.passedOver++;
    }
  }

  async #next(): Promise<number> {
    if (this.#words.length === 0) {
      const digest = await hmac(this.key, utf8(`shisanzhi.v1/${this.purpose}/${this.#block++}`));
      const view = new DataView(digest.buffer);
      this.#words = [0, 4, 8, 12, 16, 20, 24, 28].map((at) => view.getUint32(at));
    }
    this.taken++;
    return this.#words.shift() as number;
  }
}

function canonicalDeck(bonus: boolean): Card[] {
  const suits = bonus ? [1, 2, 3, 4, 4] : [1, 2, 3, 4];
  return suits.flatMap((suit) => Array.from({ length: 13 }, (_, rank) => cardOf(rank + 2, suit)));
}

function mix(seed: Uint8Array, playerSeeds: readonly Uint8Array[]): Promise<Uint8Array> {
  const parts = playerSeeds.flatMap((each) => [each.length, ...each]);
  return hmac(seed, new Uint8Array([...utf8("shisanzhi.v1/mix"), ...parts]));
}

async function hmac(key: Uint8Array, message: Uint8Array): Promise<Uint8Array> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await subtle().importKey("raw", new Uint8Array(key), algorithm, false, ["sign"]);
  return new Uint8Array(await subtle().sign("HMAC", imported, new Uint8Array(message)));
}

function subtle(): SubtleCrypto {
  if (globalThis.crypto?.subtle === undefined) {
    throw new Error(
      "expected WebCrypto, which browsers have over https and on localhost only, got none",
    );
  }
  return crypto.subtle;
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
