/**
 * The frozen recordings still give the paper's figures with the paper's settings, and the benchmark's parts do what they say. If the first
 * of these fails, something that must not change has changed: a recording, an entity's numbers, its step function.
 */

import { linear, Sender } from "@nearfield/presentation";
import { GENRE_ENTITIES } from "@nearfield/simulation";
import { describe, expect, test } from "vitest";
import { NearfieldWire } from "./nearfield-wire.ts";
import { Way } from "./network.ts";
import { RECOMMENDED } from "./paper.ts";
import { PaperReceiver } from "./paper-receiver.ts";
import { play } from "./play.ts";
import { PresenterReceiver } from "./presenter-receiver.ts";
import { readRecording, Track } from "./recording.ts";
import { RECORDINGS } from "./recordings.ts";
import { playOurs, playPaper } from "./subjects.ts";
import type { Shown, Update } from "./update.ts";
import { PaperWire } from "./wire.ts";

const SEED = "calib";

describe.each(RECOMMENDED)("$key", (row) => {
  const track = new Track(GENRE_ENTITIES[row.genre.name], readRecording(RECORDINGS[row.genre.name]));

  test("the paper's settings give its data rate and mean error within a tenth", () => {
    const again = playPaper(row, track, SEED);
    expect(Math.abs(again.avgDataSent / row.figures.avgDataSent - 1)).toBeLessThan(0.1);
    expect(Math.abs(again.avgDistanceError / row.figures.avgDistanceError - 1)).toBeLessThan(0.1);
  });

  test("our presenter shows what the paper's algorithm shows", () => {
    const { compensationMs, positionMs, orientationMs } = row.settings;
    const theirs = new PaperReceiver({ order: 1, compensationMs, positionMs, orientationMs });
    const ours = new PresenterReceiver(row.settings);
    const wire = new PaperWire(new Way(row.network, SEED), 33);
    const off = { most: 0 };
    const both = {
      receive: (update: Update, nowMs: number) => {
        theirs.receive(update, nowMs);
        ours.receive(update, nowMs);
      },
      show: (nowMs: number, out: Shown) => {
        const other: Shown = { x: 0, y: 0, heading: 0 };
        ours.show(nowMs, other);
        const isShown = theirs.show(nowMs, out);
        if (isShown) off.most = Math.max(off.most, Math.hypot(other.x - out.x, other.y - out.y));
        return isShown;
      },
    };
    play({
      track,
      sender: new Sender({ model: linear, thresholds: { position: 1, angle: 0.02 } }),
      wire,
      receiver: both,
    });
    expect(off.most).toBeLessThan(1e-6);
  });

  test("our wire tells the receiver what the sender thinks it told", () => {
    const wire = new NearfieldWire("wired", SEED, GENRE_ENTITIES[row.genre.name].traits.turnSpeed);
    const told: number[][] = [];
    const heard: number[][] = [];
    for (let frame = 0; frame < 200; frame++) {
      const sent = wire.send(frame, track.update(frame), frame % 3 === 0);
      if (sent !== undefined) told.push(Object.values(sent.update));
      heard.push(...wire.arrived(frame).map((update) => Object.values(update)));
    }
    expect(heard.length).toBeGreaterThan(60);
    expect(heard.flat()).toEqual(
      told
        .slice(0, heard.length)
        .flat()
        .map((value) => expect.closeTo(value, 9)),
    );
  });

  test("ours is at most as wrong as the paper's, for at most half the bytes", () => {
    const tuned = row.network === "umts" ? row.genre.tuned.umts : row.genre.tuned.gprs!;
    const { figures } = playOurs(row.genre, row.network, tuned, track, SEED);
    expect(figures.avgDistanceError).toBeLessThanOrEqual(row.figures.avgDistanceError);
    expect(figures.avgDataSent).toBeLessThanOrEqual(row.figures.avgDataSent / 2);
  });
});

test("over a perfect way the shown ship is within the threshold, whatever it does", () => {
  const { genre } = RECOMMENDED[0]!;
  const sent: Update[] = [];
  const figures = play({
    track: new Track(GENRE_ENTITIES[genre.name], readRecording(RECORDINGS.sport)),
    sender: new Sender({ model: linear, thresholds: { position: 1 } }),
    wire: {
      send: (_frame, truth, isDue) => {
        if (isDue) sent.push(truth);
        return isDue ? { update: truth, bytes: 10 } : undefined;
      },
      arrived: () => sent.splice(0),
    },
    receiver: new PresenterReceiver({ convergence: "snap" }),
  });
  expect(figures.maxDistanceError).toBeLessThan(1);
  expect(figures.path.deviation).toBeLessThan(figures.avgDistanceError + 1e-9);
  expect(figures.avgDataSent).toBeCloseTo(figures.updatesPerSecond / 100, 9);
});

test("a recording is read as it is written, and nonsense is named", () => {
  expect([...readRecording("fl2 .1\nqe1")]).toEqual([5, 5, 0, 48]);
  expect(() => readRecording("f2 x3")).toThrow(/"x3"/);
});
