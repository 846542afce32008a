/** Takes the pictures of README.md again. */

import type { Page } from "playwright-core";
import { DESKTOP, type Looks, launch, open, PHONE } from "./browser.js";
import { serve } from "./serving.js";

const SEED = "000102030405060708090a0b0c0d0e0f";
const FOLDER = new URL("../screenshots/", import.meta.url).pathname;

const serving = await serve();
const browser = await launch();

async function take(name: string, where: string, looks: Looks, use: (page: Page) => Promise<void>) {
  const { page } = await open(browser, `${serving.page}#/${where}`, looks);
  await use(page);
  await page.screenshot({ path: `${FOLDER}${name}.png` });
  await page.context().close();
}

async function arrange(page: Page): Promise<void> {
  await page.locator(".actions button").nth(1).click();
  await page.locator(".suggestions li button").first().click();
  await page.locator(".verdict .good").waitFor();
}

const round = `play?r=bonus&s=${SEED}`;
await take("settlement", round, { viewport: DESKTOP }, async (page) => {
  await arrange(page);
  await page.locator(".actions .main").click();
  await page.locator(".totals .seat").nth(2).locator("li button").last().click();
  await page.locator(".settlement").evaluate((element) => element.scrollIntoView());
});
await take("phone", round, { viewport: PHONE, language: "zh-Hant" }, async (page) => {
  await arrange(page);
  await page.evaluate(() => scrollTo(0, 240));
});
await take("table", round, { viewport: DESKTOP }, arrange);
await take("dark", "rules?r=bonus&f=4", { viewport: DESKTOP, scheme: "dark" }, (page) =>
  page.locator(".ladder").waitFor(),
);
await take("check", `check?r=classic&s=${SEED}&c=17`, { viewport: DESKTOP }, (page) =>
  page.locator(".steps").waitFor(),
);

await browser.close();
await serving.stop();
