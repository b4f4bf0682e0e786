/**
 * What a frame costs the page with 48 opponents, all of them bots that run and shoot: everything that its scripts do, the client library's update and
 * the messages that came since the last frame included. Rendering is not in it: in a headless Chromium the processor does that, after the frame's
 * script.
 *
 * Two clocks: the page's own, around its frame function, tells what a player has; on a machine that does other things too it also counts those. The
 * goal is held against the thread's own time, in every stretch. And what is kept must not grow: playing on costs no more memory.
 */

import type { Browser, CDPSession, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { keepScreenshot, openBrowser } from "../../../../test/browser.ts";
import { traceFrames } from "../../../../test/script-time.ts";
import { LocalBots } from "../../src/bots/local-bots.ts";
import { Atlas } from "../../src/bots/navigation.ts";
import { readTerrain } from "../../src/node/index.ts";
import { Avatar } from "../../src/shared.ts";
import type { Spot } from "../../src/state.ts";
import { Site } from "./site.ts";

const OPPONENTS = 48;
/** In each of three stretches of so many frames she runs another way. */
const FRAMES = 150;
const WAYS = ["KeyD", "KeyA", "KeyW"] as const;
const GOAL_MS = 4;
/** A frame that comes later reads the messages of several at once. Where the machine holds many up, a stretch goes on until enough came in time. */
const IN_TIME_MS = 50;
const ENOUGH = 100;
const MOST_TRIES = 5;
/** Bytes of the page's heap that may be in use more after the stretches than before. It sways by one million; 4 kB a frame that stay would be more. */
const MOST_KEPT = 2_000_000;

let browser: Browser;
let site: Site;
let page: Page;
/** Whether she has been put into the middle of the level. */
let isPlaced = false;

beforeAll(async () => {
  [browser, site] = await Promise.all([openBrowser(), Site.open({ level: "foundry" })]);
  holdTheFight();
  new LocalBots(site.host, { atlas: new Atlas(() => site.terrain), seed: 1, count: OPPONENTS });
  page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
});

afterAll(async () => {
  await browser?.close();
  await site?.close();
});

/** Nobody runs out of bullets. She begins each stretch and each life in the middle of the level, where most of them go, and few hits kill her. */
function holdTheFight(): void {
  const { interests, width, height } = readTerrain("foundry");
  const away = ({ x, y }: Spot): number => Math.hypot(x - width / 2, y - height / 2);
  const middle = interests.reduce((best, spot) => (away(spot) < away(best) ? spot : best));
  site.server.onRound((world) => {
    const owner = site.player("Ann")?.id;
    for (const avatar of world.all(Avatar)) {
      avatar.bullets = 99;
      if (avatar.owner !== owner) continue;
      const isAlive = avatar.condition !== "dead";
      if (isAlive) [avatar.health, avatar.armour] = [100, 100];
      if (isAlive && !isPlaced) [avatar.x, avatar.y] = [middle.x, middle.y];
      isPlaced = isAlive;
    }
  });
}

/** The time that a share of the frames did not exceed. */
function percentile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.POSITIVE_INFINITY;
}

/** Bytes of the page's heap that are in use, garbage collected. */
async function keptBytes(session: CDPSession): Promise<number> {
  await session.send("HeapProfiler.collectGarbage");
  return (await session.send("Runtime.getHeapUsage")).usedSize;
}

/** Plays on for so many frames. */
async function playOn(frames: number): Promise<void> {
  const begun = await page.evaluate(() => window.__arena!.report()!.frame.count);
  const isOver = (until: number) => window.__arena!.report()!.frame.count >= until;
  await page.waitForFunction(isOver, begun + frames, { polling: 100 });
}

/** Thread time of each frame's scripts, ms, of the frames that came in time. */
async function stretch(): Promise<number[]> {
  const times: number[] = [];
  for (let tries = 0; times.length < ENOUGH && tries < MOST_TRIES; tries++) {
    const frames = await traceFrames(browser, site.url, () => playOn(FRAMES));
    for (const { scriptMs, sinceMs } of frames) if (sinceMs <= IN_TIME_MS) times.push(scriptMs);
  }
  return times;
}

it(`takes no more than ${GOAL_MS} ms of script a frame with ${OPPONENTS} opponents, and keeps nothing of it`, async () => {
  await page.goto(site.url);
  await page.fill("#name", "Ann");
  await page.click("#join button");
  await page.waitForFunction((count) => window.__arena!.report()?.opponents.length === count, OPPONENTS);
  await page.waitForFunction(() => window.__arena!.report()!.painted);
  // The dearest picture: she fires all the time, and the overlay shows half the level from above and counts.
  await page.keyboard.press("KeyV");
  await page.mouse.move(900, 300);
  await page.mouse.down();
  await playOn(FRAMES);
  const session = await page.context().newCDPSession(page);
  const keptBefore = await keptBytes(session);
  // A collection that is asked for may throw away compiled code: the page warms up again.
  await playOn(FRAMES);
  const stretches: number[][] = [];
  for (const way of WAYS) {
    isPlaced = false;
    await page.keyboard.down(way);
    stretches.push(await stretch());
    await page.keyboard.up(way);
  }
  const kept = (await keptBytes(session)) - keptBefore;
  const own = await page.evaluate(() => window.__arena!.report()!.frame);
  console.log(
    `script a frame, ${OPPONENTS} opponents, thread time p50 / p95 of three stretches: ` +
      stretches
        .map((times) => `${percentile(times, 0.5).toFixed(2)} / ${percentile(times, 0.95).toFixed(2)} ms`)
        .join(", ") +
      ` (by the page's clock, frame function alone: ${own.p50.toFixed(1)} / ${own.p95.toFixed(1)} ms), ` +
      `${(kept / 1e6).toFixed(1)} MB kept`,
  );
  await keepScreenshot(page, "arena-48-net");
  await page.keyboard.press("KeyV");
  await page.waitForFunction(() => !window.__arena!.report()!.overlay);
  await keepScreenshot(page, "arena-48");
  for (const times of stretches) {
    expect(times.length, `frames that came within ${IN_TIME_MS} ms`).toBeGreaterThanOrEqual(ENOUGH);
    expect(percentile(times, 0.5)).toBeLessThanOrEqual(GOAL_MS);
    expect(percentile(times, 0.95)).toBeLessThanOrEqual(GOAL_MS);
  }
  expect(kept).toBeLessThan(MOST_KEPT);
});
