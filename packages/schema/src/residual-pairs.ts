/**
 * One code for the residuals of two fields. Most predictions miss by at most one step of the wire. A code of its own for such a residual takes
 * a whole bit at least, where it tells much less; a code for two of them together wastes half as much.
 *
 * Fields whose last misses were small are *steady*: contexts 0 to 3 of `residuals.ts`, without a shift. Two steady fields that follow each
 * other make a pair. Its code says of each whether the residual is −1, 0 or 1, or beyond. What lies beyond follows in a code of its own.
 * If the first lies beyond, the pair's code says nothing of the second.
 * The lengths are those of two independent residuals with the chances of their contexts. They are part of the wire format: docs/wire-format.md.
 * Why so: docs/decisions/0024-unfitted-tables.md.
 */

import type { BitReader } from "./bit-reader.ts";
import type { BitWriter } from "./bit-writer.ts";
import { prefixCodes } from "./prefix-codes.ts";

/** Steady contexts. */
const STEADY = 4;
/** Which of three residuals, or beyond: the first × 4 + the second; and 15, the first lies beyond. Symbols 12 to 14 do not exist. */
const SYMBOLS = 16;
const FIRST_BEYOND = 15;
const BEYOND = 3;
const LOOK_BITS = 8;

/** By context of the first × 4 + context of the second: the length of the code of each symbol that exists. */
export const PAIR_LENGTHS: readonly (readonly number[])[] = [
  "6467413663675",
  "4467224543575",
  "3688135536886",
  "4487225533865",
  "4247423664674",
  "3356225554775",
  "2577146647885",
  "3376226644884",
  "3136645775774",
  "2145556766885",
  "1355357747884",
  "1265448866885",
  "4236423686784",
  "3246324676884",
  "1466246667885",
  "2266237666885",
].map((row) => Array.from(row, Number));
/**
 * The codes by the contexts of both residuals, each with the bit that says whether its sign is turned. Where it is, −1 and 1 trade places, so
 * that nobody has to turn them.
 */
const TABLES = 64;
/** By table, then by what a pair says: the number of its bits, and the bits. */
export const PAIR_CODE_LENGTHS: Uint8Array = new Uint8Array(TABLES * SYMBOLS);
export const PAIR_CODES: Uint16Array = new Uint16Array(TABLES * SYMBOLS);
/** By table, then by the next bits: what a pair says × 16 + the number of its bits. */
export const PAIR_LOOKUP: Uint8Array = new Uint8Array(TABLES << LOOK_BITS);
fillTables();

function fillTables(): void {
  const existing = PAIR_LENGTHS.map((lengths) => [...lengths.slice(0, FIRST_BEYOND - 3), 0, 0, 0, lengths.at(-1)!]);
  const { lengths, codes, lookup } = prefixCodes(existing, LOOK_BITS);
  for (let table = 0; table < TABLES; table++) {
    const from = (table >> 4) * STEADY + ((table >> 1) & 3);
    const turned = (symbol: number): number =>
      symbol === FIRST_BEYOND ? symbol : turnedPart(symbol >> 2, table >> 3) * STEADY + turnedPart(symbol & 3, table);
    for (let symbol = 0; symbol < SYMBOLS; symbol++) {
      PAIR_CODE_LENGTHS[table * SYMBOLS + turned(symbol)] = lengths[from * SYMBOLS + symbol]!;
      PAIR_CODES[table * SYMBOLS + turned(symbol)] = codes[from * SYMBOLS + symbol]!;
    }
    for (let bits = 0; bits < 1 << LOOK_BITS; bits++) {
      const found = lookup[(from << LOOK_BITS) | bits]!;
      PAIR_LOOKUP[(table << LOOK_BITS) | bits] = (turned(found >> 4) << 4) | (found & 15);
    }
  }
}

function turnedPart(part: number, isTurned: number): number {
  return (isTurned & 1) === 0 || part === BEYOND ? part : 2 - part;
}

/** Of a residual: 0, 1, 2 for −1, 0, 1; 3 for all that lies beyond. */
export function pairPart(residual: number): number {
  const part = residual + 1;
  return part >>> 0 > 2 ? BEYOND : part;
}

/** What a pair says: the part of the first × 4 + that of the second; 15 if the first lies beyond, whatever the second is. */
export function pairOf(part1: number, part2: number): number {
  return part1 === BEYOND ? FIRST_BEYOND : part1 * STEADY + part2;
}

/** Whether a residual of the pair lies beyond and follows. */
export function hasBeyond(pair: number): boolean {
  return (pair & BEYOND) === BEYOND;
}

export function isFirstBeyond(pair: number): boolean {
  return pair === FIRST_BEYOND;
}

/** Writes what a pair of residuals in steady contexts says. */
export function writePair(w: BitWriter, context1: number, context2: number, pair: number): void {
  const at = tableOf(context1, context2) * SYMBOLS + pair;
  w.writeBits(PAIR_CODES[at]!, PAIR_CODE_LENGTHS[at]!);
}

/** Mirror of `writePair`. */
export function readPair(r: BitReader, context1: number, context2: number): number {
  const found = PAIR_LOOKUP[(tableOf(context1, context2) << LOOK_BITS) | r.peekBits(LOOK_BITS)]!;
  r.skipBits(found & 15);
  return found >> 4;
}

/** A steady context is twice its number with the bit of the turned sign, below 16. */
function tableOf(context1: number, context2: number): number {
  return (context1 << 2) | (context2 >> 1);
}
