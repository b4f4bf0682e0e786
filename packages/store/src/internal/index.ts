/** @nearfield/store/internal: durable records and transactions, and what our own packages and their tests need of stores. */

export { checkDump, dumpLines, restoreLines } from "../dump.ts";
export { StoreError, type StoreErrorCode } from "../errors.ts";
export type { FaultHook, FaultPoint } from "../faults.ts";
export { injectFaults } from "../inject-faults.ts";
export { MemoryStore } from "../memory/memory-store.ts";
export type { Range, Store, Stored, Transaction } from "../store.ts";
export { type Table, type TableOptions, table } from "../table.ts";
