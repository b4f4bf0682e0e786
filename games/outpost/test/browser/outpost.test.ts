/**
 * The game as people play it: a page on a desk and one on a phone, in headless Chromium on a real server with the embedded store. The two meet in town, buy, trade, form a party, go
 * down with a companion over data channels, fight, and carry gold out; both still have it when the server was started anew. One claims its account, and logs in from another browser.
 */

import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, picturePath } from "../../../../test/browser.ts";
import type { PlayReport } from "../../src/browser/report.ts";
import { PICKUP_KINDS } from "../../src/dungeon/numbers.ts";
import { PRICES } from "../../src/merchant.ts";
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
/** A dungeon in which one crawler lives near the first room. */
const SEED = 121;
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

/** Runs after the nearest monster and fires at it until there are fewer of them. */
async function fightOn(page: Page, before: number): Promise<void> {
  await page.evaluate(async (before) => {
    const stage = document.querySelector("#stage")!;
    const point = (type: string, clientX: number, clientY: number, buttons: number): boolean =>
      stage.dispatchEvent(
        new PointerEvent(type, { clientX, clientY, buttons, pointerType: "mouse", bubbles: true, cancelable: true }),
      );
    const middle = { x: innerWidth / 2, y: innerHeight / 2 };
    point("pointerdown", middle.x, middle.y, 1);
    for (;;) {
      const fight = window.__outpost!.report()!.fight;
      if (fight?.nearest === undefined || fight.monsters < before) break;
      const [dx, dy] = [fight.nearest.x - fight.x, fight.nearest.y - fight.y];
      const far = Math.hypot(dx, dy) || 1;
      point("pointermove", middle.x + (dx / far) * 120, middle.y + (dy / far) * 120, 1);
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    point("pointerup", middle.x, middle.y, 0);
  }, before);
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
    site = await Site.open({ folder, bots: 3, seed: () => SEED });
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

  /** The account of somebody who is in town. */
  function accountOf(name: string): string {
    const player = [...site.running.town.players].find(({ nickname }) => nickname === name);
    return player!.identity!.account;
  }

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

  it("has a merchant who refuses, sells, and buys, each deal once", async () => {
    await walkTo(ann, { x: PLACE_SPOTS.merchant.x - 34, y: PLACE_SPOTS.merchant.y + 20 }, 12);
    await ann.waitForFunction(() => window.__outpost!.report()!.place === "merchant");
    await ann.keyboard.press("e");
    await ann.waitForSelector("#window .wares");
    expect(await ann.isDisabled('[data-deal="buy lantern"]')).toBe(true);
    await keepFine(ann, "outpost-merchant-empty");
    const account = accountOf("Ann");
    await site.running.social.goods.grant({ key: "earlier", account, goods: [{ good: "gold", count: 40 }] });
    await ann.waitForSelector('[data-deal="buy lantern"]:not([disabled])');
    await keepFine(ann, "outpost-merchant");
    // By the keyboard alone, which keeps its place.
    await ann.focus('[data-deal="buy lantern"]');
    await ann.keyboard.press("Enter");
    await ann.waitForFunction(() => window.__outpost!.report()!.goods.lantern === 1);
    await ann.keyboard.press("Enter");
    await ann.waitForFunction(() => window.__outpost!.report()!.goods.lantern === 2);
    await ann.click('[data-deal="sell lantern"]');
    await ann.waitForFunction(() => window.__outpost!.report()!.goods.lantern === 1);
    expect((await report(ann)).goods.gold).toBe(40 - 2 * PRICES.lantern.asks + PRICES.lantern.gives);
    await ann.keyboard.press("Escape");
    await bob.waitForFunction(() =>
      window.__outpost!.report()!.people.some((one) => one.name === "Ann" && one.lantern),
    );
    await bob.evaluate(() => document.querySelector<HTMLElement>("#account-open")!.click());
    await bob.waitForSelector("#claim-name");
    await keepFine(bob, "outpost-claim-phone");
    await bob.click("#window-close");
  });

  it("lets two people trade, on a desk and on a phone", async () => {
    await ann.keyboard.press("t");
    await ann.click("[data-trade=Bob]");
    await bob.keyboard.press("t");
    await bob.click("#trade-accept");
    await ann.waitForSelector('[data-give="gold"]');
    await ann.fill('[data-give="gold"]', "5");
    await ann.press('[data-give="gold"]', "Tab");
    await bob.waitForSelector('.offers .loot [data-good="gold"]');
    await keepFine(bob, "outpost-trade-phone");
    await bob.click("#trade-agree");
    await ann.waitForSelector('.offers [data-confirmed="true"]');
    await ann.click("#trade-agree");
    await bob.waitForFunction(() => window.__outpost!.report()!.goods.gold === 5);
    for (const page of [ann, bob]) await page.click("#window-close");
  });

  it("makes a party of two", async () => {
    await ann.keyboard.press("b");
    await ann.click("[data-invite=Bob]");
    await bob.keyboard.press("b");
    await bob.click("#party-join");
    for (const page of [ann, bob]) await page.waitForFunction(() => window.__outpost!.report()!.party.length === 2);
    await keepFine(bob, "outpost-party-phone");
    await bob.click("#window-close");
  });

  it("takes both down with a companion, over data channels, and shows both timelines", async () => {
    await ann.locator("#heroes").fill("3");
    await ann.click("#descend");
    for (const page of [ann, bob]) {
      await page.waitForFunction(() => (window.__outpost!.report()!.fight?.tail ?? -1) > 5);
      await page.waitForFunction(() =>
        window.__outpost!.report()!.fight!.peers.every(({ state }) => state === "direct"),
      );
    }
    await ann.keyboard.press("v");
    await bob.evaluate(() => document.querySelector<HTMLElement>("#net")!.click());
    for (const page of [ann, bob])
      await page.waitForFunction(() => Number(document.querySelector("#net-figures dd")?.textContent) > 5);
    expect(await ann.textContent("#net-link")).toBe("2 direct · 0 relayed");
    expect(await ann.textContent("#net-words")).toMatch(/wait/);
    await keepFine(ann, "outpost-dungeon");
    await keepFine(bob, "outpost-dungeon-phone");
    await ann.keyboard.press("v");
    await bob.evaluate(() => document.querySelector<HTMLElement>("#net")!.click());
  });

  it("lets them fight, find gold, and leave with it", async () => {
    const { fight } = await report(ann);
    const [start] = fight!.exits;
    const far = ({ x, y }: { x: number; y: number }): number => Math.hypot(x - start!.x, y - start!.y);
    // Two heaps lie in the first room: one for each.
    const heaps = fight!.pickups.filter(({ kind }) => kind === GOLD).sort((a, b) => far(a) - far(b));
    const pages = [ann, bob];
    await Promise.all(pages.map((page, at) => walkTo(page, heaps[at]!, 8)));
    for (const page of pages)
      await page.waitForFunction(() => (window.__outpost!.report()!.fight!.carried.gold ?? 0) > 0);
    const { x, y } = fight!.nearest!;
    const share = 0.35;
    const lookout = { x: start!.x + (x - start!.x) * share, y: start!.y + (y - start!.y) * share };
    await Promise.all(pages.map((page) => walkTo(page, lookout, 16)));
    await Promise.all(pages.map((page) => fightOn(page, fight!.monsters)));
    await keepFine(bob, "outpost-fight-phone");
    await Promise.all(pages.map((page) => walkTo(page, start!, 12)));
    // The companion runs in Node, these pages in Chromium: their final states have the same checksums.
    for (const page of pages) {
      await page.waitForFunction(() => window.__outpost!.report()!.fight!.tail > 2 * 20);
      expect((await report(page)).fight!.desyncs).toBe(0);
    }
    const before = await Promise.all(pages.map(async (page) => (await report(page)).goods.gold ?? 0));
    await Promise.all(
      pages.map(async (page, at) => {
        await page.keyboard.down("e");
        await page.waitForFunction(() => window.__outpost!.report()!.where === "town");
        await page.keyboard.up("e");
        await page.waitForFunction((before) => (window.__outpost!.report()!.goods.gold ?? 0) > before, before[at]!);
        await page.waitForFunction(() => document.querySelector("#outcome-words")!.textContent!.includes("for good"));
      }),
    );
    await keepFine(ann, "outpost-outcome");
    for (const page of pages) await page.click("#outcome-close");
  });

  it("keeps it for both when the server was started anew", async () => {
    const before = [(await report(ann)).goods, (await report(bob)).goods];
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
    for (const [at, page] of [ann, bob].entries()) {
      await inTown(page);
      await page.waitForFunction(() => (window.__outpost!.report()!.goods.gold ?? 0) > 0);
      expect((await report(page)).goods).toEqual(before[at]);
    }
    await ann.keyboard.press("i");
    await ann.waitForSelector("#window .chest");
    await keepFine(ann, "outpost-stash");
    await ann.keyboard.press("Escape");
  });

  it("gives an account a name, and lets it log in from another browser", async () => {
    const { goods } = await report(ann);
    await ann.keyboard.press("k");
    await ann.fill("#claim-name", "guest-ann");
    await ann.fill("#claim-password", "over the hills");
    await ann.press("#claim-password", "Enter");
    await ann.waitForFunction(() => document.querySelector("#claim-words")!.textContent !== "");
    await keepFine(ann, "outpost-claim");
    await ann.fill("#claim-name", "Ann");
    await ann.press("#claim-name", "Enter");
    await ann.waitForSelector("#account-name");
    expect((await report(ann)).account).toBe("Ann");
    await keepFine(ann, "outpost-account");
    const far = await browser.newContext({
      viewport: PHONE,
      deviceScaleFactor: COARSE,
      hasTouch: true,
      isMobile: true,
    });
    const page = await far.newPage();
    page.setDefaultTimeout(LONG_MS);
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(site.url);
    await page.waitForSelector("#join fieldset:not([disabled])");
    await page.click("#login-open");
    await page.fill("#login-name", "Ann");
    await page.fill("#login-password", "over the dales");
    await page.press("#login-password", "Enter");
    await page.waitForFunction(() => document.querySelector("#login-words")!.textContent !== "");
    await keepFine(page, "outpost-login-phone");
    await page.fill("#login-password", "over the hills");
    await page.press("#login-password", "Enter");
    await inTown(page);
    await page.waitForFunction(() => window.__outpost!.report()!.goods.gold !== undefined);
    expect(await report(page)).toMatchObject({ account: "Ann", goods });
    await far.close();
  });
});
