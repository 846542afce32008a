import {
  Category,
  drawCard,
  drawRank,
  type GameLogic,
  GameLogicError,
  Names,
  Ruleset,
} from "shisanzhi";
import { same } from "./vectors.js";

/** What a client makes of what only a newer server says: five checks. */
export const CHECKS: readonly ((client: GameLogic) => Promise<void>)[] = [
  async (client) => {
    const { values } = await client.evaluate({ ruleset: Ruleset.CLASSIC });
    const [later, pair] = values;
    same("category", 99, later?.category);
    same("ranks", [14, 99, 2], later?.ranks);
    same("ranks as text", ["A", "99", "2"], later?.ranks.map(drawRank));
    same("strengths", [5, 4], [later?.strength, pair?.strength]);
    same("pair", [Category.PAIR, [14, 13]], [pair?.category, pair?.ranks]);
  },
  async (client) => {
    const { ruleset } = await client.getRuleset({ ruleset: Ruleset.CLASSIC });
    if (ruleset === undefined) {
      throw new Error("expected a ruleset, got none");
    }
    const said = (["zh-Hant", "en"] as const).map((language) =>
      new Names(ruleset, language).category(99 as Category),
    );
    same("names", ["新牌型", "new category"], said);
    same("a name that is not there", "98", new Names(ruleset, "en").category(98 as Category));
  },
  async (client) => {
    const { legal, violations } = await client.validate({ ruleset: Ruleset.CLASSIC });
    const [violation] = violations;
    same("legal", false, legal);
    same("violation", [99, 99, 99], [violation?.reason, violation?.row, violation?.card]);
    same("card as text", "99", violation && drawCard(violation.card));
  },
  async (client) => {
    const error = await client
      .score({ ruleset: Ruleset.CLASSIC })
      .catch((failed: unknown) => failed);
    if (!(error instanceof GameLogicError)) {
      throw new Error(`expected an error, got ${JSON.stringify(error)}`);
    }
    const faults = error.faults.map(({ path, reason }) => [path, reason]);
    same("code", "INVALID_ARGUMENT", error.codeName);
    same("reason", "LATER_REASON", error.reason);
    same("faults", [["later[0].field", "LATER_REASON"]], faults);
    same("faults left out", 3, error.faultsLeftOut);
  },
  async (client) => {
    const { match } = await client.startMatch({ ruleset: Ruleset.CLASSIC });
    if (match === undefined) {
      throw new Error("expected a match, got none");
    }
    const advanced = await client.advanceMatch({ match, units: [0, 0, 0, 0] });
    same("next round", 2, advanced.match?.nextRound);
  },
];
