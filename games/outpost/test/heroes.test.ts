/**
 * Many heroes in one dungeon over real data channels on loopback, some in another process: all see the same final states, all are reached directly, nobody is voted out, and what each carried out is
 * paid. CI plays a small party; at night twenty go down, and the figures are printed.
 */

import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { nodePeers } from "@nearfield/rollback/node";
import type { Verdict } from "@nearfield/rollback/trust";
import type { Settlement } from "@nearfield/social/node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Program } from "../../../test/programs.ts";
import { STEP_MS } from "../src/dungeon/numbers.ts";
import { type RunningOutpost, startOutpost } from "../src/node/index.ts";
import { dungeonRules } from "../src/paid-dungeon.ts";
import { Hero, type HeroReport } from "./heroes/hero.ts";

const isNightly = process.env["NEARFIELD_NIGHTLY"] === "1";
/** People in this process, in the other one, and heroes with companions. One address may make twenty guests in an hour: this file needs them all. */
const HERE = isNightly ? 4 : 2;
const THERE = isNightly ? 11 : 2;
const HEROES = isNightly ? 20 : 6;
/** Steps until they go home. */
const HOME_AFTER = isNightly ? 400 : 60;

let program: Program;
let folder: string;
let http: Server;
let outpost: RunningOutpost;
let site: string;
const settled: Settlement[] = [];
/** Of fights whose inputs had to be replayed. */
const verdicts: Verdict[] = [];

beforeAll(async () => {
  program = await Program.bundle(new URL("./heroes/heroes-program.ts", import.meta.url));
  folder = await mkdtemp(join(tmpdir(), "outpost-heroes-"));
  http = createServer((request, response) => {
    if (!outpost.answer(request, response)) response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  site = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const onVerdict = (verdict: Verdict): unknown => verdicts.push(verdict);
  outpost = await startOutpost({ server: http, path: "/outpost/ws", folder, bots: 2, seed: () => 7, onVerdict });
  outpost.social.settlements.onSettled((settlement) => settled.push(settlement));
});

afterAll(async () => {
  await outpost?.close();
  http?.close();
  program?.remove();
  await rm(folder, { recursive: true, force: true });
});

test(`${HEROES} heroes, ${HERE + THERE} of them people in two processes, share a dungeon`, async () => {
  const there = program.start(site, String(HERE), String(THERE), String(HOME_AFTER));
  await there.line("all in");
  const accounts = there.lines.filter((line) => line.startsWith("account ")).map((line) => line.slice(8));
  const peers = await nodePeers({ host: "127.0.0.1" });
  const here: Hero[] = [];
  for (let index = 0; index < HERE; index++) here.push(await Hero.join({ site, index, peers, homeAfter: HOME_AFTER }));
  const [leader, ...others] = here;
  await leader!.lead([...others.map(({ account }) => account), ...accounts], HEROES);
  await expect.poll(() => settled.length, { timeout: 600_000 }).toBe(HERE + THERE);
  const reports = [...here.map(({ report }) => report!), ...(JSON.parse(await there.line("reports ")) as HeroReport[])];
  // On a machine that is busy with something else a claim may be late; then inputs are replayed, and nobody is guilty.
  expect(settled.flatMap(({ denied }) => denied)).toEqual([]);
  expect(verdicts.splice(0).flatMap(({ faults }) => faults.filter(({ isProven }) => isProven))).toEqual([]);
  if (isNightly) console.log(figures(reports));
  for (const report of reports) expect(report).toMatchObject({ desyncs: 0, gone: 0, direct: HEROES - 1, isOut: true });
  for (const hero of here) hero.leave();
  expect(there.errors).toBe("");
  await there.kill();
});

/** Its claims say a hundred gold more for its own slot. */
const boasting = (slot: number): typeof dungeonRules => ({
  ...dungeonRules,
  earned: (dungeon, of, state) => {
    const goods = dungeonRules.earned(dungeon, of, state);
    return goods && of === slot ? [...goods, { good: "relic", count: 100 }] : goods;
  },
});

test("a forged report gains nothing: the inputs are replayed, the forger is denied and told, the honest one is paid", async () => {
  settled.length = 0;
  const peers = await nodePeers({ host: "127.0.0.1" });
  const base = { site, peers, homeAfter: 50 };
  const ann = await Hero.join({ ...base, index: 50 });
  const eve = await Hero.join({ ...base, index: 51, rules: boasting(1) });
  // Somebody who stays in town is drawn to check them.
  const kim = await Hero.join({ ...base, index: 52 });
  await ann.lead([eve.account], 3);
  await expect.poll(() => ann.settled.length + eve.settled.length, { timeout: 120_000 }).toBe(2);
  expect(kim.observed).toBeDefined();
  expect(ann.settled[0]!.denied).toBeUndefined();
  expect(eve.settled[0]).toMatchObject({ denied: "forged-result", goods: [] });
  expect(await outpost.social.goods.list(eve.account)).toEqual([]);
  expect(await outpost.social.goods.list(ann.account)).toEqual(ann.settled[0]!.goods);
  expect(verdicts.flatMap(({ faults }) => faults.filter(({ isProven }) => isProven).map(({ by }) => by))).toEqual([1]);
  for (const hero of [ann, eve, kim]) hero.leave();
});

test.runIf(isNightly)("a hero who stalls is voted out, comes back, and is paid as the others are", async () => {
  const peers = await nodePeers({ host: "127.0.0.1" });
  const base = { site, peers, homeAfter: 260 };
  const ann = await Hero.join({ ...base, index: 60 });
  const bob = await Hero.join({ ...base, index: 61 });
  await ann.lead([bob.account], 4);
  await expect.poll(() => ann.report?.head ?? 0).toBeGreaterThan(60);
  bob.isStalled = true;
  await expect.poll(() => ann.report!.gone).toBe(1);
  bob.isStalled = false;
  await expect.poll(() => ann.report!.gone).toBe(0);
  await expect.poll(() => ann.settled.length + bob.settled.length, { timeout: 120_000 }).toBe(2);
  expect([...ann.settled, ...bob.settled].map(({ denied }) => denied)).toEqual([undefined, undefined]);
  for (const hero of [ann, bob]) hero.leave();
});

/** Per machine and second, mean and worst. */
function figures(reports: readonly HeroReport[]): string {
  const line = (name: string, of: (report: HeroReport) => number): string => {
    const values = reports.map(of);
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    return `${name}: mean ${mean.toFixed(2)}, worst ${Math.max(...values).toFixed(2)}`;
  };
  const perSecond = (of: (report: HeroReport) => number) => (report: HeroReport) =>
    of(report) / ((report.head * STEP_MS) / 1000);
  return [
    line("steps per step", ({ steps, head }) => steps / head),
    line(
      "rollbacks a second",
      perSecond(({ rollbacks }) => rollbacks),
    ),
    line(
      "corrections of one alone a second",
      perSecond(({ patches }) => patches),
    ),
    line(
      "direct bytes a second",
      perSecond(({ directBytes }) => directBytes),
    ),
    line(
      "relayed bytes a second",
      perSecond(({ relayedBytes }) => relayedBytes),
    ),
    line("most steps behind", ({ mostBehind }) => mostBehind),
  ].join("\n");
}
