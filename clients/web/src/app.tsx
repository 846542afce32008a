/** The page's frame: what is shown, in which language and colours. */

import { useEffect } from "preact/hooks";
import { Names, Ruleset, say as sayText } from "shisanzhi";
import { type Address, SCHEMES, type Update, useAddress, VIEWS } from "./address.js";
import { Check } from "./check.js";
import { Evaluate } from "./evaluate.js";
import { Failure } from "./failure.js";
import { Play } from "./play.js";
import { Rules } from "./rules.js";
import { askBasics, type Basics, rulesetOf, useAnswer } from "./service.js";
import { Spoken, useSay } from "./words.js";

/** What every view needs. */
export interface ViewProps {
  readonly basics: Basics;
  readonly names: Names;
  readonly address: Address;
  readonly update: Update;
}

export function App() {
  const [address, update] = useAddress();
  const { language, scheme, fourColours } = address;
  useEffect(() => {
    const { documentElement: root } = document;
    root.lang = language;
    root.dataset["scheme"] = scheme;
    root.classList.toggle("four-colours", fourColours);
  }, [language, scheme, fourColours]);
  return (
    <Spoken.Provider value={language}>
      <Page address={address} update={update} />
    </Spoken.Provider>
  );
}

function Page({ address, update }: { address: Address; update: Update }) {
  const say = useSay();
  const basics = useAnswer("basics", askBasics);
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        {say("skip")}
      </button>
      <header class="top">
        <h1>
          <img src="/icon.svg" alt="" width="32" height="32" />
          {say("title")}
        </h1>
        <nav aria-label={say("pages")}>
          {VIEWS.map((view) => (
            <button
              key={view}
              type="button"
              aria-current={view === address.view ? "page" : undefined}
              onClick={() => update({ view }, "push")}
            >
              {say(view)}
            </button>
          ))}
        </nav>
        <Preferences address={address} update={update} />
      </header>
      <main id="main" tabIndex={-1}>
        {basics.error && <Failure error={basics.error} again={basics.again} />}
        {basics.value && <Shown basics={basics.value} address={address} update={update} />}
        {!basics.error && !basics.value && <p class="asking">{say("loading")}</p>}
      </main>
    </>
  );
}

function Preferences({ address, update }: { address: Address; update: Update }) {
  const say = useSay();
  return (
    <div class="preferences">
      <button
        type="button"
        aria-label={say("languageIs")}
        onClick={() => update({ language: address.language === "en" ? "zh-Hant" : "en" })}
      >
        {say("language")}
      </button>
      <label>
        <span class="hidden">{say("scheme")}</span>
        <select
          value={address.scheme}
          onChange={(event) => {
            const scheme = SCHEMES.find((each) => each === event.currentTarget.value);
            update({ scheme: scheme ?? "auto" });
          }}
        >
          {SCHEMES.map((scheme) => (
            <option key={scheme} value={scheme}>
              {say(`scheme_${scheme}`)}
            </option>
          ))}
        </select>
      </label>
      <label class="tick">
        <input
          type="checkbox"
          checked={address.fourColours}
          onChange={(event) => update({ fourColours: event.currentTarget.checked })}
        />
        {say("fourColours")}
      </label>
    </div>
  );
}

function Shown({ basics, address, update }: Omit<ViewProps, "names">) {
  const say = useSay();
  const names = new Names(rulesetOf(basics, address.ruleset), address.language);
  const View = { play: Play, check: Check, evaluate: Evaluate, rules: Rules }[address.view];
  return (
    <>
      <h2 class="hidden">{say(address.view)}</h2>
      <View basics={basics} names={names} address={address} update={update} />
    </>
  );
}

/** Chooses between the rulesets. */
export function RulesetChoice({
  basics,
  address,
  choose,
}: {
  basics: Basics;
  address: Address;
  choose(ruleset: Ruleset): void;
}) {
  const say = useSay();
  return (
    <fieldset class="choice">
      <legend class="hidden">{say("ruleset")}</legend>
      {basics.rulesets.map(({ ruleset, name }) => (
        <label key={ruleset}>
          <input
            type="radio"
            name="ruleset"
            checked={ruleset === address.ruleset}
            onChange={() => choose(ruleset)}
          />
          <span title={sayText(name, address.language)}>{Ruleset[ruleset]}</span>
        </label>
      ))}
    </fieldset>
  );
}
