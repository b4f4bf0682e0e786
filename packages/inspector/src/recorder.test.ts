import { describe, expect, it } from "vitest";
import type { MapTell } from "./feed/map.ts";
import { Packer } from "./packer.ts";
import { type Moment, Recorder } from "./recorder.ts";

describe("Packer", () => {
  const row = (name: string, out: number | null): unknown => ({ name, out, list: [{ at: out }, "x"], is: true });

  it("gives back what it was given", () => {
    const packer = new Packer();
    for (const value of [row("ann", 5), row("bob", null), [], { a: [] }, "text", 7, null, -0.25]) {
      expect(packer.unpack(packer.pack(value))).toEqual(value);
    }
    const like = packer.pack(row("ann", 5));
    for (const value of [
      row("ann", null),
      row("bob", 3),
      { ...(row("ann", 1) as object), more: 1 },
      { name: "ann" },
      [],
    ]) {
      expect(packer.unpack(packer.pack(value, like))).toEqual(value);
    }
    expect(packer.pack(row("ann", 9), like).shape).toBe(like.shape);
  });

  it("keeps a shape once, and only as long as it is needed", () => {
    const packer = new Packer();
    const kept = Array.from({ length: 100 }, (_, index) => packer.pack(row("ann", index % 2 === 0 ? index : null)));
    expect(new Set(kept.map(({ shape }) => shape)).size).toBe(1);
    const other = packer.pack(row("bob", 1));
    expect(packer.bytes).toBeLessThan(100 * 200 + 400);
    for (const packed of [...kept, other]) packer.forget(packed);
    expect(packer.bytes).toBe(0);
  });
});

describe("Recorder", () => {
  const map = (timeMs: number, objects: number): MapTell => {
    const column = Array.from({ length: objects }, (_, index) => index);
    return {
      ...{ tell: "map", room: "main", round: timeMs, timeMs, leftOut: 0, level: 0, looks: [] },
      ...{ ids: column, types: column.map(() => 0), x: column, y: column },
      ...{ headings: column.map((index) => (index % 2 === 0 ? null : index)), owners: column.map(() => 0) },
      views: [{ player: 1, nickname: "ann", pivots: [], look: 0 }],
    } as MapTell;
  };
  const rates = { bytesOutPerSecond: 1, bytesInPerSecond: 2, sendsPerSecond: 3, roundMs: 4, players: 5 };
  const moment = (timeMs: number, objects: number): Moment => ({
    map: map(timeMs, objects),
    ...rates,
    versions: Uint32Array.from({ length: objects }, () => 9),
    members: [null],
    sends: {
      round: 12,
      segments: [
        { player: 1, round: 11, count: 2 },
        { player: 2, round: 11, count: 1 },
        { player: 1, round: 12, count: 1 },
      ],
      ids: Uint32Array.of(7, 8, 7, 8),
      causes: Uint8Array.of(0, 1, 2, 3),
      behind: Uint16Array.of(4, 3, 2, 0),
    },
    level: undefined,
    report: undefined,
    clients: undefined,
  });

  it("keeps within its seconds: the oldest frames go", () => {
    const recorder = new Recorder({ everyMs: 100, seconds: 5 });
    for (let timeMs = 0; timeMs < 200_000; timeMs += 50) if (recorder.isDue(timeMs)) recorder.keep(moment(timeMs, 3));
    const { first, count, fromMs, toMs } = recorder.state();
    expect({ first, count, fromMs, toMs }).toEqual({ first: 1949, count: 51, fromMs: 194_900, toMs: 199_900 });
    const { frames, next } = recorder.frames("main", 0, 2);
    expect(frames.map(({ number }) => number)).toEqual([1949, 1950]);
    expect(next).toBe(1951);
    expect(frames[0]).toEqual({
      ...{ number: 1949, map: map(194_900, 3), ...rates, versions: [9, 9, 9], members: [null] },
      sends: [
        { player: 1, ids: [7, 8, 8], ago: [1, 1, 0], causes: [0, 1, 3], behind: [4, 3, 0] },
        { player: 2, ids: [7], ago: [1], causes: [2], behind: [2] },
      ],
    });
    expect(recorder.frames("main", 1999, 50)).toMatchObject({ frames: [{ number: 1999 }], next: null });
  });

  it("keeps within its bytes, whatever the world's size", () => {
    const recorder = new Recorder({ everyMs: 50, seconds: 3600, mostBytes: 1_000_000 });
    for (let n = 0; n < 200; n++) recorder.keep(moment(n * 50, 1000));
    const { bytes, count, first } = recorder.state();
    expect(bytes).toBeLessThanOrEqual(1_000_000);
    expect(count).toBeGreaterThan(20);
    expect(first + count).toBe(200);
  });

  it("answers in pieces that are made in a moment", () => {
    const recorder = new Recorder();
    for (let n = 0; n < 60; n++) recorder.keep(moment(n * 100, 2000));
    const { frames, next } = recorder.frames("main", 0, 50);
    expect(frames.length).toBeLessThan(5);
    expect(next).toBe(frames.length);
    expect(JSON.stringify(frames).length).toBeLessThan(300_000);
  });

  it("stops, and keeps what it has", () => {
    const recorder = new Recorder();
    recorder.keep(moment(0, 1));
    recorder.stop();
    expect(recorder.isDue(1e9)).toBe(false);
    expect(recorder.state()).toMatchObject({ on: false, count: 1 });
  });
});
