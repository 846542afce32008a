/** Why a seat won or lost what it did: the sentences of `shisanzhi score --explain`, from the same texts. */

import {
  type Category,
  type Language,
  type Names,
  type PairResult,
  type RoundResult,
  type Row,
  RowOutcome,
  Ruleset,
  type RulesetInfo,
} from "shisanzhi";
import texts from "../../../service/shisanzhi/cli/explanation.json";

/** Which part of a seat's total something belongs to. */
export type Part = "pair" | "gunshot" | "home_run" | "royalty";

/** Why units pass between a seat and some of its opponents. */
export interface Cause {
  readonly kind: string;
  readonly part: Part;
  readonly row: Row;
  readonly category: Category;
  readonly payments: { readonly opponent: number; readonly units: readonly number[] }[];
}

interface Said {
  readonly zh_hant: string;
  readonly en: string;
}

const TURNED = { [RowOutcome.WON]: RowOutcome.LOST, [RowOutcome.LOST]: RowOutcome.WON };

/** What a seat is called, such as 東家. */
export function windOf(seat: number, language: Language): string {
  return said(texts.winds[seat], language);
}

/** Units won or lost with their sign. */
export function signed(units: number): string {
  return units > 0 ? `+${units}` : `${units}`.replace("-", "−");
}

/** Every cause of what a seat won or lost, in the order in which they are said. */
export function explain(ruleset: RulesetInfo, result: RoundResult, seat: number): Cause[] {
  const found = new Map<string, Cause>();
  for (const opponent of [1, 2, 3].map((step) => (seat + step) % 4)) {
    const pair = seen(result, seat, opponent);
    for (const { units, ...cause } of pair ? causes(ruleset, result, pair) : []) {
      const key = [cause.kind, cause.row, cause.category].join();
      const known = found.get(key) ?? { ...cause, payments: [] };
      known.payments.push({ opponent, units });
      found.set(key, known);
    }
  }
  const kinds = Object.keys(templates(ruleset));
  const place = (cause: Cause) => kinds.indexOf(cause.kind);
  return [...found.values()].sort(
    (a, b) => place(a) - place(b) || a.row - b.row || a.category - b.category,
  );
}

/** One cause, and what it brought from whom. */
export function sentence(names: Names, cause: Cause): string {
  const { language, ruleset } = names;
  const payments = cause.payments.map(({ opponent, units }) =>
    [windOf(opponent, language), ...units.map(signed)].join(" "),
  );
  return said(templates(ruleset)[cause.kind], language)
    .replace("{payments}", payments.join(said(texts.between, language)))
    .replace("{royalty}", names.royalty(cause.row, cause.category));
}

/** A pair of seats as one of the two sees it. */
export function seen(result: RoundResult, seat: number, opponent: number): PairResult | undefined {
  const pair = result.pairs.find(
    (each) => [seat, opponent].includes(each.seat) && [seat, opponent].includes(each.opponent),
  );
  return pair?.opponent === seat ? turned(pair) : pair;
}

function turned(pair: PairResult): PairResult {
  const turn = (outcome: RowOutcome) => TURNED[outcome as keyof typeof TURNED] ?? outcome;
  return {
    ...pair,
    seat: pair.opponent,
    opponent: pair.seat,
    front: turn(pair.front),
    middle: turn(pair.middle),
    back: turn(pair.back),
    pairUnits: -pair.pairUnits,
    gunshotUnits: -pair.gunshotUnits,
    homeRunUnits: -pair.homeRunUnits,
    totalUnits: -pair.totalUnits,
    guns: pair.gunned,
    gunned: pair.guns,
  };
}

type Passed = Omit<Cause, "payments"> & { readonly units: readonly number[] };

function* causes(ruleset: RulesetInfo, result: RoundResult, pair: PairResult): Iterable<Passed> {
  yield { ...meeting(ruleset, result, pair), row: 0, category: 0 };
  if (pair.homeRunUnits !== 0) {
    const kind = pair.homeRunUnits > 0 ? "home_run" : "home_run_paid";
    yield { kind, part: "home_run", row: 0, category: 0, units: [pair.homeRunUnits] };
  }
  for (const { payee, row, category, units } of pair.royalties) {
    const collects = payee === pair.seat;
    const kind = `${row === 0 ? "dragon_" : ""}royalty${collects ? "" : "_paid"}`;
    yield { kind, part: "royalty", row, category, units: [collects ? units : -units] };
  }
}

/** How the two seats fared against each other, royalties and home runs aside. */
function meeting(
  ruleset: RulesetInfo,
  result: RoundResult,
  pair: PairResult,
): Pick<Passed, "kind" | "part" | "units"> {
  const rows = [pair.front, pair.middle, pair.back];
  const compared = rows.some((outcome) => outcome !== RowOutcome.UNSPECIFIED);
  const tie = rows.includes(RowOutcome.TIED) ? "_with_tie" : "";
  const shot = (kind: string) => ({ kind, part: "gunshot", units: [pair.gunshotUnits] }) as const;
  if (pair.guns && pair.gunned) {
    return { ...shot("mutual"), units: [ruleset.gunshotUnits, -ruleset.gunshotUnits] };
  }
  if (pair.guns) {
    return shot(compared ? `guns${tie}` : "dragon_guns");
  }
  if (pair.gunned) {
    return shot(compared ? `gunned${tie}` : "gunned_by_dragon");
  }
  if (pair.pairUnits !== 0) {
    return { kind: pair.pairUnits > 0 ? "beats" : "loses", part: "pair", units: [pair.pairUnits] };
  }
  const dragon = result.seats[pair.seat]?.dragon;
  const kind = compared ? "even" : dragon ? "dragons_even" : "not_compared";
  return { kind, part: "pair", units: [] };
}

function templates(ruleset: RulesetInfo): Record<string, Said> {
  return texts.sentences[ruleset.ruleset === Ruleset.BONUS ? "BONUS" : "CLASSIC"];
}

function said(text: Said | undefined, language: Language): string {
  return (language === "en" ? text?.en : text?.zh_hant) ?? "";
}
