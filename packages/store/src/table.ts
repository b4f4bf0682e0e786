/**
 * A table is described once: its name, the form of its records, and how records written by older releases become records of today.
 */
import { checkTableName } from "./limits.ts";

export interface Table<Value> {
  readonly name: string;
  /** The form's number, stored with each record. */
  readonly form: number;
  /** `migrate[n]` turns a record of form n + 1 into one of form n + 2. */
  readonly migrate: readonly ((old: never) => unknown)[];
  /** Never set; carries the type of the records. */
  readonly value?: Value;
}

export interface TableOptions {
  /** One function for each form that came before today's. Default: none, the table has had one form. */
  readonly migrate?: readonly ((old: never) => unknown)[];
}

/** Describes a table. Values are plain data: what JSON can hold. */
export function table<Value>(name: string, options: TableOptions = {}): Table<Value> {
  checkTableName(name);
  const migrate = options.migrate ?? [];
  return { name, form: migrate.length + 1, migrate };
}
