/**
 * Joins circles until at most a given number is left: always the two whose borders are nearest, ties by their number. Of very many circles
 * those in the same square of a coarse net are joined first, so that the cost stays near that of `MOST_COMPARED` circles.
 */

import { grown } from "@nearfield/schema/internal";

const NONE = -1;
const MOST_COMPARED = 128;
/** Squares of the coarse net along a side, at first; numbers of squares in a column of it. */
const SQUARES = 64;
const COLUMN = 2 * SQUARES;

export class CircleJoiner {
  /** By circle, to be filled in before `join`: centre and radius. */
  x: Float64Array = new Float64Array(0);
  y: Float64Array = new Float64Array(0);
  radius: Float64Array = new Float64Array(0);
  /** By circle, after `join`: the number of the first circle that it is joined with. */
  first: Int32Array = new Int32Array(0);
  /** By square: the first circle in it, if the square's pass is the present one. */
  readonly #leaders: Int32Array = new Int32Array(COLUMN * (SQUARES + 1));
  readonly #passes: Int32Array = new Int32Array(COLUMN * (SQUARES + 1));
  #pass = 0;
  /** Those that are compared, in the order of their numbers: the number; the circle around all that joined it; the nearest other one, and the gap to it. */
  readonly #number: Int32Array = new Int32Array(MOST_COMPARED);
  readonly #x: Float64Array = new Float64Array(MOST_COMPARED);
  readonly #y: Float64Array = new Float64Array(MOST_COMPARED);
  readonly #radius: Float64Array = new Float64Array(MOST_COMPARED);
  readonly #nearest: Int32Array = new Int32Array(MOST_COMPARED);
  readonly #gap: Float64Array = new Float64Array(MOST_COMPARED);
  /** Which of these are left. */
  readonly #left: Int32Array = new Int32Array(MOST_COMPARED);
  #count = 0;

  ensure(circles: number): void {
    if (circles <= this.first.length) return;
    const capacity = Math.max(64, circles * 2);
    this.x = grown(this.x, capacity);
    this.y = grown(this.y, capacity);
    this.radius = grown(this.radius, capacity);
    this.first = grown(this.first, capacity);
  }

  join(circles: number, most: number): void {
    const { first } = this;
    for (let i = 0; i < circles; i++) first[i] = i;
    if (circles <= most) return;
    if (circles > MOST_COMPARED) this.#joinBySquares(circles);
    this.#gather(circles);
    for (let i = 0; i < this.#count; i++) this.#findNearest(this.#left[i]!);
    while (this.#count > most) this.#joinOnce();
    for (let i = 0; i < circles; i++) {
      let leader = first[i]!;
      while (first[leader] !== leader) leader = first[leader]!;
      first[i] = leader;
    }
  }

  #joinBySquares(circles: number): void {
    const { x, y, first } = this;
    let [left, low, right, high] = [x[0]!, y[0]!, x[0]!, y[0]!];
    for (let i = 1; i < circles; i++) {
      left = Math.min(left, x[i]!);
      right = Math.max(right, x[i]!);
      low = Math.min(low, y[i]!);
      high = Math.max(high, y[i]!);
    }
    let size = Math.max(right - left, high - low, 1) / SQUARES;
    for (let count = circles; count > MOST_COMPARED; size *= 2) {
      this.#pass += 1;
      count = 0;
      for (let i = 0; i < circles; i++) {
        const square = Math.floor((x[i]! - left) / size) * COLUMN + Math.floor((y[i]! - low) / size);
        if (this.#passes[square] !== this.#pass) {
          this.#passes[square] = this.#pass;
          this.#leaders[square] = i;
          count++;
        }
        first[i] = this.#leaders[square]!;
      }
    }
  }

  /** Takes over the circles that are left, each around all that were joined with it. */
  #gather(circles: number): void {
    const { first } = this;
    this.#count = 0;
    for (let i = 0; i < circles; i++) {
      if (first[i] !== i) continue;
      const at = this.#count++;
      this.#number[at] = i;
      this.#x[at] = this.x[i]!;
      this.#y[at] = this.y[i]!;
      this.#radius[at] = this.radius[i]!;
      this.#left[at] = at;
    }
    for (let i = 0; i < circles; i++) {
      if (first[i] !== i) this.#enclose(this.#placeOf(first[i]!), this.x[i]!, this.y[i]!, this.radius[i]!);
    }
  }

  /** Where the circle of this number stands. They are in order. */
  #placeOf(number: number): number {
    let low = 0;
    let high = this.#count - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#number[middle]! < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #joinOnce(): void {
    let best = this.#left[0]!;
    for (let i = 1; i < this.#count; i++) if (this.#gap[this.#left[i]!]! < this.#gap[best]!) best = this.#left[i]!;
    const kept = Math.min(best, this.#nearest[best]!);
    const gone = Math.max(best, this.#nearest[best]!);
    this.#enclose(kept, this.#x[gone]!, this.#y[gone]!, this.#radius[gone]!);
    this.first[this.#number[gone]!] = this.#number[kept]!;
    let count = 0;
    for (let i = 0; i < this.#count; i++) if (this.#left[i] !== gone) this.#left[count++] = this.#left[i]!;
    this.#count = count;
    // The new circle lies around both old ones, so it is at least as near as they were: for whom one of them was the nearest, the new one is.
    for (let i = 0; i < count; i++) {
      const each = this.#left[i]!;
      const nearest = this.#nearest[each]!;
      if (nearest === kept || nearest === gone) {
        this.#nearest[each] = kept;
        this.#gap[each] = this.#gapBetween(each, kept);
      } else this.#compare(each, kept);
    }
    this.#findNearest(kept);
  }

  #findNearest(one: number): void {
    this.#nearest[one] = NONE;
    this.#gap[one] = Number.POSITIVE_INFINITY;
    for (let i = 0; i < this.#count; i++) if (this.#left[i] !== one) this.#compare(one, this.#left[i]!);
  }

  #compare(one: number, other: number): void {
    const gap = this.#gapBetween(one, other);
    const nearest = this.#nearest[one]!;
    if (gap > this.#gap[one]! || (gap === this.#gap[one] && other > nearest && nearest >= 0)) return;
    this.#gap[one] = gap;
    this.#nearest[one] = other;
  }

  /** Negative where they overlap. */
  #gapBetween(one: number, other: number): number {
    const dx = this.#x[one]! - this.#x[other]!;
    const dy = this.#y[one]! - this.#y[other]!;
    return Math.sqrt(dx * dx + dy * dy) - this.#radius[one]! - this.#radius[other]!;
  }

  /** Makes a circle the smallest one around itself and another. */
  #enclose(one: number, x: number, y: number, radius: number): void {
    const dx = x - this.#x[one]!;
    const dy = y - this.#y[one]!;
    const own = this.#radius[one]!;
    const apart = Math.sqrt(dx * dx + dy * dy);
    if (apart + radius <= own) return;
    if (apart + own <= radius) {
      this.#x[one] = x;
      this.#y[one] = y;
      this.#radius[one] = radius;
      return;
    }
    const whole = (apart + own + radius) / 2;
    const share = (whole - own) / apart;
    this.#x[one] = this.#x[one]! + dx * share;
    this.#y[one] = this.#y[one]! + dy * share;
    this.#radius[one] = whole;
  }
}
