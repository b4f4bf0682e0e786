/**
 * The code of residuals. A residual is the difference between a value and its prediction; the code spends few bits on residuals that are
 * likely after the last two.
 *
 * A residual depends on those before it. Rounding makes residuals alternate in sign, acceleration makes them repeat, and a large one is
 * followed by large ones. So the last residual `e1` and the one before, `e2`, choose the code: one of fifteen static tables, and for large
 * residuals a *shift* that sends the lowest bits as they are. The sign is turned so that `e1` (or `e2`, if `e1` is 0) counts as positive.
 * The code does not adapt while a message is read: equal inputs give equal bits, so bits can be copied from one message to the next.
 * The tables, as lengths of canonical codes, are part of the wire format: docs/wire-format.md. Why so: docs/decisions/0006-predicted-deltas.md.
 */

import type { BitReader } from "./bit-reader.ts";
import type { BitWriter } from "./bit-writer.ts";
import { WireError } from "./errors.ts";

/** Quotients from −7 to 7 have a code of their own; the last symbol says that one beyond them follows. */
const REACH = 7;
const ESCAPE = 2 * REACH + 1;
const SYMBOLS = ESCAPE + 1;
/** Longest code, and so the bits that a reader looks at together. */
const LOOK_BITS = 9;
const LOOK_MASK: number = (1 << LOOK_BITS) - 1;
/** Shifts up to this one are looked at together with the code: a reader looks at 24 bits at most. */
const MOST_LOW_BITS = 15;

/** By table: the length of each symbol's code, quotients −7 … 7, then the escape. */
export const RESIDUAL_LENGTHS: readonly (readonly number[])[] = [
  [8, 8, 8, 8, 7, 6, 2, 1, 3, 5, 7, 8, 8, 8, 8, 5],
  [9, 8, 8, 8, 8, 7, 2, 1, 3, 4, 7, 8, 8, 8, 9, 6],
  [8, 8, 7, 7, 6, 5, 4, 2, 2, 2, 5, 7, 7, 8, 8, 4],
  [7, 7, 7, 7, 7, 4, 1, 2, 4, 6, 7, 7, 7, 7, 7, 5],
  [9, 8, 8, 8, 8, 5, 1, 2, 3, 5, 8, 8, 9, 9, 9, 5],
  [8, 8, 8, 7, 7, 6, 2, 2, 2, 3, 5, 7, 8, 8, 8, 5],
  [8, 7, 7, 6, 5, 3, 1, 3, 4, 5, 6, 6, 6, 7, 8, 5],
  [9, 9, 9, 8, 7, 7, 3, 1, 2, 4, 7, 8, 8, 9, 8, 6],
  [8, 7, 7, 6, 6, 6, 4, 2, 2, 3, 3, 5, 6, 7, 8, 4],
  [6, 6, 5, 4, 3, 3, 4, 3, 3, 4, 5, 5, 5, 6, 6, 3],
  [7, 6, 5, 4, 4, 3, 4, 2, 3, 4, 4, 5, 6, 6, 7, 4],
  [8, 8, 7, 6, 6, 6, 5, 3, 2, 2, 3, 4, 6, 7, 7, 4],
  [8, 7, 8, 5, 2, 3, 4, 2, 3, 5, 5, 6, 6, 7, 7, 5],
  [7, 4, 7, 3, 3, 4, 4, 2, 4, 4, 4, 5, 6, 6, 6, 5],
  [8, 7, 7, 6, 5, 5, 4, 3, 2, 2, 3, 5, 6, 7, 8, 5],
];

const CODE_LENGTHS: Uint8Array = Uint8Array.from(RESIDUAL_LENGTHS.flat());
/** By table and symbol: the code, its first bit lowest. */
const CODES: Uint16Array = new Uint16Array(CODE_LENGTHS.length);
/** By table and the next `LOOK_BITS` bits: symbol × 16 + length. */
const LOOKUP: Uint16Array = new Uint16Array(RESIDUAL_LENGTHS.length << LOOK_BITS);

const TABLE_OF: Uint8Array = Uint8Array.from({ length: 45 }, (_, at) =>
  tableOf(Math.floor(at / 9), Math.floor(at / 3) % 3, (at % 3) - 1),
);
const TABLE_MASK = 15;
const SHIFT_AT = 4;
const SHIFT_MASK = 31;
const TURNED_AT = 9;

for (const [table, lengths] of RESIDUAL_LENGTHS.entries()) fillTable(table, lengths);

/**
 * Which code comes after misses `e1` and `e2`, as one number: table, shift × 16, and 512 if the sign is turned. Without branches, because
 * misses are noise and a processor would guess them wrong.
 */
export function residualContext(e1: number, e2: number): number {
  const negative1 = e1 >> 31;
  const size1 = (e1 ^ negative1) - negative1;
  const negative2 = e2 >> 31;
  const size2 = (e2 ^ negative2) - negative2;
  const sign1 = negative1 | (-e1 >>> 31);
  const sign2 = negative2 | (-e2 >>> 31);
  const table = TABLE_OF[Math.min(size1, 4) * 9 + Math.min(size2, 2) * 3 + sign1 * sign2 + 1]!;
  const shift = 30 - Math.clz32(size1 | 3);
  const turned = (sign1 * 2 + sign2) >>> 31;
  return table | (shift << SHIFT_AT) | (turned << TURNED_AT);
}

/** Writes a residual, a whole number between −2³¹ and 2³¹. */
export function writeResidual(writer: BitWriter, residual: number, context: number): void {
  const shift = (context >> SHIFT_AT) & SHIFT_MASK;
  const flip = -(context >> TURNED_AT);
  const turned = (residual ^ flip) - flip;
  const quotient = turned >> shift;
  const row = (context & TABLE_MASK) * SYMBOLS;
  const low = turned & ((1 << shift) - 1);
  if (quotient >= -REACH && quotient <= REACH) {
    const at = row + quotient + REACH;
    const length = CODE_LENGTHS[at]!;
    if (shift <= MOST_LOW_BITS) {
      writer.writeBits(CODES[at]! | (low << length), length + shift);
      return;
    }
    writer.writeBits(CODES[at]!, length);
  } else {
    writer.writeBits(CODES[row + ESCAPE]!, CODE_LENGTHS[row + ESCAPE]!);
    writeGamma(writer, (quotient < 0 ? -quotient : quotient) - REACH);
    writer.writeBits(quotient < 0 ? 1 : 0, 1);
  }
  writer.writeBits(low, shift);
}

export function readResidual(reader: BitReader, context: number): number {
  const shift = (context >> SHIFT_AT) & SHIFT_MASK;
  const flip = -(context >> TURNED_AT);
  const ahead = reader.peekBits(LOOK_BITS + MOST_LOW_BITS);
  const found = LOOKUP[((context & TABLE_MASK) << LOOK_BITS) | (ahead & LOOK_MASK)]!;
  const length = found & 15;
  const symbol = found >> 4;
  if (symbol !== ESCAPE && shift <= MOST_LOW_BITS) {
    reader.skipBits(length + shift);
    const turned = ((symbol - REACH) << shift) + ((ahead >> length) & ((1 << shift) - 1));
    return (turned ^ flip) - flip;
  }
  reader.skipBits(length);
  return readLong(reader, symbol, shift, flip);
}

/** What does not fit into the bits looked at together. */
function readLong(reader: BitReader, symbol: number, shift: number, flip: number): number {
  let turned = symbol - REACH;
  if (symbol === ESCAPE) {
    const size = readGamma(reader) + REACH;
    turned = reader.readBits(1) === 1 ? -size : size;
  }
  turned = turned * (1 << shift) + reader.readBits(shift);
  return flip === 0 ? turned : 0 - turned;
}

/** Gamma codes up to this length are looked at in one piece. */
const GAMMA_LOOK_BITS = 23;

/** A number from 1 on: as many zeros as it has bits below its highest, then a one, then those bits, the lowest first. */
export function writeGamma(writer: BitWriter, value: number): void {
  const below = 31 - Math.clz32(value);
  if (below < 16) {
    writer.writeBits((1 << below) | ((value - (1 << below)) << (below + 1)), 2 * below + 1);
    return;
  }
  writer.writeBits(0, below);
  writer.writeBits(1, 1);
  writer.writeBits(value - 2 ** below, below);
}

/** Reads a number from 1 to 2³² − 1. */
export function readGamma(reader: BitReader): number {
  const ahead = reader.peekBits(GAMMA_LOOK_BITS);
  const zeros = 31 - Math.clz32(ahead & -ahead);
  if (ahead !== 0 && 2 * zeros < GAMMA_LOOK_BITS) {
    reader.skipBits(2 * zeros + 1);
    return (1 << zeros) | ((ahead >> (zeros + 1)) & ((1 << zeros) - 1));
  }
  return readLongGamma(reader);
}

function readLongGamma(reader: BitReader): number {
  let below = 0;
  while (reader.readBits(1) === 0) {
    below += 1;
    if (below > 31) throw new WireError("range", "a gamma code of more than 32 bits");
  }
  return 2 ** below + reader.readBits(below);
}

/** In bits. */
export function measureGamma(value: number): number {
  return 2 * (31 - Math.clz32(value)) + 1;
}

/** By sizes of both misses, as far as they are told apart, and whether their signs agree. */
function tableOf(size1: number, size2: number, agreement: number): number {
  return size1 === 0 ? size2 : Math.min(size1, 4) * 3 + 1 + agreement;
}

/** Canonical: codes ascend by length, then by symbol; the first bit on the wire is the highest of the code. */
function fillTable(table: number, lengths: readonly number[]): void {
  let code = 0;
  for (let length = 1; length <= LOOK_BITS; length++) {
    for (let symbol = 0; symbol < SYMBOLS; symbol++) {
      if (lengths[symbol] !== length) continue;
      const reversed = reverse(code, length);
      CODES[table * SYMBOLS + symbol] = reversed;
      for (let rest = 0; rest < 1 << (LOOK_BITS - length); rest++) {
        LOOKUP[(table << LOOK_BITS) | (rest << length) | reversed] = (symbol << 4) | length;
      }
      code += 1;
    }
    code *= 2;
  }
}

function reverse(code: number, length: number): number {
  let reversed = 0;
  for (let bit = 0; bit < length; bit++) reversed |= ((code >> bit) & 1) << (length - 1 - bit);
  return reversed;
}
