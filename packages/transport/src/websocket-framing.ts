/**
 * How a Link looks on a WebSocket, in Node and in browsers. One binary message holds one byte that names the channel (1 reliable,
 * 2 sequenced, 3 unsequenced), then one message of ours; TCP keeps the order, so "sequenced" needs no number. Two more
 * values of that byte serve links with a data channel beside the socket: 4 is a signal (`signal.ts`), 5 a "sequenced" message behind its
 * 16-bit number, lowest byte first; it needs the number because TCP does not order it with messages on the data channel. A
 * link that ends says why in the close frame: status 4000 and `{"code":…,"detail":…}` in at most 123 bytes, the detail
 * cut to fit.
 *
 * Nothing here throws on what a peer sent: a frame or a reason is either understood or answered with the code to close
 * with.
 */

import { type Channel, type CloseReason, isReasonCode } from "./link.ts";

export const FRAMING_BYTES = 1;
/** Status of a close frame whose reason text is ours. */
export const REASON_STATUS = 4000;
/** RFC 6455 §5.5: a control frame carries 125 bytes, two of them the status. */
const MAX_REASON_BYTES = 123;
const QUOTES_BYTES = 2;

/** What a frame on a WebSocket can be: a message of a channel, a signal, or a message of "sequenced" with its number. */
export type FrameKind = Channel | "signal" | "numbered";

/** By the byte in front of a frame. */
const KINDS: readonly (FrameKind | undefined)[] = [
  undefined,
  "reliable",
  "sequenced",
  "unsequenced",
  "signal",
  "numbered",
];

export function frameByte(kind: FrameKind): number {
  return KINDS.indexOf(kind);
}

/** A new array with the channel byte in front: the one copy that `send` promises. */
export function frameMessage(kind: FrameKind, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const frame = new Uint8Array(bytes.length + FRAMING_BYTES);
  frame[0] = frameByte(kind);
  frame.set(bytes, FRAMING_BYTES);
  return frame;
}

export type Unframed = { readonly kind: FrameKind; readonly bytes: Uint8Array } | { readonly fault: CloseReason };

/** The message inside a frame, without a copy, or the reason to close with. */
export function unframeMessage(frame: Uint8Array, maxMessageBytes: number): Unframed {
  const first = frame[0];
  if (first === undefined) return { fault: { code: "empty", detail: "no channel byte" } };
  const kind = KINDS[first];
  if (kind === undefined) return { fault: { code: "unknown-channel", detail: `channel byte ${first}` } };
  const length = frame.length - FRAMING_BYTES;
  if (length > maxMessageBytes) return { fault: oversized(`${length} bytes, limit ${maxMessageBytes}`) };
  return { kind, bytes: new Uint8Array(frame.buffer, frame.byteOffset + FRAMING_BYTES, length) };
}

export function oversized(detail: string): CloseReason {
  return { code: "oversized", detail };
}

/** The reason as close frame text, its detail cut to what fits. */
export function encodeReason(reason: CloseReason): string {
  let room = MAX_REASON_BYTES - JSON.stringify({ code: reason.code, detail: "" }).length;
  let detail = "";
  for (const character of reason.detail) {
    room -= utf8Length(JSON.stringify(character)) - QUOTES_BYTES;
    if (room < 0) break;
    detail += character;
  }
  return JSON.stringify({ code: reason.code, detail });
}

/** What a close frame of the other side means; status 1006 stands for no close frame at all. */
export function decodeReason(status: number, text: string): CloseReason {
  switch (status) {
    case REASON_STATUS:
      return parseReason(text) ?? { code: "closed", detail: text };
    case 1006:
      return { code: "vanished", detail: "the connection broke" };
    case 1009:
      return oversized("the other side refused a message as too long");
    case 1002:
    case 1003:
    case 1007:
      return { code: "malformed", detail: `the other side refused a message (WebSocket status ${status})` };
    default:
      return { code: "closed", detail: text === "" ? `WebSocket status ${status}` : text };
  }
}

function parseReason(text: string): CloseReason | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("code" in value) || !("detail" in value)) return undefined;
    const { code, detail } = value;
    if (typeof code !== "string" || typeof detail !== "string" || !isReasonCode(code)) return undefined;
    return { code, detail };
  } catch {
    return undefined;
  }
}

/** Bytes of well-formed text in UTF-8; `JSON.stringify` escapes lone surrogates, so its output is well formed. */
function utf8Length(text: string): number {
  let length = 0;
  for (const character of text) {
    const point = character.codePointAt(0)!;
    length += point < 0x80 ? 1 : point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  }
  return length;
}
