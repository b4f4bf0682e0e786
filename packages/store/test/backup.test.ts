/** Backups: dumps and copies of stores in use, what restores them, and what is refused. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noPostgres, PostgresServer } from "../../../test/postgres.ts";
import { checkDump, dumpLines, MemoryStore, restoreLines, type Store, table } from "../src/internal/index.ts";
import { copyStore, openStore } from "../src/node/index.ts";

const accounts = table<{ gold: number }>("accounts");
const notes = table<string>("notes");
const today = table<string>("notes", { migrate: [(old: string) => old, (old: string) => old] });

let folder: string;
const path = (name: string): string => join(folder, name);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "nearfield-backup-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Many records, several versions and forms, and texts that break lines elsewhere. */
async function fill(store: Store): Promise<void> {
  await store.transact(async (transaction) => {
    for (let i = 0; i < 2500; i++) transaction.put(accounts, `a${i}`, { gold: i });
    transaction.put(notes, "line ends", "a\nb\r\u2028\u2029\0🜚");
    transaction.put(notes, "\u0001", "first");
    transaction.put(notes, "\u0001\u0001", "second");
  });
  await store.transact(async (transaction) => {
    transaction.put(accounts, "a7", { gold: -7 });
    transaction.put(today, "form", "third");
  });
}

async function contents(store: Store): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of dumpLines(store)) lines.push(line);
  return lines;
}

async function contentsAt(place: string): Promise<string[]> {
  const store = await openStore(place);
  try {
    return await contents(store);
  } finally {
    await store.close();
  }
}

async function* given(lines: readonly string[]): AsyncGenerator<string> {
  yield* lines;
}

describe("a dump", () => {
  it("restores every record with its version and form", async () => {
    const [store, restored] = [new MemoryStore(), new MemoryStore()];
    await fill(store);
    const lines = await contents(store);
    expect(lines).toHaveLength(2504 + 2);
    expect(await checkDump(given(lines))).toBe(2504);
    expect(await restoreLines(restored, given(lines))).toBe(2504);
    expect(await contents(restored)).toEqual(lines);
    const seven = await restored.transact((transaction) => transaction.get(accounts, "a7"));
    expect(seven).toEqual({ key: "a7", value: { gold: -7 }, version: 2 });
    await expect(restored.transact((transaction) => transaction.get(notes, "form"))).rejects.toMatchObject({
      code: "newer-form",
    });
  });

  it("shows one moment while others write", async () => {
    const store = new MemoryStore();
    await fill(store);
    const before = await contents(store);
    const lines: string[] = [];
    for await (const line of dumpLines(store)) {
      lines.push(line);
      if (lines.length === 5) await store.transact(async (transaction) => transaction.put(accounts, "a9", { gold: 0 }));
    }
    expect(lines).toEqual(before);
  });

  it("that is broken, cut off or of a newer release is refused with the line, and a store with records takes none", async () => {
    const store = new MemoryStore();
    await store.transact(async (transaction) => transaction.put(accounts, "ann", { gold: 1 }));
    const good = await contents(store);
    const [head = "", row = "", end = ""] = good;
    const refused = (lines: readonly string[], says: RegExp) =>
      expect(checkDump(given(lines))).rejects.toMatchObject({ code: "bad-dump", message: expect.stringMatching(says) });
    await refused([], /cut off/);
    await refused([head.replace("1", "2"), row, end], /line 1 .*newer release/);
    await refused([head, row], /cut off/);
    await refused([head, end], /line 2 .*1 records, and it has 0/);
    await refused([head, row.slice(0, -1), end], /line 2 .*no JSON/);
    await refused([head, row.replace("ann", ""), end], /line 2 .*empty/);
    await refused([head, row.replace('"version":1', '"version":0'), end], /line 2 .*no record/);
    await refused([...good, row], /after its end/);
    await expect(restoreLines(store, given(good))).rejects.toMatchObject({ code: "bad-dump" });
  });
});

describe("copyStore and npm run backup", () => {
  it("copies a folder that is in use, to a folder and to a dump, and restores both", async () => {
    const store = await openStore(path("store"));
    await fill(store);
    const lines = await contents(store);
    // Another process, beside this one that has the store open.
    const script = new URL("../../../scripts/backup.mjs", import.meta.url).pathname;
    const backup = (from: string, to: string) =>
      promisify(execFile)(process.execPath, [script, "--no-build", "--from", from, "--to", to]);
    expect((await backup(path("store"), path("a.jsonl"))).stdout).toContain("Copied 2504 records");
    expect(readFileSync(path("a.jsonl"), "utf8")).toBe(`${lines.join("\n")}\n`);
    expect((await backup(path("store"), path("copy"))).stdout).toContain("Copied the store");
    await expect(backup(path("nowhere"), path("b.jsonl"))).rejects.toMatchObject({
      stderr: expect.stringContaining("there is no store in the folder"),
    });
    await store.transact(async (transaction) => transaction.put(accounts, "later", { gold: 1 }));
    await store.close();
    expect(await copyStore(path("a.jsonl"), path("restored"))).toBe(2504);
    expect(await contentsAt(path("copy"))).toEqual(lines);
    expect(await contentsAt(path("restored"))).toEqual(lines);
    const goesOn = await openStore(path("copy"));
    await goesOn.transact(async (transaction) => transaction.put(accounts, "a7", { gold: 1 }));
    await goesOn.close();
  });

  it("refuses what would overwrite something, and what is not there", async () => {
    writeFileSync(path("taken.jsonl"), "mine");
    const store = await openStore(path("other"));
    await store.close();
    await expect(copyStore(path("other"), path("taken.jsonl"))).rejects.toMatchObject({ code: "bad-place" });
    await expect(copyStore(path("other"), folder)).rejects.toMatchObject({ code: "bad-place" });
    await expect(copyStore(path("none.jsonl"), path("x"))).rejects.toMatchObject({ code: "bad-place" });
    await expect(copyStore(path("taken.jsonl"), path("y"))).rejects.toMatchObject({ code: "bad-dump" });
    expect(readFileSync(path("taken.jsonl"), "utf8")).toBe("mine");
  });

  const skipped = noPostgres === undefined ? "" : ` (skipped: ${noPostgres})`;
  it.skipIf(noPostgres !== undefined)(`moves a store to PostgreSQL and back${skipped}`, async () => {
    const server = await PostgresServer.start();
    try {
      const store = await openStore(path("moving"));
      await fill(store);
      const lines = await contents(store);
      await store.close();
      expect(await copyStore(path("moving"), server.address)).toBe(2504);
      expect(await copyStore(server.address, path("moved.jsonl"))).toBe(2504);
      expect(readFileSync(path("moved.jsonl"), "utf8")).toBe(`${lines.join("\n")}\n`);
      expect(await copyStore(server.address, path("back"))).toBe(2504);
      expect(await contentsAt(path("back"))).toEqual(lines);
    } finally {
      await server.stop();
    }
  });
});
