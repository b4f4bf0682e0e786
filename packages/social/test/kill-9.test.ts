/**
 * A real server under 20 trading bots is killed as `kill -9` does, again and again, on one store, embedded or PostgreSQL. After every
 * death: what a bot was told was done is in the ledgers of both sides, once; inventories are what the ledgers say; and no gold and no sword has come or gone.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Dice } from "@nearfield/netlab";
import { openStore } from "@nearfield/store/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noPostgres, PostgresServer } from "../../../test/postgres.ts";
import { Program } from "../../../test/programs.ts";
import { books, takeStock } from "./crash/ledgers.ts";
import { Pair, register, type Trader } from "./crash/traders.ts";

const isNightly = process.env["NEARFIELD_NIGHTLY"] === "1";
const BOTS = 20;
const SEED = Number(process.env["NEARFIELD_SEED"] ?? 1);

let program: Program;
beforeAll(async () => {
  program = await Program.bundle(new URL("./crash/market-server.ts", import.meta.url));
});
afterAll(() => program.remove());

const title = (kills: number): string =>
  `loses nothing that was acknowledged and doubles nothing, killed ${kills} times (seed ${SEED})`;

describe("on LmdbStore", () => {
  const kills = isNightly ? 50 : 3;
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "nearfield-market-"));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it(title(kills), () => killOften(folder, kills, async () => {}));
});

const skipped = noPostgres === undefined ? "" : ` (skipped: ${noPostgres})`;
describe.skipIf(noPostgres !== undefined)(`on PostgresStore${skipped}`, () => {
  const kills = isNightly ? 50 : 2;
  let database: PostgresServer;
  beforeAll(async () => {
    database = await PostgresServer.start();
  });
  afterAll(() => database?.stop());

  it(title(kills), () => killOften(database.address, kills, () => database.untilAlone()));
});

/** @param untilDead resolves when nothing that the killed server began can be written any more. */
async function killOften(place: string, kills: number, untilDead: () => Promise<void>): Promise<void> {
  const dice = new Dice(SEED);
  const traders: Trader[] = [];
  const acknowledged = new Set<string>();
  for (let kill = 0; kill < kills; kill++) {
    const server = program.start(place);
    const site = await server.line("site ");
    if (traders.length === 0) await openMarket(site, place, traders);
    const deadAfter = acknowledged.size + 5 + dice.int(40);
    let isKilled = false;
    let die = (): void => {};
    const killed = new Promise<void>((resolve) => {
      die = () => {
        isKilled = true;
        void server.kill().then(resolve);
      };
    });
    const pairs = Array.from({ length: BOTS / 2 }, (_, index) => {
      const both = [traders[2 * index]!, traders[2 * index + 1]!] as const;
      const onDone = (trade: string): void => {
        acknowledged.add(trade);
        if (acknowledged.size === deadAfter) die();
      };
      return new Pair(both, onDone, () => isKilled);
    });
    const trading = Promise.all(pairs.map((pair) => pair.trade(site)));
    await killed;
    for (const pair of pairs) pair.end();
    await trading;
    expect(server.errors).toBe("");
    await untilDead();
    await checkBooks(place, traders, acknowledged);
  }
  expect(acknowledged.size).toBeGreaterThan(5 * kills);
}

/** Twenty accounts; each begins with a hundred gold and a sword. */
async function openMarket(site: string, place: string, traders: Trader[]): Promise<void> {
  for (let bot = 0; bot < BOTS; bot++) traders.push(await register(site, `bot${bot}`));
  const store = await openStore(place);
  const { goods } = books(store);
  for (const { account, name } of traders)
    await goods.grant({ key: `start-${name}`, account, goods: [{ good: "gold", count: 100 }, { good: "sword" }] });
  await store.close();
}

async function checkBooks(place: string, traders: readonly Trader[], acknowledged: ReadonlySet<string>): Promise<void> {
  const store = await openStore(place);
  const { goods } = books(store);
  const accounts = traders.map(({ account }) => account);
  const stock = [...(await takeStock(store, accounts)).values()];
  const sum = (good: string): number => stock.reduce((total, counts) => total + (counts[good] ?? 0), 0);
  expect([sum("gold"), sum("sword")]).toEqual([100 * BOTS, BOTS]);
  const entries = new Map<string, number>();
  for (const account of accounts)
    for (const { movement, kind } of await goods.history(account, 10_000))
      if (kind === "trade") entries.set(movement, (entries.get(movement) ?? 0) + 1);
  for (const [movement, count] of entries) expect([movement, count]).toEqual([movement, 2]);
  for (const trade of acknowledged) expect(entries.has(`trade:${trade}`)).toBe(true);
  await store.close();
}
