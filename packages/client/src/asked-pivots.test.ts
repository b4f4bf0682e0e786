import type { Pivot } from "@nearfield/core";
import { type ClientPivots, resolveClientPivots } from "@nearfield/core/internal";
import type { ObjectId } from "@nearfield/schema";
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
function sentOf(frames: readonly Pivot[], everyMs = 16, rules: ClientPivots = {}): number[] {
  const asked = new AskedPivots();
  asked.rules = resolveClientPivots(rules);
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

describe("by the room's rules", () => {
  test("a camera is sent after a longer way, and rests longer", () => {
    const pan = Array.from({ length: 31 }, (_, frame) => camera(frame * 0.1));
    expect(sentOf(pan, 16, { cameraMoved: 0.04 })).toEqual([0, 20]);
    expect(sentOf(pan.slice(0, 4), 16, { cameraMoved: 0 })).toEqual([0, 1, 2, 3]);
    const rest = [camera(0), ...Array.from({ length: 100 }, () => camera(0.5))];
    expect(sentOf(rest, 16, { restMs: 1000 })).toEqual([0, 64]);
  });

  test("a point is sent once it has moved far enough, at once where it turned, and exactly at rest", () => {
    const point = (x: number, orientation = [1, 0]): Pivot => ({ point: [x, 0], orientation });
    const walk = Array.from({ length: 11 }, (_, frame) => point(frame));
    expect(sentOf(walk, 16, { pointMoved: 5 })).toEqual([0, 5, 10]);
    expect(sentOf([point(0), point(0, [0, 1])], 16, { pointMoved: 5 })).toEqual([0, 1]);
    const rest = [point(0), ...Array.from({ length: 60 }, () => point(2))];
    expect(sentOf(rest, 16, { pointMoved: 5 })).toEqual([0, 33]);
  });

  test("groups and cameras have the room's coefficients", () => {
    const asked = new AskedPivots();
    asked.rules = resolveClientPivots({ cameraCoefficients: [3, 9], groupCoefficients: [] });
    const group: Pivot = { group: [1 as ObjectId], margin: 2, coefficients: [2] };
    asked.ask([camera(0), group, { point: [1, 2] }], 0);
    const sent = asked.due(0, TRIP_MS, ROUND_MS)!.pivots;
    expect(sent).toEqual([{ ...camera(0), coefficients: [3, 9] }, { ...group, coefficients: [] }, { point: [1, 2] }]);
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
