/** @nearfield/store/internal: durable records and transactions. */

export type { Range, Store, Stored, Transaction } from "../store.ts";
export { type Table, type TableOptions, table } from "../table.ts";
