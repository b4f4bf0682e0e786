/**
 * The game as people play it: a headless Chromium on a real server, over WebSocket and WebRTC, with an opponent that stands where the test puts it.
 * What is expected is read from the page: what it shows, and its own report.
 */

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { keepScreenshot, openBrowser } from "../../../../test/browser.ts";
import type { PlayReport } from "../../src/browser/report.ts";
import { Score } from "../../src/shared.ts";
import { BULLETS_AT_BIRTH } from "../../src/state.ts";
import { Dummy, Site } from "./site.ts";

/** WebRTC to the machine itself. */
const LOOPBACK = ["--allow-loopback-in-peer-connection", "--disable-features=WebRtcHideLocalIpsWithMdns"];
/** All in the open street along the upper wall of the smallest level. */
const TARGET = { x: 160, y: 25 };
const ANN = { x: 60, y: 25 };
const HUNTER = { x: 110, y: 32 };
const CID = { x: 110, y: 25 };

declare global {
  interface Window {
    /** The gamepad of a page that was given one by a test. */
    pad: { axes: number[]; buttons: { pressed: boolean }[] };
  }
}

const report = (page: Page): Promise<PlayReport> => page.evaluate(() => window.__arena!.report()!);

async function enter(browser: Browser, url: string, name: string, errors: string[], button = "Fight"): Promise<Page> {
  const small = name !== "Ann" && name !== "Bob";
  const page = await browser.newPage({ viewport: small ? { width: 640, height: 360 } : { width: 1280, height: 720 } });
  page.on("pageerror", (error) => errors.push(`${name}: ${error.message}`));
  await page.goto(url);
  await page.fill("#name", name);
  await page.click(`#join button:text-is("${button}")`);
  return page;
}

describe("a fight", () => {
  let browser: Browser;
  let site: Site;
  let dummy: Dummy;
  let ann: Page;
  const errors: string[] = [];

  /** Moves the pointer to the opponent, wherever the camera has put it by now. */
  async function aim(): Promise<void> {
    const { opponents } = await report(ann);
    await ann.mouse.move(opponents[0]!.screenX, opponents[0]!.screenY);
  }

  beforeAll(async () => {
    [browser, site] = await Promise.all([
      openBrowser(LOOPBACK),
      Site.open({ level: "cell", places: 3, spawns: [TARGET, ANN, HUNTER, CID] }),
    ]);
    dummy = await Dummy.join(site, "bot Target");
    ann = await enter(browser, site.url, "Ann", errors);
    await ann.waitForFunction(() => window.__arena!.report()?.own?.condition === "alive");
    await ann.waitForFunction(() => window.__arena!.report()!.opponents.length === 1);
  });

  afterAll(async () => {
    dummy?.leave();
    await browser?.close();
    await site?.close();
  });

  it("begins where the server puts her, with the opponent's name, map, clock and health on the screen", async () => {
    const { own, opponents, level } = await report(ann);
    expect([own!.x, own!.y]).toEqual([ANN.x, ANN.y]);
    expect(opponents.map(({ name, x, y }) => ({ name, x, y }))).toEqual([{ name: "Target", ...TARGET }]);
    expect(level).toBe("cell");
    expect(await ann.textContent("#health")).toBe("100");
    expect(await ann.textContent("#clock")).toMatch(/^\d:\d\d$/);
  });

  it("answers a key in the frame after it, before the server can have", async () => {
    // Along the street, where she has room however long a frame takes.
    const frames = await ann.evaluate(async () => {
      const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
      await next();
      const { x } = window.__arena!.report()!.own!;
      dispatchEvent(new KeyboardEvent("keydown", { code: "KeyD" }));
      let count = 0;
      while (window.__arena!.report()!.own!.x === x && count < 60) {
        await next();
        count++;
      }
      dispatchEvent(new KeyboardEvent("keyup", { code: "KeyD" }));
      return count;
    });
    expect(frames).toBeLessThanOrEqual(2);
  });

  it("runs while a key is held, and stops", async () => {
    await ann.keyboard.down("KeyD");
    await ann.waitForFunction((x) => window.__arena!.report()!.own!.x > x + 12, ANN.x);
    await ann.keyboard.up("KeyD");
    await ann.keyboard.down("ArrowLeft");
    await ann.waitForFunction((x) => window.__arena!.report()!.own!.x < x + 4, ANN.x);
    await ann.keyboard.up("ArrowLeft");
    expect(Math.abs((await report(ann)).own!.y - ANN.y)).toBeLessThan(12);
  });

  it("shoots the opponent: flash, hits, and a kill in the feed", async () => {
    await aim();
    await ann.mouse.down();
    const hits = async (): Promise<number> => {
      await aim();
      return (await report(ann)).hits;
    };
    await expect.poll(hits).toBeGreaterThanOrEqual(2);
    await keepScreenshot(ann, "arena-shoot");
    await ann.waitForFunction(() => window.__arena!.report()!.kills === 1);
    await ann.mouse.up();
    expect((await report(ann)).own!.bullets).toBeLessThan(60);
    expect(await ann.textContent("#feed li")).toContain("AnnTarget");
    await ann.waitForFunction(() => document.querySelector("#frags")!.textContent === "1");
  });

  it("holds the scoreboard open with Tab", async () => {
    await ann.keyboard.down("Tab");
    await ann.waitForSelector("#board li.self");
    await expect.poll(() => ann.locator("#board li").allTextContents()).toEqual(["1Ann10", "2Targetbot01"]);
    await keepScreenshot(ann, "arena-board");
    await ann.keyboard.up("Tab");
    await ann.waitForSelector("#board", { state: "hidden" });
  });

  it("raises the scope with the right button: the server narrows her sectors, the camera goes ahead", async () => {
    // Whoever held the trigger for long has none left.
    site.load("Ann");
    await ann.waitForFunction((full) => window.__arena!.report()!.own!.bullets === full, BULLETS_AT_BIRTH);
    const sectors = () => site.player("Ann")!.settings.sets[0]!.sectors;
    await ann.mouse.down({ button: "right" });
    await ann.waitForFunction(() => window.__arena!.report()!.own!.zoomed && window.__arena!.report()!.scope > 0.95);
    await ann.mouse.down();
    await ann.waitForFunction((full) => window.__arena!.report()!.own!.bullets < full, BULLETS_AT_BIRTH);
    await ann.mouse.up();
    expect((await report(ann)).own!.zoomed).toBe(true);
    await expect.poll(sectors).toEqual([35, 75]);
    await keepScreenshot(ann, "arena-zoom");
    await ann.mouse.up({ button: "right" });
    await ann.waitForFunction(() => window.__arena!.report()!.scope < 0.05);
    await expect.poll(sectors).toEqual([100, 140]);
  });

  it("shows what she is sent: zones and sectors on the floor, figures beside them", async () => {
    await ann.waitForFunction(() => window.__arena!.report()!.opponents[0]!.condition === "alive");
    await ann.keyboard.press("KeyV");
    await ann.waitForFunction(() => /[1-9]/.test(document.querySelector("#net-in")!.textContent!));
    await ann.waitForFunction(
      () => [...document.querySelectorAll("#net-cells td b")].filter((cell) => cell.textContent === "1").length === 1,
    );
    await keepScreenshot(ann, "arena-net");
    await ann.keyboard.press("KeyV");
    await ann.waitForSelector("#net-panel", { state: "hidden" });
  });

  it("dies, is told by whom, and may watch others", async () => {
    const hunter = await Dummy.join(site, "bot Hunter");
    onTestFinished(() => hunter.leave());
    hunter.shootsAt = (await report(ann)).own!.number;
    // Death lasts three seconds, whatever else the machine does: the page presses the key by itself, in the first frame of it.
    const [killer, watched] = await ann.evaluate(async () => {
      const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const textOf = (id: string): string => document.querySelector(id)!.textContent!;
      while (document.querySelector<HTMLElement>("#death")!.hidden) await next();
      for (const type of ["keydown", "keyup"]) dispatchEvent(new KeyboardEvent(type, { code: "KeyE" }));
      const { report: now } = window.__arena!;
      // That she is dead, and by whom, come by different channels.
      const isTold = (): boolean =>
        now()!.following !== 0 && /Target|Hunter/.test(textOf("#watched")) && textOf("#killer") !== "";
      while (!isTold() && now()!.own!.condition === "dead") await next();
      return [textOf("#killer"), textOf("#watched")];
    });
    expect(killer).toBe("Hunter");
    expect(watched).toMatch(/Target|Hunter/);
    expect((await report(ann)).deaths).toBe(1);
    await keepScreenshot(ann, "arena-death");
  });

  it("is born again by itself, in its own view", async () => {
    await ann.waitForFunction(() => window.__arena!.report()!.own!.condition !== "dead");
    await ann.waitForSelector("#death", { state: "hidden" });
    await ann.waitForFunction(() => window.__arena!.report()!.following === 0);
    expect((await report(ann)).own!.health).toBe(100);
  });

  it("falls back to the WebSocket when the UDP path is lost, and returns", async () => {
    await ann.waitForFunction(() => window.__arena!.report()!.linkKind === "webrtc");
    expect(site.server.udp!.cut(site.player("Ann")!.address)).toBe(true);
    await ann.waitForFunction(() => window.__arena!.report()!.linkKind === "websocket");
    const before = await report(ann);
    // Who stands still is not sent.
    await ann.keyboard.down("KeyW");
    await ann.waitForFunction((updates) => window.__arena!.report()!.updates > updates, before.updates);
    await ann.keyboard.up("KeyW");
    expect((await report(ann)).own!.number).toBe(before.own!.number);
    site.server.udp!.restore(site.player("Ann")!.address);
    await ann.waitForFunction(() => window.__arena!.report()!.linkKind === "webrtc");
  });

  it("takes up a broken connection with the same avatar", async () => {
    const { number } = (await report(ann)).own!;
    site.breakLinks();
    await ann.waitForSelector("#notice[data-code=reconnecting]", { state: "attached" });
    await ann.waitForFunction(() => window.__arena!.report()!.status === "playing");
    await ann.waitForSelector("#notice", { state: "hidden" });
    expect((await report(ann)).own!.number).toBe(number);
  });

  it("goes on with the same avatar and score when the page is loaded anew", async () => {
    const { own } = await report(ann);
    const line = (): number[] => {
      const { kills, deaths } = [...site.server.world.all(Score)].find(({ number }) => number === own!.number)!;
      return [site.player("Ann")!.id, kills, deaths];
    };
    const before = line();
    expect(before[1]).toBeGreaterThan(0);
    await ann.reload();
    expect(await ann.inputValue("#name")).toBe("Ann");
    await ann.click('#join button:text-is("Fight")');
    await ann.waitForFunction((number) => window.__arena!.report()?.own?.number === number, own!.number);
    expect(line()).toEqual(before);
    // She runs: the page commands the avatar, and is not only shown it.
    const { x } = (await report(ann)).own!;
    await ann.keyboard.down("KeyD");
    await ann.waitForFunction((from) => window.__arena!.report()!.own!.x > from + 5, x);
    await ann.keyboard.up("KeyD");
  });

  it("is watched by somebody who has no avatar, and a fourth one is told that the arena is full", async () => {
    await expect.poll(() => site.player("bot Hunter")).toBeUndefined();
    const bob = await enter(browser, site.url, "Bob", errors, "Watch");
    await bob.waitForFunction(() => (window.__arena!.report()?.following ?? 0) !== 0);
    const first = (await report(bob)).following;
    await bob.keyboard.press("ArrowRight");
    await bob.waitForFunction((number) => ![0, number].includes(window.__arena!.report()!.following), first);
    await keepScreenshot(bob, "arena-watch");
    const eve = await enter(browser, site.url, "Eve", errors);
    await eve.waitForSelector("#notice[data-code=full]");
    expect(await eve.textContent("#notice-title")).toBe("The arena is full");
    await eve.close();
    // His place stays taken for a while, since he might come back.
    await bob.close();
    await expect.poll(() => site.player("Bob")).toBeUndefined();
  });

  it("is played with two thumbs, and with a gamepad", async () => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
    const phone = await context.newPage();
    phone.on("pageerror", (error) => errors.push(`phone: ${error.message}`));
    await phone.addInitScript(() => {
      window.pad = { axes: [0, 0, 0, 0], buttons: Array.from({ length: 17 }, () => ({ pressed: false })) };
      navigator.getGamepads = () => [window.pad as unknown as Gamepad];
    });
    await phone.goto(site.url);
    await phone.fill("#name", "Cid");
    await phone.tap("#join button");
    await phone.waitForFunction(() => window.__arena!.report()?.own?.condition === "alive");
    const { bullets } = (await report(phone)).own!;
    const session = await context.newCDPSession(phone);
    const touch = (
      type: "touchStart" | "touchMove" | "touchEnd",
      ...touchPoints: { x: number; y: number; id: number }[]
    ) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
    // Along the street; the right thumb fires at the same time.
    await touch("touchStart", { x: 90, y: 640, id: 1 }, { x: 300, y: 640, id: 2 });
    await touch("touchMove", { x: 130, y: 640, id: 1 }, { x: 345, y: 600, id: 2 });
    await phone.waitForFunction(
      ({ x, bullets }) => window.__arena!.report()!.own!.x > x + 10 && window.__arena!.report()!.own!.bullets < bullets,
      { x: CID.x, bullets },
    );
    await keepScreenshot(phone, "arena-phone");
    await touch("touchEnd");
    const { x } = (await report(phone)).own!;
    // Up, to the wall: nobody can stand there, to whom the stick's aim would be drawn.
    await phone.evaluate(() => Object.assign(window.pad, { axes: [-1, 0, 0, -1] }));
    await phone.waitForFunction((from) => window.__arena!.report()!.own!.x < from - 5, x);
    await expect.poll(async () => (await report(phone)).own!.heading).toBeCloseTo(-Math.PI / 2, 1);
    await context.close();
  });

  it("is told when the server closes, and nothing went wrong on any page", async () => {
    await site.server.close();
    await ann.waitForSelector("#notice[data-code=rejoining]");
    expect(errors).toEqual([]);
  });
});
