/**
 * A process is killed at every point of a settlement and of a trade at which the store writes, commits, or has committed and told nobody. After each, goods
 * add up: the movement has happened whole, or not at all; what was acknowledged has happened; and asking again makes it happen once.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { openStore, type Store } from "@nearfield/store/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noPostgres, PostgresServer } from "../../../test/postgres.ts";
import { Program } from "../../../test/programs.ts";
import { openAccounts, takeStock } from "./crash/ledgers.ts";
import { accountsOf, after, before, movements } from "./crash/movements.ts";

let program: Program;
beforeAll(async () => {
  program = await Program.bundle(new URL("./crash/one-movement.ts", import.meta.url));
});
afterAll(() => program.remove());

/** @param first the number of the first movement; each point takes one. */
async function killEverywhere(place: string, kind: keyof typeof movements, first: number): Promise<void> {
  const store = await openStore(place);
  const stockOf = async (number: number): Promise<unknown[]> => [
    ...(await takeStock(store, accountsOf(number))).values(),
  ];
  const died: string[] = [];
  for (let point = 1; ; point++) {
    const number = first + point;
    await openAccounts(store, accountsOf(number));
    const run = program.start(place, kind, String(number), String(point));
    const end = await run.ended;
    const found = await stockOf(number);
    const hasMoved = isDeepStrictEqual(found, after[kind]);
    if (!hasMoved) expect(found).toEqual(before);
    await askAgain(store, kind, number);
    expect(await stockOf(number)).toEqual(after[kind]);
    if (end === 0) {
      expect([run.lines, hasMoved]).toEqual([["done"], true]);
      break;
    }
    expect([end, run.errors]).toEqual(["SIGKILL", ""]);
    const [line] = run.lines;
    died.push(line!);
    if (line === "dies at write" || line === "dies at commit") expect(hasMoved).toBe(false);
    if (line === "dies at committed") expect(hasMoved).toBe(true);
  }
  await store.close();
  // A trade writes its key, and for each of the two a holding, a ledger entry and a purse.
  expect(died.filter((line) => line === "dies at write").length).toBeGreaterThanOrEqual(7);
  expect(died).toContain("dies at commit");
  expect(died).toContain("dies at committed");
}

/** As a server does after its restart, and once more. */
async function askAgain(store: Store, kind: keyof typeof movements, number: number): Promise<void> {
  for (let time = 0; time < 2; time++) await movements[kind](store, number);
}

describe("killed at every point on LmdbStore", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "nearfield-crash-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it("a settlement pays once", () => killEverywhere(folder, "settle", 0));
  it("a trade moves once", () => killEverywhere(folder, "trade", 100));
});

const skipped = noPostgres === undefined ? "" : ` (skipped: ${noPostgres})`;
describe.skipIf(noPostgres !== undefined)(`killed at every point on PostgresStore${skipped}`, () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await PostgresServer.start();
  });
  afterAll(() => server?.stop());

  it("a settlement pays once", () => killEverywhere(server.address, "settle", 0));
  it("a trade moves once", () => killEverywhere(server.address, "trade", 100));
});
