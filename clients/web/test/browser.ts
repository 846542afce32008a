/** A browser, the distribution's own, that talks to nobody but the page. */

import { type Browser, chromium, type Page } from "playwright-core";

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1280, height: 900 };

export interface Looks {
  readonly viewport: { readonly width: number; readonly height: number };
  readonly scheme?: "light" | "dark";
  readonly language?: "zh-Hant" | "en";
  /** Whether scripts of the test may ask other origins, as the pages of others do. */
  readonly bypassCSP?: boolean;
}

export function launch(...more: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--no-first-run",
      ...more,
    ],
  });
}

/** A page that notes what no page should have: errors in the console, questions to others. */
export async function open(
  browser: Browser,
  address: string,
  { viewport, scheme = "light", language = "en", bypassCSP = false }: Looks,
): Promise<{ page: Page; wrong: string[] }> {
  const context = await browser.newContext({
    viewport,
    bypassCSP,
    colorScheme: scheme,
    locale: language === "en" ? "en-US" : "zh-TW",
    hasTouch: viewport.width < 500,
    isMobile: viewport.width < 500,
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(120_000); // a machine that does much else is slow, and not wrong
  const page = await context.newPage();
  const wrong: string[] = [];
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) {
      wrong.push(message.text());
    }
  });
  page.on("pageerror", (error) => wrong.push(String(error)));
  page.on("request", (request) => {
    if (new URL(request.url()).origin !== new URL(address).origin) {
      wrong.push(`asked ${request.url()}`);
    }
  });
  await page.goto(address);
  return { page, wrong };
}
