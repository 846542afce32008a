import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { AxeBuilder } from "@axe-core/playwright";
import type { Browser, Locator, Page } from "playwright-core";
import {
  type Arrangement,
  type Card,
  drawCard,
  type GameLogic,
  type RoundResult,
  Ruleset,
} from "shisanzhi";
import { connect } from "shisanzhi/node";
import { DESKTOP, type Looks, launch, open, PHONE } from "./browser.js";
import { type Serving, serve } from "./serving.js";

const SEED = "000102030405060708090a0b0c0d0e0f";
const NAMES = { [Ruleset.BONUS]: "bonus", [Ruleset.CLASSIC]: "classic" } as const;
type Played = keyof typeof NAMES;
const ROWS = ["front", "middle", "back"] as const;

let serving: Serving;
let browser: Browser;
let client: GameLogic & { close(): void };

before(async () => {
  [serving, browser] = await Promise.all([
    serve(),
    launch("--host-resolver-rules=MAP cards.test 127.0.0.1"),
  ]);
  client = connect(serving.server);
});

after(async () => {
  client.close();
  await Promise.all([browser.close(), serving.stop()]);
});

/** How to play seat 0's hand, and what the round is then worth with three seats played by the solver. */
async function expectedRound(ruleset: Played): Promise<{ rows: Arrangement; result: RoundResult }> {
  const dealt = await client.dealRound({ ruleset, seed: Buffer.from(SEED, "hex") });
  const cards = { ruleset, ...(dealt.cutCard && { cutCard: dealt.cutCard }) };
  const arrangements: Arrangement[] = [];
  for (const { cards: hand } of dealt.hands) {
    const { suggestions } = await client.arrange({ ...cards, hand });
    arrangements.push(suggestions[0]?.arrangement as Arrangement);
  }
  const { result } = await client.score({ ...cards, dealer: dealt.dealer, arrangements });
  return { rows: arrangements[0] as Arrangement, result: result as RoundResult };
}

function address(view: string, query = ""): string {
  return `${serving.page}#/${view}?${query}`;
}

/** Opens a page, and sees in the end that it did nothing wrong. */
async function on(where: string, looks: Looks, use: (page: Page) => Promise<void>): Promise<void> {
  const { page, wrong } = await open(browser, where, looks);
  await use(page);
  assert.deepEqual(await page.context().cookies(), []);
  await page.context().close();
  assert.deepEqual(wrong, []);
}

function zone(page: Page, name: string): Locator {
  return page
    .locator("[data-zone]")
    .and(page.getByRole("group", { name: new RegExp(`^${name}`, "i") }));
}

/** A card of the hand that is not placed yet. */
function cardInHand(page: Page, card: Card): Locator {
  const name = new RegExp(`^${drawCard(card)}(,.*)?, Hand$`);
  return page.getByRole("button", { name }).first();
}

async function drag(page: Page, card: Locator, target: Locator): Promise<void> {
  const [from, to] = [await card.boundingBox(), await target.boundingBox()];
  assert.ok(from && to);
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(from.x + from.width, from.y, { steps: 2 });
  await page.mouse.move(to.x + to.width - 20, to.y + to.height - 20, { steps: 3 });
  await page.mouse.up();
}

async function checkSettled(page: Page, result: RoundResult): Promise<void> {
  await page.getByRole("heading", { name: "Settlement" }).waitFor();
  const sums = await page.locator(".sum strong").allTextContents();
  const totals = result.seats.map(({ totalUnits }) => totalUnits);
  assert.deepEqual(sums.map(signedNumber), totals);
}

for (const [number, name] of Object.entries(NAMES)) {
  const ruleset = Number(number) as Played;

  test(`a round of ${name} is played by mouse`, async () => {
    const { rows, result } = await expectedRound(ruleset);
    await on(address("play", `r=${name}&s=${SEED}`), { viewport: DESKTOP }, async (page) => {
      for (const row of ROWS) {
        for (const card of rows[row]) {
          await drag(page, cardInHand(page, card), zone(page, row));
        }
      }
      await page.getByText("Legal, ready to play").waitFor();
      await page.getByRole("button", { name: "Show and score" }).click();
      await checkSettled(page, result);
    });
  });

  test(`a round of ${name} is played by keyboard alone`, async () => {
    const { rows, result } = await expectedRound(ruleset);
    await on(address("play", `s=${SEED}`), { viewport: DESKTOP }, async (page) => {
      await page.locator("[data-index]").first().waitFor();
      await tabTo(page, (label) => label === "BONUS");
      if (ruleset === Ruleset.CLASSIC) {
        await page.keyboard.press("ArrowRight");
        await page.getByText("Turned up").waitFor();
      }
      await page.locator("[data-index]").first().waitFor();
      await tabTo(page, (label) => label.endsWith(", Hand"));
      for (const [place, row] of ROWS.entries()) {
        for (const card of rows[row]) {
          await arrowTo(page, card);
          await page.keyboard.press(`${place + 1}`);
        }
      }
      await page.getByText("Legal, ready to play").waitFor();
      await tabTo(page, (label) => label === "Show and score");
      await page.keyboard.press("Enter");
      await checkSettled(page, result);
    });
  });

  test(`a round of ${name} is played by touch on a phone`, async () => {
    const { rows, result } = await expectedRound(ruleset);
    await on(address("play", `r=${name}&s=${SEED}`), { viewport: PHONE }, async (page) => {
      await place(page, rows);
      await page.getByRole("button", { name: "Show and score" }).tap();
      await checkSettled(page, result);
    });
  });
}

/** Puts cards of the hand where they belong, by touch. */
async function place(page: Page, rows: Arrangement): Promise<void> {
  for (const row of ROWS) {
    for (const card of rows[row]) {
      await cardInHand(page, card).tap();
      await zone(page, row)
        .locator(".cards")
        .tap({ position: { x: 300, y: 30 } });
    }
  }
}

function signedNumber(text: string | null): number {
  return Number(text?.replace("−", "-"));
}

/** What the focused element is called. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { activeElement: element } = document;
    const label = element?.closest("label")?.textContent;
    return (element?.getAttribute("aria-label") ?? label ?? element?.textContent ?? "").trim();
  });
}

async function tabTo(page: Page, wanted: (label: string) => boolean): Promise<void> {
  for (let press = 0; press < 60; press++) {
    await page.keyboard.press("Tab");
    if (wanted(await focused(page))) {
      return;
    }
  }
  assert.fail(`expected to come there by Tab, came to ${await focused(page)}`);
}

/** From anywhere on the board to a card of the hand: down to the hand, then along it. */
async function arrowTo(page: Page, card: Card): Promise<void> {
  for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "Home"]) {
    await page.keyboard.press(key);
  }
  for (let press = 0; press < 16; press++) {
    const label = await focused(page);
    if (label.startsWith(drawCard(card)) && label.endsWith(", Hand")) {
      return;
    }
    await page.keyboard.press("ArrowRight");
  }
  assert.fail(`expected ${drawCard(card)} in the hand, came to ${await focused(page)}`);
}

/** A round that the solver has arranged and that is scored. */
async function scored(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Arrange for me" }).click();
  await page.locator(".suggestions li button").first().click();
  await page.getByRole("button", { name: "Show and score" }).click();
  await page.getByRole("heading", { name: "Settlement" }).waitFor();
}

test("a card dragged by the mouse onto a full row changes places", async () => {
  await on(address("play", `s=${SEED}`), { viewport: DESKTOP }, async (page) => {
    await page.getByRole("button", { name: "Arrange for me" }).click();
    await page.locator(".suggestions li button").first().click();
    const names = () =>
      page
        .locator("[data-index]")
        .evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")));
    const before = await names();
    const [front, back] = [
      zone(page, "front").locator(".card").first(),
      zone(page, "back").locator(".card").first(),
    ];
    const moved = await front.getAttribute("aria-label");
    const [from, to] = [await front.boundingBox(), await back.boundingBox()];
    assert.ok(from && to);
    await page.mouse.move(from.x + 9, from.y + 9);
    await page.mouse.down();
    await page.mouse.move(to.x + 20, to.y + 20, { steps: 4 });
    await page.mouse.up();
    const after = await names();
    assert.ok(before.includes(moved) && !after.includes(moved));
    assert.ok(after.includes(moved?.replace("Front", "Back") ?? ""));
    assert.equal(await zone(page, "front").locator(".card").count(), 3);
  });
});

test("what is wrong with a row is said there", async () => {
  const { rows } = await expectedRound(Ruleset.CLASSIC);
  await on(address("play", `r=classic&s=${SEED}`), { viewport: PHONE }, async (page) => {
    await place(page, { ...rows, middle: rows.back, back: rows.middle });
    await zone(page, "middle").getByRole("alert").getByText("not below the back").waitFor();
    assert.ok(await page.getByRole("button", { name: "Show and score" }).isDisabled());
  });
});

test("a round is shared by its address, in the language and the colours of who shares it", async () => {
  await on(address("play", `s=${SEED}&l=zh-Hant`), { viewport: DESKTOP }, async (page) => {
    await page.getByRole("button", { name: "切換為 English" }).click();
    await page.getByLabel("Four colours").check();
    await scored(page);
    const [url, text] = [page.url(), await page.locator(".settlement").textContent()];
    await on(url, { viewport: DESKTOP, language: "zh-Hant" }, async (other) => {
      await other.getByRole("heading", { name: "Settlement" }).waitFor();
      assert.equal(await other.locator(".settlement").textContent(), text);
      assert.ok(await other.locator("html.four-colours").count());
    });
    await page.goBack();
    assert.equal(await page.locator(".settlement").count(), 0);
  });
});

test("a click on units shows the lines that they come from, and these alone", async () => {
  await on(address("play", `s=${SEED}`), { viewport: DESKTOP }, async (page) => {
    await scored(page);
    const west = page.locator(".totals .seat").filter({ hasText: "West" });
    const button = west.getByRole("button", { name: /^Royalties/ });
    const units = signedNumber(await button.locator("b").textContent());
    await button.click();
    const lit = await page.locator(".line.lit").allInnerTexts();
    const sum = lit
      .map((line) => Number(/\d+$/.exec(line)?.[0]) * (line.includes("→ West") ? 1 : -1))
      .reduce((one, other) => one + other, 0);
    assert.ok(lit.length > 0);
    assert.equal(sum, units);
    await page.locator(".why li button").first().click();
    const fewer = await page.locator(".line.lit").allInnerTexts();
    assert.ok(fewer.length > 0 && fewer.length <= lit.length);
  });
});

test("a deal is checked in the browser, and another commitment is seen", async () => {
  const query = `r=classic&s=${SEED}&p=aa.bbcc&c=3.17&n=5`;
  await on(address("check", query), { viewport: DESKTOP }, async (page) => {
    await page.getByText("The deal is what the seed deals").waitFor();
    assert.equal(await page.getByText("the same as the service dealt").count(), 4);
    await page.getByLabel("Commitment published before").fill("00".repeat(32));
    await page.getByText("does not match the commitment").waitFor();
    await page.getByText("The deal does not match").waitFor();
  });
});

test("where the gateway deals to nobody, the page deals the same cards", async () => {
  const { page } = await open(browser, address("rules"), { viewport: DESKTOP });
  const headers = { "content-type": "application/grpc-web+proto", "grpc-status": "7" };
  await page.route(/DealRound/, (route) => route.fulfill({ status: 403, headers }));
  await page.goto(address("play", `s=${SEED}`));
  await page.reload();
  await page.locator("[data-index]").first().waitFor();
  const { hands } = await client.dealRound({
    ruleset: Ruleset.BONUS,
    seed: Buffer.from(SEED, "hex"),
  });
  const shown = await page
    .locator("[data-index]")
    .evaluateAll((all) => all.map((each) => each.getAttribute("aria-label")?.split(",")[0]));
  const dealt = hands[0]?.cards.map(drawCard) ?? [];
  assert.deepEqual(shown.sort(), dealt.sort());
  await page.context().close();
});

test("where the browser has no WebCrypto the page says so", async () => {
  const where = new URL(serving.page);
  where.hostname = "cards.test";
  await on(`${where}#/check?s=${SEED}`, { viewport: DESKTOP }, async (page) => {
    await page.getByText("This browser has no WebCrypto at this address").waitFor();
    await page.getByRole("button", { name: "Play" }).click();
    await page.locator("[data-index]").first().waitFor();
  });
});

test("a row is judged under both rulesets", async () => {
  await on(address("evaluate"), { viewport: DESKTOP }, async (page) => {
    for (const card of ["9♠", "9♠", "9♥", "9♦", "9♣"]) {
      await page.locator(".deck").getByRole("button", { name: card }).click();
    }
    await page.getByText("five of a kind 9").waitFor();
    await page.getByText("A card appears more often than the deck holds it.").waitFor();
    await page.getByRole("textbox", { name: "Cards" }).fill("♠A ah 10x");
    await page.getByText("Not a card: 10x").waitFor();
    await page.getByRole("textbox", { name: "Cards" }).fill("A♠ ah Kd");
    await page.locator(".worth").nth(1).waitFor();
    assert.deepEqual(await page.locator(".worth").allInnerTexts(), ["pair A K", "pair A K"]);
  });
});

test("a seed that is none is told before the service is asked", async () => {
  await on(address("play", `s=${SEED}`), { viewport: DESKTOP }, async (page) => {
    await page.locator("summary").click();
    await page.getByRole("textbox", { name: /^Seed/ }).fill("zz");
    await page.getByRole("button", { name: "Deal", exact: true }).click();
    await page.getByRole("alert").getByText("zz").waitFor();
    await page.getByRole("textbox", { name: /^Seed/ }).fill("00112233");
    await page.getByRole("button", { name: "Deal", exact: true }).click();
    await page.getByText("A seed must have 16 to 64 bytes.").waitFor();
  });
});

const VIEWS = ["Play", "Check", "Evaluate", "Rules"];

for (const [size, viewport] of Object.entries({ phone: PHONE, desktop: DESKTOP })) {
  for (const scheme of ["light", "dark"] as const) {
    test(`everybody can use it on a ${size} in ${scheme} colours`, async () => {
      const where = address("play", `s=${SEED}&x=7s 7h 7d&f=${scheme === "dark" ? 4 : ""}`);
      await on(where, { viewport, scheme }, async (page) => {
        for (const view of VIEWS) {
          await page.getByRole("button", { name: view, exact: true }).click();
          await page.getByRole("heading", { level: 2, name: view }).waitFor();
          if (view === "Play") {
            await scored(page);
            await page.locator("summary").click();
          }
          if (view === "Check") {
            await page.getByText("The deal is what the seed deals").waitFor();
          }
          const { violations } = await new AxeBuilder({ page })
            .exclude(".face") // pictures, which are hidden from screen readers: whoever shows one names it
            .analyze();
          const found = violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)]);
          assert.deepEqual(found, [], view);
          const widths = await page.evaluate(() => [
            document.documentElement.scrollWidth,
            innerWidth,
          ]);
          assert.equal(widths[0], widths[1], `${view} is as wide as the window`);
        }
      });
    });
  }
}

test("nothing may run or be fetched but what the page brings", async () => {
  const policy = (await fetch(serving.page)).headers.get("content-security-policy") ?? "";
  assert.doesNotMatch(policy, /unsafe|\*|https?:/);
  await on(address("rules"), { viewport: DESKTOP }, async (page) => {
    const meta = page.locator('meta[http-equiv="Content-Security-Policy"]');
    assert.match((await meta.getAttribute("content")) ?? "", /^default-src 'none'/);
  });
});

/** Asks from a page of another origin, as an integrator's page does. */
async function askFromElsewhere(method: string, request: string) {
  const elsewhere = new URL(serving.page);
  elsewhere.hostname = "localhost";
  const { page } = await open(browser, `${elsewhere}`, { viewport: DESKTOP, bypassCSP: true });
  const answer = await page.evaluate(
    async ([url, body]) => {
      const bytes = Uint8Array.from((body ?? "").match(/../g) ?? [], (pair) =>
        Number.parseInt(pair, 16),
      );
      const response = await fetch(url as string, {
        method: "POST",
        headers: { "content-type": "application/grpc-web+proto", "x-grpc-web": "1" },
        body: new Uint8Array([0, 0, 0, 0, bytes.length, ...bytes]),
      });
      return { status: response.status, headers: Object.fromEntries(response.headers) };
    },
    [`${serving.page}shisanzhi.v1.GameLogicService/${method}`, request],
  );
  await page.context().close();
  return answer;
}

test("a page of another origin is answered, and told why where it is not", async () => {
  const answered = await askFromElsewhere("GetTexts", "");
  assert.equal(answered.status, 200);
  const { headers } = await askFromElsewhere("GetRuleset", "");
  assert.equal(headers["grpc-status"], "3");
  assert.match(headers["grpc-message"] ?? "", /ruleset/);
  const details = Buffer.from(headers["grpc-status-details-bin"] ?? "", "base64").toString();
  assert.match(details, /RULESET_REQUIRED/);
});

test("the books of a match and work by the thousand are closed to the public", async () => {
  for (const method of ["StartMatch", "AdvanceMatch", "BatchArrange", "BatchScore"]) {
    const answer = await fetch(`${serving.page}shisanzhi.v1.GameLogicService/${method}`, {
      method: "POST",
      headers: { "content-type": "application/grpc-web+proto", "x-grpc-web": "1" },
      body: new Uint8Array(5),
    });
    assert.equal(answer.headers.get("grpc-status") ?? `${answer.status}`, "7", method);
  }
});
