import {
  type Arrangement,
  type Card,
  Category,
  formatCards,
  type LocalizedText,
  parseCard,
  parseCards,
  Ruleset,
} from "shisanzhi";

/** How the golden cases write things; see their README. */

export interface Rows {
  readonly front: string;
  readonly middle: string;
  readonly back: string;
}

export function ruleset(key: string): Ruleset {
  return Ruleset[key.toUpperCase() as keyof typeof Ruleset];
}

/** What every question about cards begins with. */
export function question(fields: { ruleset: string; cut: string | null }): {
  ruleset: Ruleset;
  cutCard?: Card;
} {
  const cut = fields.cut === null ? {} : { cutCard: parseCard(fields.cut) };
  return { ruleset: ruleset(fields.ruleset), ...cut };
}

export function arrangement({ front, middle, back }: Rows) {
  return { front: parseCards(front), middle: parseCards(middle), back: parseCards(back) };
}

export function rowsOf(rows: Arrangement | undefined): Rows {
  const { front = [], middle = [], back = [] } = rows ?? {};
  return { front: formatCards(front), middle: formatCards(middle), back: formatCards(back) };
}

export function bytes(hex: string): Uint8Array {
  return new Uint8Array(Buffer.from(hex, "hex"));
}

export function hex(from: Uint8Array): string {
  return Buffer.from(from).toString("hex");
}

export function text(from: LocalizedText | undefined) {
  return { zh_hant: from?.zhHant, en: from?.en };
}

export function category(value: Category): string | null {
  return value === Category.UNSPECIFIED ? null : (Category[value] ?? `${value}`);
}
