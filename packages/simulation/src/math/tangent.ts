/**
 * Tangent, arcsine and arccosine to the same bits on every machine, from the sine, cosine and direction of `@nearfield/schema`. Good to 1e-14 of
 * the result; angles are in radians. What they answer to 0, infinities and NaN is what `Math.tan`, `Math.asin` and `Math.acos` do.
 */

import { cosine, directionOf, sine } from "@nearfield/schema/internal";

/**
 * A quarter of a turn as a sum. Head and middle have 33 bits each, so that they times a count of quarters below 2^20 are exact: near its poles, where
 * an angle is all but a whole number of quarters, the tangent is one over what is left.
 */
const QUARTER_HEAD = 1.570_796_326_734_125_6;
const QUARTER_MIDDLE = 6.077_100_506_303_966e-11;
const QUARTER_TAIL = 2.022_266_248_795_950_6e-21;
const QUARTER: number = Math.PI / 2;

/** For angles up to a million radians; further out digits are lost. */
export function tangent(angle: number): number {
  if (angle === 0) return angle;
  const quarters = Math.round(angle / QUARTER);
  // angle − quarters × QUARTER, as head + tail.
  const most = angle - quarters * QUARTER_HEAD;
  const next = quarters * QUARTER_MIDDLE;
  const left = most - next;
  const lost = most - (left + next) + (next - (left + next - left));
  const least = lost - quarters * QUARTER_TAIL;
  const head = left + least;
  const tail = left - head + least;
  const ratio = sine(head) / cosine(head);
  const result = ratio + tail * (1 + ratio * ratio);
  return quarters % 2 === 0 ? result : -1 / result;
}

/** In [−π/2, π/2]; NaN beyond 1 and −1. */
export function arcsine(x: number): number {
  return x === 0 ? x : directionOf(Math.sqrt((1 - x) * (1 + x)), x);
}

/** In [0, π]; NaN beyond 1 and −1. */
export function arccosine(x: number): number {
  return directionOf(x, Math.sqrt((1 - x) * (1 + x)));
}
