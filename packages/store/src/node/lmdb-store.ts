/**
 * The embedded store: LMDB in a folder of its own, without a server. The default where one machine holds everything.
 *
 * LMDB lets one writer in at a time, and waits for the disk once for each commit. So commits are collected: while one batch is on its way to
 * the disk, the next ones gather, are checked one after the other against the records and against those before them in the batch,
 * and leave together. Each transaction is whole inside its batch, and a batch is one transaction of LMDB.
 *
 * Several processes may have the folder open (a backup beside a server). A batch is written only if the number of batches is still the one that
 * was read when it was checked; otherwise its transactions run again.
 */
import { mkdirSync } from "node:fs";
import { open, type RootDatabase } from "lmdb";
import type { Attempt, Backend, LoadedRow } from "../backend.ts";
import { StoreError } from "../errors.ts";
import { Faults } from "../faults.ts";
import { ReadLog } from "../read-log.ts";
import { type Write, written } from "../record.ts";
import { TransactingStore } from "../transacting-store.ts";
import {
  addressOf,
  type Change,
  COUNTER,
  type Database,
  endOf,
  FIRST_TABLE,
  LmdbSnapshot,
  tableIn,
  textOf,
} from "./lmdb-snapshot.ts";

/** Transactions that may be open at the same time; each holds a reader's place of LMDB. */
const ATTEMPTS = 200;
/** Rows of a restored dump that leave together. */
const LOAD_ROWS = 1000;

export class LmdbStore extends TransactingStore {
  readonly #database: Database;

  /** Opens the store in `folder`, and makes the folder if there is none. */
  static async open(folder: string): Promise<LmdbStore> {
    let database: Database;
    try {
      mkdirSync(folder, { recursive: true });
      database = openDatabase(folder);
    } catch (error) {
      throw new StoreError("unavailable", `no store can be opened in the folder ${folder}: ${error}`, error);
    }
    await database.ifNoExists(COUNTER, () => void database.put(COUNTER, "", 1));
    return new LmdbStore(database, new Faults());
  }

  private constructor(database: Database, faults: Faults) {
    super(new LmdbBackend(database, faults), faults);
    this.#database = database;
  }

  /** Copies the store as it is at one moment to an empty folder, while others read and write. */
  async copyTo(folder: string): Promise<void> {
    mkdirSync(folder, { recursive: true });
    await this.#database.backup(folder, true);
  }
}

function openDatabase(folder: string): RootDatabase<string, Uint8Array> {
  return open<string, Uint8Array>({
    path: folder,
    noSubdir: false,
    keyEncoding: "binary",
    encoding: "string",
    useVersions: true,
    // Otherwise a commit is reported before it is on disk.
    overlappingSync: false,
    maxReaders: 4 * ATTEMPTS,
    remapChunks: false,
  });
}

/**
 * Transactions that were overtaken run again when the batch is written: before that they would read the old records and be overtaken once more. They are told before those that
 * overtook them, so that these cannot do it again with their next transactions.
 */
function tellOvertaken(candidates: readonly Candidate[]): void {
  for (const { resolve } of candidates) resolve(false);
}

/** A transaction that wants to commit. */
interface Candidate {
  readonly writes: readonly Write[];
  readonly log: ReadLog;
  resolve(committed: boolean): void;
  reject(error: unknown): void;
}

class LmdbBackend implements Backend {
  readonly attempts: number = ATTEMPTS;
  readonly #database: Database;
  readonly #faults: Faults;
  /** Bounded by `attempts`. */
  #candidates: Candidate[] = [];
  #writing = false;

  constructor(database: Database, faults: Faults) {
    this.#database = database;
    this.#faults = faults;
  }

  begin(intent: "read" | "write"): Attempt {
    // LMDB's reader is shared within a turn of the event loop; this one must see what was committed a moment ago.
    this.#database.resetReadTxn();
    const reader = this.#database.useReadTransaction();
    const snapshot = new LmdbSnapshot(this.#database, reader);
    const log = new ReadLog();
    const keep = intent === "write";
    return {
      overtaken: false,
      tables: () => this.#tables(snapshot),
      read(table, key) {
        const row = snapshot.read(table, key);
        if (keep) log.noteRead(table, key, row);
        return row;
      },
      scan(table, range) {
        const rows = snapshot.scan(table, range);
        if (keep) log.noteScan(table, range, rows);
        return rows;
      },
      commit: (writes) => (writes.length === 0 ? Promise.resolve(true) : this.#commit(writes, log)),
      end: () => reader.done(),
    };
  }

  async load(rows: readonly LoadedRow[]): Promise<void> {
    for (let i = 0; i < rows.length; i += LOAD_ROWS) {
      const counter = this.#counter();
      const changes = rows.slice(i, i + LOAD_ROWS).map((row) => ({ table: row.table, key: row.key, row }));
      if (!(await this.#write(counter, changes))) {
        throw new StoreError("bad-dump", "another process wrote to the store while a dump was restored to it");
      }
    }
  }

  async close(): Promise<void> {
    await this.#database.close();
  }

  #tables(snapshot: LmdbSnapshot): readonly string[] {
    const names: string[] = [];
    for (let from = FIRST_TABLE; ; ) {
      const found = snapshot.firstAddress(from);
      if (found === undefined) return names;
      const name = tableIn(found);
      names.push(name);
      from = endOf(name);
    }
  }

  #commit(writes: readonly Write[], log: ReadLog): Promise<boolean> {
    return new Promise((resolve, reject) => {
      this.#candidates.push({ writes, log, resolve, reject });
      if (!this.#writing) void this.#writeBatches();
    });
  }

  /** Never rejects: what fails is told to the transactions that it fails. */
  async #writeBatches(): Promise<void> {
    this.#writing = true;
    // Transactions that end in the same turn of the event loop share the first batch, too.
    await Promise.resolve();
    while (this.#candidates.length > 0) {
      const candidates = this.#candidates;
      this.#candidates = [];
      await this.#writeBatch(candidates);
    }
    this.#writing = false;
  }

  async #writeBatch(candidates: readonly Candidate[]): Promise<void> {
    this.#database.resetReadTxn();
    const reader = this.#database.useReadTransaction();
    const accepted: Candidate[] = [];
    const overtaken: Candidate[] = [];
    try {
      const counter = this.#counter(reader);
      const batch = new LmdbSnapshot(this.#database, reader);
      for (const candidate of candidates) {
        if (!candidate.log.holds(batch)) overtaken.push(candidate);
        else if (this.#accept(candidate, batch)) accepted.push(candidate);
      }
      const committed = accepted.length > 0 && (await this.#write(counter, batch.changes()));
      if (committed) this.#faults.reach("committed");
      tellOvertaken(overtaken);
      for (const { resolve } of accepted) resolve(committed);
    } catch (error) {
      const failure = new StoreError("unavailable", `the store's folder cannot be written: ${error}`, error);
      tellOvertaken(overtaken);
      for (const { reject } of accepted) reject(failure);
    } finally {
      reader.done();
    }
  }

  /** Takes a transaction's writes into the batch, or tells it what is wrong with them. */
  #accept({ writes, reject }: Candidate, batch: LmdbSnapshot): boolean {
    try {
      const changes = writes.map((write) => {
        const row = written(batch.read(write.table, write.key), write);
        this.#faults.reach("write");
        return { table: write.table, key: write.key, row };
      });
      this.#faults.reach("commit");
      for (const change of changes) batch.change(change);
      return true;
    } catch (error) {
      reject(error);
      return false;
    }
  }

  /** Durable when it resolves. False: another process has written since `counter` was read. */
  async #write(counter: number, changes: Iterable<Change>): Promise<boolean> {
    const database = this.#database;
    const done = database.ifVersion(COUNTER, counter, () => {
      void database.put(COUNTER, "", counter + 1);
      for (const { table, key, row } of changes) {
        const address = addressOf(table, key);
        if (row === undefined) void database.remove(address);
        else void database.put(address, textOf(row), row.version);
      }
    });
    this.#faults.reach("committing");
    return await done;
  }

  #counter(transaction?: ReturnType<Database["useReadTransaction"]>): number {
    return this.#database.getEntry(COUNTER, transaction && { transaction })?.version ?? 0;
  }
}
