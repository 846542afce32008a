/** What the page asks the service. */

import { useEffect, useRef, useState } from "preact/hooks";
import { type GameLogicError, type GetTextsResponse, Ruleset, type RulesetInfo } from "shisanzhi";
import { connect } from "shisanzhi/web";

export const service = connect(location.origin);

/** What came of a question; while it is asked again, `value` is the answer before. */
export interface Answer<Value> {
  readonly value?: Value;
  readonly error?: GameLogicError;
  readonly asking: boolean;
  again(): void;
}

const known = new Map<string, Promise<unknown>>();

/** Asks each question once, known by its key; no key asks nothing. */
export function useAnswer<Value>(
  key: string | undefined,
  ask: () => Promise<Value>,
): Answer<Value> {
  const [answer, set] = useState<Omit<Answer<Value>, "again">>({ asking: key !== undefined });
  const [tries, setTries] = useState(0);
  const question = useRef(ask);
  question.current = ask;
  useEffect(() => {
    if (key === undefined) {
      set({ asking: false });
      return;
    }
    let current = true;
    const show = (shown: Omit<Answer<Value>, "again">) => current && set(shown);
    set(({ value }) => ({ ...(value !== undefined && { value }), asking: true }));
    asked(key, question.current).then(
      (value) => show({ value, asking: false }),
      (error: GameLogicError) => show({ error, asking: false }),
    );
    return () => {
      current = false;
    };
  }, [key, tries]);
  return { ...answer, again: () => setTries(tries + 1) };
}

function asked<Value>(key: string, ask: () => Promise<Value>): Promise<Value> {
  const before = known.get(key) as Promise<Value> | undefined;
  const promise = before ?? ask();
  known.set(key, promise);
  promise.catch(() => known.delete(key));
  return promise;
}

/** What the whole page needs to know: both rulesets, and the texts of reasons. */
export interface Basics {
  readonly rulesets: readonly RulesetInfo[];
  readonly texts: GetTextsResponse;
}

export async function askBasics(): Promise<Basics> {
  const [{ rulesets }, texts] = await Promise.all([service.listRulesets({}), service.getTexts({})]);
  return { rulesets, texts };
}

export function rulesetOf(basics: Basics, number: Ruleset): RulesetInfo {
  const found = basics.rulesets.find(({ ruleset }) => ruleset === number);
  if (found === undefined) {
    throw new Error(`expected the ruleset ${Ruleset[number]}, got none`);
  }
  return found;
}
