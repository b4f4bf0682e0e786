/** The simulation comes to the same bits in a page and in a Web Worker as in Node. */

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "../../../../test/browser.ts";
import { PageSite } from "../../../../test/page-site.ts";
import { bundleBits } from "../bits-bundle.ts";
import { EXPECTED_BITS } from "../expected-bits.ts";

const PAGE = `<!doctype html><title>Simulation</title><script type="module">
  import { simulationBits } from "/bits.js";
  globalThis.inPage = simulationBits;
  globalThis.inWorker = () => new Promise((resolve, reject) => {
    const worker = new Worker("/worker.js", { type: "module" });
    worker.onmessage = ({ data }) => resolve(data);
    worker.onerror = ({ message }) => reject(new Error(message));
  });
</script>`;
const WORKER = `import { simulationBits } from "/bits.js"; postMessage(simulationBits());`;

let site: PageSite;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  site = await PageSite.ofTexts(PAGE, { "/bits.js": await bundleBits(), "/worker.js": WORKER });
  browser = await openBrowser();
  page = await browser.newPage();
  await page.goto(site.url);
  await page.waitForFunction("globalThis.inWorker !== undefined");
});

afterAll(async () => {
  await browser?.close();
  site?.close();
});

test("in a page, and again when everything is compiled", async () => {
  expect(await page.evaluate("[inPage(), inPage()]")).toEqual([EXPECTED_BITS, EXPECTED_BITS]);
});

test("in a Web Worker", async () => {
  expect(await page.evaluate("inWorker()")).toEqual(EXPECTED_BITS);
});
