/**
 * Yards of three servers in two pages, a desktop's and a phone's, each at another server: one list, a yard that lies on another server, and a duel of players of
 * both. Pictures are kept in artefacts/.
 */

import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { natsServer } from "../../../../scripts/lib/debian.mjs";
import { keepScreenshot, openBrowser } from "../../../../test/browser.ts";
import type { PlayReport } from "../../src/browser/report.ts";
import { ObservedCluster } from "../observed-cluster.ts";

const SERVERS = 3;
const INSPECTOR = join(import.meta.dirname, "../../../../apps/inspector/dist/page");
const SIZES = { desktop: { width: 1000, height: 700 }, phone: { width: 390, height: 844 } };

describe.skipIf(natsServer.find() === undefined && process.env["CI"] === undefined)("yards of three servers", () => {
  const observed = new ObservedCluster(INSPECTOR);
  let browser: Browser;

  beforeAll(async () => {
    await observed.start(SERVERS, 0);
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await observed.end();
  });

  it("are one list: a player opens one, another goes in from elsewhere, and both are matched for a duel", async () => {
    const [first, second] = observed.cluster.servers;
    const ann = await setOut(browser, first!.port, "ann", SIZES.desktop);
    const ben = await setOut(browser, second!.port, "ben", SIZES.phone);

    await openYards(ann);
    await ann.getByLabel("Name of your yard").fill("Ann's yard");
    await ann.getByRole("button", { name: "Open a yard" }).click();
    await ann.waitForFunction(() => window.__frontier!.report().yard !== undefined);
    const at = (await reportOf(ann)).server;

    await openYards(ben);
    const row = ben.locator("#yard-list li");
    await expect.poll(() => row.locator("b").allTextContents()).toEqual(["Ann's yard"]);
    await expect.poll(() => row.locator("span").textContent()).toBe(`1 of 16 · ${at}`);
    await keepScreenshot(ben, "yards-list-phone");
    await row.getByRole("button", { name: "Go in" }).click();
    await ben.waitForFunction(() => window.__frontier!.report().heroes.length === 2);
    await ann.waitForFunction(() => window.__frontier!.report().heroes.length === 2);
    expect((await reportOf(ben)).server).toBe(at);
    expect((await reportOf(ben)).beasts).toEqual([]);
    await keepScreenshot(ben, "yards-inside-phone");
    await openYards(ann);
    await expect.poll(() => ann.locator("#yard-list span").textContent()).toBe(`2 of 16 · ${at}`);
    expect(await ann.locator("#yard-list button").textContent()).toBe("You are here");
    await keepScreenshot(ann, "yards-list");

    // Ben goes back to the country, and both look for an opponent: one from a yard, one from the country, at two servers.
    await openYards(ben);
    await ben.getByRole("button", { name: "Back to the country" }).click();
    await ben.waitForFunction(() => window.__frontier!.report().yard === undefined);
    await ben.waitForFunction(() => window.__frontier!.report().own !== undefined);
    await ann.getByRole("button", { name: "Find an opponent" }).click();
    await expect.poll(() => ann.locator("#yard-line").textContent()).toContain("Looking for an opponent");
    await openYards(ben);
    await ben.getByRole("button", { name: "Find an opponent" }).click();
    for (const page of [ann, ben]) {
      await page.waitForFunction(() => window.__frontier!.report().yard?.startsWith("match-") === true);
      await page.waitForFunction(() => window.__frontier!.report().heroes.length === 2);
    }
    const [hers, his] = [await reportOf(ann), await reportOf(ben)];
    expect([his.yard, his.server]).toEqual([hers.yard, hers.server]);
    await keepScreenshot(ann, "yards-duel");

    const inspector = await browser.newPage({ viewport: { width: 1360, height: 860 } });
    await inspector.goto(`http://127.0.0.1:${first!.port}/inspector/#token=${observed.cluster.token}`);
    await inspector.getByRole("button", { name: "Cluster" }).click();
    const rooms = inspector.locator("#cluster-rooms tbody tr");
    await expect
      .poll(async () => (await rooms.allTextContents()).filter((text) => /duel.*2 of 2.*match/.test(text)))
      .toHaveLength(1);
    expect(await inspector.locator("#cluster-keeper").textContent()).toBe(
      `server ${observed.keeper} keeps parties and queues`,
    );
    await keepScreenshot(inspector, "yards-inspector");
    expect(observed.errors()).toEqual([]);
  });
});

async function setOut(browser: Browser, port: number, name: string, viewport: typeof SIZES.phone): Promise<Page> {
  const page = await browser.newPage({ viewport });
  await page.goto(`http://127.0.0.1:${port}/`);
  await page.getByLabel("Your name").fill(name);
  await page.getByRole("button", { name: "Set out" }).click();
  await page.waitForFunction(() => window.__frontier?.report().own !== undefined);
  return page;
}

async function openYards(page: Page): Promise<void> {
  if (await page.locator("#yards").isVisible()) return;
  await page.getByRole("button", { name: "Yards (Y)" }).click();
  await page.locator("#yards").waitFor();
}

function reportOf(page: Page): Promise<PlayReport> {
  return page.evaluate(() => window.__frontier!.report());
}
