import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";

/** One golden case; `line` is its line in the file, from 1. */
export interface Case {
  readonly line: number;
  // biome-ignore lint/suspicious/noExplicitAny: a case is JSON, and each kind names the fields that it reads
  readonly fields: any;
}

/** The cases of every kind. Anything that is not exactly as expected fails before a question is asked. */
export function readAll(
  folder: string,
  known: Record<string, readonly string[]>,
): Map<string, Case[]> {
  const expected = Object.keys(known)
    .map((kind) => `${kind}.jsonl`)
    .sort();
  const found = readdirSync(folder)
    .filter((name) => name.endsWith(".jsonl"))
    .sort();
  same("files", expected, found);
  return new Map(Object.entries(known).map(([kind, fields]) => [kind, read(folder, kind, fields)]));
}

function read(folder: string, kind: string, known: readonly string[]): Case[] {
  const lines = readFileSync(join(folder, `${kind}.jsonl`), "utf-8").split("\n");
  const cases = lines
    .map((text, index) => ({ line: index + 1, text }))
    .filter(({ text }) => text.trim())
    .map(({ line, text }) => ({ line, fields: JSON.parse(text) }));
  if (cases.length === 0) {
    throw new Error(`expected cases in ${kind}.jsonl, got none`);
  }
  for (const { line, fields } of cases) {
    const present = Object.keys(fields)
      .filter((field) => field !== "note")
      .sort();
    same(`fields of ${kind} ${line}`, [...known].sort(), present);
  }
  return cases;
}

/** Throws what was expected, then what came instead. */
export function same(what: string, expected: unknown, got: unknown): void {
  if (!isDeepStrictEqual(expected, got)) {
    throw new Error(`expected ${what} ${JSON.stringify(expected)}, got ${JSON.stringify(got)}`);
  }
}
