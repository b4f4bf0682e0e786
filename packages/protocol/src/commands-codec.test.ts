/** Runs of stepped commands: they survive encoding and decoding, have only one encoding, and are short while a player holds a key. */

import { bool, command, int, object, Protocol, text, uint } from "@nearfield/schema";
import { BitWriter, objectId, WireError } from "@nearfield/schema/internal";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Commands, MOST_COMMANDS, type SteppedCommand } from "./commands-codec.ts";
import { decodeFromClient, encodeFromClient } from "./from-client.ts";

const Rock = object("rock", { a: uint(8) });
const Steer = command("steer", { turn: int(3), go: bool() });
const Shout = command("shout", { words: text(8) });
const protocol = new Protocol({ objects: [Rock], commands: [Steer, Shout] });

function steer(turn: number, stepMs = 16, slot = 1): SteppedCommand {
  return { id: objectId(slot, 0), type: Steer as never, values: { turn, go: true }, stepMs };
}

function read(bytes: Uint8Array): Commands {
  return decodeFromClient(bytes, "unsequenced", protocol).message as Commands;
}

describe("commands", () => {
  it("come back as they were", () => {
    const one = fc.record({
      slot: fc.integer({ min: 0, max: 3 }),
      turn: fc.integer({ min: -4, max: 3 }),
      stepMs: fc.constantFrom(4, 16, 17, 250),
      words: fc.option(fc.constantFrom("", "ja", "größe")),
    });
    fc.assert(
      fc.property(fc.nat(65_535), fc.array(one, { minLength: 1, maxLength: 40 }), (first, list) => {
        const message: Commands = {
          kind: "commands",
          first,
          list: list.map(({ slot, turn, stepMs, words }) =>
            words === null
              ? steer(turn, stepMs, slot)
              : { id: objectId(slot, 0), type: Shout as never, values: { words }, stepMs },
          ),
        };
        const bytes = encodeFromClient(message, protocol);
        expect(read(bytes)).toEqual(message);
        expect(encodeFromClient(read(bytes), protocol)).toEqual(bytes);
      }),
    );
  });

  it("cost three bits each while nothing changes", () => {
    const bytes = (count: number): number =>
      encodeFromClient({ kind: "commands", first: 1, list: Array.from({ length: count }, () => steer(1)) }, protocol)
        .length;
    expect(bytes(81) - bytes(1)).toBe((80 * 3) / 8);
  });

  it.each([
    [
      "the same object again",
      (w: BitWriter) => {
        w.writeBits(1, 1);
        w.writeBits(objectId(1, 0), 32);
        w.writeBits(0, 2);
      },
    ],
    [
      "the same command again",
      (w: BitWriter) => {
        w.writeBits(0, 1);
        w.writeBits(1, 1);
        w.writeBits(0, 1);
        w.writeBits(5, 3);
        w.writeBits(1, 1);
        w.writeBits(0, 1);
      },
    ],
    [
      "the same length again",
      (w: BitWriter) => {
        w.writeBits(0, 2);
        w.writeBits(1, 1);
        w.writeBits(16, 8);
      },
    ],
  ])("%s is no other way to write it", (_, second) => {
    const w = new BitWriter(64);
    w.writeBits(13, 5);
    w.writeBits(1, 16);
    w.writeBits(2, 9);
    w.writeBits(objectId(1, 0), 32);
    w.writeBits(0, 1);
    w.writeBits(5, 3);
    w.writeBits(1, 1);
    w.writeBits(16, 8);
    const first = w.finish();
    expect(read(encodeFromClient({ kind: "commands", first: 1, list: [steer(1)] }, protocol)).list).toHaveLength(1);
    second(w);
    expect(() => read(w.finish())).toThrow(/said again/);
    expect(first.length).toBeGreaterThan(8);
  });

  it.each([0, MOST_COMMANDS + 1])("%i of them are no message", (count) => {
    const list = Array.from({ length: count }, () => steer(1));
    expect(() => read(encodeFromClient({ kind: "commands", first: 1, list }, protocol))).toThrow(WireError);
  });

  it.each([3, 251])("none lasts %i ms", (stepMs) => {
    expect(() => read(encodeFromClient({ kind: "commands", first: 1, list: [steer(1, stepMs)] }, protocol))).toThrow(
      WireError,
    );
  });
});
