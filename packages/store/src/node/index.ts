/** @nearfield/store/node: durable records, and stores in memory, on disk and in PostgreSQL. */

export type { Range, Store, Stored, StoreErrorCode, Table, TableOptions, Transaction } from "../internal/index.ts";
export { MemoryStore, StoreError, table } from "../internal/index.ts";
export { copyStore } from "./copy-store.ts";
export { LmdbStore } from "./lmdb-store.ts";
export { openStore } from "./open-store.ts";
export { PostgresStore, type PostgresStoreOptions } from "./postgres-store.ts";
