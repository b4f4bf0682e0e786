/** An address chooses the store. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { LmdbStore, MemoryStore, openStore } from "../src/node/index.ts";

it("opens a store in memory, or one in a folder", async () => {
  expect(await openStore("memory:")).toBeInstanceOf(MemoryStore);
  const folder = await mkdtemp(join(tmpdir(), "nearfield-open-"));
  const store = await openStore(join(folder, "deep", "inside"));
  expect(store).toBeInstanceOf(LmdbStore);
  await store.close();
  await rm(folder, { recursive: true });
});

it.each(["", "mysql://localhost", "memory" + ":x"])("says what an address may be instead of %j", async (place) => {
  await expect(openStore(place)).rejects.toMatchObject({
    code: "bad-place",
    message: expect.stringContaining("postgres://"),
  });
});
