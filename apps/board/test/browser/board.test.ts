/**
 * The board as people use it: two pages in a headless Chromium on a real server. What is expected is read from the page: what it shows, and its own
 * report.
 */

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keepScreenshot, openBrowser } from "../../../../test/browser.ts";
import type { BoardReport, ThingReport } from "../../src/browser/report.ts";
import { Site } from "./site.ts";

const report = (page: Page): Promise<BoardReport> => page.evaluate(() => window.__board!.report()!);
const things = async (page: Page): Promise<readonly ThingReport[]> => (await report(page)).things;
const wordsOf = async (page: Page): Promise<string[]> =>
  (await things(page))
    .filter(({ kind }) => kind === "note")
    .map(({ words }) => words)
    .sort();
const noteWith = async (page: Page, words: string): Promise<ThingReport> =>
  (await things(page)).find((thing) => thing.words === words)!;
const settled = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => window.__board!.report()!.unconfirmed === 0);

async function enter(browser: Browser, url: string, name: string, errors: string[], phone = false): Promise<Page> {
  const size = phone ? { width: 390, height: 844 } : { width: 1280, height: 800 };
  const context = await browser.newContext({ viewport: size, hasTouch: phone, isMobile: phone });
  const page = await context.newPage();
  page.on("pageerror", (error) => errors.push(`${name}: ${error.message}`));
  await page.goto(url);
  await page.fill("#name", name);
  if (phone || name === "Ann") await keepScreenshot(page, phone ? "board-entrance-phone" : "board-entrance");
  await page.click("#join button");
  await page.waitForFunction(() => window.__board!.report()?.status === "playing");
  return page;
}

/** Writes a new note in the middle of this place of the screen. */
async function writeNote(page: Page, x: number, y: number, words: string): Promise<void> {
  await page.mouse.dblclick(x, y);
  await page.waitForSelector("#editor", { state: "visible" });
  await page.keyboard.type(words);
  await page.keyboard.press("Escape");
}

async function drag(page: Page, ...points: readonly (readonly [number, number])[]): Promise<void> {
  const [first, ...rest] = points;
  await page.mouse.move(...first!);
  await page.mouse.down();
  for (const point of rest) await page.mouse.move(...point, { steps: 12 });
  await page.mouse.up();
}

describe("a board", () => {
  let browser: Browser;
  let site: Site;
  let ann: Page;
  let ben: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    [browser, site] = await Promise.all([openBrowser(), Site.open()]);
    ann = await enter(browser, site.url, "Ann", errors);
  });

  afterAll(async () => {
    await browser?.close();
    await site?.close();
  });

  it("greets with a hint on how to begin", async () => {
    await ann.waitForSelector("#empty", { state: "visible" });
    await keepScreenshot(ann, "board-empty");
    await ann.keyboard.press("?");
    await ann.waitForSelector("#help", { state: "visible" });
    await keepScreenshot(ann, "board-help");
    await ann.keyboard.press("Escape");
    await ann.waitForSelector("#help", { state: "hidden" });
  });

  it("two people write: each sees the other's note, and the other's letters as they are typed", async () => {
    ben = await enter(browser, site.url, "Ben", errors);
    await writeNote(ann, 430, 250, "Plan for Monday");
    await expect.poll(() => wordsOf(ben)).toEqual(["Plan for Monday"]);
    await ben.mouse.dblclick(700, 250);
    await ben.keyboard.type("Ask the");
    await ann.waitForFunction(() => window.__board!.report()!.drafts.includes("Ask the"));
    await keepScreenshot(ann, "board-draft");
    await ben.keyboard.type(" harbour");
    await ben.keyboard.press("Escape");
    await expect.poll(() => wordsOf(ann)).toEqual(["Ask the harbour", "Plan for Monday"]);
  });

  it("draws strokes that the other sees, long ones in pieces", async () => {
    await ann.keyboard.press("KeyP");
    await ann.keyboard.press("Digit7");
    await drag(ann, [360, 480], [520, 430], [640, 520], [820, 440], [960, 500]);
    await expect
      .poll(async () => (await things(ben)).filter(({ kind }) => kind === "stroke").length)
      .toBeGreaterThan(2);
    await ann.keyboard.press("KeyS");
    await settled(ann);
    expect(await things(ben)).toHaveLength((await things(ann)).length);
  });

  it("shows where the other points, and who is there", async () => {
    await ben.mouse.move(640, 330);
    await ann.waitForFunction(() =>
      window.__board!.report()!.people.some(({ name, pointing }) => name === "Ben" && pointing),
    );
    expect(await ann.locator("#people button").count()).toBe(2);
    await keepScreenshot(ann, "board");
  });

  it("lets one write at a time: the second waits, and sees who writes", async () => {
    const { screenX, screenY } = await noteWith(ann, "Plan for Monday");
    await ann.mouse.dblclick(screenX, screenY);
    await ann.waitForFunction(
      () => document.querySelector<HTMLTextAreaElement>("#editor textarea")!.readOnly === false,
    );
    await ann.keyboard.type(" and Tuesday");
    await ben.waitForFunction(() => window.__board!.report()!.drafts.length === 1);
    await ben.mouse.dblclick(screenX, screenY);
    await ben.waitForFunction(() => /Ann is writing/.test(document.querySelector("#editor-hint")!.textContent!));
    await keepScreenshot(ben, "board-locked");
    await ann.keyboard.press("Escape");
    await ben.waitForFunction(
      () => document.querySelector<HTMLTextAreaElement>("#editor textarea")!.readOnly === false,
    );
    expect(await ben.inputValue("#editor textarea")).toBe("Plan for Monday and Tuesday");
    await ben.keyboard.press("Escape");
    await expect.poll(() => wordsOf(ben)).toContain("Plan for Monday and Tuesday");
  });

  it("moves, paints and takes back: only one's own actions", async () => {
    const before = await noteWith(ann, "Ask the harbour");
    await drag(ann, [before.screenX, before.screenY], [before.screenX + 150, before.screenY + 40]);
    await ann.keyboard.press("Digit4");
    await expect.poll(async () => (await noteWith(ben, "Ask the harbour")).colour).toBe(3);
    expect((await noteWith(ben, "Ask the harbour")).x).toBe(before.x + 150);
    await writeNote(ben, 960, 620, "Ben's own");
    await expect.poll(() => wordsOf(ann)).toContain("Ben's own");
    await ann.keyboard.press("Escape");
    await ann.keyboard.press("Control+KeyZ");
    await ann.keyboard.press("Control+KeyZ");
    await settled(ann);
    await expect.poll(async () => (await noteWith(ben, "Ask the harbour")).x).toBe(before.x);
    expect((await noteWith(ann, "Ask the harbour")).x).toBe(before.x);
    expect(await noteWith(ben, "Ask the harbour")).toMatchObject({ colour: before.colour });
    await ann.keyboard.press("Control+KeyZ");
    await expect.poll(() => wordsOf(ben)).toEqual(["Ask the harbour", "Ben's own", "Plan for Monday"]);
    await ann.keyboard.press("Control+Shift+KeyZ");
    await expect.poll(() => wordsOf(ben)).toContain("Plan for Monday and Tuesday");
  });

  it("erases strokes as a whole, puts them back, and leaves others' things alone", async () => {
    const count = (await things(ann)).length;
    await ann.keyboard.press("KeyE");
    await drag(ann, [520, 410], [520, 450]);
    await expect.poll(async () => (await things(ben)).some(({ kind }) => kind === "stroke")).toBe(false);
    const bens = await noteWith(ann, "Ben's own");
    await ann.mouse.click(bens.screenX, bens.screenY);
    await ann.waitForSelector("#toasts li");
    await ann.keyboard.press("Control+KeyZ");
    await expect.poll(async () => (await things(ben)).length).toBe(count);
    await ann.keyboard.press("KeyS");
  });

  it("shows what is sent: zones, updates, bytes beside a broadcast", async () => {
    await ann.keyboard.press("KeyV");
    await ann.waitForFunction(() => /[1-9]/.test(document.querySelector("#net-in")!.textContent!));
    const { screenX, screenY } = await noteWith(ben, "Ben's own");
    await drag(ben, [screenX, screenY], [screenX - 40, screenY - 20]);
    await keepScreenshot(ann, "board-overlay");
    await ann.keyboard.press("KeyV");
  });

  it("goes on while the link is broken: nothing that was done is lost", async () => {
    site.breakLinks();
    await ann.waitForSelector("#banner[data-kind=reconnecting]", { state: "visible" });
    await writeNote(ann, 300, 640, "Written offline");
    await ann.keyboard.press("KeyP");
    await drag(ann, [200, 720], [330, 700]);
    await ann.keyboard.press("KeyS");
    await ann.waitForFunction(() => window.__board!.report()!.things.filter(({ waits }) => waits).length >= 2);
    await ann.waitForFunction(() => /changes are kept/.test(document.querySelector("#banner-words")!.textContent!));
    await keepScreenshot(ann, "board-offline");
    expect(await wordsOf(ben)).not.toContain("Written offline");
    site.mend();
    await expect.poll(() => wordsOf(ben)).toContain("Written offline");
    await ann.waitForSelector("#banner", { state: "hidden" });
    await settled(ann);
    expect((await wordsOf(ann)).sort()).toEqual((await wordsOf(ben)).sort());
    expect((await report(ann)).things.some(({ waits }) => waits)).toBe(false);
  });

  it("is the same person after a reload, and may still erase", async () => {
    const { self } = await report(ann);
    await ann.reload();
    expect(await ann.inputValue("#name")).toBe("Ann");
    await ann.click("#join button");
    await ann.waitForFunction((number) => window.__board!.report()?.self === number, self);
    await expect.poll(() => wordsOf(ann)).toContain("Written offline");
    const { screenX, screenY } = await noteWith(ann, "Written offline");
    await ann.mouse.click(screenX, screenY);
    await ann.keyboard.press("Delete");
    await expect.poll(() => wordsOf(ben)).not.toContain("Written offline");
  });

  it("dims what is not live, with its age, and the middle stays live", async () => {
    // Ben goes far away, by the map, and writes there.
    const map = (await ben.locator("#map").boundingBox())!;
    await ben.mouse.click(map.x + map.width * 0.92, map.y + map.height * 0.9);
    await ben.waitForFunction(() => window.__board!.report()!.x > 7000);
    await writeNote(ben, 500, 300, "Far away");
    await expect.poll(() => wordsOf(ann)).toContain("Far away");
    await ann.mouse.move(640, 400);
    await ann.keyboard.press("Home");
    await ann.waitForFunction(() => window.__board!.report()!.zoom < 0.3);
    await ann.waitForFunction(() => window.__board!.report()!.notLive > 0);
    await ann.waitForSelector("#not-live", { state: "visible" });
    await keepScreenshot(ann, "board-far");
    await ann.keyboard.press("Digit0");
  });

  it("goes to somebody at a press on the face", async () => {
    await ben.mouse.move(640, 400);
    await ann.click("#people button[data-name=Ben]");
    await ann.waitForFunction(() => window.__board!.report()!.x > 6500);
    await keepScreenshot(ann, "board-jump");
  });

  it("is used with fingers: pan, pinch, draw, write", async () => {
    const phone = await enter(browser, site.url, "Cid", errors, true);
    const session = await phone.context().newCDPSession(phone);
    const touch = (
      type: "touchStart" | "touchMove" | "touchEnd",
      ...touchPoints: { x: number; y: number; id: number }[]
    ) => session.send("Input.dispatchTouchEvent", { type, touchPoints });
    await expect.poll(() => wordsOf(phone)).toContain("Plan for Monday and Tuesday");
    const before = await report(phone);
    await touch("touchStart", { x: 200, y: 660, id: 1 });
    for (const y of [640, 610, 580]) await touch("touchMove", { x: 200, y, id: 1 });
    await touch("touchEnd");
    await phone.waitForFunction((y) => window.__board!.report()!.y > y + 40, before.y);
    await touch("touchStart", { x: 150, y: 400, id: 1 }, { x: 250, y: 400, id: 2 });
    for (const out of [160, 140, 120])
      await touch("touchMove", { x: 100 + out / 8, y: 400, id: 1 }, { x: 300 - out / 8, y: 400, id: 2 });
    await touch("touchEnd");
    await phone.waitForFunction((zoom) => window.__board!.report()!.zoom > zoom * 1.2, before.zoom);
    await phone.tap("[data-use=pen]");
    await touch("touchStart", { x: 80, y: 560, id: 1 });
    for (const x of [120, 170, 220, 270]) await touch("touchMove", { x, y: 560 + (x % 40), id: 1 });
    await touch("touchEnd");
    const { self } = await report(phone);
    await ann.waitForFunction(
      (author) => window.__board!.report()!.things.some((thing) => thing.author === author),
      self,
    );
    await phone.tap("[data-use=select]");
    await keepScreenshot(phone, "board-phone");
    await phone.tap("#net");
    await phone.waitForSelector("#net-panel", { state: "visible" });
    await keepScreenshot(phone, "board-phone-overlay");
    await phone.tap("#net");
    await phone.tap("#help-open");
    await keepScreenshot(phone, "board-phone-help");
    await phone.tap("#help-close");
    await phone.context().close();
  });

  it("when the server starts anew, what was not confirmed goes on the new board, and words whose note is gone are kept", async () => {
    await ann.keyboard.press("Digit0");
    await writeNote(ann, 500, 250, "A note");
    await settled(ann);
    const { screenX, screenY } = await noteWith(ann, "A note");
    await ann.mouse.dblclick(screenX, screenY);
    await ann.waitForFunction(
      () => document.querySelector<HTMLTextAreaElement>("#editor textarea")!.readOnly === false,
    );
    site.breakLinks();
    await ann.waitForSelector("#banner", { state: "visible" });
    await ann.keyboard.type(" that was changed");
    await ann.keyboard.press("Escape");
    await writeNote(ann, 850, 400, "Not confirmed");
    await site.restart();
    site.mend();
    await expect.poll(() => wordsOf(ann)).toEqual(["Not confirmed"]);
    await expect.poll(() => wordsOf(ben)).toEqual(["Not confirmed"]);
    await ann.waitForSelector("#leftover", { state: "visible" });
    expect(await ann.textContent("#leftover-words")).toBe("A note that was changed");
    await keepScreenshot(ann, "board-leftover");
    await ann.click("#leftover-put");
    await expect.poll(() => wordsOf(ben)).toEqual(["A note that was changed", "Not confirmed"]);
    await ann.waitForSelector("#leftover", { state: "hidden" });
    await settled(ann);
  });

  it("says when there is no server, and nothing went wrong on any page", async () => {
    expect(errors).toEqual([]);
    const eve = await browser.newPage();
    await eve.goto(site.url);
    await site.board.close();
    await eve.fill("#name", "Eve");
    await eve.click("#join button");
    await eve.waitForSelector("#retry", { state: "visible" });
    await keepScreenshot(eve, "board-no-server");
  });
});
