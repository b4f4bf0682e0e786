/**
 * A store's records as lines of JSON, which every store can restore: a head, one line for each record, and an end that counts them. Versions and forms are kept, so a
 * restored store goes on where the old one was. A dump shows the store at one moment, while others write.
 */
import type { LoadedRow } from "./backend.ts";
import { StoreError } from "./errors.ts";
import { insideOf } from "./inside.ts";
import { checkKey, checkTableName } from "./limits.ts";
import type { Store } from "./store.ts";
import { encodeValue } from "./value.ts";

const HEAD = JSON.stringify({ nearfield: "store dump", format: 1 });
/** Rows that are read at a time. */
const PAGE = 1000;
/** Rows that are restored at a time. */
const LOAD = 500;

/** Lines without line ends. */
export async function* dumpLines(store: Store): AsyncGenerator<string, void> {
  const attempt = await insideOf(store).backend.begin("read");
  try {
    yield HEAD;
    let count = 0;
    for (const table of await attempt.tables()) {
      for (let from = ""; ; ) {
        const rows = await attempt.scan(table, { from, before: undefined, reverse: false, limit: PAGE });
        for (const { key, version, form, text } of rows) {
          const head = JSON.stringify({ table, key, version, form });
          yield `${head.slice(0, -1)},"value":${text}}`;
        }
        count += rows.length;
        const last = rows.at(-1);
        if (last === undefined || rows.length < PAGE) break;
        // The smallest key that can come next: keys hold no NUL.
        from = `${last.key}\u0001`;
      }
    }
    yield JSON.stringify({ end: count });
  } finally {
    await attempt.end();
  }
}

/** Reads a dump to its end, so that a broken one is refused before anything is written. Returns the number of records. */
export async function checkDump(lines: AsyncIterable<string>): Promise<number> {
  let count = 0;
  for await (const _ of rowsOf(lines)) count++;
  return count;
}

/** Writes a dump's records to an empty store. Returns their number. If it is interrupted, empty the store and begin again. */
export async function restoreLines(store: Store, lines: AsyncIterable<string>): Promise<number> {
  const { backend } = insideOf(store);
  await refuseFull(store);
  let count = 0;
  let rows: LoadedRow[] = [];
  const load = async (): Promise<void> => {
    if (rows.length > 0) await backend.load(rows);
    count += rows.length;
    rows = [];
  };
  for await (const row of rowsOf(lines)) {
    rows.push(row);
    if (rows.length === LOAD) await load();
  }
  await load();
  return count;
}

async function refuseFull(store: Store): Promise<void> {
  const attempt = await insideOf(store).backend.begin("read");
  try {
    if ((await attempt.tables()).length === 0) return;
  } finally {
    await attempt.end();
  }
  throw new StoreError("bad-dump", "the store has records already; a dump is restored to an empty one");
}

async function* rowsOf(lines: AsyncIterable<string>): AsyncGenerator<LoadedRow, void> {
  let number = 0;
  let count = 0;
  let hasEnded = false;
  const wrong = (what: string, error?: unknown): StoreError =>
    new StoreError("bad-dump", `line ${number} of the dump ${what}`, error);
  for await (const line of lines) {
    number++;
    if (hasEnded) throw wrong("comes after its end");
    if (number === 1) {
      if (line !== HEAD) throw wrong(`is not ${HEAD}: this is no dump, or one of a newer release`);
      continue;
    }
    let read: Readonly<Record<string, unknown>>;
    try {
      read = JSON.parse(line) as Readonly<Record<string, unknown>>;
    } catch (error) {
      throw wrong("is no JSON", error);
    }
    if (read["end"] === undefined) {
      yield rowIn(read, wrong);
      count++;
    } else {
      if (read["end"] !== count)
        throw wrong(`says that it has ${JSON.stringify(read["end"])} records, and it has ${count}`);
      hasEnded = true;
    }
  }
  if (!hasEnded) throw wrong("is its last one, but the end is missing: the dump was cut off");
}

function rowIn(
  read: Readonly<Record<string, unknown>>,
  wrong: (what: string, error?: unknown) => StoreError,
): LoadedRow {
  const { table, key, version, form, value } = read;
  const isCount = (number: unknown): number is number => Number.isSafeInteger(number) && (number as number) >= 1;
  if (typeof table !== "string" || typeof key !== "string" || !isCount(version) || !isCount(form)) {
    throw wrong("is no record: it needs table, key, version, form and value");
  }
  try {
    checkTableName(table);
    checkKey(table, key);
    return { table, key, version, form, text: encodeValue(table, key, value) };
  } catch (error) {
    throw wrong(`cannot be stored: ${(error as Error).message}`, error);
  }
}
