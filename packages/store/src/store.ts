/**
 * Durable records behind one interface. A store holds tables of records; a transaction reads and writes several of them, and its writes
 * become durable together or not at all. `MemoryStore`, `LmdbStore` and `PostgresStore` keep the same contract (test/contract.ts).
 */
import type { Table } from "./table.ts";

/** A record as it is stored. */
export interface Stored<Value> {
  readonly key: string;
  readonly value: Value;
  /** 1 when the record is first written, one more with every later write. */
  readonly version: number;
}

export interface Range {
  /** The first key; default: the table's first. */
  readonly from?: string;
  /** Keys are below this one; default: no end. */
  readonly before?: string;
  /** Default false: ascending keys. */
  readonly reverse?: boolean;
  /** The most records to return. Default 100. */
  readonly limit?: number;
}

/** Reads see the transaction's own writes. */
export interface Transaction {
  get<Value>(table: Table<Value>, key: string): Promise<Stored<Value> | undefined>;
  range<Value>(table: Table<Value>, range?: Range): Promise<readonly Stored<Value>[]>;
  put<Value>(table: Table<Value>, key: string, value: Value): void;
  remove<Value>(table: Table<Value>, key: string): void;
}

export interface Store {
  /**
   * Runs `body` and makes its writes durable, all or none. The promise resolves when they are on disk. `body` sees the state of one moment. When
   * another transaction changed what it read, it is run again from the start, so it must have no effects but those on `transaction`.
   * When `body` throws, nothing is written and the promise rejects with that error.
   */
  transact<Result>(body: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** Ends the store once running transactions have ended. */
  close(): Promise<void>;
}
