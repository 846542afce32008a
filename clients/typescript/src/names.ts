import type { Category, Row, RowValue } from "../gen/shisanzhi/v1/arrangement_pb.js";
import { ErrorReason } from "../gen/shisanzhi/v1/error_pb.js";
import type { GetTextsResponse } from "../gen/shisanzhi/v1/game_logic_service_pb.js";
import type { LocalizedText, RulesetInfo } from "../gen/shisanzhi/v1/ruleset_pb.js";
import { drawRank } from "./cards.js";

/** A language that the service speaks. */
export type Language = "zh-Hant" | "en";

/** A text in one language. */
export function say(text: LocalizedText | undefined, language: Language): string {
  return (language === "en" ? text?.en : text?.zhHant) ?? "";
}

/** What a ruleset calls things, in one language; what it has no name for is its number. */
export class Names {
  constructor(
    readonly ruleset: RulesetInfo,
    readonly language: Language,
  ) {}

  category(category: Category): string {
    const rung = this.ruleset.ladder.find((each) => each.category === category);
    return rung ? say(rung.name, this.language) : `${category}`;
  }

  row(row: Row): string {
    const info = this.ruleset.rows.find((each) => each.row === row);
    return info ? say(info.name, this.language) : `${row}`;
  }

  /** A row's value as people say it: `pair A K`. */
  value(value: RowValue): string {
    return [this.category(value.category), ...value.ranks.map(drawRank)].join(" ");
  }

  /** A royalty by its row and category; the dragon's has neither. */
  royalty(row: Row, category: Category): string {
    const line = this.ruleset.royalties.find(
      (each) => each.row === row && each.category === category,
    );
    return line ? say(line.name, this.language) : `${this.row(row)} ${this.category(category)}`;
  }
}

/** What to show for the reason of an error; for one that the server does not explain, its first text. */
export function reasonText(texts: GetTextsResponse, reason: string, language: Language): string {
  const number = ErrorReason[reason as keyof typeof ErrorReason];
  const found = texts.errorReasons.find((each) => each.value === number) ?? texts.errorReasons[0];
  return say(found?.text, language);
}
