/**
 * The transaction that a body is given. Writes wait in it until the body has ended; reads look there first, then at the snapshot.
 * Values are copied on the way in and out, so nobody holds a record that changes.
 */
import type { Snapshot } from "./backend.ts";
import { StoreError } from "./errors.ts";
import { compareKeys } from "./key-order.ts";
import { checkKey, checkTableName, type ResolvedRange, resolveRange, WRITES_LIMIT } from "./limits.ts";
import { decode, type Row, type Write } from "./record.ts";
import type { Range, Stored, Transaction } from "./store.ts";
import type { Table } from "./table.ts";
import { encodeValue } from "./value.ts";

export class BufferedTransaction implements Transaction {
  readonly #snapshot: Snapshot;
  readonly #writes = new Map<string, Map<string, Write>>();
  #count = 0;
  #ended = false;

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot;
  }

  async get<Value>(table: Table<Value>, key: string): Promise<Stored<Value> | undefined> {
    this.#check(table);
    checkKey(table.name, key);
    const row = await this.#snapshot.read(table.name, key);
    const write = this.#writes.get(table.name)?.get(key);
    const seen = write === undefined ? row : overlaid(row, write);
    return seen === undefined ? undefined : decode(table, seen);
  }

  async range<Value>(table: Table<Value>, range?: Range): Promise<readonly Stored<Value>[]> {
    this.#check(table);
    const resolved = resolveRange(table.name, range);
    const writes = [...(this.#writes.get(table.name)?.values() ?? [])].filter(({ key }) => isWithin(resolved, key));
    // So many of the stored records may not be there any more; as many more are asked for.
    const removed = writes.filter(({ text }) => text === undefined).length;
    const stored = await this.#snapshot.scan(table.name, { ...resolved, limit: resolved.limit + removed });
    const rows = new Map(stored.map((row) => [row.key, row]));
    for (const write of writes) {
      const seen = overlaid(rows.get(write.key) ?? (await this.#snapshot.read(table.name, write.key)), write);
      if (seen === undefined) rows.delete(write.key);
      else rows.set(write.key, seen);
    }
    const order = resolved.reverse ? -1 : 1;
    return [...rows.values()]
      .sort((a, b) => order * compareKeys(a.key, b.key))
      .slice(0, resolved.limit)
      .map((row) => decode(table, row));
  }

  put<Value>(table: Table<Value>, key: string, value: Value): void {
    this.#write(table, key, encodeValue(table.name, key, value));
  }

  remove<Value>(table: Table<Value>, key: string): void {
    this.#write(table, key, undefined);
  }

  /** No call is taken after this one. Returns what shall be written. */
  end(): readonly Write[] {
    this.#ended = true;
    return [...this.#writes.values()].flatMap((writes) => [...writes.values()]);
  }

  #write(table: Table<unknown>, key: string, text: string | undefined): void {
    this.#check(table);
    checkKey(table.name, key);
    const writes = this.#writes.get(table.name) ?? new Map<string, Write>();
    this.#writes.set(table.name, writes);
    if (!writes.has(key) && ++this.#count > WRITES_LIMIT) {
      throw new StoreError(
        "too-large",
        `a transaction writes at most ${WRITES_LIMIT} records; use several transactions`,
      );
    }
    writes.set(key, { table: table.name, key, form: table.form, text });
  }

  #check(table: Table<unknown>): void {
    checkTableName(table.name);
    if (!this.#ended) return;
    throw new StoreError(
      "ended",
      "the transaction has ended: wait for every read inside the body, and keep it nowhere",
    );
  }
}

/** The record as it will be; an older row of a newer form is found out when the transaction commits. */
function overlaid(row: Row | undefined, { key, form, text }: Write): Row | undefined {
  return text === undefined ? undefined : { key, version: (row?.version ?? 0) + 1, form, text };
}

function isWithin({ from, before }: ResolvedRange, key: string): boolean {
  return compareKeys(from, key) <= 0 && (before === undefined || compareKeys(key, before) < 0);
}
