/** A round, from the deal to the last unit. */

import { useEffect, useState } from "preact/hooks";
import {
  type Card,
  rankOf,
  type ScoreResponse,
  type Suggestion,
  type ValidateResponse,
} from "shisanzhi";
import { newSeed, type Placing } from "./address.js";
import type { ViewProps } from "./app.js";
import { Board } from "./board.js";
import { CardText } from "./cards.js";
import { arrangementOf, type Deal, dealKey, placingOf, useDeal } from "./deal.js";
import { DealForm } from "./deal-form.js";
import { signed, windOf } from "./explain.js";
import { Failure } from "./failure.js";
import { type Answer, service, useAnswer } from "./service.js";
import { Settlement } from "./settlement.js";
import { useSay } from "./words.js";

const SEATS = [0, 1, 2, 3] as const;
const SUGGESTIONS = 5;

export function Play(props: ViewProps) {
  const { address, update, basics } = props;
  const deal = useDeal(address);
  const say = useSay();
  return (
    <>
      <DealForm key={dealKey(address)} {...props} deal={deal.value} />
      {deal.error && <Failure error={deal.error} texts={basics.texts} again={deal.again} />}
      {deal.value && !deal.error && !deal.asking && <Round {...props} deal={deal.value} />}
      {deal.asking && <p class="asking">{say("loading")}</p>}
      {deal.error && (
        <button
          type="button"
          onClick={() => update({ seed: newSeed(), placings: [], scored: false }, "push")}
        >
          {say("newDeal")}
        </button>
      )}
    </>
  );
}

interface RoundProps extends ViewProps {
  readonly deal: Deal;
}

function Round(props: RoundProps) {
  const { address, update, basics, names, deal } = props;
  const say = useSay();
  const [seat, setSeat] = useState(0);
  const here = `${dealKey(address)} ${seat}`;
  const [advised, advise] = useState("");
  useSolver(props);
  const judged = SEATS.map((each) => useJudged(props, each));
  const ready = SEATS.filter((each) => judged[each]?.legal);
  const bonusRank = deal.cutCard && rankOf(deal.cutCard);
  const hand = deal.hands[seat] ?? [];
  const placing = address.placings[seat] ?? hand.map(() => 0);
  const settled = useSettled(props, ready.length === SEATS.length);
  const move = (moved: Placing) => {
    const placings = SEATS.map((each) => (each === seat ? moved : address.placings[each]));
    update({ placings, scored: false });
  };
  return (
    <>
      <p class="hint">{say("playIntro")}</p>
      <div class="table">
        <section aria-label={say("board")}>
          <SeatTabs
            {...props}
            seat={seat}
            setSeat={setSeat}
            ready={ready}
            settled={settled.value}
          />
          <Board
            key={`${dealKey(address)} ${seat}`}
            hand={hand}
            placing={placing}
            judged={judged[seat]}
            names={names}
            texts={basics.texts}
            bonusRank={bonusRank}
            move={move}
          />
        </section>
        <aside>
          <div class="actions">
            <button
              type="button"
              class="main"
              disabled={ready.length < SEATS.length}
              onClick={() => update({ scored: true }, "push")}
            >
              {say("score")}
            </button>
            <button type="button" aria-expanded={advised === here} onClick={() => advise(here)}>
              {say("arrange")}
            </button>
            <button
              type="button"
              disabled={placing.every((zone) => zone === 0)}
              onClick={() => move(hand.map(() => 0))}
            >
              {say("clear")}
            </button>
          </div>
          <Verdict
            judged={judged[seat]}
            missing={SEATS.filter((each) => !ready.includes(each)).map((each) =>
              windOf(each, address.language),
            )}
          />
          {advised === here && !address.scored && (
            <Suggestions key={here} {...props} seat={seat} hand={hand} apply={move} />
          )}
          <label class="tick">
            <input
              type="checkbox"
              checked={address.solver}
              onChange={(event) => update({ solver: event.currentTarget.checked })}
            />
            {say("solverPlays")}
          </label>
        </aside>
      </div>
      {address.scored && settled.error && (
        <Failure error={settled.error} texts={basics.texts} again={settled.again} />
      )}
      {address.scored && settled.value?.result && ready.length === SEATS.length && (
        <Settlement
          key={dealKey(address)}
          names={names}
          result={settled.value.result}
          arrangements={SEATS.map((each) =>
            arrangementOf(deal.hands[each] ?? [], address.placings[each] ?? []),
          )}
          bonusRank={bonusRank}
          first={seat}
        />
      )}
    </>
  );
}

/** Has the solver arrange the other three seats, as long as nobody has. */
function useSolver({ address, update, deal }: RoundProps): void {
  const idle = address.solver ? [1, 2, 3].filter((seat) => !address.placings[seat]) : [];
  const key = `${dealKey(address)} ${idle}`;
  useEffect(() => {
    if (idle.length === 0) {
      return;
    }
    let current = true;
    const asked = idle.map((seat) => arrange(address, deal, seat, 1));
    Promise.all(asked).then(
      (answers) => {
        const filled = SEATS.map((seat) => {
          const best = answers[idle.indexOf(seat)]?.[0]?.arrangement;
          return best && placingOf(deal.hands[seat] ?? [], best);
        });
        if (current) {
          update(({ placings }) => ({
            placings: SEATS.map((seat) => placings[seat] ?? filled[seat]),
          }));
        }
      },
      () => {},
    );
    return () => {
      current = false;
    };
  }, [key]);
}

async function arrange(
  { ruleset }: ViewProps["address"],
  deal: Deal,
  seat: number,
  maxSuggestions: number,
): Promise<Suggestion[]> {
  const hand = [...(deal.hands[seat] ?? [])];
  const { suggestions } = await service.arrange({ ...cards(ruleset, deal), hand, maxSuggestions });
  return suggestions;
}

/** What every question about the cards of a round begins with. */
function cards(ruleset: number, deal: Deal) {
  return { ruleset, ...(deal.cutCard && { cutCard: deal.cutCard }) };
}

/** What the service says of a seat's arrangement as it stands. */
function useJudged({ address, deal }: RoundProps, seat: number): ValidateResponse | undefined {
  const placing = address.placings[seat];
  const hand = deal.hands[seat] ?? [];
  const key = placing && `${dealKey(address)} ${seat} ${placing.join("")}`;
  const answer = useAnswer(key, () =>
    service.validate({
      ...cards(address.ruleset, deal),
      arrangement: arrangementOf(hand, placing ?? []),
      hand: [...hand],
    }),
  );
  return placing ? answer.value : undefined;
}

function useSettled({ address, deal }: RoundProps, ready: boolean): Answer<ScoreResponse> {
  const placed = address.placings.map((placing) => placing?.join("")).join();
  const key = address.scored && ready ? `score ${dealKey(address)} ${placed}` : undefined;
  return useAnswer(key, () =>
    service.score({
      ...cards(address.ruleset, deal),
      dealer: deal.dealer,
      arrangements: SEATS.map((seat) =>
        arrangementOf(deal.hands[seat] ?? [], address.placings[seat] ?? []),
      ),
      hands: deal.hands.map((hand) => ({ cards: [...hand] })),
    }),
  );
}

function SeatTabs({
  address,
  deal,
  seat,
  setSeat,
  ready,
  settled,
}: RoundProps & {
  seat: number;
  setSeat(seat: number): void;
  ready: readonly number[];
  settled: ScoreResponse | undefined;
}) {
  const say = useSay();
  return (
    <div class="seats" role="group" aria-label={say("seats")}>
      {SEATS.map((each) => (
        <button key={each} type="button" aria-pressed={each === seat} onClick={() => setSeat(each)}>
          <span>
            {windOf(each, address.language)}
            {each === 0 && <small> {say("you")}</small>}
          </span>
          <span class="badges">
            {each === deal.dealer && <small class="badge">{say("dealer")}</small>}
            {ready.includes(each) && (
              <small class="good" role="img" aria-label={say("legal")}>
                ✓
              </small>
            )}
            {address.scored && settled && (
              <strong>{signed(settled.result?.seats[each]?.totalUnits ?? 0)}</strong>
            )}
          </span>
        </button>
      ))}
    </div>
  );
}

/** Whether the seat may play its rows, and who is still to arrange. */
function Verdict({
  judged,
  missing,
}: {
  judged: ValidateResponse | undefined;
  missing: readonly string[];
}) {
  const say = useSay();
  return (
    <div class="verdict" role="status">
      {judged?.dragon && <strong>{say("dragon")} </strong>}
      {judged?.legal && <strong class="good">✓ {say("legal")}</strong>}
      {missing.length > 0 && (
        <p class="hint">
          {say("scoreWhen")} {missing.join(say("between"))}
        </p>
      )}
    </div>
  );
}

function Suggestions(
  props: RoundProps & {
    seat: number;
    hand: readonly Card[];
    apply(placing: Placing): void;
  },
) {
  const { address, names, deal, seat, hand, basics } = props;
  const say = useSay();
  const answer = useAnswer(`arrange ${dealKey(address)} ${seat}`, () =>
    arrange(address, deal, seat, SUGGESTIONS),
  );
  return (
    <div class="suggestions">
      {answer.error && <Failure error={answer.error} texts={basics.texts} again={answer.again} />}
      {answer.value && !answer.asking && (
        <>
          <h3>{say("suggestions")}</h3>
          <p class="hint">{say("expectedHint")}</p>
          <ol>
            {answer.value.map((suggestion, place) => (
              <li key={place}>
                <button
                  type="button"
                  onClick={() =>
                    suggestion.arrangement && props.apply(placingOf(hand, suggestion.arrangement))
                  }
                >
                  <span class="row units">
                    <small>{say("expected")}</small> {expected(suggestion.expectedUnits)}
                  </span>
                  {(["front", "middle", "back"] as const).map((row) => (
                    <span class="row" key={row}>
                      <span class="cards">
                        {suggestion.arrangement?.[row].map((card, index) => (
                          <CardText key={index} card={card} />
                        ))}
                      </span>
                      <small>{suggestion[row] && names.value(suggestion[row])}</small>
                    </span>
                  ))}
                </button>
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  );
}

function expected(units: number): string {
  return `${units < 0 ? "−" : "+"}${Math.abs(units).toFixed(2)}`;
}
