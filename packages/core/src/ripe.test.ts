import { describe, expect, test } from "vitest";
import { isRipe, Rhythm, rideAlong, ripenessOf, sendBit } from "./ripe.ts";

const NONE = Number.POSITIVE_INFINITY;

describe("a ripe pair", () => {
  const bound = { time: 200, sequence: 5, value: 10 };

  test.each([
    [{ time: 99, sequence: 2, value: 4.9 }, false],
    [{ time: 100, sequence: 0, value: 0 }, true],
    [{ time: 0, sequence: 3, value: 0 }, true],
    [{ time: 0, sequence: 0, value: 5 }, true],
  ])("%o of %o is at half of its bound: %s", (divergence, expected) => {
    expect(isRipe(bound, divergence, 0.5)).toBe(expected);
  });

  test("a figure without requirement never makes one", () => {
    expect(isRipe({ time: NONE, sequence: NONE, value: NONE }, { time: 1e9, sequence: 1e9, value: NONE }, 0.5)).toBe(
      false,
    );
  });

  test.each([0, -1, 1.01, Number.NaN])("a share of %f is refused", (ripe) => {
    expect(() => ripenessOf(ripe)).toThrow("ripe");
  });
});

describe("riding along", () => {
  test("half as many as silent rounds, for each round in which some were last sent", () => {
    expect(rideAlong(8, sendBit(7), 16)).toBe(true);
    expect(rideAlong(9, sendBit(7), 16)).toBe(false);
    expect(rideAlong(9, sendBit(7) | sendBit(8), 16)).toBe(true);
    expect(rideAlong(17, sendBit(7) | sendBit(8 + 31), 16)).toBe(false);
    expect(rideAlong(0, 0, 0)).toBe(true);
  });

  test("a view that was silent in fewer than 8 of the last 32 rounds does not look", () => {
    const rhythm = new Rhythm();
    for (let i = 0; i < 8; i++) rhythm.noteRound(false);
    for (let i = 0; i < 24; i++) rhythm.noteRound(true);
    expect([rhythm.silent, rhythm.mayLook(1)]).toEqual([8, true]);
    rhythm.noteRound(true);
    expect([rhythm.silent, rhythm.mayLook(1)]).toEqual([7, false]);
    for (let i = 0; i < 31; i++) rhythm.noteRound(false);
    expect(rhythm.silent).toBe(31);
    rhythm.noteRound(false);
    expect(rhythm.silent).toBe(32);
  });

  test("a new view does not look, before 8 of its rounds were silent", () => {
    const rhythm = new Rhythm();
    for (let i = 0; i < 7; i++) rhythm.noteRound(false);
    expect([rhythm.silent, rhythm.mayLook(8)]).toEqual([7, false]);
    rhythm.noteRound(false);
    expect([rhythm.silent, rhythm.mayLook(9)]).toEqual([8, true]);
  });

  test("a view with many unequal pairs looks less often", () => {
    const rhythm = new Rhythm();
    for (let i = 0; i < 8; i++) rhythm.noteRound(false);
    rhythm.noteLook(10, 255);
    expect(rhythm.mayLook(11)).toBe(true);
    rhythm.noteLook(11, 512);
    expect([rhythm.mayLook(13), rhythm.mayLook(14)]).toEqual([false, true]);
  });
});
