/**
 * A page on a world of four servers: it walks over three borders while it shoots and speaks, with bots around. No object that is well in sight vanishes, the
 * own hero never jumps, and the inspector shows the transfers. Pictures are kept in artefacts/.
 */

import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { natsServer } from "../../../../scripts/lib/debian.mjs";
import { keepScreenshot, openBrowser } from "../../../../test/browser.ts";
import type { PlayReport } from "../../src/browser/report.ts";
import { ObservedCluster } from "../observed-cluster.ts";

const isNightly = process.env["NEARFIELD_NIGHTLY"] === "1";
const [SERVERS, BOTS] = [4, isNightly ? 200 : 16];
const BORDERS = 3;
/** World units: seven rounds of walking. */
const MOST_JUMP = 60;
const INSPECTOR = join(import.meta.dirname, "../../../../apps/inspector/dist/page");

/** What the page has noticed so far; kept by the page itself, frame by frame. */
interface Seams {
  frames: number;
  /** Names of heroes that were well in sight and were gone in the next frame. */
  vanished: string[];
  /** Frames without an own hero. */
  lost: number;
  /** The farthest that the own hero went between two frames, less what its speed explains, world units. */
  jump: number;
  /** Those of more than 20 units, in words. */
  jumps: string[];
  bolts: number;
}

describe.skipIf(natsServer.find() === undefined && process.env["CI"] === undefined)("a world of four servers", () => {
  const observed = new ObservedCluster(INSPECTOR);
  let browser: Browser;

  beforeAll(async () => {
    await observed.start(SERVERS, BOTS);
    browser = await openBrowser();
  });

  afterAll(async () => {
    await browser?.close();
    await observed.end();
  });

  it("looks like one: no seam over three borders", async () => {
    const [gateway] = observed.cluster.servers;
    const address = `http://127.0.0.1:${gateway!.port}/`;
    const page = await browser.newPage({ viewport: { width: 1000, height: 700 } });
    await page.goto(address);
    await page.getByLabel("Your name").fill("ann");
    await page.getByRole("button", { name: "Set out" }).click();
    await page.waitForFunction(() => window.__frontier?.report().own !== undefined);
    await watchSeams(page);
    await page.mouse.move(700, 350);
    await page.mouse.down();
    const crossed = await walkOver(page, observed, BORDERS);
    await page.mouse.up();
    await keepScreenshot(page, "cluster-page");
    expect(crossed).toHaveLength(BORDERS);
    const { vanished, lost, jump, jumps, bolts, frames } = await page.evaluate(
      () => (window as unknown as { seams: Seams }).seams,
    );
    expect(frames).toBeGreaterThan(20);
    expect({ vanished, lost }).toEqual({ vanished: [], lost: 0 });
    expect(jump, jumps.join("\n")).toBeLessThan(MOST_JUMP);
    expect(bolts).toBeGreaterThan(0);
    const { own, heard } = await reportOf(page);
    expect(own!.said).toBe(BORDERS);
    expect(heard.filter(({ name }) => name === "ann").at(-1)?.words).toBe(`border ${BORDERS}`);

    const inspector = await browser.newPage({ viewport: { width: 1360, height: 860 } });
    await inspector.goto(`${address}inspector/#token=${observed.cluster.token}`);
    await inspector.getByRole("button", { name: "Cluster" }).click();
    const figure = (name: string) => inspector.locator(`#panel-cluster [data-figure="cluster.${name}"]`);
    await expect.poll(() => figure("servers").getAttribute("data-value")).toBe(`${SERVERS}`);
    await expect.poll(async () => Number(await figure("transfersTotal").getAttribute("data-value"))).toBeGreaterThan(2);
    await expect.poll(async () => Number(await figure("bytes").getAttribute("data-value"))).toBeGreaterThan(0);
    const owners = await inspector
      .locator("#cluster-picture rect")
      .evaluateAll((all) => all.map((rect) => Number(rect.getAttribute("data-owner"))));
    expect(new Set(owners)).toEqual(new Set(observed.owners));
    await expect.poll(() => inspector.locator("#cluster-servers tbody tr").count()).toBe(SERVERS);
    expect(await inspector.locator("#cluster-words").textContent()).toContain("Server 1: ");
    await keepScreenshot(inspector, "cluster-inspector");
    expect(observed.faults()).toEqual([]);
    expect(observed.errors()).toEqual([]);
  });
});

function reportOf(page: Page): Promise<PlayReport> {
  return page.evaluate(() => window.__frontier!.report());
}

/** Lets the page look at every frame for what must not happen. */
async function watchSeams(page: Page): Promise<void> {
  await page.evaluate(() => {
    /** Well within the range of a view: nobody runs from here out of sight between two frames. */
    const WELL_IN_SIGHT = 450;
    const seams = { frames: 0, vanished: [] as string[], lost: 0, jump: 0, jumps: [] as string[], bolts: 0 };
    (window as unknown as { seams: Seams }).seams = seams;
    let before: { report: PlayReport; ms: number } | undefined;
    const look = (): void => {
      requestAnimationFrame(look);
      // The clock by which the page draws. The time that a frame is given is that of its beginning, which a busy machine may run much later.
      const ms = performance.now();
      const report = window.__frontier!.report();
      seams.frames += 1;
      seams.bolts = Math.max(seams.bolts, report.bolts);
      const { own } = report;
      if (own === undefined) seams.lost += 1;
      const last = before?.report.own;
      if (own !== undefined && last !== undefined && before !== undefined) {
        const walked = (170 * (ms - before.ms)) / 1000;
        const jump = Math.hypot(own.x - last.x, own.y - last.y) - walked;
        if (jump > 20) {
          const known = Math.hypot(own.known.x - last.known.x, own.known.y - last.known.y);
          const off = Math.hypot(last.x - last.known.x, last.y - last.known.y);
          const rounds = report.round - before.report.round;
          const what = `${Math.round(jump)} units in ${Math.round(ms - before.ms)} ms`;
          seams.jumps.push(
            `${what}: ${rounds} rounds came, which moved it by ${Math.round(known)}; it was drawn ${Math.round(off)} away`,
          );
        }
        seams.jump = Math.max(seams.jump, jump);
        const names = new Set(report.heroes.map(({ name }) => name));
        for (const { name, x, y } of before.report.heroes) {
          const isNear = Math.hypot(x - last.x, y - last.y) < WELL_IN_SIGHT;
          if (isNear && !names.has(name) && ms - before.ms < 250) seams.vanished.push(name);
        }
      }
      before = { report, ms };
    };
    requestAnimationFrame(look);
  });
}

/** Walks into other servers' slices, one after another, and says so at each. Returns the owners in the order in which they came. */
async function walkOver(page: Page, observed: ObservedCluster, borders: number): Promise<number[]> {
  const crossed: number[] = [];
  const held = new Set<string>();
  const hold = async (wanted: readonly string[]): Promise<void> => {
    for (const key of [...held].filter((one) => !wanted.includes(one))) {
      await page.keyboard.up(key);
      held.delete(key);
    }
    for (const key of wanted.filter((one) => !held.has(one))) {
      await page.keyboard.down(key);
      held.add(key);
    }
  };
  let owner = 0;
  const endMs = performance.now() + 120_000;
  while (crossed.length < borders && performance.now() < endMs) {
    const { own } = await reportOf(page);
    const map = observed.maps.at(-1)!;
    const here = map.at(own!.x, own!.y).owner;
    if (owner !== 0 && here !== owner) {
      crossed.push(here);
      await hold([]);
      await page.keyboard.press("Enter");
      await page.keyboard.type(`border ${crossed.length}`);
      await page.keyboard.press("Enter");
    }
    owner = here;
    const avoid = crossed.at(-2) ?? 0;
    const goals = map.slices
      .filter((slice) => slice.owner !== here)
      .map((slice) => ({ ...inside(slice.box, own!), isBack: slice.owner === avoid }))
      .sort((a, b) => Number(a.isBack) - Number(b.isBack) || far(a, own!) - far(b, own!));
    const [goal] = goals;
    const keys: string[] = [];
    if (Math.abs(goal!.x - own!.x) > 12) keys.push(goal!.x > own!.x ? "d" : "a");
    if (Math.abs(goal!.y - own!.y) > 12) keys.push(goal!.y > own!.y ? "s" : "w");
    await hold(keys);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  }
  // The last words need a moment.
  await hold([]);
  await page.waitForFunction(
    (count) => window.__frontier!.report().heard.some(({ words }) => words === `border ${count}`),
    borders,
  );
  return crossed;
}

interface Place {
  readonly x: number;
  readonly y: number;
}

/** The nearest place that lies a little inside a box. */
function inside(box: { readonly low: readonly number[]; readonly high: readonly number[] }, { x, y }: Place): Place {
  const clamp = (value: number, axis: number): number =>
    Math.max(box.low[axis]! + 60, Math.min(box.high[axis]! - 60, value));
  return { x: clamp(x, 0), y: clamp(y, 1) };
}

function far(a: Place, b: Place): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}
