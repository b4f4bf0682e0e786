/**
 * Keys of records that belong to an account: the account's id, "!", the rest. Ids are hexadecimal, so that the records of one account stand next
 * to each other in key order, and no two accounts' records can have the same key.
 */
import type { Range, Stored, Table, Transaction } from "@nearfield/store/internal";

const SEPARATOR = "!";
/** The character after the separator: no key of the account is as high. */
const AFTER = '"';
/** Digits of a number in a key, so that keys sort as numbers do. 2^53 has 16. */
const DIGITS = 16;
/** Records read at once. */
const PAGE = 200;

export function keyUnder(owner: string, rest: string): string {
  return owner + SEPARATOR + rest;
}

/** What stands after the owner. */
export function restOf(owner: string, key: string): string {
  return key.slice(owner.length + SEPARATOR.length);
}

export function under(owner: string): Range {
  return { from: owner + SEPARATOR, before: owner + AFTER };
}

export function sortable(whole: number): string {
  return String(whole).padStart(DIGITS, "0");
}

/** All records of a range, however many, in key order. */
export async function readAll<Value>(
  transaction: Transaction,
  table: Table<Value>,
  { from, before }: Pick<Range, "from" | "before">,
): Promise<Stored<Value>[]> {
  const found: Stored<Value>[] = [];
  let next = from;
  for (;;) {
    const page = await transaction.range(table, {
      ...(next !== undefined && { from: next }),
      ...(before !== undefined && { before }),
      limit: PAGE,
    });
    found.push(...page);
    if (page.length < PAGE) return found;
    next = `${page.at(-1)!.key}\u0001`;
  }
}
