/**
 * Takes values out of received bytes, the mirror of `BitWriter`.
 *
 * Every byte may come from an attacker. A read past the end throws `WireError("truncated")` before it touches or allocates
 * anything. A value that is not in the one form that the writer uses is refused.
 */

import { IS_DEVELOPMENT } from "#development";
import { VAR_GROUP_BITS, VAR_GROUP_SIZE } from "./bit-writer.ts";
import { SchemaError, show, WireError } from "./errors.ts";
import { MAX_INTEGER_BITS } from "./widths.ts";

const WORD_BITS = 32;
const WORD_BYTES = 4;
const WORD_SIZE = 0x1_0000_0000;
/** Messages of fewer bytes are read byte by byte: most are acks, and to make a view of one takes longer than to read it. */
const SHORT_MESSAGE = 24;
const NO_WORDS = new DataView(new ArrayBuffer(0));
/** In bytes: a position counted in bits fits 32 bits. */
const LARGEST_MESSAGE = 0x1fff_ffff;

export class BitReader {
  private readonly bytes: Uint8Array;
  private readonly words: DataView;
  /** Bytes that `words` covers: all, or none. */
  private readonly wordEnd: number;
  private readonly endBit: number;
  private bitAt = 0;
  /** Made for the first float, because most messages have none and a reader is made for every message. */
  private float: DataView | undefined = undefined;

  /** The bytes are read where they lie: they must not change until reading is over. */
  constructor(bytes: Uint8Array) {
    if (bytes.length > LARGEST_MESSAGE)
      throw new WireError("length", IS_DEVELOPMENT && `${bytes.length} bytes in one message`);
    this.bytes = bytes;
    const isShort = bytes.length < SHORT_MESSAGE;
    this.words = isShort ? NO_WORDS : new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.wordEnd = isShort ? 0 : bytes.length;
    this.endBit = bytes.length * 8;
  }

  get bitsLeft(): number {
    return this.endBit - this.bitAt;
  }

  /** Reads an unsigned integer of 0 to 32 bits. */
  readBits(bits: number): number {
    if (bits > WORD_BITS || bits >>> 0 !== bits) throw badWidth(bits, WORD_BITS);
    const at = this.bitAt;
    if (bits > this.endBit - at) throw this.truncated(bits);
    const byteAt = at >>> 3;
    const shift = at & 7;
    this.bitAt = at + bits;
    let value = this.wordFrom(byteAt) >>> shift;
    if (shift + bits > WORD_BITS) value |= this.bytes[byteAt + WORD_BYTES]! << (WORD_BITS - shift);
    return bits === WORD_BITS ? value >>> 0 : value & ~(-1 << bits);
  }

  /** The next bits, at most 24, without taking them; past the end they are 0. For codes whose length shows in their first bits. */
  peekBits(bits: number): number {
    const at = this.bitAt;
    const byteAt = at >>> 3;
    return (this.wordFrom(byteAt) >>> (at & 7)) & ~(-1 << bits);
  }

  /** Takes bits that were looked at before. */
  skipBits(bits: number): void {
    if (bits > this.endBit - this.bitAt) throw this.truncated(bits);
    this.bitAt += bits;
  }

  /** Reads an unsigned integer of 0 to 53 bits. */
  readUint(bits: number): number {
    if (bits <= WORD_BITS) return this.readBits(bits);
    if (!(bits <= MAX_INTEGER_BITS)) throw badWidth(bits, MAX_INTEGER_BITS);
    this.need(bits);
    const low = this.readBits(WORD_BITS);
    return this.readBits(bits - WORD_BITS) * WORD_SIZE + low;
  }

  /** Reads what `writeVar` wrote. A last group of zero, which the writer never writes, is refused. */
  readVar(): number {
    let value = 0;
    let scale = 1;
    for (;;) {
      const group = this.readBits(VAR_GROUP_BITS + 1);
      const more = group >= VAR_GROUP_SIZE;
      const part = more ? group - VAR_GROUP_SIZE : group;
      value += part * scale;
      if (value > Number.MAX_SAFE_INTEGER)
        throw new WireError("range", IS_DEVELOPMENT && "a variable-width integer above 2^53 - 1");
      if (!more) {
        if (part === 0 && scale > 1)
          throw new WireError("range", IS_DEVELOPMENT && "a variable-width integer with an empty last group");
        return value;
      }
      scale *= VAR_GROUP_SIZE;
      if (scale > Number.MAX_SAFE_INTEGER)
        throw new WireError("range", IS_DEVELOPMENT && "a variable-width integer of too many groups");
    }
  }

  readFloat32(): number {
    const float = this.floatScratch();
    float.setUint32(0, this.readBits(WORD_BITS), true);
    return float.getFloat32(0, true);
  }

  readFloat64(): number {
    this.need(2 * WORD_BITS);
    const float = this.floatScratch();
    float.setUint32(0, this.readBits(WORD_BITS), true);
    float.setUint32(WORD_BYTES, this.readBits(WORD_BITS), true);
    return float.getFloat64(0, true);
  }

  /** Reads `count` bytes into an array of their own. */
  readBytes(count: number): Uint8Array {
    this.need(count * 8);
    if ((this.bitAt & 7) === 0) {
      const start = this.bitAt / 8;
      this.bitAt += count * 8;
      return new Uint8Array(this.bytes.subarray(start, start + count));
    }
    const copy = new Uint8Array(count);
    for (let at = 0; at < count; at++) copy[at] = this.readBits(8);
    return copy;
  }

  /** Throws `truncated` unless `bits` more bits are there; called before anything is allocated for them. */
  need(bits: number): void {
    if (bits > this.endBit - this.bitAt) throw this.truncated(bits);
  }

  /** Ends the reading: only the zero padding of the last byte may be left. */
  end(): void {
    if (this.bitsLeft >= 8)
      throw new WireError("trailing", IS_DEVELOPMENT && `${Math.floor(this.bitsLeft / 8)} bytes after the last value`);
    if (this.readBits(this.bitsLeft) !== 0)
      throw new WireError("trailing", IS_DEVELOPMENT && "padding bits are not zero");
  }

  private floatScratch(): DataView {
    this.float ??= new DataView(new ArrayBuffer(8));
    return this.float;
  }

  private truncated(bits: number): WireError {
    return new WireError("truncated", IS_DEVELOPMENT && `${bits} bits wanted, ${this.bitsLeft} left`);
  }

  /** The word that starts at a byte. Bytes past the end are 0. It is signed: an unsigned word would often be a number on the heap. */
  private wordFrom(byteAt: number): number {
    return byteAt + WORD_BYTES <= this.wordEnd ? this.words.getInt32(byteAt, true) : this.gather(byteAt);
  }

  private gather(byteAt: number): number {
    const count = Math.min(WORD_BYTES, this.bytes.length - byteAt);
    let word = 0;
    for (let i = 0; i < count; i++) word |= this.bytes[byteAt + i]! << (i * 8);
    return word;
  }
}

function badWidth(bits: number, maxBits: number): SchemaError {
  return new SchemaError(
    "parameter",
    "BitReader",
    IS_DEVELOPMENT && `a width must be an integer from 0 to ${maxBits} bits, got ${show(bits)}`,
  );
}
