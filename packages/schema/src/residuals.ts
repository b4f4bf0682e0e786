/**
 * The code of residuals. A residual is the difference between a value and its prediction; the code spends few bits on residuals that are
 * likely, given how the prediction did before.
 *
 * A residual depends on those before it. Rounding makes residuals alternate in sign, acceleration makes them repeat, and a large one is
 * followed by large ones. So the *miss*, which is by how much the same prediction was off at the last state, chooses the code: one of twenty
 * contexts, and for large misses a *shift* that sends the lowest bits as they are. The sign is turned so that the miss counts as positive.
 * What happens to one field of an object often happens to the next, too: a knock, a jump. So each context has two static tables, and a large
 * residual *startles* the code of the next field into the second one.
 * The code does not adapt while a message is read: equal inputs give equal bits, so bits can be copied from one message to the next.
 * The tables, as lengths of canonical codes, are part of the wire format: docs/wire-format.md. Why so: docs/decisions/0006-predicted-deltas.md
 * and docs/decisions/0024-unfitted-tables.md.
 */

import type { BitReader } from "./bit-reader.ts";
import type { BitWriter } from "./bit-writer.ts";
import { readGamma, writeGamma } from "./gamma.ts";
import { type PrefixCodes, prefixCodes } from "./prefix-codes.ts";

/** Quotients from −7 to 7 have a code of their own; the last symbol says that one beyond them follows. */
const REACH = 7;
const ESCAPE = 2 * REACH + 1;
const SYMBOLS = ESCAPE + 1;
/** Longest code, and so the bits that a reader looks at together. */
const LOOK_BITS = 9;
const LOOK_MASK: number = (1 << LOOK_BITS) - 1;
/** Shifts up to this one are looked at together with the code: a reader looks at 24 bits at most. */
const MOST_LOW_BITS = 15;

/** Beyond them, the distance is a gamma code without this many lowest bits, then these bits. */
const BEYOND_LOW_BITS = 3;
const BEYOND_LOW_MASK: number = (1 << BEYOND_LOW_BITS) - 1;

/**
 * By context, calm and startled, then by steady context for what lies beyond a pair: the length of each symbol's code, quotients −7 … 7,
 * then the escape.
 */
export const RESIDUAL_LENGTHS: readonly (readonly number[])[] = [
  "8877762136777885",
  "7766543235566772",
  "8887762135678886",
  "7776552245667772",
  "9888751235778896",
  "7666542344556672",
  "9887642145777895",
  "7766543244556662",
  "7766653223467884",
  "5555444334555662",
  "9987663222578995",
  "6655543334555662",
  "7666532334556673",
  "6655544334445662",
  "8787543223556675",
  "6665543334456662",
  "8776554323436783",
  "5555444334555662",
  "6654344334445663",
  "6666554444555661",
  "7665543233455674",
  "6654444344455552",
  "6655554333455662",
  "6555554445556661",
  "7654333334456674",
  "6655334334455663",
  "7574333244567674",
  "6564343344455553",
  "6655443333455663",
  "6655443344455662",
  "8777542233567784",
  "6665554444556661",
  "7776532235566674",
  "6665544445556661",
  "7665433334445673",
  "6655544455555661",
  "6555444444345562",
  "6655555554445661",
  "5554444344455662",
  "5444444444455662",
  "7765420002456772",
  "7765430001456773",
  "7555420002355673",
  "7665410003555673",
].map((row) => Array.from(row, Number));

/** What lies beyond a pair is never startled. */
const TABLES = [...RESIDUAL_LENGTHS.slice(0, 40), ...RESIDUAL_LENGTHS.slice(40).flatMap((row) => [row, row])];
const { lengths: CODE_LENGTHS, codes: CODES, lookup: LOOKUP }: PrefixCodes = prefixCodes(TABLES, LOOK_BITS);

/** Misses of the straight prediction choose among 15 contexts, of which the steady ones come first; those of the others among 5. */
const STRAIGHT_CONTEXTS = 15;
const CONTEXT_OF: Uint8Array = Uint8Array.from({ length: 45 }, (_, at) => {
  const size1 = Math.floor(at / 9);
  const context = size1 === 0 ? Math.floor(at / 3) % 3 : size1 * 3 + (at % 3);
  return context === 2 ? 4 : context === 4 ? 2 : context;
});
const TURNED_AT = 1;
const TURNED_MASK = 1;
const CONTEXT_AT = 2;
const SHIFT_AT = 7;
const SHIFT_MASK = 31;
const TABLE_MASK = 62;
/** Added to a context whose code is startled. */
export const STARTLED = 1;
/** Contexts whose residuals make pairs (`residual-pairs.ts`), and by how much the contexts of what lies beyond a pair are higher. */
const STEADY_CONTEXTS = 4;
const BEYOND_PAIR = 20;
/** All bits that a steady context can have. */
export const STEADY_MASK: number = ((STEADY_CONTEXTS - 1) << CONTEXT_AT) | (TURNED_MASK << TURNED_AT);
/** Without the bits of the shift, residuals from −6 to 5 do not startle. */
const STARTLING = 6;

/**
 * Which code comes after a straight prediction that missed by `e1`, and the time before by `e2`, as one number: 4 × context, shift × 128, and
 * 2 if the sign is turned. Without branches, because misses are noise and a processor would guess them wrong.
 */
export function straightContext(e1: number, e2: number): number {
  const negative1 = e1 >> 31;
  const size1 = (e1 ^ negative1) - negative1;
  const negative2 = e2 >> 31;
  const size2 = (e2 ^ negative2) - negative2;
  const sign1 = negative1 | (-e1 >>> 31);
  const sign2 = negative2 | (-e2 >>> 31);
  const context = CONTEXT_OF[Math.min(size1, 4) * 9 + Math.min(size2, 2) * 3 + sign1 * sign2 + 1]!;
  const shift = 30 - Math.clz32(size1 | 3);
  const turned = (sign1 * 2 + sign2) >>> 31;
  return (context << CONTEXT_AT) | (shift << SHIFT_AT) | (turned << TURNED_AT);
}

/** By e1, −1 to 1, and e2, brought within −2 and 2: the code after a straight prediction. */
const SMALL_MISSES: Uint8Array = Uint8Array.from({ length: 15 }, (_, at) =>
  straightContext(Math.floor(at / 5) - 1, (at % 5) - 2),
);

/** The same as `straightContext`, where `e1` is −1, 0 or 1. */
export function smallMissContext(e1: number, e2: number): number {
  const near = e2 < -2 ? -2 : e2 > 2 ? 2 : e2;
  return SMALL_MISSES[5 * e1 + near + 7]!;
}

/** The same after any other prediction, which missed by `miss`. */
export function otherContext(miss: number): number {
  const negative = miss >> 31;
  const size = (miss ^ negative) - negative;
  const context = STRAIGHT_CONTEXTS + Math.min(size, 4);
  const shift = 30 - Math.clz32(size | 3);
  return (context << CONTEXT_AT) | (shift << SHIFT_AT) | (-negative << TURNED_AT);
}

/** Whether a context is steady: neither startled, nor with a shift, and with misses so small that its residual can be half of a pair. */
export function isSteady(context: number): boolean {
  return (context & ~STEADY_MASK) === 0;
}

/** The context in which a residual that lies beyond a pair follows. */
export function beyondPair(context: number): number {
  return context + (BEYOND_PAIR << CONTEXT_AT);
}

/** Whether a residual is so large, given its context, that it startles the code of the next field. */
export function isStartling(residual: number, context: number): boolean {
  return ((residual >> ((context >> SHIFT_AT) & SHIFT_MASK)) + STARTLING) >>> 0 >= 2 * STARTLING;
}

/** Two tables for each context: calm, startled. */
function tableOf(context: number): number {
  return ((context >> TURNED_AT) & TABLE_MASK) | (context & STARTLED);
}

/** Writes a residual, a whole number between −2³¹ and 2³¹. */
export function writeResidual(writer: BitWriter, residual: number, context: number): void {
  const shift = (context >> SHIFT_AT) & SHIFT_MASK;
  const flip = -((context >> TURNED_AT) & TURNED_MASK);
  const turned = (residual ^ flip) - flip;
  const quotient = turned >> shift;
  const row = tableOf(context) * SYMBOLS;
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
    const beyond = (quotient < 0 ? -quotient : quotient) - REACH - 1;
    writeGamma(writer, (beyond >>> BEYOND_LOW_BITS) + 1);
    writer.writeBits((beyond & BEYOND_LOW_MASK) | (quotient < 0 ? BEYOND_LOW_MASK + 1 : 0), BEYOND_LOW_BITS + 1);
  }
  writer.writeBits(low, shift);
}

export function readResidual(reader: BitReader, context: number): number {
  const shift = (context >> SHIFT_AT) & SHIFT_MASK;
  const flip = -((context >> TURNED_AT) & TURNED_MASK);
  const ahead = reader.peekBits(LOOK_BITS + MOST_LOW_BITS);
  const found = LOOKUP[(tableOf(context) << LOOK_BITS) | (ahead & LOOK_MASK)]!;
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
    const high = (readGamma(reader) - 1) * (BEYOND_LOW_MASK + 1);
    const low = reader.readBits(BEYOND_LOW_BITS + 1);
    const size = high + (low & BEYOND_LOW_MASK) + REACH + 1;
    turned = low > BEYOND_LOW_MASK ? -size : size;
  }
  turned = turned * (1 << shift) + reader.readBits(shift);
  return flip === 0 ? turned : 0 - turned;
}
