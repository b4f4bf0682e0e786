/**
 * The game as people play it: two headless Chromium pages and a bot on one server, over WebSocket. Everything is read from what the pages show and
 * from their own report; nothing is asked of the server.
 */

import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { keepScreenshot, openBrowser } from "../../../../test/browser.ts";
import type { PlayReport } from "../../src/browser/report.ts";
import { DX, DY, HEADINGS, Maze, ROOMS, SIDE } from "../../src/maze.ts";
import { type PacmanOptions, pageFolder, type RunningPacman, startPacman } from "../../src/node/index.ts";

const SEED = 7;
const maze = new Maze(SEED);
const KEYS = ["ArrowUp", "ArrowRight", "ArrowDown", "ArrowLeft"] as const;
const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
};

function middleOf(column: number, row: number): { x: number; y: number } {
  const tile = maze.middleOf(row * ROOMS + column);
  return { x: tile % SIDE, y: Math.floor(tile / SIDE) };
}
const [botStart, annStart, bobStart] = [middleOf(4, 4), middleOf(3, 3), middleOf(4, 3)];

/** The key that leads away from a tile. */
function keyFrom({ x, y }: { x: number; y: number }): string {
  return KEYS[HEADINGS.find((heading) => maze.open(x + DX[heading], y + DY[heading]))!];
}

/** The built page at /pacman/, and the game's WebSocket beside it. */
async function startSite(
  times: Pick<PacmanOptions, "matchMs" | "overMs"> = {},
): Promise<{ site: Server; url: string; game: RunningPacman; options: PacmanOptions }> {
  const site = createServer((request, response) => {
    const name = request.url === "/pacman/" ? "index.html" : (request.url ?? "").replace(/^\/pacman\//, "");
    readFile(join(pageFolder, name)).then(
      (content) => response.setHeader("Content-Type", TYPES[extname(name)] ?? "application/octet-stream").end(content),
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
  const options: PacmanOptions = {
    server: site,
    path: "/pacman/ws",
    seed: SEED,
    bots: 1,
    // However long it takes, nobody is hunted from where the test has put him.
    ghostsPerHome: 0,
    mostPeople: 2,
    spawns: [botStart, annStart, bobStart],
    ...times,
  };
  const game = await startPacman(options);
  return { site, game, options, url: `http://127.0.0.1:${(site.address() as AddressInfo).port}/pacman/` };
}

async function enter(browser: Browser, url: string, name: string, errors: string[]): Promise<Page> {
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  page.on("pageerror", (error) => errors.push(`${name}: ${error.message}`));
  await page.addInitScript(() => {
    // Every tone the page sets, so that a beep that is only counted but never sounded is found out.
    const tones: number[] = [];
    Object.assign(window, { tones });
    const set = AudioParam.prototype.setValueAtTime;
    AudioParam.prototype.setValueAtTime = function (this: AudioParam, value: number, time: number): AudioParam {
      tones.push(value);
      return set.call(this, value, time);
    };
  });
  await page.goto(url);
  await page.fill("#name", name);
  await page.click("#join button");
  return page;
}

const report = (page: Page): Promise<PlayReport> => page.evaluate(() => window.__pacman!.report()!);

describe("two people and a bot", () => {
  let browser: Browser;
  let running: Awaited<ReturnType<typeof startSite>>;
  let ann: Page;
  let bob: Page;
  const errors: string[] = [];

  beforeAll(async () => {
    [browser, running] = await Promise.all([openBrowser(), startSite()]);
    ann = await enter(browser, running.url, "Ann", errors);
    await ann.waitForFunction(() => window.__pacman!.report()?.own !== undefined);
    bob = await enter(browser, running.url, "Bob", errors);
    await bob.waitForFunction(() => window.__pacman!.report()?.own !== undefined);
  });

  afterAll(async () => {
    await browser?.close();
    await running?.game.close();
    running?.site.close();
  });

  it("start where the test puts them, and see each other's names", async () => {
    expect((await report(ann)).room).toEqual([3, 3]);
    expect((await report(bob)).room).toEqual([4, 3]);
    await ann.waitForFunction(() => document.querySelector("#board")!.textContent!.includes("Bob"));
    await bob.waitForFunction(() => document.querySelector("#board")!.textContent!.includes("Ann"));
    await expect.poll(() => ann.textContent("#room")).toBe("(3,3)");
  });

  it("hear the beep while they are in rooms next to each other", async () => {
    for (const page of [ann, bob]) {
      await page.waitForFunction(() => window.__pacman!.report()!.beeps >= 2);
      await expect.poll(async () => Number(await page.getAttribute("#app", "data-beeps"))).toBeGreaterThanOrEqual(2);
      const tones = () => page.evaluate(() => (window as unknown as { tones: number[] }).tones);
      await expect.poll(async () => (await tones()).filter((tone) => tone === 988).length).toBeGreaterThanOrEqual(2);
    }
  });

  it("each see the other and the bot move", async () => {
    const seesMove = (page: Page, name: string, from: { x: number; y: number }) =>
      page.waitForFunction(
        ([who, x, y]) => {
          const seen = window.__pacman!.report()!.opponents.find((opponent) => opponent.name === who);
          return seen !== undefined && Math.abs(seen.x - x) + Math.abs(seen.y - y) > 0.5;
        },
        [name, from.x, from.y] as const,
      );
    const botName = (await report(ann)).opponents.find((opponent) => opponent.name !== "Bob")!.name;
    await bob.keyboard.press(keyFrom(bobStart));
    await seesMove(ann, "Bob", bobStart);
    await ann.keyboard.press(keyFrom(annStart));
    await seesMove(bob, "Ann", annStart);
    for (const page of [ann, bob]) await seesMove(page, botName, botStart);
  });

  it("eat dots and score", async () => {
    await ann.waitForFunction(() => window.__pacman!.report()!.own!.score > 0);
    await keepScreenshot(ann, "pacman-play");
  });

  it("open the overlay with one key: zones, and figures for every opponent", async () => {
    await ann.keyboard.press("v");
    await ann.waitForFunction(() => window.__pacman!.report()!.overlayRows === 2);
    const rows = await ann.locator("#divergences li").allTextContents();
    expect(rows.join()).toContain("Bob");
    for (const row of rows)
      expect(row).toMatch(/(exact|coarse|loose)sec[\d.]+ \/ [\d.]+steps\d+ \/ \d+tiles[\d.]+ \/ [\d.]+/);
    await keepScreenshot(ann, "pacman-overlay");
    await ann.keyboard.press("v");
    await ann.waitForSelector("#overlay", { state: "hidden" });
  });

  it("find help with Esc, and the way back", async () => {
    await ann.keyboard.press("Escape");
    await ann.waitForSelector("#help:not([hidden])");
    await keepScreenshot(ann, "pacman-help");
    await ann.keyboard.press("Escape");
    await ann.waitForSelector("#help", { state: "hidden" });
    await ann.click("#help-open");
    await ann.click("#help-close");
    await ann.waitForSelector("#help", { state: "hidden" });
    expect(await ann.textContent("#clock")).toMatch(/^[0-4]:[0-5]\d$/);
  });

  it("go on with their score when the page is loaded anew", async () => {
    const { score } = (await report(ann)).own!;
    expect(score).toBeGreaterThan(0);
    await ann.reload();
    expect(await ann.inputValue("#name")).toBe("Ann");
    await ann.click("#join button");
    await ann.waitForFunction(() => window.__pacman!.report()?.own !== undefined);
    // Whoever comes anew has none.
    expect((await report(ann)).own!.score).toBeGreaterThanOrEqual(score);
    await expect.poll(() => ann.locator("#board li").count()).toBe(3);
  });

  it("tell a third one that the server is full", async () => {
    const eve = await enter(browser, running.url, "Eve", errors);
    await eve.waitForSelector("#notice[data-code=full]");
    expect(await eve.textContent("#notice-title")).toBe("The server is full");
    await eve.close();
  });

  it("see that somebody left the page and did not come back", async () => {
    await bob.goto("about:blank");
    await ann.waitForFunction(() => window.__pacman!.report()!.opponents.every((opponent) => opponent.name !== "Bob"));
  });

  it("leave by the button, and come again", async () => {
    await ann.keyboard.press("h");
    await ann.click("#leave");
    await ann.waitForSelector("#title:not([hidden])");
    expect(await report(ann)).toBeUndefined();
    await ann.click("#join button");
    await ann.waitForFunction(() => window.__pacman!.report()?.own !== undefined);
  });

  it("are told when the server goes, and join again by themselves when it is back", async () => {
    await running.game.close();
    await ann.waitForSelector("#notice[data-code=rejoining]");
    running.game = await startPacman({ ...running.options, seed: SEED + 1 });
    await ann.waitForFunction(() => window.__pacman!.report()?.status === "playing");
    await expect.poll(() => ann.textContent("#board")).toContain("Ann");
    expect(errors).toEqual([]);
  });
});

describe("a short match", () => {
  it("ends with its scores and the winner's name, and another begins", async () => {
    const [browser, { site, url, game }] = await Promise.all([
      openBrowser(),
      startSite({ matchMs: 2500, overMs: 10_000 }),
    ]);
    const errors: string[] = [];
    const ann = await enter(browser, url, "Ann", errors);
    // Where the page takes longer than the first match, she plays in the next.
    await expect.poll(() => ann.locator("#match-over:not([hidden]) #match-board li").count()).toBe(2);
    expect(await ann.textContent("#match-words")).toMatch(/won/);
    await keepScreenshot(ann, "pacman-match-over");
    await ann.waitForSelector("#match-over", { state: "hidden" });
    await expect.poll(() => ann.textContent("#match")).toMatch(/match [2-9]/);
    expect(errors).toEqual([]);
    await browser.close();
    await game.close();
    site.close();
  });
});
