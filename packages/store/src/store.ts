/**
 * Durable records behind one interface. A store holds tables of records; a transaction reads and writes several of them, and its writes
 * become durable together or not at all. `MemoryStore`, `LmdbStore` and `PostgresStore` keep the same contract (test/contract.ts).
 */
import type { Table } from "./table.ts";

/** A record as it is stored. */
export interface Stored<Value> {
  readonly key: string;
  readonly value: Value;
  /** 1 when the record is first written, one more with every later transaction that writes it. A removed record begins at 1 again. */
  readonly version: number;
}

/** Keys are ordered by their UTF-8 bytes in every store. */
export interface Range {
  /** The smallest key, included; default: the table's first. */
  readonly from?: string;
  /** Keys are below this one; default: no end. */
  readonly before?: string;
  /** Default false: ascending keys. True begins at the largest key below `before` and goes down to `from`. */
  readonly reverse?: boolean;
  /** The most records to return, 1 to 10,000. Default 100. */
  readonly limit?: number;
}

/** Reads see the transaction's own writes. Values are copied: changing one that was read or put changes no record. */
export interface Transaction {
  get<Value>(table: Table<Value>, key: string): Promise<Stored<Value> | undefined>;
  range<Value>(table: Table<Value>, range?: Range): Promise<readonly Stored<Value>[]>;
  /** Keys have 1 to 500 bytes of UTF-8, values up to 1 MiB as JSON; a transaction writes up to 10,000 records. */
  put<Value>(table: Table<Value>, key: string, value: Value): void;
  remove<Value>(table: Table<Value>, key: string): void;
}

export interface Store {
  /**
   * Runs `body` and makes its writes durable, all or none. The promise resolves when they are on disk. `body` sees the state of one moment. When
   * another transaction changed what it read, it is run again from the start, so it must have no effects but those on `transaction`.
   * When `body` throws, nothing is written and the promise rejects with that error. A body must not wait for another transaction of the same
   * store: that one may be waiting for this one's place.
   */
  transact<Result>(body: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** Ends the store once running transactions have ended. */
  close(): Promise<void>;
}
