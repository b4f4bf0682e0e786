/**
 * What every store takes, so that a game which runs on one store runs on all. The limits are those of the narrowest: LMDB bounds
 * keys, PostgreSQL holds no NUL in a text, and neither holds half a surrogate pair.
 */
import { StoreError } from "./errors.ts";
import { utf8Length } from "./key-order.ts";
import type { Range } from "./store.ts";

/** Bytes of UTF-8. */
export const KEY_LIMIT = 500;
/** Bytes of UTF-8 as JSON. Larger values would make every reader of the record wait. */
export const VALUE_LIMIT: number = 1024 * 1024;
/** Records that one transaction may write. More would keep others waiting. */
export const WRITES_LIMIT = 10_000;
/** Records that one call of `range` may return. */
const RANGE_LIMIT = 10_000;
const RANGE_DEFAULT = 100;

const tableName = /^[a-z][a-z0-9_-]{0,62}$/;
const unstorable = /\p{Surrogate}|\0/u;

export function checkTableName(name: string): void {
  if (tableName.test(name)) return;
  throw new StoreError(
    "bad-name",
    `table ${JSON.stringify(name)}: a table's name has 1 to 63 characters a-z, 0-9, _ and -, and begins with a letter`,
  );
}

export function checkKey(table: string, key: string): void {
  if (key === "") throw new StoreError("bad-key", `table ${table}: a key must not be empty`);
  checkText(table, "key", key, KEY_LIMIT, "bad-key");
}

function checkText(
  table: string,
  what: string,
  text: string,
  limit: number,
  code: "bad-key" | "bad-range" = "bad-range",
): void {
  if (unstorable.test(text)) {
    const shown = JSON.stringify(text.slice(0, 80));
    throw new StoreError(code, `table ${table}: ${what} ${shown} has a NUL or half a surrogate pair in it`);
  }
  const bytes = utf8Length(text);
  if (bytes <= limit) return;
  throw new StoreError(
    code,
    `table ${table}: ${what} ${JSON.stringify(text.slice(0, 40))}… has ${bytes} bytes of UTF-8, at most ${limit} are possible`,
  );
}

/** A range with its defaults. `from` is "" for the table's beginning. */
export interface ResolvedRange {
  readonly from: string;
  readonly before: string | undefined;
  readonly reverse: boolean;
  readonly limit: number;
}

export function resolveRange(table: string, range: Range = {}): ResolvedRange {
  const { from = "", before, reverse = false, limit = RANGE_DEFAULT } = range;
  // Ends of a range may be longer than keys: a key with something behind it.
  checkText(table, "`from`", from, 2 * KEY_LIMIT);
  if (before !== undefined) checkText(table, "`before`", before, 2 * KEY_LIMIT);
  if (!Number.isInteger(limit) || limit < 1 || limit > RANGE_LIMIT) {
    throw new StoreError("bad-range", `table ${table}: a range's limit is 1 to ${RANGE_LIMIT}, not ${limit}`);
  }
  return { from, before, reverse, limit };
}
