/**
 * The transaction that a body is given. Writes wait in it until the body has ended; reads look there first, then at the snapshot.
 * Values are copied on the way in and out, so nobody holds a record that changes.
 */
import type { Snapshot } from "./backend.ts";
import { StoreError } from "./errors.ts";
import { checkKey, checkTableName, resolveRange, WRITES_LIMIT } from "./limits.ts";
import { isWithin, overlay, widened } from "./overlay.ts";
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
    const changes = new Map<string, Row | undefined>();
    for (const write of this.#writes.get(table.name)?.values() ?? []) {
      if (!isWithin(resolved, write.key)) continue;
      const stored = await this.#snapshot.read(table.name, write.key);
      changes.set(write.key, overlaid(stored, write));
    }
    const stored = await this.#snapshot.scan(table.name, widened(resolved, changes));
    return overlay(resolved, stored, changes).map((row) => decode(table, row));
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
