/** A round's cards: dealt by the service, or where it deals to nobody, here. */

import { type Card, Code, GameLogicError, Ruleset, repeatDeal } from "shisanzhi";
import { type Address, fromHex, type Placing } from "./address.js";
import { type Answer, service, useAnswer } from "./service.js";

export interface Deal {
  readonly commitment: Uint8Array;
  readonly dealer: number;
  /** BONUS: the card cut out. */
  readonly cutCard: Card | undefined;
  /** CLASSIC: the card turned up. */
  readonly turnedUpCard: Card | undefined;
  readonly firstReceiver: number;
  readonly hands: readonly (readonly Card[])[];
}

/** The deal that the address names. */
export function useDeal(address: Address): Answer<Deal> {
  return useAnswer(dealKey(address), () => askDeal(address));
}

/** All that a deal follows from. */
export function dealKey(address: Address): string {
  const { ruleset, seed, playerSeeds, round, dealer, cuts } = address;
  return JSON.stringify(["deal", ruleset, seed, playerSeeds, round, dealer, cuts]);
}

/** What a deal is made from, as the service and the verifier want it. */
export function inputsOf(address: Address) {
  const { ruleset, round, dealer, cuts } = address;
  return {
    ruleset,
    seed: fromHex(address.seed) ?? new Uint8Array(),
    playerSeeds: address.playerSeeds.flatMap((each) => fromHex(each) ?? []),
    round,
    cuts: ruleset === Ruleset.CLASSIC ? [...cuts] : [],
    ...(dealer !== undefined && { dealer }),
  };
}

/** Whether the service deals to this page; it says so once. */
let open = true;

async function askDeal(address: Address): Promise<Deal> {
  if (!open) {
    return dealHere(address);
  }
  try {
    const dealt = await service.dealRound(inputsOf(address));
    return {
      ...dealt,
      cutCard: dealt.cutCard || undefined,
      turnedUpCard: dealt.turnedUpCard || undefined,
      hands: dealt.hands.map(({ cards }) => cards),
    };
  } catch (error) {
    open = !(error instanceof GameLogicError && error.code === Code.PermissionDenied);
    if (open || globalThis.crypto.subtle === undefined) {
      throw error;
    }
    return dealHere(address);
  }
}

/** A gateway that is not for demonstration lets nobody see four hands; a seed deals them anywhere. */
async function dealHere(address: Address): Promise<Deal> {
  const { shown, ...deal } = await repeatDeal(inputsOf(address));
  const bonus = address.ruleset === Ruleset.BONUS;
  return {
    ...deal,
    cutCard: bonus ? shown : undefined,
    turnedUpCard: bonus ? undefined : shown,
  };
}

export const ROWS = ["front", "middle", "back"] as const;

/** The rows that a placing makes of a hand. */
export function arrangementOf(hand: readonly Card[], placing: Placing) {
  const row = (zone: number) => hand.filter((_, index) => placing[index] === zone);
  return { front: row(1), middle: row(2), back: row(3) };
}

/** Where the cards of a hand lie in an arrangement of it. */
export function placingOf(
  hand: readonly Card[],
  rows: { readonly front: Card[]; readonly middle: Card[]; readonly back: Card[] },
): Placing {
  const placing = hand.map(() => 0);
  for (const [index, row] of ROWS.entries()) {
    for (const card of rows[row]) {
      placing[hand.findIndex((each, place) => each === card && placing[place] === 0)] = index + 1;
    }
  }
  return placing;
}
