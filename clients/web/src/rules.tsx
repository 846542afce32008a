/** The rules of a ruleset, drawn from what the service says of it. */

import type { ComponentChildren } from "preact";
import { type CategoryInfo, parseCards, say as sayText } from "shisanzhi";
import { RulesetChoice, type ViewProps } from "./app.js";
import { ShownCards } from "./cards.js";
import { EXAMPLES } from "./examples.js";
import { useSay } from "./words.js";

export function Rules({ basics, names, address, update }: ViewProps) {
  const say = useSay();
  const { ruleset, language } = names;
  const unit = language === "en" ? "" : `（${sayText(ruleset.unitName, language)}）`;
  const classic = ruleset.pairUnits > 0;
  const text = (key: Parameters<typeof sayText>[0]) => sayText(key, language);
  const units: [ComponentChildren, ComponentChildren, number][] = [
    [text(ruleset.gunshotName), say("gunshotRow"), ruleset.gunshotUnits],
    [text(ruleset.homeRunName), say("homeRunRow"), ruleset.homeRunUnits],
    [say("pair"), say("pairRow"), ruleset.pairUnits],
    [say("dragon"), say("dragonRow"), ruleset.dragonUnits],
  ];
  const facts: [string, ComponentChildren][] = [
    [say("deckIs"), `${ruleset.deck.length} ${say("cardsOf")}`],
    [say("dealt"), `${ruleset.handSize}, 13`],
    [
      say("order"),
      order(
        names.ruleset.rows.map((row) => text(row.name)),
        ruleset.middleMayEqualBack,
      ),
    ],
    [say("match"), ruleset.rounds > 0 ? `${ruleset.rounds} ${say("rounds")}` : say("noRounds")],
  ];
  if (ruleset.pointsPerUnit > 0) {
    facts.push(
      [say("pointsPerUnit"), ruleset.pointsPerUnit],
      [say("startingPoints"), ruleset.startingPoints],
    );
  }
  if (ruleset.arrangeSeconds > 0) {
    facts.push([say("seconds"), ruleset.arrangeSeconds]);
  }
  return (
    <>
      <div class="bar">
        <RulesetChoice
          basics={basics}
          address={address}
          choose={(chosen) =>
            update({ ruleset: chosen, cuts: [], placings: [], scored: false }, "push")
          }
        />
      </div>
      <h2>{text(ruleset.name)}</h2>
      <div class="rules">
        <section>
          <h3>{say("ladder")}</h3>
          {ruleset.hasBonusRank && <p class="hint">{say("bonusRule")}</p>}
          <ol class="ladder">
            {ruleset.ladder.map((rung) => (
              <Rung
                key={rung.category}
                rung={rung}
                name={text(rung.name)}
                bonus={ruleset.hasBonusRank}
              />
            ))}
          </ol>
        </section>
        <section>
          <dl class="facts">
            {facts.map(([name, fact]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{fact}</dd>
              </div>
            ))}
          </dl>
          <h3>
            {say("units")}
            {unit}
          </h3>
          <table>
            <tbody>
              {units
                .filter(([, , count]) => count > 0)
                .map(([name, who, count], place) => (
                  <tr key={place}>
                    <th scope="row">{name}</th>
                    <td>{who}</td>
                    <td class="number">{count}</td>
                  </tr>
                ))}
            </tbody>
          </table>
          <h3>
            {say(classic ? "royaltiesClassic" : "royalties")}
            {unit}
          </h3>
          <p class="hint">{say(classic ? "pairCollects" : "rowCollects")}</p>
          <table>
            <tbody>
              {ruleset.royalties.map((line) => (
                <tr key={`${line.row} ${line.category}`}>
                  <th scope="row">{text(line.name)}</th>
                  <td class="number">{line.units}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p class="hint">
            {say("moreRules")}{" "}
            <code>docs/{language === "en" ? "rules.md" : "rules.zh-Hant.md"}</code>
            {language === "en" ? "." : "。"}
          </p>
        </section>
      </div>
    </>
  );
}

function Rung({ rung, name, bonus }: { rung: CategoryInfo; name: string; bonus: boolean }) {
  const say = useSay();
  return (
    <li>
      <span>
        {name} {rung.fitsFront && <small class="badge">{say("inFront")}</small>}
      </span>
      <ShownCards
        cards={parseCards(EXAMPLES[rung.category] ?? "")}
        bonusRank={bonus ? 7 : undefined}
      />
    </li>
  );
}

function order(rows: readonly string[], mayEqual: boolean): string {
  const [front, middle, back] = rows;
  return `${front} < ${middle} ${mayEqual ? "≤" : "<"} ${back}`;
}
