import type { Pivot } from "@nearfield/core";
import { describe, expect, test } from "vitest";
import { AskedPivots } from "./asked-pivots.ts";

const [TRIP_MS, ROUND_MS] = [100, 50];
const camera = (x: number, rotation = 0, width = 100): Pivot => ({
  camera: [x, 0],
  size: [width, 50],
  rotation,
  coefficients: [2],
});

/** Asks for each of these pivots in turn, a frame of 16 ms apart; returns which were sent. */
function sentOf(frames: readonly Pivot[], everyMs = 16): number[] {
  const asked = new AskedPivots();
  const sent: number[] = [];
  for (const [frame, pivot] of frames.entries()) {
    asked.ask([pivot], frame * everyMs);
    if (asked.due(frame * everyMs, TRIP_MS, ROUND_MS)?.isNew === true) sent.push(frame);
    asked.confirm(asked.number);
  }
  return sent;
}

describe("a camera", () => {
  test("is sent once a corner has moved by a fiftieth of the shorter side", () => {
    expect(sentOf(Array.from({ length: 31 }, (_, frame) => camera(frame * 0.1)))).toEqual([0, 10, 20, 30]);
  });

  test("is sent for a turn or a zoom that moves a corner as far", () => {
    expect(sentOf([camera(0), camera(0, 0.01), camera(0, 0.02)])).toEqual([0, 2]);
    expect(sentOf([camera(0), camera(0, 0, 101), camera(0, 0, 101.9), camera(0, 0, 102)])).toEqual([0, 3]);
  });

  test("is sent exactly, half a second after it came to rest, and not again", () => {
    expect(sentOf([camera(0), ...Array.from({ length: 60 }, () => camera(0.5))])).toEqual([0, 33]);
    expect(sentOf(Array.from({ length: 60 }, () => camera(0)))).toEqual([0]);
  });

  test("that went back to where it was last sent is not sent", () => {
    expect(sentOf([camera(0), camera(0.5), ...Array.from({ length: 60 }, () => camera(0))])).toEqual([0]);
  });
});

describe("other pivots", () => {
  test("are sent whenever they are asked for", () => {
    const point: Pivot = { point: [1, 2] };
    expect(sentOf([point, point, { point: [1, 2.001] }])).toEqual([0, 1, 2]);
  });

  test("are repeated until they are confirmed, less and less often", () => {
    const asked = new AskedPivots();
    asked.ask([{ point: [1, 2] }], 0);
    const times: number[] = [];
    for (let ms = 0; ms < 4000; ms += 10) if (asked.due(ms, TRIP_MS, ROUND_MS) !== undefined) times.push(ms);
    expect(times).toEqual([0, 300, 900, 1900, 2900, 3900]);
    expect(asked.confirm(0)).toBeUndefined();
    expect(asked.confirm(1)).toEqual([{ point: [1, 2] }]);
    expect(asked.due(9000, TRIP_MS, ROUND_MS)).toBeUndefined();
  });
});
