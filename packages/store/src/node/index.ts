/** @nearfield/store/node: durable records, and stores in memory and on disk. */

export type { Range, Store, Stored, StoreErrorCode, Table, TableOptions, Transaction } from "../internal/index.ts";
export { MemoryStore, StoreError, table } from "../internal/index.ts";
export { LmdbStore } from "./lmdb-store.ts";
