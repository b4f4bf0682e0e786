import { WireError } from "@nearfield/schema/internal";
import fc from "fast-check";
import { expect, test } from "vitest";
import { drawObservers } from "./draw-observers.ts";
import type { Seal } from "./seal.ts";
import { decodeLog, encodeLog, type SignedLog } from "./signed-log.ts";

const form = { players: 3, inputBytes: 1, hasLags: false };
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const seal = (player: number): fc.Arbitrary<Seal> =>
  fc
    .record({
      player: fc.constant(player),
      through: fc.nat(1e6),
      state: fc.nat(1e6),
      digest: bytes(16),
      inputs: bytes(16),
      signature: bytes(64),
    })
    .map((told) => ({ ...told, state: Math.min(told.state, told.through) }));
const signedRows = (player: number) =>
  fc
    .record({
      player: fc.constant(player),
      first: fc.nat(1000),
      rows: fc.array(bytes(2), { maxLength: 80 }),
      seal: fc.option(seal(player), { nil: undefined }),
    })
    .map((rows) => (rows.rows.length > 0 ? rows : { ...rows, first: 0 }));
const log: fc.Arbitrary<SignedLog> = fc.record({
  space: bytes(16),
  players: fc.tuple(signedRows(0), signedRows(1), signedRows(2)),
  disputed: fc.array(seal(1), { maxLength: 3 }),
  gone: fc.uniqueArray(fc.nat(2)).map((players) => new Map(players.map((player) => [player, player * 8]))),
});

test("a log is read as it was written", () => {
  fc.assert(
    fc.property(log, (told) => {
      expect(decodeLog(form, encodeLog(form, told))).toEqual(told);
    }),
  );
});

test("any bytes are read or refused with a WireError, nothing else", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (told) => {
      try {
        decodeLog(form, told);
      } catch (error) {
        expect(error).toBeInstanceOf(WireError);
      }
    }),
    { numRuns: 2000 },
  );
});

test("observers are drawn as the dice say, each once, and never more than there are", () => {
  const rolled: number[] = [];
  const roll = (sides: number) => {
    rolled.push(sides);
    return sides - 1;
  };
  expect(drawObservers(["a", "b", "c"], 2, roll)).toEqual(["c", "b"]);
  expect(rolled).toEqual([3, 2]);
  expect(drawObservers(["a"], 5, roll)).toEqual(["a"]);
  expect(() => drawObservers(["a"], 0, roll)).toThrow("count must be a whole number above 0, not 0");
});
