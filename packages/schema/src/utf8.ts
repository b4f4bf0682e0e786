/**
 * UTF-8 straight into and out of bits. Written here because this package knows neither Node nor the DOM.
 *
 * Writing: half a surrogate pair becomes U+FFFD, as in every encoder of the platform; `wellFormed` gives the same text to
 * compare with. Reading is strict (Unicode 15, table 3-7): overlong forms, surrogates and values past U+10FFFF are refused,
 * so each text has one encoding.
 */

import { IS_DEVELOPMENT } from "#development";
import type { BitReader } from "./bit-reader.ts";
import type { BitWriter } from "./bit-writer.ts";
import { WireError } from "./errors.ts";

/** Half of a surrogate pair, alone: with the flag `u`, halves that stand together are one character. */
const LONE_HALF = /\p{Surrogate}/gu;
const REPLACEMENT = "\ufffd";

/** The text with every half surrogate pair replaced by U+FFFD; the same string if there is none. */
export function wellFormed(text: string): string {
  return text.replace(LONE_HALF, REPLACEMENT);
}

/** How many bytes `writeUtf8` writes. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    const point = text.codePointAt(at)!;
    bytes += bytesOf(point);
    if (point > 0xffff) at++;
  }
  return bytes;
}

export function writeUtf8(writer: BitWriter, text: string): void {
  for (let at = 0; at < text.length; at++) {
    let point = text.codePointAt(at)!;
    if (point > 0xffff) at++;
    if (isSurrogate(point)) point = REPLACEMENT.charCodeAt(0);
    const bytes = bytesOf(point);
    if (bytes === 1) {
      writer.writeBits(point, 8);
      continue;
    }
    // The first byte begins with as many ones as there are bytes, each further byte with 10.
    writer.writeBits(((0xf00 >> bytes) & 0xff) | (point >> (6 * (bytes - 1))), 8);
    for (let left = bytes - 2; left >= 0; left--) writer.writeBits(0x80 | ((point >> (6 * left)) & 0x3f), 8);
  }
}

export function readUtf8(reader: BitReader, byteLength: number): string {
  reader.need(byteLength * 8);
  let text = "";
  let left = byteLength;
  while (left > 0) {
    const lead = reader.readBits(8);
    const bytes = bytesBehind(lead);
    if (bytes > left) throw new WireError("utf8", IS_DEVELOPMENT && "the last character is cut off");
    let point = bytes === 1 ? lead : lead & (0x7f >> bytes);
    for (let at = 1; at < bytes; at++) {
      const byte = reader.readBits(8);
      if (byte >> 6 !== 0b10)
        throw new WireError("utf8", IS_DEVELOPMENT && `byte ${byte} does not continue a character`);
      point = (point << 6) | (byte & 0x3f);
    }
    if (bytesOf(point) < bytes)
      throw new WireError("utf8", IS_DEVELOPMENT && "a character is written longer than it need be");
    if (isSurrogate(point) || point > 0x10ffff)
      throw new WireError("utf8", IS_DEVELOPMENT && `${point} is not a character`);
    text += String.fromCodePoint(point);
    left -= bytes;
  }
  return text;
}

/** The length of a character that begins with this byte: its number of leading ones, or 1 if there are none. */
function bytesBehind(lead: number): number {
  const ones = Math.clz32(~(lead << 24));
  if (ones === 1 || ones > 4) throw new WireError("utf8", IS_DEVELOPMENT && `byte ${lead} does not begin a character`);
  return ones === 0 ? 1 : ones;
}

function bytesOf(point: number): number {
  return point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
}

function isSurrogate(point: number): boolean {
  return point >= 0xd800 && point <= 0xdfff;
}
