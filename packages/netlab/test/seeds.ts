/**
 * Seeds of a suite: the same ones in every CI run; at night ten times as many, and all but those of CI are new. A failing test has its seed in
 * its name, and NEARFIELD_SEED runs that one alone.
 */

const NIGHTLY = process.env["NEARFIELD_NIGHTLY"] === "1";
const CHOSEN = process.env["NEARFIELD_SEED"];
/** Where the new ones begin. */
const TONIGHT = Math.floor(Math.random() * 2 ** 30);

/** `count` seeds from `first` on; the first ones are the same in both tiers. */
export function seeds(first: number, count: number): number[] {
  if (CHOSEN !== undefined) return [Number(CHOSEN)];
  const fixed = Array.from({ length: count }, (_, i) => first + i);
  const fresh = Array.from({ length: nightly(count) - count }, (_, i) => TONIGHT + first + i);
  return [...fixed, ...fresh];
}

/** A number of cases, ten times as large at night. */
export function nightly(count: number): number {
  return NIGHTLY ? 10 * count : count;
}
