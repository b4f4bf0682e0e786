import { WireError } from "@nearfield/schema/internal";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { MOST_LOST } from "./arrivals.ts";
import { decodeMessage, encodeMessage, MOST_ROWS, type PeerMessage } from "./peer-message.ts";
import { readSnapshot } from "./snapshot.ts";

const form = { players: 4, inputBytes: 2, hasLags: true };
const row = fc.uint8Array({ minLength: 7, maxLength: 7 });
const player = fc.integer({ min: 0, max: 3 });
const step = fc.integer({ min: 0, max: 2 ** 40 });
const rowsOf = (who: fc.Arbitrary<number>) =>
  fc
    .record({ player: who, first: step, rows: fc.array(row, { maxLength: MOST_ROWS }) })
    .map((rows) => (rows.rows.length > 0 ? rows : { ...rows, first: 0 }));
const message: fc.Arbitrary<PeerMessage> = fc.record({
  ack: step,
  lost: fc.constant(0),
  own: rowsOf(fc.constant(2)),
  checkpoint: fc.option(fc.record({ state: step, sum: fc.integer({ min: 0, max: 2 ** 32 - 1 }) }), { nil: undefined }),
  gone: fc.array(player, { maxLength: 4 }),
  admissions: fc.integer({ min: 0, max: 1000 }),
  suspects: fc.array(fc.record({ player, through: step }), { maxLength: 4 }),
  relayed: fc.array(rowsOf(player), { maxLength: 4 }),
});

describe("a peer's message", () => {
  test("is read as it was written", () => {
    fc.assert(
      fc.property(message, (told) => {
        expect(decodeMessage(form, 2, encodeMessage(form, told))).toEqual(told);
      }),
    );
  });

  test("with seals, what is lost is told in four bits", () => {
    const sealed = { ...form, isSealed: true };
    fc.assert(
      fc.property(message, fc.integer({ min: 0, max: MOST_LOST }), (told, lost) => {
        expect(decodeMessage(sealed, 2, encodeMessage(sealed, { ...told, lost }))).toEqual({ ...told, lost });
      }),
    );
  });

  test("rows that repeat cost a bit each", () => {
    const rows = Array.from({ length: 9 }, () => new Uint8Array(7).fill(3));
    const quiet = { ack: 0, lost: 0, checkpoint: undefined, gone: [], admissions: 0, suspects: [], relayed: [] };
    const one = encodeMessage(form, { ...quiet, own: { player: 2, first: 0, rows: rows.slice(0, 1) } }).length;
    expect(encodeMessage(form, { ...quiet, own: { player: 2, first: 0, rows } }).length).toBeLessThanOrEqual(one + 2);
  });

  test("any bytes are read or refused with a WireError, nothing else", () => {
    const bytes = fc.uint8Array({ maxLength: 200 });
    const isSafe = (read: () => unknown) => {
      try {
        read();
      } catch (error) {
        expect(error).toBeInstanceOf(WireError);
      }
    };
    fc.assert(
      fc.property(bytes, (told) => isSafe(() => decodeMessage(form, 0, told))),
      { numRuns: 2000 },
    );
    const options = { ...form, stateBytes: 16, kept: 8 };
    fc.assert(
      fc.property(bytes, (told) => isSafe(() => readSnapshot(options, told))),
      { numRuns: 2000 },
    );
  });

  test.each([
    [
      "more rows than a message holds",
      (told: PeerMessage) => ({
        ...told,
        own: { player: 2, first: 0, rows: Array.from({ length: MOST_ROWS + 1 }, () => new Uint8Array(7)) },
      }),
    ],
    ["a player who does not exist", (told: PeerMessage) => ({ ...told, gone: [4] })],
    [
      "more suspects than players",
      (told: PeerMessage) => ({ ...told, suspects: Array.from({ length: 5 }, () => ({ player: 0, through: 0 })) }),
    ],
  ])("%s is refused", (_what, bend) => {
    const quiet = {
      ack: 0,
      lost: 0,
      own: { player: 2, first: 0, rows: [] },
      checkpoint: undefined,
      gone: [],
      admissions: 0,
      suspects: [],
      relayed: [],
    };
    expect(() => decodeMessage(form, 2, encodeMessage(form, bend(quiet)))).toThrow(WireError);
  });
});
