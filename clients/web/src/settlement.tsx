/** A round settled: totals, sentences, and the six pairs, each unit to be followed to where it comes from. */

import { useEffect, useRef, useState } from "preact/hooks";
import {
  type Card,
  drawRank,
  type Names,
  type PairResult,
  type RoundResult,
  RowOutcome,
  type RowValue,
  say as sayText,
} from "shisanzhi";
import { byGroups, ShownCards } from "./cards.js";
import { ROWS } from "./deal.js";
import { type Cause, explain, type Part, sentence, signed, windOf } from "./explain.js";
import { capital, useSay, type Word } from "./words.js";

const SEATS = [0, 1, 2, 3] as const;
const PARTS: readonly Part[] = ["pair", "gunshot", "home_run", "royalty"];
type Rows = { readonly [row in (typeof ROWS)[number]]: readonly Card[] };

interface Props {
  readonly names: Names;
  readonly result: RoundResult;
  readonly arrangements: readonly Rows[];
  readonly bonusRank: number | undefined;
}

/** What is followed: a seat, all of it or one part, or one cause. */
interface Followed {
  readonly seat: number;
  readonly part?: Part;
  readonly cause?: Cause;
}

export function Settlement(props: Props & { first: number }) {
  const { names, result } = props;
  const say = useSay();
  const [followed, follow] = useState<Followed>({ seat: props.first });
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section class="settlement" aria-labelledby="settlement">
      <h2 id="settlement" ref={heading} tabIndex={-1}>
        {say("result")}
      </h2>
      <Totals {...props} followed={followed} follow={follow} />
      <Why {...props} followed={followed} follow={follow} />
      <h3>{say("pairs")}</h3>
      <div class="pairs">
        {byInterest(result, followed.seat).map((pair) => (
          <Pair key={`${pair.seat} ${pair.opponent}`} {...props} pair={pair} followed={followed} />
        ))}
      </div>
      <h3>{say("rows")}</h3>
      <div class="arrangements">
        {SEATS.map((seat) => (
          <SeatRows key={seat} {...props} seat={seat} />
        ))}
      </div>
      <p class="hidden" role="status">
        {windOf(followed.seat, names.language)}
      </p>
    </section>
  );
}

/** The pairs of the seat that is followed first. */
function byInterest(result: RoundResult, seat: number): PairResult[] {
  const others = (pair: PairResult) => Number(pair.seat !== seat && pair.opponent !== seat);
  return [...result.pairs].sort((one, other) => others(one) - others(other));
}

function colour(units: number): string {
  return units < 0 ? "loss" : units > 0 ? "gain" : "";
}

function partName(names: Names, part: Part, say: (word: Word) => string): string {
  const { ruleset, language } = names;
  const words = {
    pair: say("pair"),
    gunshot: sayText(ruleset.gunshotName, language),
    home_run: sayText(ruleset.homeRunName, language),
    royalty: say(ruleset.pairUnits > 0 ? "royaltiesClassic" : "royalties"),
  };
  return capital(words[part]);
}

function Totals({
  names,
  result,
  followed,
  follow,
}: Props & {
  followed: Followed;
  follow(followed: Followed): void;
}) {
  const say = useSay();
  const { ruleset, language } = names;
  const parts = PARTS.filter((part) => part !== "pair" || ruleset.pairUnits > 0);
  const units = (seat: number, part: Part) => {
    const found = result.seats[seat];
    const all = {
      pair: found?.pairUnits,
      gunshot: found?.gunshotUnits,
      home_run: found?.homeRunUnits,
      royalty: found?.royaltyUnits,
    };
    return all[part] ?? 0;
  };
  return (
    <div class="totals">
      {result.seats.map(({ seat, totalUnits, place, points, dragon }) => (
        <div key={seat} class={seat === followed.seat ? "seat followed" : "seat"}>
          <button
            type="button"
            class="sum"
            aria-pressed={seat === followed.seat && !followed.part}
            onClick={() => follow({ seat })}
          >
            <span>
              {windOf(seat, language)} {seat === 0 && <small>{say("you")}</small>}
              {dragon && <small class="badge">{say("dragon")}</small>}
            </span>
            <strong class={colour(totalUnits)}>{signed(totalUnits)}</strong>
            <small>
              {language === "en" ? `${say("place")} ${place}` : `第 ${place} 名`}
              {ruleset.pointsPerUnit > 0 && ` · ${signed(points)} ${say("points")}`}
            </small>
          </button>
          <ul>
            {parts.map((part) => (
              <li key={part}>
                <button
                  type="button"
                  disabled={units(seat, part) === 0 && !touched(result, names, seat, part)}
                  aria-pressed={seat === followed.seat && part === followed.part}
                  onClick={() => follow({ seat, part })}
                >
                  <span>{partName(names, part, say)}</span> <b>{signed(units(seat, part))}</b>
                </button>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

/** Whether units passed though they cancel. */
function touched(result: RoundResult, names: Names, seat: number, part: Part): boolean {
  return explain(names.ruleset, result, seat).some(
    (cause) => cause.part === part && cause.payments.some(({ units }) => units.length > 0),
  );
}

function Why({
  names,
  result,
  followed,
  follow,
}: Props & {
  followed: Followed;
  follow(followed: Followed): void;
}) {
  const say = useSay();
  const { seat, part, cause: chosen } = followed;
  const causes = explain(names.ruleset, result, seat).filter(
    (cause) => !part || cause.part === part,
  );
  const shown = result.seats[seat]?.totalUnits ?? 0;
  const sum = causes
    .flatMap((cause) => cause.payments)
    .flatMap(({ units }) => units)
    .reduce((a, b) => a + b, 0);
  return (
    <section class="why" aria-live="polite">
      <h3>
        {say("why")} {windOf(seat, names.language)} {signed(part ? sum : shown)}
        {part && <small> {partName(names, part, say)}</small>}
      </h3>
      <ul>
        {causes.map((cause) => (
          <li key={`${cause.kind} ${cause.row} ${cause.category}`}>
            <button
              type="button"
              aria-pressed={chosen !== undefined && sameCause(chosen, cause)}
              onClick={() => follow({ seat, ...(part && { part }), cause })}
            >
              {sentence(names, cause)}
            </button>
          </li>
        ))}
      </ul>
      <p class="hint">{say("whyHint")}</p>
    </section>
  );
}

function sameCause(one: Cause, other: Cause): boolean {
  return one.kind === other.kind && one.row === other.row && one.category === other.category;
}

function SeatRows({ names, result, arrangements, bonusRank, seat }: Props & { seat: number }) {
  const value = result.seats[seat];
  return (
    <section class="arranged" aria-label={windOf(seat, names.language)}>
      <h4>{windOf(seat, names.language)}</h4>
      {ROWS.map((row) => (
        <div key={row} class="row">
          <ShownCards cards={byGroups(arrangements[seat]?.[row] ?? [])} bonusRank={bonusRank} />
          <small>{value?.[row] && names.value(value[row])}</small>
        </div>
      ))}
    </section>
  );
}

/** One line of what passed between two seats. */
interface Line {
  readonly part: Part;
  readonly from: number;
  readonly to: number;
  readonly units: number;
  readonly row?: number;
  readonly category?: number;
  readonly name: string;
}

function Pair({ names, result, pair, followed }: Props & { pair: PairResult; followed: Followed }) {
  const say = useSay();
  const { seat, opponent, totalUnits } = pair;
  const [mine, theirs] = [windOf(seat, names.language), windOf(opponent, names.language)];
  const lines = linesOf(names, pair, (part) => partName(names, part, say));
  const other = seat === followed.seat ? opponent : opponent === followed.seat ? seat : undefined;
  const met = followed.cause?.payments.map((payment) => payment.opponent) ?? [0, 1, 2, 3];
  const involved = other !== undefined && met.includes(other);
  return (
    <article class={involved ? "pair involved" : "pair"} aria-label={`${mine} – ${theirs}`}>
      <header>
        <span>
          {mine} <strong class={colour(totalUnits)}>{signed(totalUnits)}</strong>
        </span>
        <span>
          {theirs} <strong class={colour(-totalUnits)}>{signed(0 - totalUnits)}</strong>
        </span>
      </header>
      <table>
        <tbody>
          {ROWS.map((row) => (
            <Compared
              key={row}
              names={names}
              row={row}
              outcome={pair[row]}
              mine={result.seats[seat]?.[row]}
              theirs={result.seats[opponent]?.[row]}
            />
          ))}
        </tbody>
      </table>
      <ul>
        {lines.map((line, place) => (
          <li key={place} class={follows(line, followed) ? "line lit" : "line"}>
            {line.name}: {windOf(line.from, names.language)} → {windOf(line.to, names.language)}{" "}
            <b>{line.units}</b>
          </li>
        ))}
        {lines.length === 0 && <li class="line none">{say("noUnits")}</li>}
      </ul>
    </article>
  );
}

function linesOf(names: Names, pair: PairResult, nameOf: (part: Part) => string): Line[] {
  const { seat, opponent } = pair;
  const passed = (part: Part, units: number, name = nameOf(part)): Line[] => {
    const [from, to] = units > 0 ? [opponent, seat] : [seat, opponent];
    return units === 0 ? [] : [{ part, from, to, units: Math.abs(units), name }];
  };
  const each = names.ruleset.gunshotUnits;
  const rows = [pair.front, pair.middle, pair.back];
  const runOver = names.ruleset.pairUnits > 0 && rows.includes(RowOutcome.TIED);
  const shot = runOver ? (names.language === "en" ? "run-over" : "輾過") : nameOf("gunshot");
  return [
    ...passed("pair", pair.pairUnits),
    ...passed("gunshot", pair.guns ? each : 0, shot),
    ...passed("gunshot", pair.gunned ? -each : 0, shot),
    ...passed("home_run", pair.homeRunUnits),
    ...pair.royalties.map(
      ({ payee, payer, row, category, units }): Line => ({
        part: "royalty",
        from: payer,
        to: payee,
        units,
        row,
        category,
        name: names.royalty(row, category),
      }),
    ),
  ];
}

/** Whether a line is among what is followed. */
function follows(line: Line, { seat, part, cause }: Followed): boolean {
  const other = line.from === seat ? line.to : line.to === seat ? line.from : undefined;
  if (other === undefined || (part && line.part !== part)) {
    return false;
  }
  if (!cause) {
    return part !== undefined;
  }
  const collects = !cause.kind.endsWith("_paid");
  return (
    line.part === cause.part &&
    cause.payments.some(({ opponent }) => opponent === other) &&
    (cause.part !== "royalty" ||
      (line.row === cause.row &&
        line.category === cause.category &&
        collects === (line.to === seat)))
  );
}

/** One row of two seats: who is greater, and by what. */
function Compared({
  names,
  row,
  outcome,
  mine,
  theirs,
}: {
  names: Names;
  row: (typeof ROWS)[number];
  outcome: RowOutcome;
  mine: RowValue | undefined;
  theirs: RowValue | undefined;
}) {
  const say = useSay();
  const sign =
    { [RowOutcome.WON]: ">", [RowOutcome.LOST]: "<", [RowOutcome.TIED]: "=" }[outcome as number] ??
    "·";
  const word = {
    [RowOutcome.WON]: "beats",
    [RowOutcome.LOST]: "losesTo",
    [RowOutcome.TIED]: "ties",
  }[outcome as number];
  const at = mine && theirs ? decidedAt(mine, theirs) : undefined;
  const decided = outcome === RowOutcome.WON || outcome === RowOutcome.LOST;
  return (
    <tr class={RowOutcome[outcome]?.toLowerCase()}>
      <th scope="row">{names.row(ROWS.indexOf(row) + 1)}</th>
      <td>{mine && <Value names={names} value={mine} at={decided ? at : undefined} />}</td>
      <td class="sign">
        <span aria-hidden="true">{sign}</span>
        <span class="hidden">{say((word ?? "notCompared") as Word)}</span>
      </td>
      <td>{theirs && <Value names={names} value={theirs} at={decided ? at : undefined} />}</td>
    </tr>
  );
}

/** A value, with what decides a comparison in bold: the category, or one of the ranks. */
function Value({ names, value, at }: { names: Names; value: RowValue; at: number | undefined }) {
  const words = [names.category(value.category), ...value.ranks.map(drawRank)];
  return (
    <>
      {words.map((word, place) => (
        <span key={place}>
          {place > 0 && " "}
          {place === at ? <b>{word}</b> : word}
        </span>
      ))}
    </>
  );
}

/** Where two values first differ: 0 the category, 1 the first rank, and so on. */
function decidedAt(mine: RowValue, theirs: RowValue): number {
  if (mine.category !== theirs.category) {
    return 0;
  }
  // Two pairs of a pair flush beat one: it has three ranks, not four.
  if (mine.ranks.length !== theirs.ranks.length && mine.ranks.length + theirs.ranks.length === 7) {
    return 0;
  }
  const most = Math.max(mine.ranks.length, theirs.ranks.length);
  return (
    Array.from({ length: most }, (_, place) => place).findIndex(
      (place) => mine.ranks[place] !== theirs.ranks[place],
    ) + 1
  );
}
