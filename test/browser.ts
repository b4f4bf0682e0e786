/**
 * Opens a headless Chromium for a browser test, with the flags that make it quiet and repeatable. After a test that failed it says what each open
 * page showed: a picture, its words, its own report if it has one, what it wrote to the console.
 *
 * The browser is the machine's own (playwright-core downloads none). Pictures go to `artefacts/`, which CI keeps.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterEach } from "vitest";
import { findChromium } from "../scripts/lib/chromium.mjs";

const quietFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** Ms that a page may take to come to what a test waits for. Only ends what hangs. */
const PATIENCE_MS = 60_000;
/** Ms for the last words of a page whose test failed. */
const LAST_WORDS_MS = 10_000;
const opened = new Set<Browser>();

/** @param flags further command-line switches, e.g. `--autoplay-policy=no-user-gesture-required` */
export async function openBrowser(flags: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    throw new Error("Browser tests need Chromium: `npm test` installs it where it may and says what to do where not");
  }
  const args = [...quietFlags, ...flags];
  const browser = await chromium.launch({ executablePath, headless: true, args, timeout: 2 * PATIENCE_MS });
  browser.on("context", (context) => context.setDefaultTimeout(PATIENCE_MS));
  opened.add(browser);
  browser.once("disconnected", () => opened.delete(browser));
  return browser;
}

/** Keeps a picture of the page as `artefacts/<name>.png`. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  await page.screenshot({ path: picturePath(name) });
}

/** Where a picture of that name is kept; the folder is there. */
export function picturePath(name: string): string {
  const folder = join(import.meta.dirname, "../artefacts");
  mkdirSync(folder, { recursive: true });
  return join(folder, `${name}.png`);
}

afterEach(async ({ task }) => {
  if (task.result?.state !== "fail") return;
  const pages = [...opened].flatMap((browser) => browser.contexts().flatMap((context) => context.pages()));
  for (const [index, page] of pages.entries()) {
    const name = `failed ${task.name} ${index + 1}`.replace(/\W+/g, "-").slice(0, 100);
    console.error(`${await lastWords(page).catch(String)}\n  picture: artefacts/${name}.png`);
    await keepScreenshot(page, name).catch(() => undefined);
  }
});

/** What a page shows, in words. */
async function lastWords(page: Page): Promise<string> {
  page.setDefaultTimeout(LAST_WORDS_MS);
  const shown = await page.locator("body").ariaSnapshot();
  const written = (await page.consoleMessages()).map((message) => `${message.type()}: ${message.text()}`);
  const errors = (await page.pageErrors()).map(({ message }) => `uncaught: ${message}`);
  // Games report under a name of their own: `window.__arena`.
  const reports = await page.evaluate(() =>
    Object.keys(window)
      .filter((name) => name.startsWith("__"))
      .map((name) => {
        const { report } = (window as unknown as Record<string, { report?(): unknown }>)[name] ?? {};
        return `${name}: ${JSON.stringify(report?.())}`;
      }),
  );
  return [`What ${page.url()} showed:`, ...shown.split("\n"), ...reports, ...written, ...errors].join("\n  ");
}
