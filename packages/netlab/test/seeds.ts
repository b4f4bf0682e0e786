/** Seeds of a suite: so many in CI, ten times as many in the nightly tier. */

const NIGHTLY = process.env["NEARFIELD_NIGHTLY"] === "1";

/** `count` seeds from `first` on; the first ones are the same in both tiers. */
export function seeds(first: number, count: number): number[] {
  return Array.from({ length: nightly(count) }, (_, i) => first + i);
}

/** A number of cases, ten times as large at night. */
export function nightly(count: number): number {
  return NIGHTLY ? 10 * count : count;
}
