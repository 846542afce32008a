/** One seat's rows and hand: cards move by tapping, dragging and keys. */

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import {
  type Card,
  drawCard,
  type GetTextsResponse,
  type Names,
  rankOf,
  say as sayText,
  type ValidateResponse,
  type Violation,
  ViolationReason,
} from "shisanzhi";
import type { Placing } from "./address.js";
import { byGroups, byRank, Face, useCardName } from "./cards.js";
import { useDrag } from "./drag.js";
import { capital, useSay } from "./words.js";

/** Front, middle, back, and what is left in the hand; the numbers of the contract's rows, and 0. */
const ZONES = [1, 2, 3, 0] as const;
type Zone = (typeof ZONES)[number];
const WORDS = { 0: "hand", 1: "front", 2: "middle", 3: "back" } as const;
const KEYS: Record<string, Zone> = { 0: 0, 1: 1, 2: 2, 3: 3, Delete: 0, Backspace: 0 };

interface BoardProps {
  readonly hand: readonly Card[];
  readonly placing: Placing;
  readonly judged: ValidateResponse | undefined;
  readonly names: Names;
  readonly texts: GetTextsResponse;
  readonly bonusRank: number | undefined;
  move(placing: Placing): void;
}

export function Board(props: BoardProps) {
  const { hand, placing, move } = props;
  const say = useSay();
  const nameOf = useCardName(props.bonusRank);
  const [picked, setPicked] = useState<number | undefined>();
  const [focused, setFocused] = useState(0);
  const [told, setTold] = useState("");
  const board = useRef<HTMLDivElement>(null);
  const refocus = useRef(false);
  const zones = ZONES.map((zone) => ({ zone, cards: cardsIn(hand, placing, zone) }));

  useLayoutEffect(() => {
    if (refocus.current) {
      refocus.current = false;
      board.current?.querySelector<HTMLElement>(`[data-index="${focused}"]`)?.focus();
    }
  });

  const focus = (index: number) => {
    refocus.current = true;
    setFocused(index);
  };
  const place = (index: number, zone: Zone) => {
    setPicked(undefined);
    focus(index);
    if (placing[index] !== zone) {
      move(placing.with(index, zone));
      setTold(`${nameOf(hand[index] as Card)} ${say("movedTo")} ${say(WORDS[zone])}`);
    }
  };
  const swap = (index: number, other: number) => {
    setPicked(undefined);
    focus(index);
    const [from, to] = [placing[index] as number, placing[other] as number];
    move(placing.with(index, to).with(other, from));
    setTold(
      `${say("swapped")}: ${[index, other].map((each) => nameOf(hand[each] as Card)).join(" – ")}`,
    );
  };
  const choose = (index: number) => {
    setFocused(index);
    if (picked === index) {
      setPicked(undefined);
      setTold(`${nameOf(hand[index] as Card)} ${say("putDown")}`);
    } else if (picked === undefined || placing[picked] === placing[index]) {
      setPicked(index);
      setTold(`${nameOf(hand[index] as Card)} ${say("picked")}`);
    } else {
      land(picked, placing[index] as Zone, index);
    }
  };
  /** On another card it takes that card's place, unless there is room for both. */
  const land = (index: number, zone: Zone, other: number) =>
    isFull(props.names, zones, zone) ? swap(index, other) : place(index, zone);
  const drop = (index: number, target: Element | null) => {
    const other = target?.closest<HTMLElement>("[data-index]")?.dataset["index"];
    const zone = target?.closest<HTMLElement>("[data-zone]")?.dataset["zone"];
    if (other !== undefined && placing[Number(other)] !== placing[index]) {
      land(index, Number(zone) as Zone, Number(other));
    } else if (zone !== undefined) {
      place(index, Number(zone) as Zone);
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const zone = KEYS[event.key];
    const next = neighbour(zones, focused, event.key);
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    if (zone !== undefined) {
      place(picked ?? focused, zone);
    } else if (next !== undefined) {
      focus(next);
    } else if (event.key === "Escape") {
      setPicked(undefined);
    } else {
      return;
    }
    event.preventDefault();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the cards within
    <div
      class={picked === undefined ? "board" : "board picking"}
      ref={board}
      onKeyDown={onKeyDown}
      {...useDrag(drop)}
    >
      {zones.map(({ zone, cards }) => (
        <ZoneOfCards
          key={zone}
          {...props}
          zone={zone}
          cards={cards}
          picked={picked}
          focusable={cards.includes(focused) ? focused : undefined}
          choose={choose}
          put={() => picked !== undefined && place(picked, zone)}
        />
      ))}
      <p class="hidden" role="status">
        {told}
      </p>
      <p class="hint">
        {say("howTo")} <span class="keys">{say("howToKeys")}</span>
      </p>
    </div>
  );
}

function ZoneOfCards(
  props: BoardProps & {
    zone: Zone;
    cards: readonly number[];
    picked: number | undefined;
    focusable: number | undefined;
    choose(index: number): void;
    put(): void;
  },
) {
  const { hand, zone, cards, names, picked } = props;
  const say = useSay();
  const nameOf = useCardName(props.bonusRank);
  const size = sizeOf(names, zone);
  const faults = faultsOf(props.judged, zone, cards.length > size);
  const value = zone === 0 ? undefined : props.judged?.[WORDS[zone] as "front" | "middle" | "back"];
  const done =
    zone === 0 && names.ruleset.handSize > 13 && cards.length === names.ruleset.handSize - 13;
  const name = zone === 0 ? say(done ? "discards" : "hand") : capital(names.row(zone));
  const empty = Array.from({ length: Math.max(0, size - cards.length) }, (_, place) => place);
  const count =
    zone === 0 ? `${cards.length}` : `${cards.length}${say("of")}${size}`.replace("of", " of ");
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys put cards here by number
    <section
      class={`zone ${faults.length > 0 ? "wrong" : ""}`}
      role="group"
      aria-label={[name, count, value && names.value(value)].filter(Boolean).join(", ")}
      data-zone={zone}
      onClick={props.put}
    >
      <h3>
        {zone > 0 && <kbd>{zone}</kbd>}
        {name} <small>{count}</small>
        {value && <span class="value">{names.value(value)}</span>}
      </h3>
      {faults.map((fault) => (
        <p class="fault" role="alert" key={`${fault.reason} ${fault.card}`}>
          {faultText(props.texts, names, fault)}
        </p>
      ))}
      <div class="cards">
        {cards.map((index) => (
          <button
            key={index}
            type="button"
            class="card"
            data-index={index}
            tabIndex={index === props.focusable ? 0 : -1}
            aria-pressed={index === picked}
            aria-label={`${nameOf(hand[index] as Card)}, ${name}`}
            onClick={(event) => {
              event.stopPropagation();
              props.choose(index);
            }}
          >
            <Face
              card={hand[index] as Card}
              bonus={rankOf(hand[index] as Card) === props.bonusRank}
            />
          </button>
        ))}
        {empty.map((place) => (
          <span class="slot" key={`empty ${place}`} />
        ))}
      </div>
    </section>
  );
}

function sizeOf(names: Names, zone: Zone): number {
  return names.ruleset.rows.find(({ row }) => row === (zone as number))?.size ?? 0;
}

function cardsIn(hand: readonly Card[], placing: Placing, zone: Zone): number[] {
  const indexes = [...hand.keys()].filter((index) => placing[index] === zone);
  const cards = indexes.map((index) => hand[index] as Card);
  const sorted = zone === 0 ? cards.sort(byRank) : byGroups(cards);
  return sorted.map((card) => {
    const at = indexes.findIndex((index) => hand[index] === card);
    return indexes.splice(at, 1)[0] as number;
  });
}

interface ZoneCards {
  readonly zone: Zone;
  readonly cards: readonly number[];
}

/** Whether a row has its cards, or the hand only those that are not played. */
function isFull(names: Names, zones: readonly ZoneCards[], zone: Zone): boolean {
  const held = zones.find((each) => each.zone === zone)?.cards.length ?? 0;
  return zone === 0 ? held <= names.ruleset.handSize - 13 : held >= sizeOf(names, zone);
}

/** The card beside another: arrows left and right go through a row, up and down to the next one. */
function neighbour(zones: readonly ZoneCards[], index: number, key: string): number | undefined {
  const filled = zones.filter(({ cards }) => cards.length > 0);
  const row = filled.findIndex(({ cards }) => cards.includes(index));
  const place = filled[row]?.cards.indexOf(index) ?? 0;
  const steps: Record<string, [number, number]> = {
    ArrowLeft: [0, -1],
    ArrowRight: [0, 1],
    ArrowUp: [-1, 0],
    ArrowDown: [1, 0],
    Home: [0, -99],
    End: [0, 99],
  };
  const step = steps[key];
  const cards = filled[Math.min(Math.max(row + (step?.[0] ?? 0), 0), filled.length - 1)]?.cards;
  return step && cards?.[Math.min(Math.max(place + step[1], 0), cards.length - 1)];
}

/** What is wrong with a row; that it still lacks cards is not. */
function faultsOf(judged: ValidateResponse | undefined, zone: Zone, over: boolean): Violation[] {
  const found = judged?.violations.filter(({ row }) => row === (zone as number)) ?? [];
  return found.filter(({ reason }) => reason !== ViolationReason.ROW_SIZE || over);
}

function faultText(texts: GetTextsResponse, names: Names, fault: Violation): string {
  const text = texts.violationReasons.find(({ value }) => value === fault.reason);
  const said = sayText((text ?? texts.violationReasons[0])?.text, names.language);
  return fault.card ? `${said} ${drawCard(fault.card)}` : said;
}
