/** @nearfield/store/node: durable records, and stores on disk. */

export type { Range, Store, Stored, Table, TableOptions, Transaction } from "../internal/index.ts";
export { table } from "../internal/index.ts";
