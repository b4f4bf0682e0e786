/**
 * How messages look on a data channel: one byte that says what it is, then 16 bits, lowest byte first, where it has a number, then the
 * message. The bytes of channels are those of a WebSocket frame.
 *
 * | byte | what          | then                     |
 * | ---- | ------------- | ------------------------ |
 * | 2    | "sequenced"   | number 16, the message   |
 * | 3    | "unsequenced" | the message              |
 * | 6    | beat          | number 16                |
 * | 7    | answered beat | the beat's number 16     |
 */

import type { CloseReason } from "../link.ts";

/**
 * Bytes of the longest unreliable message on a data channel. With our framing it fits one SCTP packet of 1,191 bytes, the least that
 * browsers use, so that a loss costs one message and no message is lost for want of its other half.
 */
export const MAX_CHANNEL_MESSAGE_BYTES = 1100;

export const NUMBER_BYTES = 2;
const KIND_BYTES = 1;
const SEQUENCED = 2;
const UNSEQUENCED = 3;
const BEAT = 6;
const ANSWER = 7;

export type ChannelFrame =
  | { readonly kind: "sequenced"; readonly number: number; readonly bytes: Uint8Array }
  | { readonly kind: "unsequenced"; readonly bytes: Uint8Array }
  | { readonly kind: "beat" | "answer"; readonly number: number };

export function sequencedFrame(number: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = numberedFrame(SEQUENCED, number, bytes.length);
  frame.set(bytes, KIND_BYTES + NUMBER_BYTES);
  return frame;
}

export function unsequencedFrame(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(KIND_BYTES + bytes.length);
  frame[0] = UNSEQUENCED;
  frame.set(bytes, KIND_BYTES);
  return frame;
}

export function beatFrame(kind: "beat" | "answer", number: number): Uint8Array<ArrayBuffer> {
  return numberedFrame(kind === "beat" ? BEAT : ANSWER, number, 0);
}

/** What a frame says, without a copy, or the reason to close with. */
export function readChannelFrame(frame: Uint8Array): ChannelFrame | { readonly fault: CloseReason } {
  const { length } = frame;
  if (length === 0) return { fault: { code: "empty", detail: "a message without a first byte on the data channel" } };
  const most = MAX_CHANNEL_MESSAGE_BYTES + KIND_BYTES + NUMBER_BYTES;
  if (length > most)
    return { fault: { code: "oversized", detail: `${length} bytes on the data channel, limit ${most}` } };
  const first = frame[0]!;
  if (first === UNSEQUENCED) return { kind: "unsequenced", bytes: rest(frame, KIND_BYTES) };
  if (first !== SEQUENCED && first !== BEAT && first !== ANSWER) {
    return { fault: { code: "unknown-channel", detail: `first byte ${first} on the data channel` } };
  }
  const hasMessage = first === SEQUENCED;
  if (hasMessage ? length < KIND_BYTES + NUMBER_BYTES : length !== KIND_BYTES + NUMBER_BYTES) {
    return { fault: { code: "malformed", detail: `${length} bytes after first byte ${first} on the data channel` } };
  }
  const number = numberAt(frame, KIND_BYTES);
  if (hasMessage) return { kind: "sequenced", number, bytes: rest(frame, KIND_BYTES + NUMBER_BYTES) };
  return { kind: first === BEAT ? "beat" : "answer", number };
}

/** The message of "sequenced" behind its number, as it travels on a WebSocket once there was a data channel. */
export function withNumber(number: number, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const numbered = new Uint8Array(NUMBER_BYTES + bytes.length);
  numbered[0] = number & 0xff;
  numbered[1] = number >> 8;
  numbered.set(bytes, NUMBER_BYTES);
  return numbered;
}

export function readNumbered(
  numbered: Uint8Array,
): { readonly number: number; readonly bytes: Uint8Array } | { readonly fault: CloseReason } {
  if (numbered.length < NUMBER_BYTES)
    return { fault: { code: "malformed", detail: "a numbered message without number" } };
  return { number: numberAt(numbered, 0), bytes: rest(numbered, NUMBER_BYTES) };
}

function numberedFrame(kind: number, number: number, messageBytes: number): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(KIND_BYTES + NUMBER_BYTES + messageBytes);
  frame[0] = kind;
  frame[1] = number & 0xff;
  frame[2] = number >> 8;
  return frame;
}

function numberAt(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8);
}

function rest(bytes: Uint8Array, from: number): Uint8Array {
  return new Uint8Array(bytes.buffer, bytes.byteOffset + from, bytes.length - from);
}
