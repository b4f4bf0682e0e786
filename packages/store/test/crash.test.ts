/**
 * Processes and databases that are killed in the middle of a commit: afterwards a transaction is there as a whole or not at all, and whatever was
 * acknowledged is there. Killed are a process of ours at every fault point of a commit, one of ours at any moment under load, and PostgreSQL itself.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { noPostgres, PostgresServer } from "../../../test/postgres.ts";
import { table } from "../src/internal/index.ts";
import { openStore } from "../src/node/index.ts";

const PROGRAM = new URL("crash-child.mjs", import.meta.url).pathname;
const ALL_GOLD = 1_000_000;
const accounts = table<number>("accounts");
const ledger = table<number>("ledger");

const nightly = process.env["NEARFIELD_NIGHTLY"] === "1";
/** Five writes, then before, in the middle of and after the commit. */
const POINTS = ["write", "write", "write", "write", "write", "commit", "committing", "committed"];
/** Which of them are struck, from 1 on: all at night. */
const STRIKES = nightly ? POINTS.map((_, i) => i + 1) : [1, 5, 6, 7, 8];
/** How many acknowledgements a child under load gives before it is killed. */
const KILLS_AFTER = nightly ? Array.from({ length: 30 }, (_, i) => 3 + ((i * 37) % 211)) : [43];

const children = new Set<ChildProcess>();
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
  children.clear();
});

interface Run {
  readonly child: ChildProcess;
  /** Numbers of the acknowledged transactions. */
  readonly acknowledged: number[];
  /** Names of the points where it was struck. */
  readonly struck: string[];
  /** Resolves when the child has said as many lines, or has ended. */
  said(lines: number): Promise<void>;
  /** The signal that killed it, or its last words. Everything that it said has been read by then. */
  readonly ended: Promise<string>;
}

function run(place: string, ...args: readonly (string | number)[]): Run {
  const child = spawn(process.execPath, [PROGRAM, place, ...args.map(String)], { stdio: ["ignore", "pipe", "pipe"] });
  children.add(child);
  const acknowledged: number[] = [];
  const struck: string[] = [];
  let waiting = { lines: Number.POSITIVE_INFINITY, resolve: (): void => {} };
  let errors = "";
  child.stderr?.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  lines.on("line", (line) => {
    const [what, n = "", point = ""] = line.split(" ");
    if (what === "acknowledged") acknowledged.push(Number(n));
    else struck.push(point);
    if (acknowledged.length + struck.length >= waiting.lines) waiting.resolve();
  });
  const ended = Promise.all([once(child, "close"), once(lines, "close")]).then(() => {
    children.delete(child);
    waiting.resolve();
    return child.signalCode ?? errors;
  });
  const said = (lines: number): Promise<void> =>
    new Promise((resolve) => {
      if (acknowledged.length + struck.length >= lines || child.exitCode !== null) resolve();
      else waiting = { lines, resolve };
    });
  return { child, acknowledged, struck, said, ended };
}

/** Opens the store again and checks that its records agree with each other. Returns the transactions that are there. */
async function auditAfter(place: string): Promise<Set<number>> {
  const store = await openStore(place);
  try {
    return await store.transact(async (transaction) => {
      const a = (await transaction.get(accounts, "a"))?.value ?? ALL_GOLD;
      const b = (await transaction.get(accounts, "b"))?.value ?? 0;
      const done = await transaction.range(ledger, { from: "done/", before: "done0", limit: 10_000 });
      const open = await transaction.range(ledger, { from: "open/", before: "open0", limit: 10_000 });
      expect(a + b).toBe(ALL_GOLD);
      expect(b).toBe(done.reduce((sum, { value }) => sum + value, 0));
      const numbers = new Set(done.map(({ key }) => Number(key.slice("done/".length))));
      const stillOpen = [...numbers].map((n) => n + 10).filter((n) => !numbers.has(n));
      expect(new Set(open.map(({ key }) => Number(key.slice("open/".length))))).toEqual(new Set(stillOpen));
      return numbers;
    });
  } finally {
    await store.close();
  }
}

/** One child for each fault point. */
async function strikeEverywhere(place: string): Promise<void> {
  for (const strike of STRIKES) {
    const n = 1000 * strike;
    const { struck, acknowledged, ended } = run(place, "one", n, strike, "die");
    expect(await ended).toBe("SIGKILL");
    expect(struck).toEqual([POINTS[strike - 1]]);
    expect(acknowledged, "it died before it could say so").toEqual([]);
    const there = await auditAfter(place);
    if (strike <= 6) expect(there.has(n)).toBe(false);
    if (strike === 8) expect(there.has(n)).toBe(true);
  }
}

async function killUnderLoad(place: string): Promise<void> {
  for (const [i, after] of KILLS_AFTER.entries()) {
    const { child, acknowledged, said, ended } = run(place, "many", 100_000 * (i + 1));
    await said(after);
    child.kill("SIGKILL");
    await ended;
    expect(acknowledged.length).toBeGreaterThanOrEqual(after);
    const there = await auditAfter(place);
    expect(
      acknowledged.filter((n) => !there.has(n)),
      "acknowledged and lost",
    ).toEqual([]);
  }
}

describe("LmdbStore after kill -9", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "nearfield-crash-"));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it("has the whole transaction or nothing of it, wherever in its commit the process was killed", () =>
    strikeEverywhere(join(folder, "points")));

  it("has everything that was acknowledged, whenever the process was killed", () =>
    killUnderLoad(join(folder, "load")));
});

const skipped = noPostgres === undefined ? "" : ` (skipped: ${noPostgres})`;
describe.skipIf(noPostgres !== undefined)(`PostgresStore after kill -9${skipped}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server?.stop());

  it("has the whole transaction or nothing of it, wherever in its commit the process was killed", () =>
    strikeEverywhere(server.address));

  it("has everything that was acknowledged, whenever the process was killed", () => killUnderLoad(server.address));

  it("has the whole transaction or nothing of it when PostgreSQL itself is killed", async () => {
    for (const strike of nightly ? [1, 5, 6, 7, 8] : [7]) {
      const n = 10_000_000 + 1000 * strike;
      const { child, struck, said, ended } = run(server.address, "one", n, strike, "wait");
      await said(1);
      await server.crash();
      child.kill("SIGKILL");
      await ended;
      const there = await auditAfter(server.address);
      expect(struck).toEqual([POINTS[strike - 1]]);
      if (strike <= 6) expect(there.has(n)).toBe(false);
      if (strike === 8) expect(there.has(n)).toBe(true);
    }
  });

  it("has everything that was acknowledged when PostgreSQL is killed under load, and says that the rest is uncertain or failed", async () => {
    const { acknowledged, said, ended } = run(server.address, "many", 20_000_000);
    await said(60);
    await server.crash();
    expect(await ended).toMatch(/StoreError/);
    const there = await auditAfter(server.address);
    expect(
      acknowledged.filter((n) => !there.has(n)),
      "acknowledged and lost",
    ).toEqual([]);
  });
});
