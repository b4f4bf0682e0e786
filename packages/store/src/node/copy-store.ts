/**
 * Backups: copies a store to a file, a folder or another store, and back. The store stays in use meanwhile, and the copy shows it at one moment.
 *
 * - a folder to a folder: a copy of the embedded store, ready to be opened
 * - a store to a file that ends in `.jsonl`: a dump, lines of JSON that every store can restore
 * - a dump, or a store, to an empty store: restores it there
 */
import { createReadStream, existsSync, readdirSync, unlinkSync } from "node:fs";
import { type FileHandle, open, rename } from "node:fs/promises";
import { join } from "node:path";
import { checkDump, dumpLines, restoreLines } from "../dump.ts";
import { StoreError } from "../errors.ts";
import type { Store } from "../store.ts";
import { LmdbStore } from "./lmdb-store.ts";
import { openStore } from "./open-store.ts";

/** Bytes that are gathered before they are written to a dump. */
const CHUNK = 256 * 1024;

/** @returns the number of records; undefined for a folder that was copied as it is. */
export async function copyStore(from: string, to: string): Promise<number | undefined> {
  if (isDump(from)) {
    if (isDump(to)) throw new StoreError("bad-place", "from a dump to a dump: copy the file instead");
    if (!existsSync(from)) throw new StoreError("bad-place", `there is no dump ${from}`);
    await checkDump(linesOf(from));
    return await withStore(to, (store) => restoreLines(store, linesOf(from)));
  }
  if (isFolder(from) && !existsSync(join(from, "data.mdb"))) {
    throw new StoreError("bad-place", `there is no store in the folder ${from}`);
  }
  return await withStore(from, async (store) => {
    if (isDump(to)) return await writeDump(store, to);
    if (isFolder(to) && existsSync(to) && readdirSync(to).length > 0) {
      throw new StoreError("bad-place", `the folder ${to} is not empty; give a new one`);
    }
    if (store instanceof LmdbStore && isFolder(to)) {
      await store.copyTo(to);
      return undefined;
    }
    return await withStore(to, (target) => restoreLines(target, dumpLines(store)));
  });
}

function isDump(place: string): boolean {
  return place.endsWith(".jsonl");
}

function isFolder(place: string): boolean {
  return !/^[a-z][a-z0-9+.-]+:/i.test(place);
}

async function withStore<Result>(place: string, work: (store: Store) => Promise<Result>): Promise<Result> {
  const store = await openStore(place);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

/** The file appears under its name only when it is complete and on disk. */
async function writeDump(store: Store, path: string): Promise<number> {
  if (existsSync(path)) throw new StoreError("bad-place", `there is a file ${path} already; give a new one`);
  const partial = `${path}.partial`;
  let file: FileHandle;
  try {
    file = await open(partial, "w");
  } catch (error) {
    throw new StoreError("bad-place", `the file ${path} cannot be written: ${error}`, error);
  }
  try {
    const count = await writeLines(store, file);
    await file.sync();
    await file.close();
    await rename(partial, path);
    return count;
  } catch (error) {
    await file.close().catch(() => {});
    unlinkSync(partial);
    throw error;
  }
}

/** Returns the number of records: all lines but the first and the last. */
async function writeLines(store: Store, file: FileHandle): Promise<number> {
  let lines = 0;
  let text = "";
  for await (const line of dumpLines(store)) {
    lines++;
    text += `${line}\n`;
    if (text.length < CHUNK) continue;
    await file.write(text);
    text = "";
  }
  await file.write(text);
  return lines - 2;
}

/** Only \n ends a line: JSON may hold the other characters that end lines for some readers. */
async function* linesOf(path: string): AsyncGenerator<string, void> {
  let rest = "";
  for await (const text of createReadStream(path, "utf8")) {
    const lines = (rest + (text as string)).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
  if (rest !== "") yield rest;
}
