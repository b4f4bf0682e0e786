/**
 * Exponential, logarithm and power to the same bits on every machine: only + − × ÷, rounding and the parts of a double are used. Good to
 * 1e-14 of the result; what they answer to 0, infinities and NaN is what `Math.exp`, `Math.log` and `Math.pow` do.
 *
 * All three take whole powers of two out, which are exact, and leave a number near 1 to a short series. A power needs more: in
 * e^(y × log x) an error of the logarithm is multiplied by up to 700. So its logarithm is a sum of two doubles, a head and a tail, which is good to
 * 3e-18.
 */

import { exponentOf, scaled } from "./binary.ts";

/** log 2 as a sum; the head has 40 bits, so that it times an exponent is exact. */
const LN2_HEAD = 0.693_147_180_559_208_2;
const LN2_TAIL = 7.371_002_565_167_799e-13;
/** Beyond these the result is more than the largest double, or nearer to 0 than to the smallest. */
const MOST_EXPONENT = 709.782_712_893_384;
const LEAST_EXPONENT = -745.133_219_101_941_2;
/** Terms after which the series of e^r, |r| ≤ 0.35, changes nothing more. */
const EXPONENTIAL_TERMS = 14;
/** The same for the logarithm of a number from √½ to √2. */
const LOGARITHM_TERMS = 12;
/** Whole powers up to this are products: exact wherever the result is a double, good to 4e-15 elsewhere. */
const MOST_FACTORS = 32;
const LEAST_NORMAL = 2.225_073_858_507_201_4e-308;

/** e to the power of x. */
export function exponential(x: number): number {
  return exponentialOfSum(x, 0);
}

/** The natural logarithm; NaN below 0. */
export function logarithm(x: number): number {
  if (x === 0) return Number.NEGATIVE_INFINITY;
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return x > 0 ? x : Number.NaN;
  const exponent = nearExponent(x);
  const near = scaled(x, -exponent);
  const ratio = (near - 1) / (near + 1);
  return exponent * LN2_HEAD + (2 * ratio + (seriesBeyond(ratio) + exponent * LN2_TAIL));
}

/** x to the power of y. Of a negative x only whole powers are numbers. */
export function power(x: number, y: number): number {
  if (y === 0) return 1;
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN;
  const size = Math.abs(x);
  const isNegative = (x < 0 || Object.is(x, -0)) && isOdd(y);
  if (size === 0 || size === Number.POSITIVE_INFINITY || Math.abs(y) === Number.POSITIVE_INFINITY) {
    if (size === 1) return Number.NaN;
    const limit = size > 1 === y > 0 ? Number.POSITIVE_INFINITY : 0;
    return isNegative ? -limit : limit;
  }
  if (x < 0 && !Number.isInteger(y)) return Number.NaN;
  const result = powerOfSize(size, y);
  return isNegative ? -result : result;
}

function isOdd(y: number): boolean {
  return y % 2 === 1 || y % 2 === -1;
}

/** `size` is above 0, both are finite. */
function powerOfSize(size: number, y: number): number {
  if (size === 1) return 1;
  if (Number.isInteger(y) && Math.abs(y) <= MOST_FACTORS) {
    const product = multiplied(size, Math.abs(y));
    if (product >= LEAST_NORMAL && product < Number.POSITIVE_INFINITY) return y > 0 ? product : 1 / product;
  }
  const exponent = nearExponent(size);
  const near = scaled(size, -exponent);
  // ratio = (near − 1) ÷ (near + 1), and what the division left over.
  const divisor = near + 1;
  const ratio = (near - 1) / divisor;
  const product = ratio * divisor;
  const lost = near - 1 - product - productLost(ratio, divisor, product) - ratio * lostOfSum(near, 1, divisor);
  // The logarithm as head + tail.
  const whole = exponent * LN2_HEAD;
  const sum = whole + 2 * ratio;
  const rest = lostOfSum(whole, 2 * ratio, sum) + ((2 * lost) / divisor + seriesBeyond(ratio) + exponent * LN2_TAIL);
  const head = sum + rest;
  const tail = lostOfSum(sum, rest, head);
  // y times that.
  const top = y * head;
  if (top > MOST_EXPONENT + 1) return Number.POSITIVE_INFINITY;
  if (top < LEAST_EXPONENT - 1) return 0;
  return exponentialOfSum(top, productLost(y, head, top) + y * tail);
}

function multiplied(x: number, times: number): number {
  let result = 1;
  let square = x;
  for (let left = times; left > 0; left >>= 1) {
    if (left & 1) result *= square;
    square *= square;
  }
  return result;
}

/** e^(head + tail), where the tail is at most a rounding error of the head. */
function exponentialOfSum(head: number, tail: number): number {
  if (Number.isNaN(head)) return head;
  if (head > MOST_EXPONENT) return Number.POSITIVE_INFINITY;
  if (head < LEAST_EXPONENT) return 0;
  const exponent = Math.round(head / Math.LN2);
  const rest = head - exponent * LN2_HEAD + (tail - exponent * LN2_TAIL);
  let sum = 1;
  for (let n = EXPONENTIAL_TERMS; n >= 1; n--) sum = 1 + (rest * sum) / n;
  return scaled(sum, exponent);
}

/** The exponent that leaves a number from √½ to √2. */
function nearExponent(x: number): number {
  const exponent = exponentOf(x);
  return scaled(x, -exponent) > Math.SQRT2 ? exponent + 1 : exponent;
}

/** log((1 + ratio) ÷ (1 − ratio)) without its first term, 2 × ratio. */
function seriesBeyond(ratio: number): number {
  const square = ratio * ratio;
  let sum = 0;
  for (let n = LOGARITHM_TERMS; n >= 1; n--) sum = square * (1 / (2 * n + 1) + sum);
  return 2 * ratio * sum;
}

/** What rounding took from a + b (Knuth). */
function lostOfSum(a: number, b: number, sum: number): number {
  const fromB = sum - a;
  return a - (sum - fromB) + (b - fromB);
}

/** What rounding took from a × b (Dekker): the halves of a double have 26 bits, so their products are exact. */
function productLost(a: number, b: number, product: number): number {
  const headA = headOf(a);
  const headB = headOf(b);
  const tailA = a - headA;
  const tailB = b - headB;
  return headA * headB - product + headA * tailB + tailA * headB + tailA * tailB;
}

/** The first 26 bits. */
function headOf(a: number): number {
  const shifted = a * 134_217_729;
  return shifted - (shifted - a);
}
