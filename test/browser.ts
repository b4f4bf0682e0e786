/**
 * Opens a headless Chromium for a browser test, with the flags that make it quiet and repeatable.
 *
 * The browser is the machine's own (playwright-core downloads none). Screenshots go to `artefacts/`, which CI keeps.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { findChromium } from "../scripts/lib/chromium.mjs";

const quietFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** @param flags further command-line switches, e.g. `--autoplay-policy=no-user-gesture-required` */
export async function openBrowser(flags: readonly string[] = []): Promise<Browser> {
  const executablePath = findChromium();
  if (executablePath === undefined) {
    throw new Error("Browser tests need Chromium: `npm test` installs it where it may and says what to do where not");
  }
  return await chromium.launch({ executablePath, headless: true, args: [...quietFlags, ...flags] });
}

/** Keeps a picture of the page as `artefacts/<name>.png`. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  const folder = join(import.meta.dirname, "../artefacts");
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
