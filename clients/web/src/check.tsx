/** A deal checked in this browser, without the server, step by step. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { drawCard, type RepeatedDeal, Ruleset, repeatDeal } from "shisanzhi";
import { fromHex, toHex } from "./address.js";
import type { ViewProps } from "./app.js";
import { ShownCards } from "./cards.js";
import { type Deal, dealKey, inputsOf, useDeal } from "./deal.js";
import { DealForm } from "./deal-form.js";
import { windOf } from "./explain.js";
import { Failure } from "./failure.js";
import { useAnswer } from "./service.js";
import { useSay } from "./words.js";

export function Check(props: ViewProps) {
  const { address, basics } = props;
  const say = useSay();
  const deal = useDeal(address);
  const here = globalThis.crypto?.subtle !== undefined;
  const key = here ? `check ${dealKey(address)}` : undefined;
  const repeated = useAnswer(key, () => repeatDeal(inputsOf(address)));
  return (
    <>
      <DealForm key={dealKey(address)} {...props} deal={deal.value} />
      <p>{say("checkIntro")}</p>
      {!here && (
        <p class="failure" role="alert">
          {say("noCrypto")}
        </p>
      )}
      {deal.error && <Failure error={deal.error} texts={basics.texts} again={deal.again} />}
      {deal.value && repeated.value && !deal.asking && !repeated.asking && (
        <Steps {...props} deal={deal.value} mine={repeated.value} />
      )}
    </>
  );
}

function Steps({ address, names, deal, mine }: ViewProps & { deal: Deal; mine: RepeatedDeal }) {
  const say = useSay();
  const [published, setPublished] = useState("");
  const promised = published.trim() === "" ? deal.commitment : fromHex(published);
  const commitment = toHex(mine.commitment);
  const bonus = address.ruleset === Ruleset.BONUS;
  const shown = deal.cutCard ?? deal.turnedUpCard;
  const checks = {
    commitment: commitment === toHex(promised ?? new Uint8Array()),
    dealer: mine.dealer === deal.dealer,
    shown: mine.shown === shown,
    receiver: mine.firstReceiver === deal.firstReceiver,
    hands: JSON.stringify(mine.hands) === JSON.stringify(deal.hands),
  };
  const verified = Object.values(checks).every(Boolean);
  const wind = (seat: number) => windOf(seat, names.language);
  return (
    <>
      <p class={verified ? "verdict good" : "verdict bad"} role="status">
        <strong>{verified ? `✓ ${say("allVerified")}` : `✗ ${say("notVerified")}`}</strong>
      </p>
      <ol class="steps">
        <Step
          name={say("stepCommitment")}
          checked={checks.commitment}
          said={["matches", "matchesNot"]}
        >
          <p>SHA-256({say("seed")}) =</p>
          <code>{commitment}</code>
          <label class="wide">
            {say("published")} <small>{say("publishedHint")}</small>
            <input
              value={published}
              spellcheck={false}
              autocomplete="off"
              placeholder={toHex(deal.commitment)}
              onInput={(event) => setPublished(event.currentTarget.value)}
            />
          </label>
        </Step>
        <Step name={say("stepKey")}>
          <p>{say(address.playerSeeds.length > 0 ? "keyMixed" : "keyIsSeed")}</p>
          <code>{toHex(mine.key)}</code>
        </Step>
        <Step name={say("stepDealer")} checked={checks.dealer}>
          <p>
            {wind(mine.dealer)} –{" "}
            {say(address.dealer === undefined ? "dealerDrawn" : "dealerNamed")}
          </p>
        </Step>
        <Step name={say("stepShuffle")}>
          <p>
            {mine.words} {say("wordsTaken")} {mine.passedOver}
          </p>
          <code>
            HMAC-SHA256(key, "shisanzhi.v1/deal/{bonus ? "bonus" : "classic"}/{address.round}/0…")
          </code>
          <ShownCards cards={mine.shuffled} />
        </Step>
        {!bonus && (
          <Step name={say("stepCuts")}>
            <p>{address.cuts.length > 0 ? address.cuts.join(", ") : say("noCuts")}</p>
            {address.cuts.length > 0 && <ShownCards cards={mine.deck} />}
          </Step>
        )}
        <Step name={say(bonus ? "cutCard" : "turnedUp")} checked={checks.shown}>
          <p>
            {drawCard(mine.shown)}, {say("placeInDeck")} {mine.shownAt}
          </p>
        </Step>
        <Step name={say("stepReceiver")} checked={checks.receiver}>
          <p>{wind(mine.firstReceiver)}</p>
        </Step>
        <Step name={say("stepHands")} checked={checks.hands}>
          {mine.hands.map((hand, seat) => (
            <div key={seat} class="row">
              <small>{wind(seat)}</small>
              <ShownCards cards={hand} />
            </div>
          ))}
        </Step>
      </ol>
    </>
  );
}

type Said = "sameAsService" | "differs" | "matches" | "matchesNot";

function Step({
  name,
  checked,
  said = ["sameAsService", "differs"],
  children,
}: {
  name: string;
  checked?: boolean;
  said?: readonly [Said, Said];
  children: ComponentChildren;
}) {
  const say = useSay();
  return (
    <li>
      <h3>
        {name}
        {checked !== undefined && (
          <small class={checked ? "good" : "bad"}>
            {" "}
            {checked ? "✓" : "✗"} {say(said[checked ? 0 : 1])}
          </small>
        )}
      </h3>
      {children}
    </li>
  );
}
