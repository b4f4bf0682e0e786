/** The embedded store keeps the contract, and several processes or handles may share a folder. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { table } from "../src/internal/index.ts";
import { LmdbStore } from "../src/node/lmdb-store.ts";
import { storeContract } from "./contract.ts";

storeContract("LmdbStore", {
  ground: async () => {
    const folder = await mkdtemp(join(tmpdir(), "nearfield-lmdb-"));
    return { open: () => LmdbStore.open(folder), remove: () => rm(folder, { recursive: true }) };
  },
  keeps: true,
  cases: 15,
});

describe("LmdbStore", () => {
  const scores = table<number>("scores");

  it("says which folder it cannot open", async () => {
    await expect(LmdbStore.open("/dev/null/store")).rejects.toMatchObject({
      code: "unavailable",
      message: expect.stringContaining("/dev/null/store"),
    });
  });

  it("copies itself while it is written, as it was at one moment", async () => {
    const folder = await mkdtemp(join(tmpdir(), "nearfield-lmdb-"));
    const store = await LmdbStore.open(join(folder, "store"));
    let goesOn = true;
    const writer = (async () => {
      for (let i = 1; goesOn; i++) {
        await store.transact(async (transaction) => {
          for (const key of ["a", "b", "c"]) transaction.put(scores, key, i);
        });
      }
    })();
    for (let i = 0; i < 3; i++) await store.copyTo(join(folder, `copy${i}`));
    goesOn = false;
    await writer;
    for (let i = 0; i < 3; i++) {
      const copy = await LmdbStore.open(join(folder, `copy${i}`));
      const values = (await copy.transact((transaction) => transaction.range(scores))).map(({ value }) => value);
      expect(values).toEqual(values.map(() => values[0]));
      await copy.close();
    }
    await store.close();
    await rm(folder, { recursive: true });
  });
});
