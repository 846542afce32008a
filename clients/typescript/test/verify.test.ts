import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { formatCards, Ruleset, repeatDeal } from "shisanzhi";

const VECTORS = new URL("../../../tests/vectors/deal.jsonl", import.meta.url);
const CASES = readFileSync(VECTORS, "utf-8")
  .trim()
  .split("\n")
  .map((line) => JSON.parse(line));
const bytes = (hex: string) => new Uint8Array(Buffer.from(hex, "hex"));

function repeat(fields: (typeof CASES)[number]) {
  return repeatDeal({
    ruleset: fields.ruleset === "bonus" ? Ruleset.BONUS : Ruleset.CLASSIC,
    seed: bytes(fields.seed),
    playerSeeds: fields.player_seeds.map(bytes),
    round: fields.round,
    dealer: fields.dealer_named ?? undefined,
    cuts: fields.cuts,
  });
}

for (const [index, fields] of CASES.entries()) {
  test(`golden deal ${index + 1} is repeated without a server`, async () => {
    const deal = await repeat(fields);
    assert.equal(Buffer.from(deal.commitment).toString("hex"), fields.commitment);
    assert.equal(deal.dealer, fields.dealer);
    assert.equal(formatCards([deal.shown]), fields.cut_card ?? fields.turned_up_card);
    assert.equal(deal.firstReceiver, fields.first_receiver);
    assert.deepEqual(deal.hands.map(formatCards), fields.hands);
  });
}

const REJECTED = [
  {
    ruleset: Ruleset.BONUS,
    round: 4_285_369,
    words: 66,
    hand: "3s 8h Ks Js 2h 2s 7s 9h Js 7d 9c 6h 6c Jd 2s Kh",
  },
  {
    ruleset: Ruleset.CLASSIC,
    round: 11_466_522,
    words: 53,
    hand: "7c 7h 9s Th 6d 9c Jc 2c 5s 7d 8h 4h 9d",
  },
];

for (const { ruleset, round, words, hand } of REJECTED) {
  test(`round ${round} meets a random number that must be passed over`, async () => {
    const seed = bytes("000102030405060708090a0b0c0d0e0f");
    const deal = await repeatDeal({ ruleset, seed, round, dealer: 1 });
    assert.deepEqual([deal.words, deal.passedOver], [words, 1]);
    assert.equal(formatCards(deal.hands[0] ?? []), hand);
  });
}
