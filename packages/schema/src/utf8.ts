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

const REPLACEMENT = 0xfffd;

/** The text with every half surrogate pair replaced by U+FFFD; the same string if there is none. */
export function wellFormed(text: string): string {
  for (let at = 0; at < text.length; at++) {
    const point = text.codePointAt(at)!;
    if (isSurrogate(point)) return replaceHalves(text);
    if (point > 0xffff) at++;
  }
  return text;
}

/** How many bytes `writeUtf8` writes. */
export function utf8Length(text: string): number {
  let bytes = 0;
  for (let at = 0; at < text.length; at++) {
    const point = text.codePointAt(at)!;
    bytes += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (point > 0xffff) at++;
  }
  return bytes;
}

export function writeUtf8(writer: BitWriter, text: string): void {
  for (let at = 0; at < text.length; at++) {
    let point = text.codePointAt(at)!;
    if (point > 0xffff) at++;
    if (isSurrogate(point)) point = REPLACEMENT;
    if (point < 0x80) {
      writer.writeBits(point, 8);
    } else if (point < 0x800) {
      writer.writeBits(0xc0 | (point >> 6), 8);
      writer.writeBits(0x80 | (point & 0x3f), 8);
    } else if (point < 0x10000) {
      writer.writeBits(0xe0 | (point >> 12), 8);
      writer.writeBits(0x80 | ((point >> 6) & 0x3f), 8);
      writer.writeBits(0x80 | (point & 0x3f), 8);
    } else {
      writer.writeBits(0xf0 | (point >> 18), 8);
      writer.writeBits(0x80 | ((point >> 12) & 0x3f), 8);
      writer.writeBits(0x80 | ((point >> 6) & 0x3f), 8);
      writer.writeBits(0x80 | (point & 0x3f), 8);
    }
  }
}

export function readUtf8(reader: BitReader, byteLength: number): string {
  reader.need(byteLength * 8);
  let text = "";
  let left = byteLength;
  while (left > 0) {
    const lead = reader.readBits(8);
    const following = followingBytes(lead);
    if (following >= left) throw new WireError("utf8", IS_DEVELOPMENT && "the last character is cut off");
    let point = following === 0 ? lead : lead & (0x3f >> following);
    for (let at = 0; at < following; at++) {
      const byte = reader.readBits(8);
      if (byte >> 6 !== 0b10)
        throw new WireError("utf8", IS_DEVELOPMENT && `byte ${byte} does not continue a character`);
      point = (point << 6) | (byte & 0x3f);
    }
    if (point < smallestOf(following))
      throw new WireError("utf8", IS_DEVELOPMENT && "a character is written longer than it need be");
    if (isSurrogate(point) || point > 0x10ffff)
      throw new WireError("utf8", IS_DEVELOPMENT && `${point} is not a character`);
    text += String.fromCodePoint(point);
    left -= following + 1;
  }
  return text;
}

function followingBytes(lead: number): number {
  if (lead < 0x80) return 0;
  if (lead >= 0xc0 && lead < 0xe0) return 1;
  if (lead >= 0xe0 && lead < 0xf0) return 2;
  if (lead >= 0xf0 && lead < 0xf8) return 3;
  throw new WireError("utf8", IS_DEVELOPMENT && `byte ${lead} does not begin a character`);
}

function smallestOf(following: number): number {
  return following === 0 ? 0 : following === 1 ? 0x80 : following === 2 ? 0x800 : 0x10000;
}

function isSurrogate(point: number): boolean {
  return point >= 0xd800 && point <= 0xdfff;
}

function replaceHalves(text: string): string {
  let replaced = "";
  for (const character of text) {
    replaced += isSurrogate(character.codePointAt(0)!) ? String.fromCodePoint(REPLACEMENT) : character;
  }
  return replaced;
}
