/** What the cards are dealt from. */

import { useState } from "preact/hooks";
import { drawCard, drawRank, Ruleset, rankOf } from "shisanzhi";
import { type Address, fromHex, newSeed, toHex } from "./address.js";
import { RulesetChoice, type ViewProps } from "./app.js";
import { ShownCard } from "./cards.js";
import type { Deal } from "./deal.js";
import { windOf } from "./explain.js";
import { useSay } from "./words.js";

const FRESH = { placings: [], scored: false } as const;

export function DealForm({
  basics,
  address,
  update,
  deal,
}: ViewProps & { deal: Deal | undefined }) {
  const say = useSay();
  return (
    <section class="deal" aria-label={say("deal")}>
      <div class="bar">
        <RulesetChoice
          basics={basics}
          address={address}
          choose={(ruleset) => update({ ...FRESH, ruleset, cuts: [] }, "push")}
        />
        <button type="button" onClick={() => update({ ...FRESH, seed: newSeed() }, "push")}>
          {say("newDeal")}
        </button>
        <CopyLink />
        {deal && <Shown deal={deal} />}
      </div>
      <dl class="seed">
        <dt>{say("seed")}</dt>
        <dd>
          <code>{address.seed}</code>
        </dd>
        <dt title={say("commitmentHint")}>{say("commitment")}</dt>
        <dd>
          <code>{deal && toHex(deal.commitment)}</code>
        </dd>
      </dl>
      <details>
        <summary>{say("dealDetails")}</summary>
        <Inputs address={address} deal={(changes) => update({ ...FRESH, ...changes }, "push")} />
      </details>
    </section>
  );
}

/** The card that everybody sees. */
function Shown({ deal }: { deal: Deal }) {
  const say = useSay();
  const { cutCard, turnedUpCard } = deal;
  const card = cutCard ?? turnedUpCard;
  if (card === undefined) {
    return null;
  }
  return (
    <div class="cut">
      <ShownCard card={card} bonus={cutCard !== undefined} />
      <p>
        {say(cutCard ? "cutCard" : "turnedUp")} {drawCard(card)}
        {cutCard && (
          <strong class="gold">
            {say("bonusRank")} {drawRank(rankOf(cutCard))}
          </strong>
        )}
      </p>
    </div>
  );
}

function CopyLink() {
  const say = useSay();
  const [told, setTold] = useState<"copied" | "copyByHand" | undefined>();
  const copy = () =>
    // Only where the page is secure: elsewhere there is no clipboard.
    Promise.resolve(navigator.clipboard?.writeText(location.href) ?? Promise.reject()).then(
      () => setTold("copied"),
      () => setTold("copyByHand"),
    );
  return (
    <button type="button" onClick={copy}>
      <span role="status">{say(told ?? "copyLink")}</span>
    </button>
  );
}

type Inputs = Pick<Address, "seed" | "playerSeeds" | "round" | "dealer" | "cuts">;

function Inputs({ address, deal }: { address: Address; deal(inputs: Inputs): void }) {
  const say = useSay();
  const [wrong, setWrong] = useState<string>();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget as HTMLFormElement);
    const text = (name: string) => `${form.get(name) ?? ""}`.trim();
    const playerSeeds = text("players").split(/\s+/u).filter(Boolean);
    const notHex = [text("seed"), ...playerSeeds].find((each) => !fromHex(each));
    setWrong(notHex);
    if (notHex === undefined) {
      deal({
        seed: text("seed").toLowerCase(),
        playerSeeds,
        round: Number(text("round")) || 1,
        dealer: text("dealer") === "" ? undefined : Number(text("dealer")),
        cuts: text("cuts")
          .split(/[\s,.]+/u)
          .filter(Boolean)
          .map(Number),
      });
    }
  };
  return (
    <form onSubmit={submit}>
      <p class="hint">{say("commitmentHint")}</p>
      <label class="wide">
        {say("seed")} <small>{say("seedHint")}</small>
        <input name="seed" defaultValue={address.seed} spellcheck={false} autocomplete="off" />
      </label>
      <label class="wide">
        {say("playerSeeds")} <small>{say("playerSeedsHint")}</small>
        <textarea
          name="players"
          rows={2}
          spellcheck={false}
          defaultValue={address.playerSeeds.join("\n")}
        />
      </label>
      <label>
        {say("round")}
        <input
          name="round"
          type="number"
          min={1}
          max={4_294_967_295}
          defaultValue={`${address.round}`}
        />
      </label>
      <label>
        {say("dealer")}
        <select name="dealer">
          <option value="">{say("drawn")}</option>
          {[0, 1, 2, 3].map((seat) => (
            <option key={seat} value={seat} selected={seat === address.dealer}>
              {windOf(seat, address.language)}
            </option>
          ))}
        </select>
      </label>
      {address.ruleset === Ruleset.CLASSIC && (
        <label>
          {say("cuts")} <small>{say("cutsHint")}</small>
          <input
            name="cuts"
            defaultValue={address.cuts.join(" ")}
            inputMode="numeric"
            autocomplete="off"
          />
        </label>
      )}
      {wrong !== undefined && (
        <p class="fault" role="alert">
          {say("seedHint")}: <code>{wrong}</code>
        </p>
      )}
      <button type="submit" class="main">
        {say("deal")}
      </button>
    </form>
  );
}
