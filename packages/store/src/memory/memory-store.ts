/** A store in memory, for tests and games that keep nothing: it ends with the process. It keeps the contract in everything but durability. */
import type { Attempt, Backend, LoadedRow, LocalSnapshot } from "../backend.ts";
import { Faults } from "../faults.ts";
import type { ResolvedRange } from "../limits.ts";
import { ReadLog } from "../read-log.ts";
import { type Row, type Write, written } from "../record.ts";
import { TransactingStore } from "../transacting-store.ts";
import { SortedRows } from "./sorted-rows.ts";

export class MemoryStore extends TransactingStore {
  constructor() {
    const faults = new Faults();
    super(new MemoryBackend(faults), faults);
  }
}

/** All tables at one moment. Never changed. */
class Tables implements LocalSnapshot {
  readonly #rows: ReadonlyMap<string, SortedRows>;

  constructor(rows: ReadonlyMap<string, SortedRows> = new Map()) {
    this.#rows = rows;
  }

  names(): readonly string[] {
    return [...this.#rows.keys()].sort();
  }

  read(table: string, key: string): Row | undefined {
    return this.#rows.get(table)?.get(key);
  }

  scan(table: string, range: ResolvedRange): readonly Row[] {
    return this.#rows.get(table)?.scan(range) ?? [];
  }

  /** These tables after changes: a row to have, or undefined for one to be gone. */
  after(changes: readonly { readonly table: string; readonly key: string; readonly row: Row | undefined }[]): Tables {
    const rows = new Map(this.#rows);
    for (const { table, key, row } of changes) {
      const before = rows.get(table) ?? SortedRows.empty;
      const after = row === undefined ? before.without(key) : before.with(row);
      if (after.isEmpty) rows.delete(table);
      else rows.set(table, after);
    }
    return new Tables(rows);
  }
}

class MemoryBackend implements Backend {
  readonly attempts = 1000;
  readonly #faults: Faults;
  #tables = new Tables();

  constructor(faults: Faults) {
    this.#faults = faults;
  }

  begin(intent: "read" | "write"): Attempt {
    const before = this.#tables;
    const log = new ReadLog();
    const keep = intent === "write";
    return {
      overtaken: false,
      tables: () => before.names(),
      read(table, key) {
        const row = before.read(table, key);
        if (keep) log.noteRead(table, key, row);
        return row;
      },
      scan(table, range) {
        const rows = before.scan(table, range);
        if (keep) log.noteScan(table, range, rows);
        return rows;
      },
      commit: async (writes) => {
        if (writes.length === 0) return true;
        if (before !== this.#tables && !log.holds(this.#tables)) return false;
        this.#apply(writes);
        return true;
      },
      end() {},
    };
  }

  async load(rows: readonly LoadedRow[]): Promise<void> {
    this.#tables = this.#tables.after(rows.map((row) => ({ table: row.table, key: row.key, row: strip(row) })));
  }

  async close(): Promise<void> {}

  /** All at once: nothing else runs in between. */
  #apply(writes: readonly Write[]): void {
    const now = this.#tables;
    const changes = writes.map((write) => {
      const row = written(now.read(write.table, write.key), write);
      this.#faults.reach("write");
      return { table: write.table, key: write.key, row };
    });
    this.#faults.reach("commit");
    this.#tables = now.after(changes);
    this.#faults.reach("committed");
  }
}

function strip({ key, version, form, text }: LoadedRow): Row {
  return { key, version, form, text };
}
