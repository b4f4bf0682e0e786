/**
 * A real server with a paid fight is killed as `kill -9` does, between the verdict and the last settlement: at a point of the store's work, on both stores. The players claim their goods at the next
 * server on the same store. Each has exactly what its signed inputs yield, once.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EVERYBODY } from "@nearfield/rollback/session";
import { openStore } from "@nearfield/store/node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { noPostgres, PostgresServer } from "../../../test/postgres.ts";
import { Program } from "../../../test/programs.ts";
import { books } from "./crash/ledgers.ts";
import { PaidPlayer } from "./crash/paid-players.ts";
import { register } from "./crash/traders.ts";
import { Bout, END } from "./spaces/paid-stage.ts";

const isNightly = process.env["NEARFIELD_NIGHTLY"] === "1";
const NAMES = ["ann", "bob", "cid"] as const;
/** Points of the store's work after the fight was opened; the settlements of three players have more than twelve. */
const POINTS = isNightly ? Array.from({ length: 12 }, (_, at) => at + 1) : [2, 5];

let program: Program;
beforeAll(async () => {
  program = await Program.bundle(new URL("./crash/paid-server.ts", import.meta.url));
});
afterAll(() => program.remove());

describe("on LmdbStore", () => {
  test.each(POINTS)("killed at point %i of the settlements, it pays once", async (point) => {
    const folder = await mkdtemp(join(tmpdir(), "nearfield-paid-"));
    await killAndPay(folder, point, async () => {});
    await rm(folder, { recursive: true });
  });
});

const skipped = noPostgres === undefined ? "" : ` (skipped: ${noPostgres})`;
describe.skipIf(noPostgres !== undefined)(`on PostgresStore${skipped}`, () => {
  let database: PostgresServer;
  beforeAll(async () => {
    database = await PostgresServer.start();
  });
  afterAll(() => database?.stop());

  test.each(POINTS)("killed at point %i of the settlements, it pays once", (point) =>
    killAndPay(database.address, point, () => database.untilAlone()),
  );
});

/** @param untilDead resolves when nothing that the killed server began can be written any more. */
async function killAndPay(place: string, point: number, untilDead: () => Promise<void>): Promise<void> {
  const first = program.start(place, String(NAMES.length), String(point));
  const site = await first.line("site ");
  const players: PaidPlayer[] = [];
  for (const name of NAMES) players.push(new PaidPlayer(await register(site, `${name}${point}`)));
  for (const player of players) await player.play(site);
  await first.line("dies at ");
  expect(await first.ended).toBe("SIGKILL");
  await untilDead();
  const second = program.start(place, String(NAMES.length), "0");
  const again = await second.line("site ");
  for (const player of players) await player.claim(again);
  await expect.poll(() => players.map(({ space }) => space!.openClaims), { timeout: 60_000 }).toEqual([0, 0, 0]);
  for (const player of players) player.end();
  expect(second.errors).toBe("");
  await second.kill();
  await untilDead();
  await checkGoods(place, players);
}

async function checkGoods(place: string, players: readonly PaidPlayer[]): Promise<void> {
  const store = await openStore(place);
  const { goods } = books(store);
  const rows = players[0]!.space!.session!.signedLog!.players.map((signed) => signed.rows);
  const fight = new Bout(rows.length, 120);
  for (let step = 0; step < END; step++)
    fight.advance(step, { of: (slot) => rows[slot]![step]!.subarray(0, 1), lag: () => 0 }, EVERYBODY);
  for (const { trader, space } of players) {
    const { account } = trader;
    expect(await goods.list(account)).toEqual([{ item: "gold", count: 1 + fight.hits(space!.own) }]);
    expect(await goods.history(account, 100)).toHaveLength(1);
    expect(await goods.audit(account)).toEqual([]);
  }
  await store.close();
}
