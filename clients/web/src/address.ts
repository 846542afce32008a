/** What the page shows, kept whole in its address: a link shows another person the same. */

import { useEffect, useState } from "preact/hooks";
import { type Language, Ruleset } from "shisanzhi";

export const VIEWS = ["play", "check", "evaluate", "rules"] as const;
export type View = (typeof VIEWS)[number];
export const SCHEMES = ["auto", "light", "dark"] as const;
export type Scheme = (typeof SCHEMES)[number];

/** Where each card of a hand lies, in the order of the hand: 0 in the hand, 1 front, 2 middle, 3 back. */
export type Placing = readonly number[];

export interface Address {
  readonly view: View;
  readonly ruleset: Ruleset;
  /** Hexadecimal, as all seeds here. */
  readonly seed: string;
  readonly playerSeeds: readonly string[];
  readonly round: number;
  readonly dealer: number | undefined;
  readonly cuts: readonly number[];
  /** By seat; a seat that nobody has arranged has none. */
  readonly placings: readonly (Placing | undefined)[];
  /** Whether the solver arranges what nobody has, seat 0 aside. */
  readonly solver: boolean;
  readonly scored: boolean;
  /** What is evaluated: the cut card, and a row. */
  readonly cut: string;
  readonly row: string;
  readonly language: Language;
  readonly scheme: Scheme;
  readonly fourColours: boolean;
}

type Changes = Partial<Address> | ((before: Address) => Partial<Address>);
export type Update = (changes: Changes, how?: "replace" | "push") => void;

/** The address as state; `push` makes a step to which the browser goes back. */
export function useAddress(): [Address, Update] {
  const [address, set] = useState(() => read(location.hash));
  useEffect(() => {
    const follow = () => set(read(location.hash));
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);
  const update: Update = (changes, how = "replace") =>
    set((before) => {
      const after = { ...before, ...(typeof changes === "function" ? changes(before) : changes) };
      const url = write(after);
      if (url !== location.hash) {
        history[how === "push" ? "pushState" : "replaceState"](null, "", url);
      }
      return after;
    });
  return [address, update];
}

export function newSeed(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(32)));
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Reads hexadecimal digits; what is no such text gives nothing. */
export function fromHex(text: string): Uint8Array | undefined {
  const digits = text.replace(/\s/gu, "");
  if (!/^(?:[\da-f]{2})+$/iu.test(digits)) {
    return undefined;
  }
  return new Uint8Array((digits.match(/../gu) ?? []).map((pair) => Number.parseInt(pair, 16)));
}

function read(hash: string): Address {
  const [view = "", query = ""] = hash.replace(/^#\/?/u, "").split("?");
  const found = new URLSearchParams(query);
  const text = (name: string) => found.get(name) ?? "";
  const list = (name: string) => text(name).split(".").filter(Boolean);
  return {
    view: oneOf(VIEWS, view),
    ruleset: text("r") === "classic" ? Ruleset.CLASSIC : Ruleset.BONUS,
    seed: fromHex(text("s")) ? text("s").toLowerCase() : newSeed(),
    playerSeeds: list("p").filter(fromHex),
    round: Number(text("n")) || 1,
    dealer: found.has("d") ? Number(text("d")) % 4 : undefined,
    cuts: list("c").map(Number),
    placings: placings(text("a")),
    solver: text("o") !== "hand",
    scored: found.has("v"),
    cut: text("k"),
    row: text("x"),
    language: language(text("l")),
    scheme: oneOf(SCHEMES, text("t")),
    fourColours: text("f") === "4",
  };
}

function write(address: Address): string {
  const query = new URLSearchParams();
  const put = (name: string, value: string | number | undefined) => {
    if (value !== undefined && value !== "") {
      query.set(name, `${value}`);
    }
  };
  put("r", address.ruleset === Ruleset.CLASSIC ? "classic" : "bonus");
  put("s", address.seed);
  put("p", address.playerSeeds.join("."));
  put("n", address.round === 1 ? undefined : address.round);
  put("d", address.dealer);
  put("c", address.cuts.join("."));
  const placed = address.placings.map((placing) => placing?.join("") ?? "").join(".");
  put("a", placed.replace(/^\.+$/u, ""));
  put("o", address.solver ? undefined : "hand");
  put("v", address.scored ? 1 : undefined);
  put("k", address.cut);
  put("x", address.row);
  put("l", address.language);
  put("t", address.scheme === "auto" ? undefined : address.scheme);
  put("f", address.fourColours ? 4 : undefined);
  return `#/${address.view}?${query}`;
}

function placings(text: string): (Placing | undefined)[] {
  const seats = text.split(".");
  return [0, 1, 2, 3].map((seat) =>
    /^[0-3]{13,16}$/u.test(seats[seat] ?? "") ? Array.from(seats[seat] ?? "", Number) : undefined,
  );
}

function language(tag: string): Language {
  if (tag === "en" || tag === "zh-Hant") {
    return tag;
  }
  return navigator.language.startsWith("zh") ? "zh-Hant" : "en";
}

function oneOf<Name extends string>(names: readonly [Name, ...Name[]], name: string): Name {
  return names.find((each) => each === name) ?? names[0];
}
