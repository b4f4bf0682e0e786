/**
 * A process is killed at every point of a settlement and of a trade at which the store writes, commits, or has committed and told nobody. After each, goods
 * add up: the movement has happened whole, or not at all; what was acknowledged has happened; and asking again makes it happen once.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { Store } from "@nearfield/store/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accountId, openAccounts, takeStock } from "./crash/ledgers.ts";
import { movements, outcomes } from "./crash/movements.ts";
import { openPlace } from "./crash/places.ts";
import { Program } from "./crash/programs.ts";

const accounts = [0, 1, 2].map(accountId);
let program: Program;
beforeAll(async () => {
  program = await Program.bundle(new URL("./crash/one-movement.ts", import.meta.url));
});
afterAll(() => program.remove());

const stockOf = async (store: Store): Promise<unknown[]> => [...(await takeStock(store, accounts)).values()];

async function lmdbPlace(): Promise<{ place: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), "nearfield-crash-"));
  return { place: `lmdb:${folder}`, remove: () => rm(folder, { recursive: true }) };
}

describe.each([["LmdbStore", lmdbPlace]] as const)("%s", (_, newPlace) => {
  it.each(["settle", "trade"] as const)("%s, killed at every point", async (kind) => {
    const { before, after } = outcomes[kind];
    const fates: boolean[] = [];
    for (let point = 1; ; point++) {
      const { place, remove } = await newPlace();
      const ground = await openPlace(place);
      await openAccounts(ground, accounts.length);
      await ground.close();
      const run = program.start(place, kind, String(point));
      const end = await run.ended;
      const acknowledged = run.lines.includes("done");
      const store = await openPlace(place);
      const found = await stockOf(store);
      const hasMoved = isDeepStrictEqual(found, after);
      if (!hasMoved) expect(found).toEqual(before);
      if (acknowledged) expect(hasMoved).toBe(true);
      for (let again = 0; again < 2; again++) {
        await movements[kind](store);
        expect(await stockOf(store)).toEqual(after);
      }
      await store.close();
      await remove();
      if (end === 0) break;
      expect([end, run.errors]).toEqual(["SIGKILL", ""]);
      fates.push(hasMoved);
    }
    // The last point is after the commit: there it has moved, although nobody was told. At all others it has not.
    expect(fates.length).toBeGreaterThan(8);
    expect(fates.lastIndexOf(false)).toBe(fates.length - 2);
    expect(fates.at(-1)).toBe(true);
  });
});
