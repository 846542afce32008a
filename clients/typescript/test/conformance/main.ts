/** The conformance runner; clients/README.md says what it is told and what it prints. */

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { formatCards, type GameLogic, type Ruleset, repeatDeal, verifyDeal } from "shisanzhi";
import { connect } from "shisanzhi/node";
import { explain, KINDS, type Kind, run } from "./kinds.js";
import { CHECKS } from "./newer.js";
import { bytes, hex, ruleset } from "./notation.js";
import { type Case, readAll, same } from "./vectors.js";

const FOLDER = new URL("../../", import.meta.url);

function setting(name: string): string {
  const value = process.env[name];
  if (!value) {
    throw new Error(`expected ${name}, got nothing`);
  }
  return value;
}

function say(...words: (string | number)[]): void {
  console.log("conformance: typescript", ...words);
}

function versionOf(name: string): string {
  const file = new URL(`node_modules/${name}/package.json`, FOLDER);
  return `${name} ${JSON.parse(readFileSync(file, "utf-8")).version}`;
}

/** Says how many of some checks passed, and why the others did not. */
async function count(
  kind: string,
  checks: readonly { line: number; check: () => Promise<void> }[],
): Promise<boolean> {
  const failed = new Map<number, string>();
  for (const { line, check } of checks) {
    await check().catch((error: unknown) => failed.set(line, explain(error)));
  }
  return report(kind, checks.length, failed);
}

function report(kind: string, cases: number, failed: ReadonlyMap<number, string>): boolean {
  for (const [line, why] of failed) {
    say("failed", kind, `${line}:`, why);
  }
  say(kind, cases - failed.size);
  return failed.size === 0;
}

// biome-ignore lint/suspicious/noExplicitAny: see Case
async function checkVerifier(client: GameLogic, fields: any): Promise<void> {
  const inputs = {
    ruleset: ruleset(fields.ruleset),
    seed: bytes(fields.seed),
    round: fields.round,
    playerSeeds: fields.player_seeds.map(bytes),
    cuts: fields.cuts,
    dealer: fields.dealer_named ?? undefined,
  };
  const deal = await repeatDeal(inputs);
  same("commitment", fields.commitment, hex(deal.commitment));
  same("dealer", fields.dealer, deal.dealer);
  const [shown, other] =
    fields.ruleset === "bonus"
      ? [fields.cut_card, fields.turned_up_card]
      : [fields.turned_up_card, fields.cut_card];
  same("card shown", shown, formatCards([deal.shown]));
  same("card that is not shown", other, null);
  same("first_receiver", fields.first_receiver, deal.firstReceiver);
  same("hands", fields.hands, deal.hands.map(formatCards));
  const { dealer, ...unnamed } = inputs;
  const said = await client.dealRound(dealer === undefined ? unnamed : inputs);
  same("verified", true, await verifyDeal(inputs, said));
  const [first, second] = said.hands.map((hand) => hand.cards);
  if (first?.[0] && second?.[0]) {
    [first[0], second[0]] = [second[0], first[0]];
  }
  same("verified with two cards changed", false, await verifyDeal(inputs, said));
}

async function checkExample(client: GameLogic, target: string): Promise<void> {
  const file = fileURLToPath(new URL("example/round.ts", FOLDER));
  const printed = execFileSync(process.execPath, ["--import", "tsx", file, target], {
    encoding: "utf-8",
  });
  same("output", (await playExample(client)).join(""), printed);
}

async function playExample(client: GameLogic): Promise<string[]> {
  const named: { ruleset: Ruleset } = { ruleset: ruleset("bonus") };
  const { cutCard, dealer, hands } = await client.dealRound({
    ...named,
    seed: bytes("000102030405060708090a0b0c0d0e0f"),
  });
  const arrangements = [];
  for (const { cards } of hands) {
    const { suggestions } = await client.arrange({ ...named, cutCard, hand: cards });
    arrangements.push(suggestions[0]?.arrangement ?? {});
  }
  const { result } = await client.score({ ...named, cutCard, dealer, arrangements });
  return (result?.seats ?? []).map(({ seat, totalUnits }) => `seat ${seat}: ${totalUnits}\n`);
}

async function main(): Promise<boolean> {
  const target = setting("SHISANZHI_TARGET");
  const known = Object.fromEntries(
    Object.entries(KINDS).map(([kind, { fields }]) => [kind, fields]),
  );
  const vectors = readAll(setting("SHISANZHI_VECTORS"), known);
  say(
    "versions",
    `node ${process.versions.node},`,
    ["@connectrpc/connect-node", "@bufbuild/protobuf"].map(versionOf).join(", "),
  );
  const client = connect(target);
  const passed: boolean[] = [];
  for (const [kind, cases] of vectors) {
    passed.push(report(kind, cases.length, await run(KINDS[kind] as Kind, client, cases)));
  }
  const deals = vectors.get("deal") as Case[];
  passed.push(
    await count(
      "verify",
      deals.map(({ line, fields }) => ({ line, check: () => checkVerifier(client, fields) })),
    ),
  );
  passed.push(await count("example", [{ line: 1, check: () => checkExample(client, target) }]));
  client.close();
  const newer = process.env["SHISANZHI_NEWER_TARGET"];
  if (newer) {
    const later = connect(newer);
    passed.push(
      await count(
        "newer",
        CHECKS.map((check, index) => ({ line: index + 1, check: () => check(later) })),
      ),
    );
    later.close();
  }
  return passed.every(Boolean);
}

process.exitCode = (await main()) ? 0 : 1;
