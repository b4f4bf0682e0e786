/**
 * Four Chromium pages and a Node process in one action space, over real data channels on the machine's own loopback. One page stalls and is voted out, the
 * others go on, and it comes back; then a page is loaded anew. All final states agree, between pages and with Node.
 */

import { fileURLToPath } from "node:url";
import { join } from "@nearfield/client/node";
import { zones } from "@nearfield/core";
import { Pods } from "@nearfield/netlab/internal";
import { nodePeers } from "@nearfield/rollback/node";
import { checksumOf, TIMELINES } from "@nearfield/rollback/session";
import { type NodeServer, serve } from "@nearfield/server/node";
import type { Browser, Page } from "playwright-core";
import { build, type Rollup } from "vite";
import { afterAll, beforeAll, expect, test } from "vitest";
import { keepScreenshot, openBrowser } from "../../../../test/browser.ts";
import { PageSite } from "../../../../test/page-site.ts";
import { enterSpace, type Invitation, onInvitation, type Space } from "../../src/peer/index.ts";
import { type ActionSpace, ActionSpaces } from "../../src/spaces/index.ts";
import { Dot, protocol, WORLD } from "./shared.ts";

/** What WebRTC needs to find a peer on the machine's own loopback. */
const FLAGS = ["--allow-loopback-in-peer-connection", "--disable-features=WebRtcHideLocalIpsWithMdns"] as const;
const NAMES = ["ann", "bob", "cid", "dee"] as const;
const STEP_MS = 50;
const PAGE = `<!doctype html><title>Action space</title>
  <style>body { background: #0b0f14; color: #d9d7ce; font: 15px sans-serif; margin: 12px } h1 { font-size: 18px; margin: 0 0 8px } ul { padding: 0; list-style: none }</style>
  <body><script type="module" src="/page.js"></script>`;

interface Report {
  readonly status: string | undefined;
  readonly head: number;
  readonly tail: number;
  readonly peers: readonly string[];
  readonly gone: readonly number[];
  readonly desyncs: number;
}

let site: PageSite;
let server: NodeServer;
let browser: Browser;
let stopNode = (): void => {};
const nodeChecksums = new Map<number, number>();
let nodeSpace: Space | undefined;

/** By address: the page's script, and what it loads later. */
async function bundle(): Promise<Record<string, string>> {
  const entry = fileURLToPath(new URL("page.ts", import.meta.url));
  const [output] = (await build({
    configFile: false,
    logLevel: "silent",
    resolve: { conditions: ["nearfield:source"] },
    build: { lib: { entry, formats: ["es"], fileName: "page" }, write: false, target: "es2023" },
  })) as Rollup.RollupOutput[];
  const chunks = output!.output.filter((file) => file.type === "chunk");
  return Object.fromEntries(chunks.map(({ fileName, code }) => [`/${fileName}`, code]));
}

beforeAll(async () => {
  const scripts = await bundle();
  site = await PageSite.ofTexts(PAGE, scripts);
  const view = zones(Dot, { radii: [100], bounds: [{ time: 100 }, { time: 1000 }] });
  server = await serve({
    protocol,
    view,
    roundMs: 50,
    server: site.http,
    path: "/link",
    host: "127.0.0.1",
    udp: false,
  });
  browser = await openBrowser(FLAGS);
});

afterAll(async () => {
  stopNode();
  await browser?.close();
  await server?.close();
  site?.close();
});

const reportOf = (page: Page): Promise<Report> =>
  page.evaluate(() => (globalThis as unknown as { __space: { report(): Report } }).__space.report());
const stall = (page: Page, on: boolean): Promise<void> =>
  page.evaluate((isOn) => (globalThis as unknown as { __space: { stall(on: boolean): void } }).__space.stall(isOn), on);
const checksumsOf = (page: Page): Promise<Record<number, number>> =>
  page.evaluate(() =>
    (globalThis as unknown as { __space: { checksums(): Record<number, number> } }).__space.checksums(),
  );
const holds = (condition: () => Promise<boolean>): Promise<void> => expect.poll(condition, { interval: 50 }).toBe(true);

async function visit(name: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 430, height: 620 } });
  const page = await context.newPage();
  await page.goto(`${site.url}?name=${name}`);
  await page.waitForFunction(() => "__space" in globalThis);
  return page;
}

/** A fifth player, in this process. */
async function bot(): Promise<void> {
  const client = await join(`${site.url.replace("http", "ws")}link`, { protocol, nickname: "nod" });
  const peers = await nodePeers({ host: "127.0.0.1" });
  const enter = async (invitation: Invitation): Promise<void> => {
    const fight = new Pods(invitation.slots, WORLD);
    const space = await enterSpace(client, invitation, {
      fight,
      session: { inputBytes: 1, ...TIMELINES.hybrid, stallMs: 2000 },
      peers,
      onSettled: (state, _checksum, saved) => nodeChecksums.set(state, checksumOf(saved)),
    });
    nodeSpace = space;
    const timer = setInterval(() => space.tick(client.clock.timeMs, Uint8Array.of(space.head & 16 ? 17 : 18)), 10);
    stopNode = () => {
      clearInterval(timer);
      space.leave();
      client.leave();
    };
  };
  onInvitation(client, (invitation) => void enter(invitation));
}

/** Compares all final states that two have in common. */
function compare(one: Record<number, number>, other: Record<number, number>): { common: number; differing: string[] } {
  const common = Object.keys(one).filter((state) => state in other);
  return { common: common.length, differing: common.filter((state) => one[Number(state)] !== other[Number(state)]) };
}

test("four pages and Node play over data channels; who stalls is voted out, and comes back", async () => {
  const spaces = new ActionSpaces(server);
  await bot();
  const pages = await Promise.all(NAMES.map(visit));
  await holds(async () => server.main.players.size === 5);
  const byName = new Map([...server.main.players.values()].map((player) => [player.nickname, player]));
  const players = [...NAMES, "nod"].map((name) => byName.get(name)!);
  const space: ActionSpace = spaces.open({ players, stepMs: STEP_MS, seed: 7, startInMs: 3000 });
  const all =
    (is: (report: Report) => boolean, of = pages): (() => Promise<boolean>) =>
    async () =>
      (await Promise.all(of.map(reportOf))).every(is);

  await holds(all(({ peers }) => (peers ?? []).join() === "direct,direct,direct,direct"));
  await holds(async () => (nodeSpace?.peers ?? []).every(({ state }) => state === "direct"));
  await holds(all(({ tail }) => tail > 40));
  await keepScreenshot(pages[0]!, "peers-playing");

  // The machine of dee stands still.
  const [ann, , , dee] = pages as [Page, Page, Page, Page];
  await stall(dee, true);
  const { tail: stalledAt } = await reportOf(dee);
  await holds(async () => (await ann.locator("li", { hasText: "dee" }).innerText()).includes("waited for"));
  await keepScreenshot(ann, "peers-stalled");
  const awake = pages.slice(0, 3);
  await holds(all(({ gone }) => gone.join() === "3", awake));
  await holds(all(({ tail }) => tail > stalledAt + 60, awake));
  await keepScreenshot(ann, "peers-voted-out");
  await holds(async () => space.seats[3]!.outTo === 1);
  await keepScreenshot(dee, "peers-out");

  await stall(dee, false);
  await holds(all(({ status, gone }) => status === "playing" && gone.length === 0));
  await holds(all(({ peers }) => peers.join() === "direct,direct,direct,direct"));
  await keepScreenshot(dee, "peers-back");

  // A page is loaded anew, and goes on as the same player.
  const bob = pages[1]!;
  await bob.reload();
  await bob.waitForFunction(() => "__space" in globalThis);
  await holds(all(({ status, gone }) => status === "playing" && gone.length === 0));
  const { tail } = await reportOf(ann);
  await holds(all(({ tail: now }) => now > tail + 40));

  const [first, ...others] = await Promise.all(pages.map(checksumsOf));
  for (const other of others) {
    const { common, differing } = compare(first!, other);
    expect(common).toBeGreaterThan(30);
    expect(differing).toEqual([]);
  }
  const withNode = compare(first!, Object.fromEntries(nodeChecksums));
  expect(withNode.common).toBeGreaterThan(100);
  expect(withNode.differing).toEqual([]);
  expect((await Promise.all(pages.map(reportOf))).map(({ desyncs }) => desyncs)).toEqual([0, 0, 0, 0]);
});
