/**
 * What two members of a mesh send each other, over a data channel or over the server. One byte says what a frame is:
 *
 * | byte      | what                              | then                                            |
 * | --------- | --------------------------------- | ----------------------------------------------- |
 * | 1, 2      | a beat; its answer                | number 16                                       |
 * | 3         | a part of a longer message        | topic 8, message's number 16, index 8, count 8  |
 * | 16 + topic| a whole message                   | the message                                     |
 *
 * Numbers are written lowest byte first. A frame has at most `MAX_FRAME_BYTES`, so that it fits one packet. A longer message is cut into parts. If one part
 * is lost the message is lost, as a whole one would be.
 */

import { WireError } from "@nearfield/schema/internal";

/** What a message is about. A reader refuses any other number. */
export const TOPICS = { session: 0, want: 1, chunk: 2, watch: 3, rows: 4, signed: 5 } as const;
export type Topic = keyof typeof TOPICS;

/** As on the data channel between client and server: one SCTP packet of 1,191 bytes holds it, with its headers. */
export const MAX_FRAME_BYTES = 1100;
/** Parts of one message; 64 are 70 kB. */
export const MOST_PARTS = 64;
const PART_HEAD = 6;
export const PART_BYTES: number = MAX_FRAME_BYTES - PART_HEAD;
const BEAT = 1;
const ANSWER = 2;
const PART = 3;
const WHOLE = 16;
const NAMES = Object.keys(TOPICS) as Topic[];

export type Frame =
  | { readonly kind: "beat" | "answer"; readonly number: number }
  | { readonly kind: "whole"; readonly topic: Topic; readonly bytes: Uint8Array }
  | {
      readonly kind: "part";
      readonly topic: Topic;
      readonly number: number;
      readonly index: number;
      readonly count: number;
      readonly bytes: Uint8Array;
    };

export function beatFrame(kind: "beat" | "answer", number: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.of(kind === "beat" ? BEAT : ANSWER, number & 0xff, (number >> 8) & 0xff);
}

/** The frames of one message; none if it is too long for any number of them. */
export function framesOf(topic: Topic, number: number, message: Uint8Array): Uint8Array<ArrayBuffer>[] {
  if (message.length < MAX_FRAME_BYTES) {
    const frame = new Uint8Array(1 + message.length);
    frame[0] = WHOLE + TOPICS[topic];
    frame.set(message, 1);
    return [frame];
  }
  const count = Math.ceil(message.length / PART_BYTES);
  if (count > MOST_PARTS) return [];
  return Array.from({ length: count }, (_, index) => {
    const bytes = message.subarray(index * PART_BYTES, (index + 1) * PART_BYTES);
    const frame = new Uint8Array(PART_HEAD + bytes.length);
    frame.set([PART, TOPICS[topic], number & 0xff, (number >> 8) & 0xff, index, count]);
    frame.set(bytes, PART_HEAD);
    return frame;
  });
}

/** Throws `WireError` on anything that no writer of frames would have written. */
export function readFrame(frame: Uint8Array): Frame {
  const { length } = frame;
  if (length > MAX_FRAME_BYTES) throw new WireError("length", `a frame of ${length} bytes, ${MAX_FRAME_BYTES} at most`);
  const first = frame[0];
  if (first === BEAT || first === ANSWER) {
    if (length !== 3) throw new WireError("length", `a beat of ${length} bytes`);
    return { kind: first === BEAT ? "beat" : "answer", number: numberAt(frame, 1) };
  }
  if (first === PART) {
    const [topic, index, count] = [NAMES[frame[1] ?? NAMES.length], frame[4]!, frame[5]!];
    const isLast = index === count - 1;
    const isFull = length === MAX_FRAME_BYTES;
    if (topic === undefined || !(index < count) || count < 2 || count > MOST_PARTS || length <= PART_HEAD)
      throw new WireError("range", "a part without its place");
    if (!isLast && !isFull) throw new WireError("length", `part ${index} of ${count} has ${length} bytes`);
    return { kind: "part", topic, number: numberAt(frame, 2), index, count, bytes: frame.subarray(PART_HEAD) };
  }
  const topic = first === undefined ? undefined : NAMES[first - WHOLE];
  if (topic === undefined) throw new WireError("range", `a frame that begins with ${first}`);
  return { kind: "whole", topic, bytes: frame.subarray(1) };
}

function numberAt(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8);
}
