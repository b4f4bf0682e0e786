/** Rows of a range with changes laid over them that are not in the database yet. */
import { compareKeys } from "./key-order.ts";
import type { ResolvedRange } from "./limits.ts";
import type { Row } from "./record.ts";

/** By key: the row to see, or undefined where a row is gone. */
export type Changes = ReadonlyMap<string, Row | undefined>;

/** What to ask the database for: as many rows more as may turn out to be gone. */
export function widened(range: ResolvedRange, changes: Changes): ResolvedRange {
  let gone = 0;
  for (const [key, row] of changes) if (row === undefined && isWithin(range, key)) gone++;
  return { ...range, limit: range.limit + gone };
}

/** @param stored what the database has in the widened range. */
export function overlay(range: ResolvedRange, stored: readonly Row[], changes: Changes): Row[] {
  const order = range.reverse ? -1 : 1;
  const changed = [...changes].flatMap(([key, row]) => (row !== undefined && isWithin(range, key) ? [row] : []));
  return [...stored.filter(({ key }) => !changes.has(key)), ...changed]
    .sort((a, b) => order * compareKeys(a.key, b.key))
    .slice(0, range.limit);
}

export function isWithin({ from, before }: ResolvedRange, key: string): boolean {
  return compareKeys(from, key) <= 0 && (before === undefined || compareKeys(key, before) < 0);
}
