/**
 * Small parts that several messages share: short texts, object ids, numbers of a view, some fields of an object. Each is written and read
 * side by side. Reading checks every length before it allocates, and throws only `WireError`.
 */

import { type ObjectId, type ObjectType, type Protocol, SchemaError } from "@nearfield/schema";
import {
  type BitReader,
  type BitWriter,
  bitsFor,
  checkText,
  IS_DEVELOPMENT,
  readFields,
  readLength,
  readMask,
  readUtf8,
  utf8Length,
  type Wire,
  WireError,
  writeFields,
  writeMask,
  writeUtf8,
} from "@nearfield/schema/internal";

/** Names: nicknames, rooms, tags, predicates, metrics. 32 characters of any script, or 128 of ASCII. */
export const MAX_NAME_BYTES = 128;
/** Explanations for people. Longer ones are cut before they are sent. */
export const MAX_TEXT_BYTES = 240;
/** The longest secret that names a session; the server chooses it. */
export const MAX_TOKEN_BYTES = 32;
/** The longest credentials of a client (a signed token, for example), in bytes of UTF-8. */
export const MAX_CREDENTIALS_BYTES = 3072;

export function writeName(w: BitWriter, name: string): void {
  writeWords(w, name, "name", MAX_NAME_BYTES);
}

export function readName(r: BitReader): string {
  return readWords(r, MAX_NAME_BYTES);
}

/** Writes text for people. Text that is too long is cut and ends in "…". */
export function writeText(w: BitWriter, words: string): void {
  writeWords(w, cut(words), "text", MAX_TEXT_BYTES);
}

/** The words, or as many whole characters as fit before the ellipsis. A UTF-16 unit takes at most three bytes. */
function cut(words: string): string {
  if (words.length * 3 <= MAX_TEXT_BYTES) return words;
  let bytes = 0;
  const kept: string[] = [];
  for (const character of words) {
    bytes += utf8Length(character);
    if (bytes > MAX_TEXT_BYTES) return `${kept.slice(0, -3).join("")}…`;
    kept.push(character);
  }
  return words;
}

export function readText(r: BitReader): string {
  return readWords(r, MAX_TEXT_BYTES);
}

export function writeCredentials(w: BitWriter, credentials: string): void {
  writeWords(w, credentials, "credentials", MAX_CREDENTIALS_BYTES);
}

export function readCredentials(r: BitReader): string {
  return readWords(r, MAX_CREDENTIALS_BYTES);
}

/** As a field `text(maxBytes)` writes it. The field itself knows more than messages need. */
function writeWords(w: BitWriter, words: string, path: string, maxBytes: number): void {
  checkText(words, path, maxBytes);
  w.writeBits(utf8Length(words), bitsFor(maxBytes));
  writeUtf8(w, words);
}

function readWords(r: BitReader, maxBytes: number): string {
  return readUtf8(r, readLength(r, maxBytes, bitsFor(maxBytes), 8));
}

/** As a field `bytes(MAX_TOKEN_BYTES)` writes it. */
export function writeToken(w: BitWriter, token: Uint8Array): void {
  if (token.length > MAX_TOKEN_BYTES)
    throw new SchemaError("value", "token", IS_DEVELOPMENT && `must be at most ${MAX_TOKEN_BYTES} bytes`);
  w.writeBits(token.length, bitsFor(MAX_TOKEN_BYTES));
  w.writeBytes(token);
}

export function readToken(r: BitReader): Uint8Array {
  return r.readBytes(readLength(r, MAX_TOKEN_BYTES, bitsFor(MAX_TOKEN_BYTES), 8));
}

export function writeId(w: BitWriter, id: ObjectId): void {
  w.writeBits(id, 32);
}

export function readId(r: BitReader): ObjectId {
  return r.readBits(32) as ObjectId;
}

export function writeFlag(w: BitWriter, flag: boolean): void {
  w.writeBits(flag ? 1 : 0, 1);
}

export function readFlag(r: BitReader): boolean {
  return r.readBits(1) === 1;
}

/** Reads a count of at most `most`. The message must still have at least one bit for each counted item. */
export function readCount(r: BitReader, most: number, what: string): number {
  const count = r.readVar();
  if (count > most) throw new WireError("length", IS_DEVELOPMENT && `${count} ${what}, at most ${most}`);
  r.need(count);
  return count;
}

/** One of a fixed list of words, by its index. */
export function writeChoice<T extends string>(w: BitWriter, choices: readonly T[], choice: T): void {
  w.writeVar(choices.indexOf(choice));
}

export function readChoice<T extends string>(r: BitReader, choices: readonly T[], what: string): T {
  const index = r.readVar();
  const choice = choices[index];
  if (choice === undefined) throw new WireError("unknown", IS_DEVELOPMENT && `there is no ${what} ${index}`);
  return choice;
}

/** Writes any number but NaN: small whole numbers in a few bits, others as the shortest float that holds them. */
export function writeNumber(w: BitWriter, value: number): void {
  if (Number.isSafeInteger(value) && value >= 0 && !Object.is(value, -0)) {
    w.writeBits(0, 1);
    w.writeVar(value);
  } else if (Math.fround(value) === value) {
    w.writeBits(0b01, 2);
    w.writeFloat32(value);
  } else {
    w.writeBits(0b11, 2);
    w.writeFloat64(value);
  }
}

export function readNumber(r: BitReader): number {
  if (r.readBits(1) === 0) return r.readVar();
  const value = r.readBits(1) === 0 ? r.readFloat32() : r.readFloat64();
  if (Number.isNaN(value)) throw new WireError("range", IS_DEVELOPMENT && "NaN is no number of a view");
  return value;
}

/** Some fields of one object in wire form: `wires[i]` belongs to the i-th field of the mask. */
export interface FieldsOfObject {
  readonly type: ObjectType;
  readonly mask: number;
  readonly wires: readonly Wire[];
}

export function writeFieldsOfObject(w: BitWriter, fields: FieldsOfObject, protocol: Protocol): void {
  protocol.writeType(w, fields.type);
  writeMask(w, fields.type, fields.mask);
  let next = 0;
  writeFields(w, fields.type, fields.mask, () => fields.wires[next++]!);
}

export function readFieldsOfObject(r: BitReader, protocol: Protocol): FieldsOfObject {
  const type = protocol.readObjectType(r);
  const mask = readMask(r, type);
  const wires: Wire[] = [];
  readFields(r, type, mask, (_, wire) => wires.push(wire));
  return { type, mask, wires };
}
