/** What a sum that was found from samples is worth, and where to look next so that everything has its turn. No dice: runs must repeat. */

/** 19 of 20 cases lie within so many standard deviations. */
const DEVIATIONS = 1.96;

/** How far a sum may be off, as a share of it. */
export function relativeError(sum: number, variance: number): number {
  return sum > 0 ? (DEVIATIONS * Math.sqrt(variance)) / sum : 0;
}

/** Steps of this share of a range never fall together, and leave no gap much wider than others. */
const GOLDEN = 0.618_033_988_749_894_9;

/** Places in ranges whose length may change from one look to the next. */
export class Turns {
  #at = 0;

  /** 0 to `range` − 1. */
  next(range: number): number {
    this.#at = (this.#at + GOLDEN) % 1;
    return Math.floor(this.#at * range);
  }
}
