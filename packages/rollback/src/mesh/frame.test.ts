import { WireError } from "@nearfield/schema/internal";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  beatFrame,
  framesOf,
  MAX_FRAME_BYTES,
  MOST_PARTS,
  PART_BYTES,
  readFrame,
  TOPICS,
  type Topic,
} from "./frame.ts";
import { Parts } from "./parts.ts";
import { decodeNeeds, encodeNeeds, Receiving, readWant, Sending } from "./transfer.ts";

const topics = fc.constantFrom(...(Object.keys(TOPICS) as Topic[]));

describe("frames", () => {
  test("bring messages of any length over, in any order", () => {
    const messages = fc.uint8Array({ maxLength: 5 * PART_BYTES });
    fc.assert(
      fc.property(topics, messages, fc.nat(65_535), fc.boolean(), (topic, message, number, isTurned) => {
        const frames = framesOf(topic, number, message);
        if (isTurned) frames.reverse();
        const parts = new Parts();
        let heard: Uint8Array | undefined;
        for (const frame of frames) {
          expect(frame.length).toBeLessThanOrEqual(MAX_FRAME_BYTES);
          const read = readFrame(frame);
          if (read.kind === "whole") heard = read.bytes;
          else if (read.kind === "part") heard = parts.take(read) ?? heard;
        }
        expect(heard).toEqual(message);
      }),
      { numRuns: 60 },
    );
  });

  test("of a message that is too long are none", () => {
    expect(framesOf("session", 1, new Uint8Array(PART_BYTES * MOST_PARTS)).length).toBe(MOST_PARTS);
    expect(framesOf("session", 1, new Uint8Array(PART_BYTES * MOST_PARTS + 1))).toEqual([]);
  });

  test("beats come back as they were sent", () => {
    expect(readFrame(beatFrame("beat", 0x0102))).toEqual({ kind: "beat", number: 0x0102 });
    expect(readFrame(beatFrame("answer", 65_535))).toEqual({ kind: "answer", number: 65_535 });
  });

  test("a message whose part is lost gives way to the next", () => {
    const parts = new Parts();
    const [first] = framesOf("session", 1, new Uint8Array(2 * PART_BYTES));
    const next = framesOf("session", 2, new Uint8Array(2 * PART_BYTES).fill(7));
    const take = (frame: Uint8Array) => parts.take(readFrame(frame) as Parameters<Parts["take"]>[0]);
    expect([first!, ...next].map(take).at(-1)).toEqual(new Uint8Array(2 * PART_BYTES).fill(7));
  });

  test.each([
    [[], "range"],
    [[1, 0], "length"],
    [[2, 0, 0, 0], "length"],
    [[3, 0, 0, 0, 2, 2, 1], "range"],
    [[3, 9, 0, 0, 0, 2, 1], "range"],
    [[3, 0, 0, 0, 0, 2, 1], "length"],
    [[3, 0, 0, 0, 0, 65, 1], "range"],
    [[99], "range"],
    [Array(MAX_FRAME_BYTES + 1).fill(16), "length"],
  ])("%j is refused", (bytes, code) => {
    expect(() => readFrame(Uint8Array.from(bytes))).toThrow(expect.objectContaining({ code }));
  });

  test("any bytes are read or refused with a WireError, nothing else", () => {
    const safely = (read: (bytes: Uint8Array) => unknown) => (bytes: Uint8Array) => {
      try {
        read(bytes);
      } catch (error) {
        expect(error).toBeInstanceOf(WireError);
      }
    };
    const receiving = new Receiving(1000, 1);
    const bytes = fc.uint8Array({ maxLength: 60 });
    for (const read of [readFrame, readWant, decodeNeeds, (told: Uint8Array) => receiving.take(told)])
      fc.assert(fc.property(bytes, safely(read)), { numRuns: 1000 });
  });
});

describe("a snapshot", () => {
  test("comes over a way that loses, whoever asks how often", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 9000 }), fc.infiniteStream(fc.boolean()), (snapshot, arrives) => {
        const sending = new Sending(5, snapshot);
        const receiving = new Receiving(snapshot.length, 1);
        let heard: Uint8Array | undefined;
        for (let asked = 0; asked < 200 && heard === undefined; asked++) {
          const { id, missing } = readWant(receiving.want());
          for (const chunk of sending.chunks(id, missing)) if (arrives.next().value) heard ??= receiving.take(chunk);
        }
        expect(heard).toEqual(snapshot);
      }),
      { numRuns: 30 },
    );
  });

  test("that is longer than any of this fight is refused before it is kept", () => {
    const [chunk] = new Sending(1, new Uint8Array(600_000)).chunks(0, 0);
    expect(() => new Receiving(1000, 1).take(chunk!)).toThrow(WireError);
  });

  test("what a spectator needs is read as it was written", () => {
    expect(decodeNeeds(encodeNeeds(12_345))).toBe(12_345);
  });
});
