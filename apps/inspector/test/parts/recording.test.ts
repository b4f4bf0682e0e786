import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { RecordedFrame, RecordingState, Tell } from "../../web/feed-types.ts";
import { Playback } from "../../web/playback.ts";
import { frameAt, RecordingError, readRecording, timesOf, writeRecording } from "../../web/recording.ts";
import { FakeFeed } from "../fake-feed.ts";

const types = [
  { name: "avatar", axes: 2, hasOrientation: true, extent: [[0, 2250] as [number, number], null], fields: [] },
];

const CAUSES = ["creation", "time", "sequence", "value", "change", "demand", "removal"];
const STAGES = ["receive", "merge", "step", "commit", "findDue", "tell", "send", "audit"];

/** Goes down into a value by turns and puts something else there. */
function change(value: unknown, [turn = 0, ...rest]: readonly number[], junk: unknown): void {
  if (typeof value !== "object" || value === null) return;
  const keys = Object.keys(value);
  const key = keys[turn % Math.max(1, keys.length)];
  if (key === undefined) return;
  const part = (value as Record<string, unknown>)[key];
  if (rest.length === 0 || typeof part !== "object" || part === null) (value as Record<string, unknown>)[key] = junk;
  else change(part, rest, junk);
}

function recorded(count: number): RecordedFrame[] {
  const feed = new FakeFeed({ clients: 3, items: 2, seed: 4 });
  return Array.from({ length: count }, (_, number) => {
    feed.step(3);
    return feed.recordFrame(number);
  });
}

describe("a recording", () => {
  const frames = recorded(20);
  const facts = { roundMs: 33, types, causes: CAUSES, stages: STAGES };
  const levels = [
    { tell: "level" as const, room: "main", level: 1, walls: [1, 2, 3, 4], lines: [[0, 0, 1, 1]], leftOut: 0 },
  ];
  const recording = { facts, levels, frames };
  const written = writeRecording(recording).join("");

  test("is the same after it was written to a file and read again", () => {
    expect(readRecording(written)).toEqual(recording);
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
    const file = JSON.parse(written) as Record<string, unknown> & {
      frames: Record<string, Record<string, unknown>>[];
    };
    change(file, file.frames[5]!);
    return JSON.stringify(file);
  };

  test.each([
    ["no JSON", "{", /not JSON/],
    ["a list", "[]", /not JSON/],
    ["another file", '{"nearfield":"view"}', /no recording/],
    ["a later version", spoil((file) => (file["version"] = 3)), /version 3, this page reads 1 and 2/],
    ["causes that are markup", spoil((file) => (file["causes"] = ['"><img>'])), /causes/],
    ["a level of text", spoil((file) => (file["levels"] = [{ level: 1, walls: ["x"], lines: [] }])), /levels/],
    ["a report without its audit", spoil((_, frame) => delete frame["report"]!["audit"]), /Frame 5/],
    ["a report of other causes", spoil((_, frame) => (frame["report"]!["causes"] = [])), /Frame 5/],
    ["a client that is none", spoil((_, frame) => (frame["report"]!["clients"] = [{ player: 1 }])), /Frame 5/],
    ["sends of unequal columns", spoil((_, frame) => (frame["sends"]![0] = { player: 1, ids: [1] })), /Frame 5/],
    ["versions of fewer objects", spoil((_, frame) => (frame["versions"] = [1] as never)), /Frame 5/],
    [
      "a pivot without a place",
      spoil((_, frame) => ((frame["map"]!["views"] as { pivots: unknown[] }[])[0]!.pivots = [{}])),
      /Frame 5/,
    ],
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
    expect(() => readRecording(text)).toThrow(RecordingError);
  });

  test("of an older version is read, and says what it cannot show", () => {
    const old = frames.map(({ versions: _, members: __, sends: ___, report: ____, ...frame }) => frame);
    const playback = new Playback();
    playback.openFile(
      readRecording(JSON.stringify({ nearfield: "recording", version: 1, roundMs: 33, types, frames: old })),
    );
    const shown = playback.shown(1, 2);
    expect(shown.report).toBeUndefined();
    expect(shown.lacksReport).toMatch(/older version.*Record again/);
    expect(shown.lacksWhy).toMatch(/older server/);
  });

  test("hostile changes anywhere are refused or can be shown: nothing throws", () => {
    const file = JSON.parse(written) as object;
    const junk = [null, -1, 1e308, "x", {}, [], [[]], true, "__proto__"];
    fc.assert(
      fc.property(fc.array(fc.nat(), { minLength: 3, maxLength: 9 }), fc.nat(junk.length - 1), (way, which) => {
        const changed = structuredClone(file);
        change(changed, way, junk[which]);
        let opened: ReturnType<typeof readRecording>;
        try {
          opened = readRecording(JSON.stringify(changed));
        } catch (error) {
          return error instanceof RecordingError;
        }
        const playback = new Playback();
        playback.openFile(opened);
        for (const at of [0, 7, 19]) {
          playback.seek(opened.frames[at]?.map.timeMs ?? 0);
          expect(playback.shown(1, 2).isPlayback).toBe(true);
          expect(playback.frame).toBeDefined();
        }
        return playback.heat !== undefined;
      }),
      { numRuns: 300 },
    );
  });

  test("has the newest report at every moment, with the rows of clients that held", () => {
    const playback = new Playback();
    playback.openFile(recording);
    playback.seek(frames[7]!.map.timeMs);
    const { report, series, endMs, client, roundTrips } = playback.shown(2, undefined);
    expect(report).toMatchObject({ round: frames[5]!.map.round, audit: frames[5]!.report!.audit });
    expect(client?.nickname).toBe("bot-2");
    expect(roundTrips.get(2)).toHaveLength(2);
    expect(series.window(60_000, ["out"], endMs).times.length).toBe(2);
  });
});

describe("playing back", () => {
  const facts = { roundMs: 33, types, causes: CAUSES, stages: STAGES };
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
    return { tell: "frames", room: "main", frames: all.slice(from, from + 50), levels: [], next: null } satisfies Tell;
  };

  test("frames are fetched once, in pieces, and only what is new", async () => {
    const [playback, asks] = [new Playback(async () => {}), [] as number[]];
    expect(await playback.fetch(stateOf(0, 60), "main", facts, server(asks))).toBe(true);
    expect(asks).toEqual([0, 50]);
    expect(await playback.fetch(stateOf(0, 60), "main", facts, server(asks))).toBe(false);
    await playback.fetch(stateOf(30, 90), "main", facts, server(asks));
    expect(asks).toEqual([0, 50, 100]);
    expect(playback.recording.frames.map(({ number }) => number)).toEqual(
      Array.from({ length: 90 }, (_, index) => index + 30),
    );
  });

  test("a recording that began anew replaces the old one", async () => {
    const playback = new Playback();
    await playback.fetch(stateOf(0, 50), "main", facts, server([]));
    playback.start();
    const later = all.map((frame) => ({ ...frame, map: { ...frame.map, timeMs: frame.map.timeMs + 1e6 } }));
    await playback.fetch(stateOf(0, 20, later), "main", facts, async () => ({
      tell: "frames",
      room: "main",
      frames: later.slice(0, 20),
      levels: [],
      next: null,
    }));
    expect(playback.length).toBe(20);
    expect(playback.isOn).toBe(false);
  });

  test("the playhead runs, is moved within the recording, and rests at the end", async () => {
    const playback = new Playback();
    expect(playback.frame).toBeUndefined();
    playback.openFile({ facts, levels: [], frames: all });
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
