/** What a row is worth, under both rulesets. */

import {
  Card,
  cardOf,
  drawCard,
  drawRank,
  drawSuit,
  formatCards,
  Names,
  parseCard,
  parseCards,
  type RowValue,
  Ruleset,
  type RulesetInfo,
  rankOf,
  say as sayText,
} from "shisanzhi";
import type { ViewProps } from "./app.js";
import { byGroups, ShownCards, SUIT_NAMES } from "./cards.js";
import { Failure } from "./failure.js";
import { service, useAnswer } from "./service.js";
import { useSay } from "./words.js";

const SUITS = [4, 3, 2, 1] as const;
const RANKS = [14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2] as const;
const MOST = 5;

export function Evaluate(props: ViewProps) {
  const { basics, address, update } = props;
  const say = useSay();
  const { cards, wrong } = read(address.row);
  const cutCard = read(address.cut).cards[0] ?? Card.CLUBS_TWO;
  const toggle = (card: Card) => {
    const held = cards.filter((each) => each === card).length;
    const again = card >= Card.SPADES_TWO ? 2 : 1;
    const full = cards.length === MOST;
    const next = held < again && !full ? [...cards, card] : cards.filter((each) => each !== card);
    update({ row: formatCards(next) });
  };
  return (
    <>
      <p>{say("evaluateIntro")}</p>
      <div class="evaluate">
        <label class="wide">
          {say("cards")} <small>{say("cardsHint")}</small>
          <input
            value={address.row}
            spellcheck={false}
            autocomplete="off"
            onInput={(event) => update({ row: event.currentTarget.value })}
          />
        </label>
        {wrong !== undefined && (
          <p class="fault" role="alert">
            {say("notACard")}: <code>{wrong}</code>
          </p>
        )}
        <div class="deck" role="group" aria-label={say("cards")}>
          {SUITS.flatMap((suit) =>
            RANKS.map((rank) => {
              const card = cardOf(rank, suit);
              const held = cards.filter((each) => each === card).length;
              return (
                <button
                  key={card}
                  type="button"
                  aria-pressed={held > 0}
                  aria-label={held > 1 ? `${drawCard(card)} × ${held}` : drawCard(card)}
                  onClick={() => toggle(card)}
                >
                  <span class={`text ${SUIT_NAMES[suit]}`}>
                    {drawRank(rank)}
                    <span>{drawSuit(suit)}</span>
                  </span>
                  {held > 1 && <small>×2</small>}
                </button>
              );
            }),
          )}
        </div>
        <div class="chosen">
          <ShownCards cards={byGroups(cards)} />
          <p>
            {cards.length} {say("chosen")}
            {cards.length !== 3 && cards.length !== 5 && ` – ${say("needCards")}`}
          </p>
        </div>
        <div class="rulings">
          {basics.rulesets.map((ruleset) => (
            <Ruling
              key={ruleset.ruleset}
              {...props}
              ruleset={ruleset}
              cards={cards}
              cutCard={cutCard}
            />
          ))}
        </div>
      </div>
    </>
  );
}

/** The cards of a text, and its first word that is none. */
function read(text: string): { cards: Card[]; wrong?: string } {
  const words = text.split(/[\s,，、]+/u).filter(Boolean);
  const wrong = words.find((word) => !isCardText(word));
  return wrong === undefined
    ? { cards: parseCards(words.join(" ")) }
    : { cards: words.filter(isCardText).map(parseCard), wrong };
}

function isCardText(word: string): boolean {
  try {
    parseCard(word);
    return true;
  } catch {
    return false;
  }
}

function Ruling({
  basics,
  address,
  update,
  ruleset,
  cards,
  cutCard,
}: ViewProps & {
  ruleset: RulesetInfo;
  cards: readonly Card[];
  cutCard: Card;
}) {
  const say = useSay();
  const names = new Names(ruleset, address.language);
  const bonus = ruleset.ruleset === Ruleset.BONUS;
  const cut = bonus ? { cutCard } : {};
  const asks = cards.length === 3 || cards.length === 5;
  const key = `evaluate ${ruleset.ruleset} ${bonus ? cutCard : ""} ${cards}`;
  const answer = useAnswer(asks ? key : undefined, () =>
    service.evaluate({ ruleset: ruleset.ruleset, ...cut, rows: [{ cards: [...cards] }] }),
  );
  const [value] = answer.value?.values ?? [];
  return (
    <section class="ruling" aria-live="polite">
      <h3>
        {Ruleset[ruleset.ruleset]} <small>{sayText(ruleset.name, address.language)}</small>
      </h3>
      {bonus && (
        <label>
          {say("cutCard")}
          <select
            value={`${cutCard}`}
            onChange={(event) => update({ cut: formatCards([Number(event.currentTarget.value)]) })}
          >
            {SUITS.flatMap((suit) =>
              RANKS.map((rank) => (
                <option key={`${suit} ${rank}`} value={cardOf(rank, suit)}>
                  {drawCard(cardOf(rank, suit))}
                </option>
              )),
            )}
          </select>
          <strong class="gold">
            {say("bonusRank")} {drawRank(rankOf(cutCard))}
          </strong>
        </label>
      )}
      {asks && answer.error && (
        <Failure error={answer.error} texts={basics.texts} again={answer.again} />
      )}
      {asks && !answer.error && value && (
        <>
          <p class="worth">{names.value(value)}</p>
          <Earns names={names} value={value} size={cards.length} />
        </>
      )}
    </section>
  );
}

/** What the row earns where it may stand. */
function Earns({ names, value, size }: { names: Names; value: RowValue; size: number }) {
  const say = useSay();
  const { ruleset, language } = names;
  const lines = ruleset.royalties.filter(
    (line) =>
      line.category === value.category &&
      ruleset.rows.some((row) => row.row === line.row && row.size === size),
  );
  if (lines.length === 0) {
    return null;
  }
  return (
    <ul>
      {lines.map((line) => (
        <li key={line.row}>
          {sayText(line.name, language)}: {say("earns")} <b>{line.units}</b>{" "}
          {sayText(ruleset.unitName, language)}
        </li>
      ))}
    </ul>
  );
}
