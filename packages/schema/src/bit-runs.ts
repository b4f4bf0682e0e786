/**
 * Long runs of bits from one `BitWriter` to another, and to words that keep them: how a server sends what it has encoded before. Functions beside the class, because a
 * page has no use for them and a bundler leaves out functions.
 */

import { type BitWriter, COPIED_BYTES } from "./bit-writer.ts";

const WORD_BITS = 32;
const WORD_BYTES = 4;

/** Appends everything `from` holds, to the bit: by words, or in one copy if it is long and the writer stands at the start of a byte. */
export function appendBits(writer: BitWriter, from: BitWriter): void {
  if (from.wordAt >= COPIED_BYTES && (writer.usedBits & 7) === 0) {
    const bits = from.bitLength;
    writer.appendAligned(from.view(), bits);
    return;
  }
  const tail = from.word >>> 0;
  const tailBits = from.usedBits;
  const tailAt = from.wordAt;
  for (let at = 0; at < tailAt; at += WORD_BYTES) writer.writeBits(from.words.getUint32(at, true), WORD_BITS);
  writer.writeBits(tail, tailBits);
}

/** The first 32 bits that were written, the first one lowest; padded with zero bits where there are fewer. */
export function firstWordOf(writer: BitWriter): number {
  return writer.wordAt === 0 ? writer.word : writer.words.getInt32(0, true);
}

/** Appends `bits` bits that lie in whole words from `words[at]` on, as `copyWords` puts them there. */
export function appendWords(writer: BitWriter, words: Uint32Array, at: number, bits: number): void {
  const end = writer.wordAt + (bits >>> 5) * WORD_BYTES;
  writer.reserve(end + 2 * WORD_BYTES);
  const shift = writer.usedBits;
  const into = writer.words;
  let from = at;
  let { word } = writer;
  for (let to = writer.wordAt; to < end; to += WORD_BYTES) {
    const next = words[from++]!;
    into.setUint32(to, word | (next << shift), true);
    word = shift === 0 ? 0 : next >>> (WORD_BITS - shift);
  }
  writer.wordAt = end;
  writer.word = word;
  const rest = bits & (WORD_BITS - 1);
  if (rest > 0) writer.writeBits(words[from]!, rest);
}

/** Copies what was written to `into` from word `at` on, as 32-bit words; the last is padded with zero bits. */
export function copyWords(writer: BitWriter, into: Uint32Array, at: number): void {
  let to = at;
  for (let from = 0; from < writer.wordAt; from += WORD_BYTES) into[to++] = writer.words.getUint32(from, true);
  if (writer.usedBits > 0) into[to] = writer.word;
}
