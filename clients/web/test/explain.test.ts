import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import {
  type GameLogic,
  type Language,
  Names,
  parseCard,
  parseCards,
  Ruleset,
  type RulesetInfo,
} from "shisanzhi";
import { connect } from "shisanzhi/node";
import { EXAMPLE_CUT, EXAMPLES } from "../src/examples.js";
import { explain, sentence } from "../src/explain.js";
import { type Serving, serve } from "./serving.js";

const SEATS = [0, 1, 2, 3];

function lines(path: string) {
  const text = readFileSync(new URL(`../../../tests/${path}`, import.meta.url), "utf-8");
  return text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

let serving: Serving;
let client: GameLogic & { close(): void };
let rulesets: RulesetInfo[];

before(async () => {
  serving = await serve();
  client = connect(serving.server);
  rulesets = (await client.listRulesets({})).rulesets;
});

after(async () => {
  client.close();
  await serving.stop();
});

function rulesOf(ruleset: Ruleset): RulesetInfo {
  return rulesets.find((each) => each.ruleset === ruleset) as RulesetInfo;
}

test("the page says what `shisanzhi score --explain` says", async () => {
  const cases = { pairs: lines("vectors/pairs.jsonl"), score: lines("vectors/score.jsonl") };
  const golden = lines("explanations.jsonl");
  assert.equal(golden.length, cases.pairs.length + cases.score.length);
  for (const expected of golden) {
    const fields = cases[expected.kind as keyof typeof cases][expected.line - 1];
    const ruleset = fields.ruleset === "bonus" ? Ruleset.BONUS : Ruleset.CLASSIC;
    const { result } = await client.score({
      ruleset,
      ...(fields.cut && { cutCard: parseCard(fields.cut) }),
      dealer: fields.dealer,
      arrangements: fields.arrangements.map(
        (rows: Record<"front" | "middle" | "back", string>) => ({
          front: parseCards(rows.front),
          middle: parseCards(rows.middle),
          back: parseCards(rows.back),
        }),
      ),
    });
    assert.ok(result);
    for (const language of ["zh-Hant", "en"] satisfies Language[]) {
      const names = new Names(rulesOf(ruleset), language);
      const sentences: string[][] = SEATS.map((seat) =>
        explain(names.ruleset, result, seat).map((cause) => sentence(names, cause)),
      );
      assert.deepEqual(sentences, expected[language], `${expected.kind} ${expected.line}`);
    }
  }
});

test("the example of each category is of that category", async () => {
  for (const ruleset of rulesets) {
    const cut = ruleset.hasBonusRank ? { cutCard: parseCard(EXAMPLE_CUT) } : {};
    const rows = ruleset.ladder.map(({ category }) => ({
      cards: parseCards(EXAMPLES[category] ?? ""),
    }));
    const { values } = await client.evaluate({ ruleset: ruleset.ruleset, ...cut, rows });
    assert.deepEqual(
      values.map((value) => value.category),
      ruleset.ladder.map((rung) => rung.category),
    );
  }
});
