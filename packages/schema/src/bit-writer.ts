/**
 * Packs values into bits, the last stage before bytes leave.
 *
 * Layout: the first bit written is the lowest bit of the first byte, and a value's lowest bit goes first. Bits collect in a
 * 32-bit word that is stored, little-endian, when it is full; writing allocates only when the buffer doubles.
 * Invariant: the four bytes at `wordAt` always exist, so a full or a partial word can be stored without a check.
 */

import { IS_DEVELOPMENT } from "#development";
import { SchemaError, show } from "./errors.ts";
import { MAX_INTEGER_BITS, POWERS_OF_TWO } from "./widths.ts";

const WORD_BITS = 32;
const WORD_BYTES = 4;
const WORD_SIZE = 0x1_0000_0000;
/** From this length on one block copy is cheaper than writing piece by piece, and worth its small view object. */
export const COPIED_BYTES = 128;

/** A group of `writeVar`: four bits of the value, then one bit that says whether another group follows. */
export const VAR_GROUP_BITS = 4;
export const VAR_GROUP_SIZE = 16;

export class BitWriter {
  private bytes: Uint8Array;
  /** The full words, as far as `wordAt`, in bytes; the word that fills up, and its bits so far. Only `bit-runs.ts` touches them from outside. */
  words: DataView;
  wordAt = 0;
  word = 0;
  usedBits = 0;
  private readonly float: DataView = new DataView(new ArrayBuffer(8));

  /** @param capacityBytes room to start with, doubled when it runs out; a larger value costs only memory. */
  constructor(capacityBytes: number = 256) {
    if (IS_DEVELOPMENT && !(Number.isInteger(capacityBytes) && capacityBytes >= 0)) {
      throw new SchemaError(
        "parameter",
        "BitWriter",
        `capacityBytes must be a non-negative integer, got ${show(capacityBytes)}`,
      );
    }
    this.bytes = new Uint8Array(roundUpToWord(Math.max(capacityBytes, WORD_BYTES)));
    this.words = new DataView(this.bytes.buffer);
  }

  get bitLength(): number {
    return this.wordAt * 8 + this.usedBits;
  }

  get byteLength(): number {
    return this.wordAt + ((this.usedBits + 7) >>> 3);
  }

  /** Forgets what was written and keeps the buffer. */
  reset(): void {
    this.wordAt = 0;
    this.word = 0;
    this.usedBits = 0;
  }

  /** Writes an unsigned integer of 0 to 32 bits. Throws if the value does not fit, since it would change the bits beside it. */
  writeBits(value: number, bits: number): void {
    const unsigned = value >>> 0;
    const fits = bits < WORD_BITS ? unsigned >>> bits === 0 : bits === WORD_BITS;
    if (!fits || unsigned !== value || bits >>> 0 !== bits) throw misfit(value, bits, WORD_BITS);
    const at = this.usedBits;
    const word = this.word | (unsigned << at);
    const used = at + bits;
    if (used < WORD_BITS) {
      this.word = word;
      this.usedBits = used;
      return;
    }
    this.words.setUint32(this.wordAt, word, true);
    this.wordAt += WORD_BYTES;
    this.usedBits = used - WORD_BITS;
    this.word = used === WORD_BITS ? 0 : unsigned >>> (WORD_BITS - at);
    if (this.wordAt + WORD_BYTES > this.bytes.length) this.reserve(this.wordAt + WORD_BYTES);
  }

  /** Writes an unsigned integer of 0 to 53 bits. */
  writeUint(value: number, bits: number): void {
    if (bits <= WORD_BITS) {
      this.writeBits(value, bits);
      return;
    }
    if (!(bits <= MAX_INTEGER_BITS && value >= 0 && value < POWERS_OF_TWO[bits]!))
      throw misfit(value, bits, MAX_INTEGER_BITS);
    const high = Math.floor(value / WORD_SIZE);
    this.writeBits(value - high * WORD_SIZE, WORD_BITS);
    this.writeBits(high, bits - WORD_BITS);
  }

  /** Writes an unsigned integer up to 2⁵³ − 1 in groups of five bits: 5 bits below 16, 10 below 256, at most 70. */
  writeVar(value: number): void {
    if (!(Number.isSafeInteger(value) && value >= 0)) throw misfit(value, MAX_INTEGER_BITS, MAX_INTEGER_BITS);
    let rest = value;
    while (rest >= VAR_GROUP_SIZE) {
      const next = Math.floor(rest / VAR_GROUP_SIZE);
      this.writeBits(rest - next * VAR_GROUP_SIZE + VAR_GROUP_SIZE, VAR_GROUP_BITS + 1);
      rest = next;
    }
    this.writeBits(rest, VAR_GROUP_BITS + 1);
  }

  writeFloat32(value: number): void {
    this.float.setFloat32(0, value, true);
    this.writeBits(this.float.getUint32(0, true), WORD_BITS);
  }

  writeFloat64(value: number): void {
    this.float.setFloat64(0, value, true);
    this.writeBits(this.float.getUint32(0, true), WORD_BITS);
    this.writeBits(this.float.getUint32(WORD_BYTES, true), WORD_BITS);
  }

  /** Writes the bytes as they are, without their length. A long array is copied in one go if the writer stands at the start of a byte. */
  writeBytes(source: Uint8Array): void {
    if (source.length >= COPIED_BYTES && (this.usedBits & 7) === 0) {
      this.appendAligned(source, source.length * 8);
      return;
    }
    for (let at = 0; at < source.length; at++) this.writeBits(source[at]!, 8);
  }

  /** What was written so far, copied; the last byte is padded with zero bits. */
  finish(): Uint8Array {
    return this.view().slice();
  }

  /** What was written so far, without a copy: valid until the next write or reset. */
  view(): Uint8Array {
    this.storePartialWord();
    return this.bytes.subarray(0, this.byteLength);
  }

  /** Appends bits that begin at the start of a byte; this writer must stand at one. */
  appendAligned(source: Uint8Array, bits: number): void {
    const startBytes = this.byteLength;
    const endBits = startBytes * 8 + bits;
    this.storePartialWord();
    this.reserve(startBytes + source.length + WORD_BYTES);
    this.bytes.set(source, startBytes);
    this.wordAt = (endBits >>> 5) * WORD_BYTES;
    this.usedBits = endBits & (WORD_BITS - 1);
    const kept = POWERS_OF_TWO[this.usedBits]! - 1;
    this.word = this.words.getUint32(this.wordAt, true) & kept;
  }

  private storePartialWord(): void {
    this.words.setUint32(this.wordAt, this.word, true);
  }

  /** Makes room for so many bytes. */
  reserve(bytes: number): void {
    if (bytes <= this.bytes.length) return;
    const grown = new Uint8Array(roundUpToWord(Math.max(bytes, this.bytes.length * 2)));
    grown.set(this.bytes);
    this.bytes = grown;
    this.words = new DataView(grown.buffer);
  }
}

/** How many bits `writeVar` takes for `value`. */
export function measureVar(value: number): number {
  let bits = VAR_GROUP_BITS + 1;
  for (let rest = value; rest >= VAR_GROUP_SIZE; rest /= VAR_GROUP_SIZE) bits += VAR_GROUP_BITS + 1;
  return bits;
}

function roundUpToWord(bytes: number): number {
  return Math.ceil(bytes / WORD_BYTES) * WORD_BYTES;
}

function misfit(value: number, bits: number, maxBits: number): SchemaError {
  if (!Number.isInteger(bits) || bits < 0 || bits > maxBits) {
    return new SchemaError(
      "parameter",
      "BitWriter",
      IS_DEVELOPMENT && `a width must be an integer from 0 to ${maxBits} bits, got ${show(bits)}`,
    );
  }
  return new SchemaError(
    "value",
    "BitWriter",
    IS_DEVELOPMENT && `${show(value)} is not an unsigned integer of ${bits} bits`,
  );
}
