/**
 * LMDB's records as rows. All tables share one tree: an address is the table's name, a zero byte and the key, so the order of addresses is the byte
 * order of keys within each table. A record's text is its form, a space and the value's JSON; its version is LMDB's.
 */
import type { RootDatabase } from "lmdb";
import type { LocalSnapshot } from "../backend.ts";
import type { ResolvedRange } from "../limits.ts";
import { overlay, widened } from "../overlay.ts";
import type { Row } from "../record.ts";

export type Database = RootDatabase<string, Uint8Array>;
type Reader = ReturnType<Database["useReadTransaction"]>;

/** Its version counts the batches that were written. It comes before all tables: their names begin with a letter. */
export const COUNTER: Uint8Array = Buffer.from("\0batches");
export const FIRST_TABLE: Uint8Array = Buffer.from("\u0001");

export interface Change {
  readonly table: string;
  readonly key: string;
  readonly row: Row | undefined;
}

/** The records that a reader sees, and changes that shall leave with the next batch. */
export class LmdbSnapshot implements LocalSnapshot {
  readonly #database: Database;
  readonly #transaction: Reader;
  readonly #changes = new Map<string, Map<string, Row | undefined>>();

  constructor(database: Database, transaction: Reader) {
    this.#database = database;
    this.#transaction = transaction;
  }

  read(table: string, key: string): Row | undefined {
    const changes = this.#changes.get(table);
    if (changes?.has(key)) return changes.get(key);
    const entry = this.#database.getEntry(addressOf(table, key), { transaction: this.#transaction });
    return entry && rowOf(key, entry.value, entry.version);
  }

  scan(table: string, range: ResolvedRange): readonly Row[] {
    const changes = this.#changes.get(table);
    if (changes === undefined) return this.#stored(table, range);
    return overlay(range, this.#stored(table, widened(range, changes)), changes);
  }

  /** The first address from `from` on. */
  firstAddress(from: Uint8Array): Uint8Array | undefined {
    const [found] = this.#database.getKeys({ start: from, limit: 1, transaction: this.#transaction });
    return found;
  }

  change({ table, key, row }: Change): void {
    const changes = this.#changes.get(table) ?? new Map<string, Row | undefined>();
    this.#changes.set(table, changes.set(key, row));
  }

  *changes(): Iterable<Change> {
    for (const [table, rows] of this.#changes) for (const [key, row] of rows) yield { table, key, row };
  }

  #stored(table: string, { from, before, reverse, limit }: ResolvedRange): Row[] {
    const low = addressOf(table, from);
    const high = before === undefined ? endOf(table) : addressOf(table, before);
    if (Buffer.compare(low, high) >= 0) return [];
    const ends = reverse
      ? { start: high, exclusiveStart: true, end: low, inclusiveEnd: true, reverse }
      : { start: low, end: high };
    const rows: Row[] = [];
    const prefix = table.length + 1;
    const entries = this.#database.getRange({ ...ends, limit, versions: true, transaction: this.#transaction });
    for (const { key, value, version } of entries) {
      rows.push(rowOf(Buffer.from(key).toString("utf8", prefix), value, version));
    }
    return rows;
  }
}

export function addressOf(table: string, key: string): Uint8Array {
  return Buffer.from(`${table}\0${key}`);
}

/** After the last record of a table, before the next table. */
export function endOf(table: string): Uint8Array {
  return Buffer.from(`${table}\u0001`);
}

export function tableIn(address: Uint8Array): string {
  const text = Buffer.from(address);
  return text.toString("utf8", 0, text.indexOf(0));
}

export function textOf({ form, text }: Row): string {
  return `${form} ${text}`;
}

function rowOf(key: string, stored: string, version = 0): Row {
  const space = stored.indexOf(" ");
  return { key, version, form: Number(stored.slice(0, space)), text: stored.slice(space + 1) };
}
