/**
 * The game as people play it: a page on a desk and one on a phone, in headless Chromium on a real server with the embedded store. One walks, chats, goes down with
 * companions over data channels, carries gold out, and still has it when the server was started anew; then the two trade.
 */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, picturePath } from "../../../../test/browser.ts";
import type { PlayReport } from "../../src/browser/report.ts";
import { PICKUP_KINDS } from "../../src/dungeon/numbers.ts";
import { PLACE_SPOTS } from "../../src/town/plan.ts";
import { Site } from "./site.ts";

/** WebRTC to the machine itself, and WebGL without a graphics card. */
const FLAGS = [
  "--allow-loopback-in-peer-connection",
  "--disable-features=WebRtcHideLocalIpsWithMdns",
  "--enable-unsafe-swiftshader",
];
const DESK = { width: 1200, height: 720 };
const PHONE = { width: 390, height: 844 };
/** The processor draws, which takes long: so few device pixels for each CSS pixel, except in pictures that are kept. */
const COARSE = 0.25;
const GOLD = PICKUP_KINDS.indexOf("gold");
/** Loading and painting on a busy machine. */
const LONG_MS = 60_000;

const report = (page: Page): Promise<PlayReport> => page.evaluate(() => window.__outpost!.report()!);

/** Keeps a picture in which every CSS pixel is drawn. */
async function keepFine(page: Page, name: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const size = page.viewportSize()!;
  const mobile = size.width === PHONE.width;
  const draw = async (deviceScaleFactor: number): Promise<void> => {
    await session.send("Emulation.setDeviceMetricsOverride", { ...size, deviceScaleFactor, mobile });
    await page.evaluate(async () => {
      for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
    });
  };
  await draw(1);
  const { data } = await session.send("Page.captureScreenshot", { format: "png" });
  await writeFile(picturePath(name), data, "base64");
  await draw(COARSE);
}

/** Holds the keys that lead to a place until it is reached. */
async function walkTo(page: Page, to: { x: number; y: number }, near: number): Promise<void> {
  await page.evaluate(
    async ({ to, near }) => {
      const held = new Set<string>();
      const hold = (code: string, down: boolean): void => {
        if (held.has(code) === down) return;
        if (down) held.add(code);
        else held.delete(code);
        document.body.dispatchEvent(new KeyboardEvent(down ? "keydown" : "keyup", { code, bubbles: true }));
      };
      for (;;) {
        const { fight, own } = window.__outpost!.report()!;
        const at = fight ?? own!;
        const [dx, dy] = [to.x - at.x, to.y - at.y];
        const isThere = Math.hypot(dx, dy) < near;
        hold("KeyD", !isThere && dx > near / 2);
        hold("KeyA", !isThere && dx < -near / 2);
        hold("KeyS", !isThere && dy > near / 2);
        hold("KeyW", !isThere && dy < -near / 2);
        if (isThere) return;
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
    },
    { to, near },
  );
}

async function enterTown(page: Page, url: string, name: string): Promise<void> {
  await page.goto(url);
  await page.waitForSelector("#join fieldset:not([disabled])");
  await page.fill("#name", name);
  await page.click("#join .primary");
  await inTown(page);
}

async function inTown(page: Page): Promise<void> {
  await page.waitForFunction(() => document.querySelector<HTMLElement>("#app")!.dataset["screen"] === "game");
  await page.waitForFunction(() => window.__outpost!.report()!.own !== undefined);
}

describe("a town and its dungeons", () => {
  let folder: string;
  let site: Site;
  let browser: Browser;
  let desk: BrowserContext;
  let phone: BrowserContext;
  let ann: Page;
  let bob: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "outpost-"));
    site = await Site.open({ folder, bots: 3, seed: () => 7 });
    browser = await openBrowser(FLAGS);
    desk = await browser.newContext({ viewport: DESK, deviceScaleFactor: COARSE });
    phone = await browser.newContext({ viewport: PHONE, deviceScaleFactor: COARSE, hasTouch: true, isMobile: true });
    [ann, bob] = [await desk.newPage(), await phone.newPage()];
    for (const page of [ann, bob]) {
      page.setDefaultTimeout(LONG_MS);
      page.on("pageerror", (error) => complaints.push(error.message));
    }
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
    await rm(folder, { recursive: true, force: true });
    expect(complaints).toEqual([]);
  });

  it("begins with bots who raid a dungeon behind the title", async () => {
    await ann.goto(site.url);
    await ann.waitForSelector("#join fieldset:not([disabled])");
    await keepFine(ann, "outpost-title");
    expect(await ann.textContent("h1")).toBe("Outpost");
  });

  it("lets one walk to a place and use it", async () => {
    await enterTown(ann, site.url, "Ann");
    await ann.waitForFunction(() => window.__outpost!.report()!.people.filter(({ bot }) => bot).length === 3);
    await walkTo(ann, { x: PLACE_SPOTS.stash.x + 30, y: PLACE_SPOTS.stash.y + 10 }, 14);
    await ann.waitForFunction(() => window.__outpost!.report()!.place === "stash");
    await ann.keyboard.press("e");
    await ann.waitForSelector("#window .chest");
    expect(await ann.textContent('#window .chest [data-good="gold"] b')).toBe("0");
    await ann.keyboard.press("Escape");
    await ann.waitForSelector("#window", { state: "hidden" });
  });

  it("carries words to whoever is there", async () => {
    await enterTown(bob, site.url, "Bob");
    await ann.waitForFunction(() => window.__outpost!.report()!.people.some(({ name }) => name === "Bob"));
    await ann.keyboard.press("Enter");
    await ann.keyboard.type("Hello, town");
    await ann.keyboard.press("Enter");
    await bob.waitForFunction(() => window.__outpost!.report()!.chat.includes("Ann: Hello, town"));
    await ann.waitForFunction(() =>
      [...document.querySelectorAll("#labels q")].some((words) => words.textContent === "Hello, town"),
    );
    await keepFine(ann, "outpost-town");
    await keepFine(bob, "outpost-town-phone");
  });

  it("goes down with companions, over data channels, and shows both timelines", async () => {
    await ann.keyboard.press("b");
    await ann.locator("#heroes").fill("3");
    await ann.click("#descend");
    await ann.waitForFunction(() => (window.__outpost!.report()!.fight?.tail ?? -1) > 5);
    await ann.waitForFunction(() => window.__outpost!.report()!.fight!.peers.every(({ state }) => state === "direct"));
    await ann.keyboard.press("v");
    await ann.waitForFunction(() => Number(document.querySelector("#net-figures dd")?.textContent) > 5);
    expect(await ann.textContent("#net-link")).toBe("2 direct · 0 relayed");
    await keepFine(ann, "outpost-dungeon");
    await ann.keyboard.press("v");
  });

  it("leaves with gold, which is in the stash at once", async () => {
    const { fight } = await report(ann);
    const [start] = fight!.exits;
    const far = ({ x, y }: { x: number; y: number }): number => Math.hypot(x - start!.x, y - start!.y);
    const heaps = fight!.pickups.filter(({ kind }) => kind === GOLD).sort((a, b) => far(a) - far(b));
    // Two heaps lie in the first room. A companion may step on one of them.
    for (const heap of heaps.slice(0, 2)) await walkTo(ann, heap, 8);
    await ann.waitForFunction(() => (window.__outpost!.report()!.fight!.carried.gold ?? 0) > 0);
    await walkTo(ann, start!, 12);
    // The companions run in Node, this page in Chromium: their final states have the same checksums.
    await ann.waitForFunction(() => window.__outpost!.report()!.fight!.tail > 2 * 20);
    expect((await report(ann)).fight!.desyncs).toBe(0);
    await ann.keyboard.down("e");
    await ann.waitForFunction(() => window.__outpost!.report()!.where === "town");
    await ann.keyboard.up("e");
    await ann.waitForFunction(() => (window.__outpost!.report()!.goods.gold ?? 0) > 0);
    await ann.waitForFunction(() => document.querySelector("#outcome-words")!.textContent!.includes("for good"));
    await keepFine(ann, "outpost-outcome");
    await ann.click("#outcome-close");
  });

  it("still has it when the server was started anew", async () => {
    const before = (await report(ann)).goods;
    await site.restart();
    // Pages join again by themselves, unless the server had time to say goodbye: then they ask.
    const goOn = (): void => {
      const retry = document.querySelector<HTMLElement>("#retry")!;
      const { screen } = document.querySelector<HTMLElement>("#app")!.dataset;
      if (screen === "notice" && !retry.hidden) retry.click();
    };
    const peopleIn = async (): Promise<number> => {
      for (const page of [ann, bob]) await page.evaluate(goOn);
      return site.running.town.people;
    };
    await expect.poll(peopleIn, { timeout: LONG_MS }).toBe(2);
    for (const page of [ann, bob]) await inTown(page);
    await ann.waitForFunction(() => (window.__outpost!.report()!.goods.gold ?? 0) > 0);
    expect((await report(ann)).goods).toEqual(before);
    await ann.keyboard.press("i");
    await ann.waitForSelector("#window .chest");
    await keepFine(ann, "outpost-stash");
    await ann.keyboard.press("Escape");
  });

  it("trades with somebody on a phone, who then has it", async () => {
    await ann.waitForFunction(() => window.__outpost!.report()!.people.some(({ name }) => name === "Bob"));
    await ann.keyboard.press("t");
    await ann.click("[data-trade=Bob]");
    await bob.keyboard.press("t");
    await bob.click("#trade-accept");
    await ann.waitForSelector('[data-give="gold"]');
    await ann.fill('[data-give="gold"]', "1");
    await ann.press('[data-give="gold"]', "Tab");
    await bob.waitForSelector('.offers .loot [data-good="gold"]');
    await keepFine(bob, "outpost-trade-phone");
    await bob.click("#trade-agree");
    await ann.waitForSelector('.offers [data-confirmed="true"]');
    await ann.click("#trade-agree");
    await bob.waitForFunction(() => window.__outpost!.report()!.goods.gold === 1);
  });
});
