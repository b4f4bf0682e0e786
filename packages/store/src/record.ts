/**
 * A record as databases hold it, and how it becomes a value of today. A record keeps the form in which it was last written: reading it
 * migrates a copy, the next write stores today's form. A release never touches records of a form that it does not know.
 */
import { StoreError } from "./errors.ts";
import type { Stored } from "./store.ts";
import type { Table } from "./table.ts";

export interface Row {
  readonly key: string;
  readonly version: number;
  readonly form: number;
  /** JSON. */
  readonly text: string;
}

/** What a transaction wants to write. */
export interface Write {
  readonly table: string;
  readonly key: string;
  /** Today's form, also for a removal: it must know what it removes. */
  readonly form: number;
  /** JSON; undefined removes the record. */
  readonly text: string | undefined;
}

/** The row after the write. Throws when the row before it is of a newer form. */
export function written(before: Row | undefined, write: Write): Row | undefined {
  if (before !== undefined && before.form > write.form) throw newerForm(write.table, before, write.form);
  if (write.text === undefined) return undefined;
  return { key: write.key, version: (before?.version ?? 0) + 1, form: write.form, text: write.text };
}

export function decode<Value>(table: Table<Value>, row: Row): Stored<Value> {
  if (row.form > table.form) throw newerForm(table.name, row, table.form);
  let value: unknown = JSON.parse(row.text);
  for (let form = row.form; form < table.form; form++) {
    const step = table.migrate[form - 1] as (old: unknown) => unknown;
    try {
      value = step(value);
    } catch (error) {
      const where = `table ${table.name}, key ${JSON.stringify(row.key)}`;
      throw new StoreError("migration", `${where}: migrating form ${form} to ${form + 1} failed: ${error}`, error);
    }
  }
  return { key: row.key, value: value as Value, version: row.version };
}

export function newerForm(table: string, row: Pick<Row, "key" | "form">, known: number): StoreError {
  return new StoreError(
    "newer-form",
    `table ${table}, key ${JSON.stringify(row.key)}: the record has form ${row.form}, this release knows forms up to ${known}. ` +
      "A newer release wrote it: run that one, or restore a backup from before",
  );
}
