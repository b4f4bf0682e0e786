/**
 * What the scene draws, in a real browser: a base, a battle, the fog, the whole map, the overlay, orders, on a desktop and on a phone. The pictures are kept for
 * people to look at; the tests ask a few colours, and that the page has nothing to complain about.
 */

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keepScreenshot, openBrowser } from "../../../../test/browser.ts";
import type { LabOptions } from "./draw-lab/lab.ts";
import { type DrawSite, openDrawSite, WEBGL_FLAGS } from "./draw-site.ts";

/** Frames until nothing fades in any more. */
const SETTLED = 6;
const PATIENCE_MS = 120_000;
const SOUNDS = 12;

let browser: Browser;
let site: DrawSite;

beforeAll(async () => {
  [browser, site] = await Promise.all([openBrowser(WEBGL_FLAGS), openDrawSite()]);
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

const DESKTOP = { width: 1280, height: 800 };
const PHONE = { width: 390, height: 844 };

async function openPage(viewport: { width: number; height: number }): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage({ viewport });
  const complaints: string[] = [];
  page.on("pageerror", ({ message }) => complaints.push(message));
  page.on("console", (message) => {
    const isOwn = !message.location().url.endsWith("favicon.ico") && !message.text().includes("GL Driver Message");
    if (isOwn && ["error", "warning"].includes(message.type())) complaints.push(message.text());
  });
  await page.goto(site.url);
  await page.waitForFunction(() => window.__lab !== undefined);
  return { page, complaints };
}

async function show(page: Page, options: LabOptions): Promise<void> {
  await page.evaluate((wanted) => window.__lab.open(wanted), options);
  const isSettled = (frames: number) => window.__lab.report().frames >= frames;
  await page.waitForFunction(isSettled, SETTLED, { timeout: PATIENCE_MS });
}

/** Keeps the picture of a frame that stands still. */
async function keep(page: Page, name: string): Promise<void> {
  await page.evaluate(() => window.__lab.pause(true));
  await keepScreenshot(page, name);
  await page.evaluate(() => window.__lab.pause(false));
}

/** Mean brightness around a place, 0 to 255. */
async function brightness(page: Page, x: number, y: number): Promise<number> {
  const [red, green, blue] = await page.evaluate((at) => window.__lab.colourAt(at.x, at.y, 12), { x, y });
  return (red + green + blue) / 3;
}

describe("the scene", () => {
  it("draws one match after the other, on a desktop", async () => {
    const { page, complaints } = await openPage(DESKTOP);
    await show(page, { stage: "match", seconds: 60 });
    // The ring around the base's dish is painted in its side's yellow.
    const [red, green, blue] = await page.evaluate(() => {
      const { x, y } = window.__lab.base();
      return window.__lab.colourAt(x + 13, y, 4);
    });
    expect(Math.min(red, green)).toBeGreaterThan(blue * 1.3);
    await keep(page, "skirmish-start");
    await show(page, { stage: "match", seconds: 420, look: "fight" });
    await keep(page, "skirmish-battle");
    await show(page, { stage: "match", seconds: 200, signs: true });
    await keep(page, "skirmish-orders");
    await show(page, { stage: "match", seconds: 240, overlay: true, turn: 0.3 });
    await keep(page, "skirmish-overlay");
    await show(page, { stage: "crowd", count: 200, look: "middle", zoom: 2 });
    await keep(page, "skirmish-200");
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("hides what was never seen, dims what was once seen, shows what is seen", async () => {
    const { page, complaints } = await openPage(DESKTOP);
    await show(page, { stage: "match", map: "medium", sides: 4, seconds: 300, look: "all" });
    const places = await page.evaluate(() => [0, 1, 2].map((seen) => window.__lab.landWith(seen)));
    const found: number[] = [];
    for (const place of places) {
      expect(place).toBeDefined();
      found.push(await brightness(page, place!.x, place!.y));
    }
    const [never, once, now] = found;
    expect(never).toBeLessThan(14);
    expect(once).toBeGreaterThan(never! + 6);
    expect(now).toBeGreaterThan(once! * 1.5);
    await keep(page, "skirmish-map");
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("lets shots be heard, but not each of hundreds", async () => {
    const { page, complaints } = await openPage({ width: 480, height: 300 });
    await show(page, { stage: "crowd", count: 300, look: "middle", zoom: 1.2 });
    expect(await page.evaluate(() => window.__lab.report().played)).toBe(0);
    await page.mouse.click(200, 150);
    await page.waitForFunction(() => window.__lab.report().played > 3, undefined, { timeout: PATIENCE_MS });
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("has a sound for everything", async () => {
    const { page } = await openPage({ width: 480, height: 300 });
    await page.mouse.click(200, 150);
    // Again once the alarm may sound again, until all are rendered.
    const playedOfAll = (): Promise<number> =>
      page.evaluate(() => {
        const before = window.__lab.report().played;
        window.__lab.playAll();
        return window.__lab.report().played - before;
      });
    await expect.poll(playedOfAll, { interval: 4500, timeout: PATIENCE_MS }).toBe(SOUNDS);
    await page.close();
  });

  it("fits a phone", async () => {
    const { page, complaints } = await openPage(PHONE);
    await show(page, { stage: "match", seconds: 300, look: "fight" });
    await keep(page, "skirmish-phone");
    expect(complaints).toEqual([]);
    await page.close();
  });
});
