import { describe, expect, test } from "vitest";
import type { RecordedFrame, RecordingState, Tell } from "../../web/feed-types.ts";
import { Playback } from "../../web/playback.ts";
import { frameAt, readRecording, timesOf, writeRecording } from "../../web/recording.ts";
import { FakeFeed } from "../fake-feed.ts";

const types = [
  { name: "avatar", axes: 2, hasOrientation: true, extent: [[0, 2250] as [number, number], null], fields: [] },
];

function recorded(count: number): RecordedFrame[] {
  const feed = new FakeFeed({ clients: 3, items: 2, seed: 4 });
  return Array.from({ length: count }, (_, number) => {
    feed.step(3);
    return {
      number,
      map: feed.map(),
      bytesOutPerSecond: number,
      bytesInPerSecond: 1,
      sendsPerSecond: 2,
      roundMs: 3,
      players: 3,
    };
  });
}

describe("a recording", () => {
  const frames = recorded(20);
  const recording = { roundMs: 33, types, frames };

  test("is the same after it was written to a file and read again", () => {
    expect(readRecording(writeRecording(recording))).toEqual(recording);
  });

  test("has a frame for every time: the newest that is not later", () => {
    const { fromMs, toMs } = timesOf(frames);
    expect(frameAt(frames, fromMs - 1)).toBe(0);
    expect(frameAt(frames, fromMs)).toBe(0);
    expect(frameAt(frames, frames[7]!.map.timeMs)).toBe(7);
    expect(frameAt(frames, frames[8]!.map.timeMs - 1)).toBe(7);
    expect(frameAt(frames, toMs + 5000)).toBe(19);
    expect(timesOf([])).toEqual({ fromMs: 0, toMs: 0 });
  });

  const spoil = (
    change: (file: Record<string, unknown>, frame: Record<string, Record<string, unknown>>) => void,
  ): string => {
    const file = JSON.parse(writeRecording(recording)) as Record<string, unknown> & {
      frames: Record<string, Record<string, unknown>>[];
    };
    change(file, file.frames[5]!);
    return JSON.stringify(file);
  };

  test.each([
    ["no JSON", "{", /not JSON/],
    ["a list", "[]", /not JSON/],
    ["another file", '{"nearfield":"view"}', /no recording/],
    ["a later version", spoil((file) => (file["version"] = 2)), /version 2/],
    ["no frames", spoil((file) => (file["frames"] = [])), /empty/],
    ["types that are none", spoil((file) => (file["types"] = [{ name: 1 }])), /types/],
    ["columns of unequal length", spoil((_, frame) => (frame["map"]!["x"] = [1])), /Frame 5/],
    [
      "text for a place",
      spoil((_, frame) => (frame["map"]!["y"] = frame["map"]!["ids"] && ["a", 1, 2, 3, 4])),
      /Frame 5/,
    ],
    ["a view of a look that is not there", spoil((_, frame) => (frame["map"]!["looks"] = [])), /Frame 5/],
    ["a rate that is none", spoil((_, frame) => (frame["roundMs"] = "x" as never)), /Frame 5/],
  ])("%s is refused with a reason", (_, text, reason) => {
    expect(() => readRecording(text)).toThrow(reason);
  });
});

describe("playing back", () => {
  const all = recorded(120);
  const stateOf = (first: number, count: number, frames = all): RecordingState => ({
    on: true,
    everyMs: 100,
    first,
    count,
    fromMs: frames[first]!.map.timeMs,
    toMs: frames[first + count - 1]!.map.timeMs,
    bytes: 1,
    mostBytes: 2,
    mostSeconds: 3,
  });
  const server = (asks: number[]) => async (body: unknown) => {
    const { from } = body as { from: number };
    asks.push(from);
    return { tell: "frames", room: "main", frames: all.slice(from, from + 50), next: null } satisfies Tell;
  };

  test("frames are fetched once, in pieces, and only what is new", async () => {
    const [playback, asks] = [new Playback(), [] as number[]];
    expect(await playback.fetch(stateOf(0, 60), "main", { roundMs: 33, types }, server(asks))).toBe(true);
    expect(asks).toEqual([0, 50]);
    expect(await playback.fetch(stateOf(0, 60), "main", { roundMs: 33, types }, server(asks))).toBe(false);
    await playback.fetch(stateOf(30, 90), "main", { roundMs: 33, types }, server(asks));
    expect(asks).toEqual([0, 50, 100]);
    expect(playback.recording.frames.map(({ number }) => number)).toEqual(
      Array.from({ length: 90 }, (_, index) => index + 30),
    );
  });

  test("a recording that began anew replaces the old one", async () => {
    const playback = new Playback();
    await playback.fetch(stateOf(0, 50), "main", { roundMs: 33, types }, server([]));
    playback.start();
    const later = all.map((frame) => ({ ...frame, map: { ...frame.map, timeMs: frame.map.timeMs + 1e6 } }));
    await playback.fetch(stateOf(0, 20, later), "main", { roundMs: 33, types }, async () => ({
      tell: "frames",
      room: "main",
      frames: later.slice(0, 20),
      next: null,
    }));
    expect(playback.length).toBe(20);
    expect(playback.isOn).toBe(false);
  });

  test("the playhead runs, is moved within the recording, and rests at the end", async () => {
    const playback = new Playback();
    expect(playback.frame).toBeUndefined();
    playback.openFile({ roundMs: 33, types, frames: all });
    const { fromMs, toMs } = playback.span;
    expect(playback.frame?.number).toBe(0);
    playback.advance(500);
    expect(playback.timeMs).toBe(fromMs);
    playback.isRunning = true;
    playback.advance(500);
    expect(playback.timeMs).toBe(fromMs + 500);
    playback.seek(1e9);
    playback.advance(1);
    expect([playback.timeMs, playback.isRunning]).toEqual([toMs, false]);
    playback.end();
    expect([playback.isOn, playback.length]).toEqual([false, 0]);
  });
});
