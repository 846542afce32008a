import { fromBinary } from "@bufbuild/protobuf";
import {
  type ArrangeResponse,
  type Card,
  Category,
  ErrorReason,
  FinishReason,
  formatCards,
  type GameLogic,
  GameLogicError,
  GameLogicService,
  type GetTextsResponse,
  type LocalizedText,
  type Match,
  type PairResult,
  parseCards,
  type RoundResult,
  Row,
  RowOutcome,
  Ruleset,
  type RulesetInfo,
  ViolationReason,
} from "shisanzhi";
import { arrangement, bytes, category, hex, question, rowsOf, ruleset, text } from "./notation.js";
import { type Case, same } from "./vectors.js";

/** One kind of question: the fields of its cases, what each asks, and what is asked once for all of them. */
export interface Kind {
  readonly fields: readonly string[];
  // biome-ignore lint/suspicious/noExplicitAny: see Case
  each(client: GameLogic, fields: any): Promise<void>;
  /** Gives a check for each case, in order, of what was answered to all of them at once. */
  // biome-ignore lint/suspicious/noExplicitAny: see Case
  all?(client: GameLogic, cases: any[]): Promise<(index: number) => void>;
}

const evaluate: Kind = {
  fields: ["ruleset", "cut", "row", "category", "ranks"],
  async each(client, fields) {
    const { values } = await client.evaluate({
      ...question(fields),
      rows: [{ cards: parseCards(fields.row) }],
    });
    same("values", 1, values.length);
    const [value] = values;
    same("category", fields.category, Category[value?.category ?? 0]);
    same("ranks", fields.ranks, value?.ranks);
    same("a strength above 0", true, (value?.strength ?? 0) > 0);
  },
};

const order: Kind = {
  fields: ["ruleset", "cut", "ascending"],
  async each(client, fields) {
    const rows = fields.ascending.map((row: string) => ({ cards: parseCards(row) }));
    const ask = async () => (await client.evaluate({ ...question(fields), rows })).values;
    const strengths = (await ask()).map((value) => value.strength);
    same("values", rows.length, strengths.length);
    strengths.forEach((greater, place) => {
      for (const less of strengths.slice(0, place)) {
        same(`${less} below ${greater}`, true, less < greater);
      }
    });
    same(
      "equal strengths",
      strengths,
      (await ask()).map((value) => value.strength),
    );
  },
};

const validate: Kind = {
  fields: ["ruleset", "cut", "front", "middle", "back", "hand", "legal", "reasons"],
  async each(client, fields) {
    const hand = fields.hand === null ? [] : parseCards(fields.hand);
    const answer = await client.validate({
      ...question(fields),
      arrangement: arrangement(fields),
      hand,
    });
    const reasons = new Set(answer.violations.map((each) => ViolationReason[each.reason]));
    same("legal", fields.legal, answer.legal);
    same("reasons", [...fields.reasons].sort(), [...reasons].sort());
  },
};

// biome-ignore lint/suspicious/noExplicitAny: see Case
function round(fields: any) {
  return {
    ...question(fields),
    dealer: fields.dealer,
    arrangements: fields.arrangements.map(arrangement),
  };
}

// biome-ignore lint/suspicious/noExplicitAny: see Case
function checkScore(fields: any, result: RoundResult | undefined) {
  const seats = result?.seats ?? [];
  same(
    "gunshot",
    fields.gunshot,
    seats.map((seat) => seat.gunshotUnits),
  );
  same(
    "home_run",
    fields.home_run,
    seats.map((seat) => seat.homeRunUnits),
  );
  same(
    "royalty",
    fields.royalty,
    seats.map((seat) => seat.royaltyUnits),
  );
  same(
    "pair",
    fields.pair,
    seats.map((seat) => seat.pairUnits),
  );
  same(
    "total",
    fields.total,
    seats.map((seat) => seat.totalUnits),
  );
  same(
    "place",
    fields.place,
    seats.map((seat) => seat.place),
  );
}

const score: Kind = {
  fields: [
    "ruleset",
    "cut",
    "dealer",
    "arrangements",
    "gunshot",
    "home_run",
    "royalty",
    "pair",
    "total",
    "place",
  ],
  async each(client, fields) {
    checkScore(fields, (await client.score(round(fields))).result);
  },
  async all(client, cases) {
    const { responses } = await client.batchScore({ requests: cases.map(round) });
    same("responses", cases.length, responses.length);
    return (index) => checkScore(cases[index], responses[index]?.result);
  },
};

function outcome(value: RowOutcome): string | null {
  return value === RowOutcome.UNSPECIFIED ? null : (RowOutcome[value] ?? `${value}`);
}

function pairOf(pair: PairResult) {
  const royalty = pair.royalties
    .map(({ payee, units }) => (payee === pair.seat ? units : -units))
    .reduce((sum, units) => sum + units, 0);
  return {
    seat: pair.seat,
    opponent: pair.opponent,
    front: outcome(pair.front),
    middle: outcome(pair.middle),
    back: outcome(pair.back),
    pair: pair.pairUnits,
    gunshot: pair.gunshotUnits,
    home_run: pair.homeRunUnits,
    royalty,
    total: pair.totalUnits,
    guns: pair.guns,
    gunned: pair.gunned,
  };
}

const pairs: Kind = {
  fields: ["ruleset", "cut", "dealer", "arrangements", "pairs"],
  async each(client, fields) {
    const { result } = await client.score(round(fields));
    same("pairs", fields.pairs, result?.pairs.map(pairOf));
  },
};

function cardOrNull(card: Card): string | null {
  return card ? formatCards([card]) : null;
}

const deal: Kind = {
  fields: [
    "ruleset",
    "seed",
    "round",
    "dealer_named",
    "player_seeds",
    "cuts",
    "dealer",
    "first_receiver",
    "cut_card",
    "turned_up_card",
    "commitment",
    "hands",
  ],
  async each(client, fields) {
    const answer = await client.dealRound({
      ruleset: ruleset(fields.ruleset),
      seed: bytes(fields.seed),
      round: fields.round,
      playerSeeds: fields.player_seeds.map(bytes),
      cuts: fields.cuts,
      ...(fields.dealer_named === null ? {} : { dealer: fields.dealer_named }),
    });
    same("seed", fields.seed, hex(answer.seed));
    same("algorithm", "shisanzhi.v1", answer.algorithm);
    same("commitment", fields.commitment, hex(answer.commitment));
    same("dealer", fields.dealer, answer.dealer);
    same("first_receiver", fields.first_receiver, answer.firstReceiver);
    same("cut_card", fields.cut_card, cardOrNull(answer.cutCard));
    same("turned_up_card", fields.turned_up_card, cardOrNull(answer.turnedUpCard));
    same(
      "hands",
      fields.hands,
      answer.hands.map((hand) => formatCards(hand.cards)),
    );
  },
};

const seats: Kind = {
  fields: ["seed", "draws", "player_in_seat"],
  async each(client, fields) {
    const playerIds = ["ann", "bob", "cho", "dee"];
    const answer = await client.startMatch({
      ruleset: Ruleset.CLASSIC,
      seed: bytes(fields.seed),
      playerIds,
    });
    const drawn = fields.draws.map((draw: string) => draw.split(" "));
    playerIds.forEach((_, player) => {
      const cards = drawn.map((draw: string[]) => draw[player]).join(" ");
      same(`cards of player ${player}`, cards, formatCards(answer.draws[player]?.cards ?? []));
      same(
        `seat of player ${player}`,
        fields.player_in_seat.indexOf(player),
        answer.draws[player]?.seat,
      );
    });
    const seated = fields.player_in_seat.map((player: number) => playerIds[player]);
    same("player_in_seat", seated, answer.match?.playerIds);
  },
};

// biome-ignore lint/suspicious/noExplicitAny: see Case
function arrangeRequest(fields: any) {
  return {
    ...question(fields),
    hand: parseCards(fields.hand),
    maxSuggestions: fields.suggestions.length,
  };
}

// biome-ignore lint/suspicious/noExplicitAny: see Case
function checkArranged(fields: any, answer: ArrangeResponse | undefined) {
  const suggestions = answer?.suggestions.map((each) => ({
    ...rowsOf(each.arrangement),
    discards: formatCards(each.discards),
    expected_units: each.expectedUnits,
  }));
  same("dragon", fields.dragon, answer?.dragon);
  same("suggestions", fields.suggestions, suggestions);
}

const arrange: Kind = {
  fields: ["ruleset", "cut", "hand", "dragon", "suggestions"],
  async each(client, fields) {
    checkArranged(fields, await client.arrange(arrangeRequest(fields)));
  },
  async all(client, cases) {
    const { responses } = await client.batchArrange({ requests: cases.map(arrangeRequest) });
    same("responses", cases.length, responses.length);
    return (index) => checkArranged(cases[index], responses[index]);
  },
};

// biome-ignore lint/suspicious/noExplicitAny: see Case
function checkMatch(name: string, expected: any, key: string, match: Match | undefined) {
  const standings = expected.standings.map((line: { place: number; seat: number }) => ({
    ...line,
    player: expected.player_ids[line.seat],
    units: expected.units[line.seat],
    points: expected.points[line.seat],
  }));
  const { finish_reason: reason } = expected;
  same(
    name,
    { ...expected, standings, ruleset: key },
    {
      ruleset: Ruleset[match?.ruleset ?? 0]?.toLowerCase(),
      player_ids: match?.playerIds,
      next_round: match?.nextRound,
      dealer: match?.dealer,
      units: match?.units,
      points: match?.points,
      finished: match?.finished,
      finish_reason:
        reason === null && !match?.finishReason ? null : FinishReason[match?.finishReason ?? 0],
      standings: match?.standings.map(({ place, seat, playerId, units, points }) => ({
        place,
        seat,
        player: playerId,
        units,
        points,
      })),
    },
  );
}

const match: Kind = {
  fields: ["ruleset", "seed", "player_seeds", "player_ids", "draws", "rounds", "matches"],
  async each(client, fields) {
    const start = await client.startMatch({
      ruleset: ruleset(fields.ruleset),
      seed: bytes(fields.seed),
      playerSeeds: fields.player_seeds.map(bytes),
      playerIds: fields.player_ids,
    });
    const draws = start.draws.map(({ cards, seat }) => ({ cards: formatCards(cards), seat }));
    same("draws", fields.draws, draws);
    same(
      "the players of the draws",
      [0, 1, 2, 3],
      start.draws.map((draw) => draw.player),
    );
    checkMatch("match", fields.matches[0], fields.ruleset, start.match);
    let played = start.match;
    for (const [index, units] of fields.rounds.entries()) {
      played = (await client.advanceMatch({ ...(played && { match: played }), units })).match;
      checkMatch(
        `match after round ${index + 1}`,
        fields.matches[index + 1],
        fields.ruleset,
        played,
      );
    }
  },
};

const NAMES = ["name", "unit_name", "gunshot_name", "home_run_name"] as const;
const NUMBERS = [
  "hand_size",
  "pair_units",
  "gunshot_units",
  "home_run_units",
  "dragon_units",
  "points_per_unit",
  "starting_points",
  "rounds",
  "arrange_seconds",
  "max_cuts",
] as const;
const FLAGS = ["middle_may_equal_back", "has_bonus_rank"] as const;

function local(field: string): string {
  return field.replace(/_(.)/gu, (_, letter: string) => letter.toUpperCase());
}

/** What the contract's own field names say, whatever the language calls them. */
function picked(info: RulesetInfo, fields: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    fields.map((field) => [field, info[local(field) as keyof RulesetInfo]]),
  );
}

function describe(info: RulesetInfo) {
  const names = Object.entries(picked(info, NAMES)).map(([field, name]) => [
    field,
    text(name as LocalizedText),
  ]);
  return {
    ruleset: Ruleset[info.ruleset]?.toLowerCase(),
    ...Object.fromEntries(names),
    ...picked(info, [...NUMBERS, ...FLAGS]),
    deck: formatCards(info.deck),
    rows: info.rows.map(({ row, name, size }) => ({ row: Row[row], name: text(name), size })),
    ladder: info.ladder.map((rung) => ({
      category: Category[rung.category],
      name: text(rung.name),
      fits_front: rung.fitsFront,
    })),
    royalties: info.royalties.map((each) => ({
      row: each.row === Row.UNSPECIFIED ? null : Row[each.row],
      category: category(each.category),
      units: each.units,
      name: text(each.name),
    })),
  };
}

const rulesets: Kind = {
  fields: ["ruleset", ...NAMES, ...NUMBERS, ...FLAGS, "deck", "rows", "ladder", "royalties"],
  async each(client, fields) {
    const answer = await client.getRuleset({ ruleset: ruleset(fields.ruleset) });
    same("ruleset", fields, answer.ruleset && describe(answer.ruleset));
  },
  async all(client, cases) {
    const described = (await client.listRulesets({})).rulesets.map(describe);
    const asked = [...new Set(cases.map((fields) => fields.ruleset))];
    const listed = described.map((each) => each.ruleset);
    same("the order of the list", asked, listed);
    return (index) => {
      const { ruleset: key } = cases[index];
      same("ruleset in the list", cases[index], described[listed.indexOf(key)]);
    };
  },
};

type Texts = readonly { readonly value: number; readonly text?: LocalizedText | undefined }[];

const TEXTS: Record<string, [Record<number, string>, (answer: GetTextsResponse) => Texts]> = {
  ViolationReason: [ViolationReason, (answer) => answer.violationReasons],
  ErrorReason: [ErrorReason, (answer) => answer.errorReasons],
  FinishReason: [FinishReason, (answer) => answer.finishReasons],
  RowOutcome: [RowOutcome, (answer) => answer.rowOutcomes],
};

const texts: Kind = {
  fields: ["enum", "texts"],
  async each(client, fields) {
    const [names, list] = TEXTS[fields.enum] ?? [{}, () => []];
    const said = list(await client.getTexts({}));
    same(
      "texts",
      fields.texts,
      said.map((each) => ({ value: names[each.value], text: text(each.text) })),
    );
  },
};

const errors: Kind = {
  fields: ["method", "request", "request_bytes", "code", "reason", "faults", "left_out"],
  async each(client, fields) {
    const method = GameLogicService.methods.find((each) => each.name === fields.method);
    if (method === undefined) {
      throw new Error(`expected a method of GameLogicService, got ${fields.method}`);
    }
    const request = fromBinary(method.input, bytes(fields.request_bytes));
    const call = client[method.localName as keyof GameLogic] as (
      request: unknown,
    ) => Promise<unknown>;
    const error = await call(request).then(
      () => new Error("expected an error, got an answer"),
      (failed: unknown) => failed,
    );
    if (!(error instanceof GameLogicError)) {
      throw error;
    }
    const faults = error.faults.map(({ path, reason }) => ({ path, reason }));
    same("code", fields.code, error.codeName);
    same("reason", fields.reason, error.reason);
    same("faults", fields.faults, faults);
    same("left_out", fields.left_out, error.faultsLeftOut);
  },
};

export const KINDS: Record<string, Kind> = {
  evaluate,
  order,
  validate,
  score,
  pairs,
  deal,
  seats,
  arrange,
  match,
  rulesets,
  texts,
  errors,
};

/** The lines of the cases that fail, with why. */
export async function run(
  kind: Kind,
  client: GameLogic,
  cases: readonly Case[],
): Promise<Map<number, string>> {
  const failed = new Map<number, string>();
  const fail = (line: number, error: unknown) =>
    failed.set(line, failed.get(line) ?? explain(error));
  for (const { line, fields } of cases) {
    const { note: _, ...asked } = fields;
    await kind.each(client, asked).catch((error) => fail(line, error));
  }
  const plain = cases.map(({ fields: { note: _, ...asked } }) => asked);
  const check = await kind.all?.(client, plain).catch((error) => () => {
    throw error;
  });
  cases.forEach(({ line }, index) => {
    try {
      check?.(index);
    } catch (error) {
      fail(line, error);
    }
  });
  return failed;
}

/** What went wrong, on one line. */
export function explain(error: unknown): string {
  const status =
    error instanceof GameLogicError
      ? `${error.method}: ${error.codeName} ${error.cause.rawMessage}`
      : String(error);
  return status.replace(/^Error: /u, "").replace(/\s+/gu, " ");
}
