/**
 * A match as people play it: two pages in headless Chromium on a real server, one with mouse and keys, one with fingers on a phone. The rules are the
 * game's own; the test gives both sides ore and takes most of the health of one side's buildings, so that the match is short. What is expected is read
 * from the pages: what they show, and their own report.
 */

import { writeFile } from "node:fs/promises";
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openBrowser, picturePath } from "../../../../test/browser.ts";
import type { PieceReport, PlayReport } from "../../src/browser/report.ts";
import { FIRST_BUILDING } from "../../src/rules/kinds.ts";
import { Site } from "./site.ts";

/** WebRTC to the machine itself, and WebGL without a graphics card. */
const FLAGS = [
  "--allow-loopback-in-peer-connection",
  "--disable-features=WebRtcHideLocalIpsWithMdns",
  "--enable-unsafe-swiftshader",
];
const DESK = { width: 1000, height: 620 };
const PHONE = { width: 390, height: 844 };
/** The processor draws, which takes long: so few device pixels for each CSS pixel, except in pictures that are kept. */
const COARSE = 0.25;
const PLENTY = 2000;
const NEARLY_GONE = 40;

const report = (page: Page): Promise<PlayReport> => page.evaluate(() => window.__skirmish!.report()!);

function own({ units, buildings, ownSide }: PlayReport, kind: string): PieceReport[] {
  return [...units, ...buildings].filter((piece) => piece.side === ownSide && piece.kind === kind);
}

/** Presses on a piece where it is in this very frame: it may walk on before a click from outside comes. */
async function select(page: Page, kind: string, pointerType: "mouse" | "touch"): Promise<void> {
  await page.evaluate(
    async ({ kind, pointerType }) => {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const { units, buildings, ownSide } = window.__skirmish!.report()!;
      const piece = [...units, ...buildings].find((one) => one.side === ownSide && one.kind === kind)!;
      const stage = document.querySelector("#stage")!;
      const press = { clientX: piece.screenX, clientY: piece.screenY, pointerId: 77, pointerType, bubbles: true };
      // A pointer that is only made up cannot be captured.
      stage.setPointerCapture = () => undefined;
      for (const type of ["pointerdown", "pointerup"]) stage.dispatchEvent(new PointerEvent(type, press));
    },
    { kind, pointerType },
  );
  await page.waitForFunction((kind) => {
    const { units, buildings, selected } = window.__skirmish!.report()!;
    return selected === 1 && [...units, ...buildings].some((one) => one.selected && one.kind === kind);
  }, kind);
}

/** Keeps a picture in which every CSS pixel is drawn. */
async function keepFine(page: Page, name: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const size = page.viewportSize()!;
  const draw = async (deviceScaleFactor: number): Promise<void> => {
    const mobile = size.width === PHONE.width;
    await session.send("Emulation.setDeviceMetricsOverride", { ...size, deviceScaleFactor, mobile });
    await page.waitForFunction((ratio) => devicePixelRatio === ratio, deviceScaleFactor);
    await page.evaluate(async () => {
      for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
    });
  };
  await draw(1);
  const { data } = await session.send("Page.captureScreenshot", { format: "png" });
  await writeFile(picturePath(name), data, "base64");
  await draw(COARSE);
}

async function join(page: Page, url: string, name: string): Promise<void> {
  await page.goto(url);
  await page.fill("#name", name);
  await page.click("#join .primary");
  await page.waitForSelector("#lobby:not([hidden])");
}

describe("a match of two", () => {
  let browser: Browser;
  let site: Site;
  let ann: Page;
  let bob: Page;
  let hall: BrowserContext;
  let fingers: CDPSession;
  const errors: string[] = [];

  const click = (x: number, y: number): Promise<void> => ann.mouse.click(x, y);
  const tap = (x: number, y: number): Promise<void> => bob.touchscreen.tap(x, y);
  const touch = (
    type: "touchStart" | "touchMove" | "touchEnd",
    ...touchPoints: { x: number; y: number; id: number }[]
  ): Promise<unknown> => fingers.send("Input.dispatchTouchEvent", { type, touchPoints });
  const playerOf = (nickname: string) =>
    [...site.host.room.players.values()].find((player) => player.nickname === nickname)!;
  const health = (): Float32Array | Float64Array => site.host.battle.state.pieces.health;

  /** Presses on the map, at a place in the world. */
  async function pressMap(page: Page, x: number, y: number, button: "left" | "right" = "left"): Promise<void> {
    const { size } = site.host.battle.state.terrain;
    const box = (await page.locator("#map").boundingBox())!;
    await page.mouse.click(box.x + (x / size) * box.width, box.y + (y / size) * box.height, { button });
  }

  beforeAll(async () => {
    [browser, site] = await Promise.all([
      openBrowser(FLAGS),
      Site.open({ seed: 5, map: "small", sides: 2, waitMs: 600_000, overMs: 600_000, spectators: () => true }),
    ]);
    hall = await browser.newContext({ viewport: PHONE, deviceScaleFactor: COARSE, hasTouch: true, isMobile: true });
    ann = await browser.newPage({ viewport: DESK, deviceScaleFactor: COARSE });
    bob = await hall.newPage();
    fingers = await hall.newCDPSession(bob);
    for (const [name, page] of Object.entries({ ann, bob }))
      page.on("pageerror", (error) => errors.push(`${name}: ${error.message}`));
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  it("waits for both, and begins when both are ready", async () => {
    await ann.goto(site.url);
    await ann.waitForSelector("#join .primary:enabled");
    await keepFine(ann, "skirmish-title");
    await join(ann, site.url, "Ann");
    await join(bob, site.url, "Bob");
    await ann.waitForFunction(() => document.querySelector("#lobby-sides")!.textContent!.includes("Bob"));
    expect(await ann.locator("#lobby-sides li").allTextContents()).toEqual(["Annyou", "Bobplayer"]);
    await keepFine(ann, "skirmish-lobby");
    await ann.click("#ready");
    await bob.tap("#ready");
    for (const page of [ann, bob]) await page.waitForFunction(() => window.__skirmish!.report()!.phase === "play");
    await ann.waitForSelector("#lobby", { state: "hidden" });
    const { ownSide, units, buildings } = await report(ann);
    expect(ownSide).toBe(0);
    // What the other side has is nowhere on this page.
    expect([...units, ...buildings].every(({ side }) => side === 0)).toBe(true);
    expect(own(await report(ann), "builder")).toHaveLength(5);
  });

  it("trains a builder: by key, with its price, its queue and its progress", async () => {
    await select(ann, "base", "mouse");
    const { ore } = await report(ann);
    await ann.keyboard.press("KeyB");
    await ann.waitForSelector("#queue button:visible");
    await expect.poll(async () => (await report(ann)).ore).toBeLessThan(ore);
    await ann.hover('#card [data-name="builder"]');
    await ann.waitForFunction(() => document.querySelector("#tip")!.textContent!.includes("50 ore"));
    await keepFine(ann, "skirmish-base");
    await ann.waitForFunction(() => window.__skirmish!.report()!.units.length === 6);
  });

  it("selects with a box, keeps a group, and lets go", async () => {
    await ann.mouse.move(8 * 8, 70);
    await ann.mouse.down();
    await ann.mouse.move(DESK.width - 60, DESK.height - 190, { steps: 4 });
    await ann.mouse.up();
    await ann.waitForFunction(() => window.__skirmish!.report()!.selected >= 2);
    const { selected } = await report(ann);
    await ann.keyboard.press("Control+1");
    await ann.waitForFunction(
      (count) => document.querySelector("#groups [data-digit='1']")!.textContent === `1${count}`,
      selected,
    );
    await ann.keyboard.press("Escape");
    await ann.waitForFunction(() => window.__skirmish!.report()!.selected === 0);
    await ann.keyboard.press("Digit1");
    await ann.waitForFunction((count) => window.__skirmish!.report()!.selected === count, selected);
  });

  it("moves the camera, and the server looks where it looks", async () => {
    const { camera } = await report(ann);
    await ann.keyboard.down("ArrowLeft");
    await ann.waitForFunction((x) => window.__skirmish!.report()!.camera.x < x - 40, camera.x);
    await ann.keyboard.up("ArrowLeft");
    await ann.mouse.move(DESK.width / 2, DESK.height / 2);
    await ann.mouse.wheel(0, -30);
    await ann.waitForFunction((zoom) => window.__skirmish!.report()!.camera.zoom > zoom * 1.1, camera.zoom);
    await ann.mouse.wheel(0, 30);
    await ann.waitForFunction((zoom) => window.__skirmish!.report()!.camera.zoom < zoom * 1.01, camera.zoom);
    await ann.keyboard.down("KeyE");
    await ann.waitForFunction(() => window.__skirmish!.report()!.camera.rotation > 0.2);
    await ann.keyboard.up("KeyE");
    await pressMap(ann, 300, 300);
    await ann.waitForFunction(() => Math.abs(window.__skirmish!.report()!.camera.x - 300) < 30);
    const isThere = async (): Promise<boolean> => {
      const [pivot] = playerOf("Ann").settings.pivots;
      const { x, y, rotation } = (await report(ann)).camera;
      if (pivot === undefined || !("camera" in pivot)) return false;
      const off = Math.hypot(pivot.camera[0] - x, pivot.camera[1] - y);
      return off < 8 && Math.abs((pivot.rotation ?? 0) - rotation) < 0.05;
    };
    await expect.poll(isThere).toBe(true);
    await ann.keyboard.press("Home");
    await ann.waitForFunction(() => Math.abs(window.__skirmish!.report()!.camera.x - 768) < 40);
    await ann.keyboard.down("KeyQ");
    await ann.waitForFunction(() => window.__skirmish!.report()!.camera.rotation < 0.05);
    await ann.keyboard.up("KeyQ");
  });

  it("acknowledges an order at once, and shows the way of those that are queued", async () => {
    const frames = await ann.evaluate(async () => {
      const next = () => new Promise((resolve) => requestAnimationFrame(resolve));
      await next();
      const stage = document.querySelector("#stage")!;
      const [clientX, clientY] = [innerWidth / 2, 120];
      const press = { clientX, clientY, button: 2, pointerId: 1, pointerType: "mouse", bubbles: true };
      stage.setPointerCapture = () => undefined;
      stage.dispatchEvent(new PointerEvent("pointerdown", press));
      stage.dispatchEvent(new PointerEvent("pointerup", press));
      let count = 0;
      while (window.__skirmish!.report()!.marks.length === 0 && count < 60) {
        await next();
        count++;
      }
      return count;
    });
    expect(frames).toBeLessThanOrEqual(1);
    expect((await report(ann)).marks[0]).toMatchObject({ what: "move", refused: false });
    await ann.keyboard.down("Shift");
    await ann.mouse.click(DESK.width / 2 + 120, 200, { button: "right" });
    await ann.keyboard.up("Shift");
    await ann.waitForFunction(() => window.__skirmish!.report()!.paths > 0);
    await ann.waitForFunction(() => window.__skirmish!.report()!.units.some(({ doing }) => doing === "moving"));
    await keepFine(ann, "skirmish-orders");
  });

  it("refuses to build where it does not fit, in words and on the spot; and builds where it fits", async () => {
    site.host.battle.state.ore.fill(PLENTY);
    await ann.waitForFunction((ore) => window.__skirmish!.report()!.ore >= ore, PLENTY);
    await select(ann, "builder", "mouse");
    await ann.keyboard.press("KeyB");
    await ann.waitForSelector('#card [data-name="barracks"]');
    await ann.keyboard.press("KeyK");
    const [base] = own(await report(ann), "base");
    await ann.mouse.move(base!.screenX, base!.screenY);
    await ann.waitForFunction(() => window.__skirmish!.report()!.fits === false);
    await click(base!.screenX, base!.screenY);
    await ann.waitForSelector("#here:visible");
    expect(await ann.textContent("#here")).toBe("There is no room for it");
    expect((await report(ann)).marks.some(({ refused }) => refused)).toBe(true);
    const spot = await freeSpot(base!);
    await keepFine(ann, "skirmish-ghost");
    await click(spot.x, spot.y);
    await ann.waitForFunction(() => window.__skirmish!.report()!.placing === "");
    await ann.waitForFunction(() => window.__skirmish!.report()!.buildings.some(({ kind }) => kind === "barracks"));
  });

  /** A place on the screen near the base where what is placed fits. */
  async function freeSpot(base: PieceReport): Promise<{ x: number; y: number }> {
    for (const reach of [120, 150, 180, 210])
      for (let turn = 0; turn < 8; turn++) {
        const x = base.screenX + Math.cos((turn * Math.PI) / 4) * reach * 1.2;
        const y = base.screenY + Math.sin((turn * Math.PI) / 4) * reach;
        if (x < 20 || y < 70 || x > DESK.width - 20 || y > DESK.height - 180) continue;
        await ann.mouse.move(x, y);
        const fits = await ann.evaluate(async () => {
          await new Promise((resolve) => requestAnimationFrame(resolve));
          return window.__skirmish!.report()!.fits;
        });
        if (fits) return { x, y };
      }
    throw new Error("no place near the base is free");
  }

  it("is played with fingers: tap, drag, two fingers, a long press", async () => {
    await touch("touchStart", { x: 140, y: 255, id: 1 });
    // The finger rests until the page begins a box.
    await bob.waitForFunction(() => window.__skirmish!.report()!.isBoxing);
    await touch("touchMove", { x: 385, y: 500, id: 1 });
    await touch("touchEnd");
    await bob.waitForFunction(() => window.__skirmish!.report()!.selected >= 2);
    await keepFine(bob, "skirmish-phone-box");
    await bob.tap("#drop");
    await select(bob, "builder", "touch");
    await bob.waitForSelector("#card [data-name=build]");
    await keepFine(bob, "skirmish-phone");
    const before = await report(bob);
    // A tap on the ground orders what is selected.
    await tap(195, 500);
    await bob.waitForFunction((orders) => window.__skirmish!.report()!.orders > orders, before.orders);
    await bob.tap("#drop");
    await bob.waitForFunction(() => window.__skirmish!.report()!.selected === 0);
    await touch("touchStart", { x: 200, y: 540, id: 1 });
    await touch("touchMove", { x: 200, y: 500, id: 1 });
    await touch("touchMove", { x: 200, y: 420, id: 1 });
    await touch("touchEnd");
    await bob.waitForFunction((y) => window.__skirmish!.report()!.camera.y > y + 20, before.camera.y);
    await touch("touchStart", { x: 160, y: 450, id: 1 }, { x: 240, y: 450, id: 2 });
    await touch("touchMove", { x: 120, y: 430, id: 1 }, { x: 280, y: 470, id: 2 });
    await touch("touchEnd");
    await bob.waitForFunction(
      ({ zoom }) =>
        window.__skirmish!.report()!.camera.zoom > zoom * 1.2 && window.__skirmish!.report()!.camera.rotation !== 0,
      before.camera,
    );
    await touch("touchStart", { x: 160, y: 450, id: 1 }, { x: 240, y: 450, id: 2 });
    await touch("touchMove", { x: 196, y: 450, id: 1 }, { x: 204, y: 450, id: 2 });
    await touch("touchEnd");
    await bob.waitForFunction(({ zoom }) => window.__skirmish!.report()!.camera.zoom < zoom, before.camera);
  });

  it("takes up a broken connection, with the same side and orders that work", async () => {
    site.breakLinks();
    for (const page of [ann, bob]) {
      await page.waitForSelector("#notice[data-code=reconnecting]", { state: "attached" });
      await page.waitForFunction(() => window.__skirmish!.report()!.status === "playing");
      await page.waitForSelector("#notice", { state: "hidden" });
    }
    const { ownSide, orders } = await report(ann);
    expect(ownSide).toBe(0);
    await select(ann, "builder", "mouse");
    await ann.keyboard.press("KeyS");
    await ann.waitForFunction((given) => window.__skirmish!.report()!.orders > given, orders);
    await ann.waitForFunction(() =>
      window.__skirmish!.report()!.units.some(({ selected, doing }) => selected && doing === "idle"),
    );
    // A right click on what is unfinished sends the builder back to it.
    const [barracks] = own(await report(ann), "barracks");
    await ann.mouse.click(barracks!.screenX, barracks!.screenY, { button: "right" });
    await ann.waitForFunction(() => window.__skirmish!.report()!.units.some(({ doing }) => doing === "building"));
  });

  it("shows what she is sent: zones on the ground, and figures beside a broadcast", async () => {
    await ann.keyboard.press("KeyV");
    await ann.waitForFunction(() => /[1-9]/.test(document.querySelector("#net-in")!.textContent!));
    await ann.waitForFunction(() => document.querySelector("#zone-4-pieces")!.textContent === "6");
    await keepFine(ann, "skirmish-net");
    await ann.keyboard.press("KeyV");
    await ann.waitForSelector("#net-panel", { state: "hidden" });
  });

  it("raises troopers, sends them over the map, and wins; the other has lost", async () => {
    await ann.waitForFunction(() =>
      window.__skirmish!.report()!.buildings.some(({ kind, built }) => kind === "barracks" && built === 100),
    );
    await ann.keyboard.press("Home");
    await select(ann, "barracks", "mouse");
    await ann.keyboard.press("Shift+KeyT");
    await ann.waitForFunction(
      () => window.__skirmish!.report()!.units.filter(({ kind }) => kind === "trooper").length >= 3,
    );
    await ann.keyboard.press("F2");
    await ann.waitForFunction(() => window.__skirmish!.report()!.selected >= 3);
    await ann.keyboard.press("Control+2");
    const { pieces, terrain } = site.host.battle.state;
    for (let slot = 0; slot < pieces.high; slot++)
      if (pieces.side[slot] === 1 && pieces.kind[slot]! >= FIRST_BUILDING) health()[slot] = NEARLY_GONE;
    const [, goal] = terrain.starts;
    await ann.keyboard.press("KeyA");
    await ann.waitForFunction(() => window.__skirmish!.report()!.aim === "attackMove");
    await pressMap(ann, goal!.x, goal!.y);
    await ann.waitForFunction(() => window.__skirmish!.report()!.marks.some(({ what }) => what === "attackMove"));
    // They are in sight of the enemy only when they come there.
    await ann.waitForFunction(() => window.__skirmish!.report()!.buildings.some(({ side }) => side === 1));
    await ann.keyboard.press("Digit2");
    await ann.keyboard.press("Digit2");
    await ann.waitForFunction(() => window.__skirmish!.report()!.units.some(({ doing }) => doing === "fighting"));
    await keepFine(ann, "skirmish-fight");
    await ann.waitForSelector("#outcome[data-result=won]:visible");
    await bob.waitForSelector("#outcome[data-result=lost]:visible");
    expect(await ann.textContent("#outcome-title")).toBe("Victory");
    expect(await bob.textContent("#outcome-title")).toBe("Defeat");
    await keepFine(ann, "skirmish-victory");
    await keepFine(bob, "skirmish-defeat");
    expect((await report(ann)).winner).toBe(0);
  });

  it("plays again when both want to; somebody watches all sides", async () => {
    const { seed } = await report(ann);
    await ann.click("#rematch");
    await bob.tap("#rematch");
    await ann.waitForFunction((old) => window.__skirmish!.report()!.seed !== old, seed);
    // Who asked for another match is ready for it.
    for (const page of [ann, bob])
      await page.waitForFunction(
        () => window.__skirmish!.report()!.phase === "play" && window.__skirmish!.report()!.units.length > 0,
      );
    await hall.close();
    const eve = await browser.newPage({ viewport: DESK, deviceScaleFactor: COARSE });
    eve.on("pageerror", (error) => errors.push(`eve: ${error.message}`));
    await eve.goto(site.url);
    await eve.click("#watch");
    await eve.waitForFunction(() => {
      const sides = new Set(window.__skirmish!.report()?.units.map(({ side }) => side));
      return sides.size === 2;
    });
    await keepFine(eve, "skirmish-watch");
    await eve.close();
  });

  it("is told when the server closes, and nothing went wrong on any page", async () => {
    await site.server.close();
    await ann.waitForSelector("#notice[data-code=rejoining]");
    expect(errors).toEqual([]);
  });
});
