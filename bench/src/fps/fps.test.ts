import { inflateSync } from "node:zlib";
import { World } from "@nearfield/core";
import { Dice } from "@nearfield/netlab";
import { hold, linear } from "@nearfield/presentation";
import { angle, enumeration, object, Protocol, quantized } from "@nearfield/schema";
import { describe, expect, it } from "vitest";
import { Cells, predictedRatio, roundsBetweenSends } from "./cells.ts";
import { boundsOfEqualPicture } from "./equal-picture.ts";
import { mannerOf } from "./manner.ts";
import { type CellBounds, PAPER_VIEWS, ROUND_MS } from "./paper.ts";
import { encodePng } from "./png.ts";
import { POSED, posed } from "./posed.ts";
import { Recording } from "./recording.ts";
import { type Replayed, type ReplayOptions, replay } from "./replay.ts";
import { settingsOf } from "./view-settings.ts";

const { normal, plain } = PAPER_VIEWS;

const Walker = object(
  "walker",
  {
    x: quantized(0, 1000, 1 / 16),
    y: quantized(0, 1000, 1 / 16),
    vx: quantized(-128, 128, 0.5),
    vy: quantized(-128, 128, 0.5),
    heading: angle(10),
    mood: enumeration("calm", "angry"),
  },
  { position: ["x", "y"], velocity: ["vx", "vy"], orientation: "heading" },
);

/** Bots on circles of their own, at 100 units a second, which look where they go. */
function circling(bots: number, rounds: number): Recording {
  const dice = new Dice("circles");
  const world = new World({ protocol: new Protocol({ objects: [Walker] }) });
  const movers = Array.from({ length: bots }, () => ({
    centre: { x: dice.range(200, 800), y: dice.range(200, 800) },
    radius: dice.range(50, 150),
    phase: dice.range(0, 6),
    avatar: world.spawn(Walker, {}),
  }));
  const recording = new Recording(Walker as never, bots, ROUND_MS);
  for (let round = 0; round < rounds; round++) {
    for (const { centre, radius, phase, avatar } of movers) {
      const at = phase + ((100 / radius) * round * ROUND_MS) / 1000;
      avatar.x = centre.x + radius * Math.cos(at);
      avatar.y = centre.y + radius * Math.sin(at);
      avatar.vx = -100 * Math.sin(at);
      avatar.vy = 100 * Math.cos(at);
      avatar.heading = at + Math.PI / 2;
      avatar.mood = round % 50 === 0 ? "angry" : "calm";
    }
    recording.note(movers.map(({ avatar }) => avatar as never));
  }
  return recording;
}

function playUnder(recording: Recording, cells: CellBounds, options: Partial<ReplayOptions> = {}): Replayed {
  return replay(recording, { view: settingsOf(cells), cells, warmUp: 20, ...options });
}

describe("cells", () => {
  it("are those of the model: rings by distance, slices by the angle to where the pivot looks", () => {
    const cells = new Cells(normal);
    const at = (distance: number, degrees: number): number => {
      const radians = (degrees * Math.PI) / 180;
      return cells.of(distance * Math.cos(radians), distance * Math.sin(radians), 1, 0);
    };
    expect([at(300, 0), at(301, 49), at(601, -49), at(10, 51), at(10, -69), at(10, 71), at(900, 180)]).toEqual([
      0, 3, 6, 1, 1, 2, 8,
    ]);
    expect([cells.of(0, 0, 1, 0), new Cells(plain).of(-10, 0, 1, 0)]).toEqual([0, 0]);
  });

  it("send as often as their time bounds say", () => {
    expect(roundsBetweenSends(normal, ROUND_MS)).toEqual([1, 2, 3, 2, 3, 7, 3, 4, 10]);
    expect(predictedRatio([1, 1], [1, 3])).toBeCloseTo(1.5, 12);
  });
});

describe("a recorded match, played again", () => {
  const recording = circling(8, 220);

  it("makes the updates that broadcast and the shares of pairs say", () => {
    const broadcast = playUnder(recording, normal, { broadcast: true });
    const ours = playUnder(recording, normal, { picture: hold });
    expect(broadcast.updates).toBe(200 * 8 * 7);
    expect(ours.broadcastUpdates).toBe(broadcast.updates);
    expect(ours.pairs.reduce((sum, pairs) => sum + pairs, 0)).toBe(broadcast.updates);
    const predicted = predictedRatio(ours.changedPairs, roundsBetweenSends(normal, ROUND_MS));
    expect(Math.abs(ours.broadcastUpdates / ours.updates / predicted - 1)).toBeLessThan(0.05);
    expect(ours.bytes).toBeLessThan(broadcast.bytes);
    expect(ours.overBound).toBe(0);
  });

  it("decides alike whether or not frames are written", () => {
    const written = playUnder(recording, normal, { picture: hold });
    const judged = playUnder(recording, normal, { picture: hold, writes: false });
    expect(judged.updates).toBe(written.updates);
    expect(judged.picture!.zones.map(({ mean }) => mean)).toEqual(written.picture!.zones.map(({ mean }) => mean));
  });

  it("shows nobody a picture that is older than its cell allows", () => {
    const { picture } = playUnder(recording, normal, { picture: hold, writes: false });
    const rounds = roundsBetweenSends(normal, ROUND_MS);
    picture!.errors.forEach((tally, cell) => {
      expect(tally.largest).toBeLessThan((rounds[cell]! - 1) * 3.3 + 0.1);
    });
  });

  it("finds bounds of equal picture error that need fewer updates", () => {
    const zones = (played: Replayed): number[] => played.picture!.zones.map((tally) => tally.percentile(0.99));
    const goal = playUnder(recording, normal, { picture: hold, writes: false });
    const predictedUnder = (cells: CellBounds): Replayed =>
      playUnder(recording, cells, { view: settingsOf(cells, "predicted"), picture: linear, writes: false });
    const goals = zones(goal);
    const found = predictedUnder(boundsOfEqualPicture(normal, goals, 8, (cells) => zones(predictedUnder(cells))));
    zones(found).forEach((error, zone) => {
      expect(error).toBeLessThanOrEqual(goals[zone]!);
      expect(error).toBeGreaterThan(goals[zone]! * 0.8);
    });
    expect(found.updates).toBeLessThan(goal.updates / 2);
  });
});

describe("posed", () => {
  it("sends an avatar that turns on the spot, which predicted does not", () => {
    const world = new World({ protocol: new Protocol({ objects: [Walker] }) });
    const recording = new Recording(Walker as never, 2, ROUND_MS);
    const avatars = [world.spawn(Walker, { x: 100, y: 100 }), world.spawn(Walker, { x: 200, y: 100 })];
    for (let round = 0; round < 101; round++) {
      avatars[1]!.heading = round / 50;
      recording.note(avatars as never[]);
    }
    const cells = { ...plain, bounds: [[{ value: 10 }], [{ value: 10 }], [{ value: 10 }]] };
    const sendsUnder = (metric: string): number =>
      playUnder(recording, cells, { view: settingsOf(cells, metric), metrics: [posed(recording.type, 20)], warmUp: 1 })
        .updates;
    // Two radians in all; every half radian is 10 units off.
    expect([sendsUnder("predicted"), sendsUnder(POSED)]).toEqual([0, 3]);
  });
});

describe("a recording", () => {
  it("plays objects that go and come back as others", () => {
    const world = new World({ protocol: new Protocol({ objects: [Walker] }) });
    const recording = new Recording(Walker as never, 2, ROUND_MS);
    const still = world.spawn(Walker, { x: 1 });
    let other = world.spawn(Walker, { x: 10 });
    for (let round = 0; round < 12; round++) {
      if (round === 4) world.destroy(other);
      if (round === 8) other = world.spawn(Walker, { x: 20 });
      const isThere = round < 4 || round >= 8;
      if (isThere) other.x += 1;
      recording.note([still as never, isThere ? (other as never) : undefined]);
    }
    const played = replay(recording, { view: settingsOf(plain), cells: plain });
    // One client sees the other's object for 8 of 12 rounds, the other an object that never changes after its first send.
    expect(played.pairs.reduce((sum, pairs) => sum + pairs, 0)).toBe(8 + 12);
    expect(played.updatesOf).toEqual([8, 1]);
  });
});

describe("encodePng", () => {
  it("writes what a reader finds again", () => {
    const rgb = Uint8Array.from({ length: 2 * 3 * 3 }, (_, i) => i * 7);
    const png = Buffer.from(encodePng(2, 3, rgb));
    const length = png.readUInt32BE(33);
    const rows = inflateSync(png.subarray(41, 41 + length));
    expect([png.readUInt32BE(16), png.readUInt32BE(20), png.toString("latin1", 37, 41)]).toEqual([2, 3, "IDAT"]);
    expect([...rows]).toEqual([0, 1, 2].flatMap((row) => [0, ...rgb.subarray(row * 6, row * 6 + 6)]));
  });
});

describe("manner", () => {
  /** Two who run 10 units a second along a line for 100 s: the one from end to end, the other back and forth over its first 20 units. */
  const line = Float64Array.from({ length: 1000 }, (_, at) => (at % 2 === 0 ? at : 0.5));
  const back = line.map((value, at) => (at % 2 === 0 ? 20 - Math.abs(20 - (value % 40)) : 0.5));
  const still = line.map((_, at) => (at % 2 === 0 ? 3 : 0.5));

  it("tells who is everywhere alike from who stays about one place", () => {
    const [even, uneven] = [mannerOf([line]), mannerOf([back])];
    // A square of 5 units holds two samples or three.
    expect(even.busiestTenth).toBeCloseTo(0.12, 9);
    expect(even.gini).toBeCloseTo(0.1, 9);
    expect(even.still).toBe(0);
    const both = mannerOf([line, back]);
    expect(both.busiestTenth).toBeGreaterThan(0.5);
    expect(both.gini).toBeGreaterThan(0.4);
    expect(both.ownTenth).toBeCloseTo((even.ownTenth + uneven.ownTenth) / 2, 1);
  });

  it("does not depend on the unit, and counts who stands", () => {
    const one = mannerOf([line, back, still]);
    const other = mannerOf([line, back, still].map((track) => track.map((value) => value * 32)));
    expect(other.busiestTenth).toBeCloseTo(one.busiestTenth, 2);
    expect(other.still).toBe(one.still);
    expect(one.still).toBeGreaterThan(0.32);
  });

  it("has figures for seconds of play, and for who was there only once", () => {
    const once = line.map((value, at) => (at < 2 ? value : Number.NaN));
    const { ownTenth, secondsInSquare } = mannerOf([line.slice(0, 50), once.slice(0, 50)]);
    expect(ownTenth).toBeLessThan(0.2);
    expect(secondsInSquare).toBeCloseTo(0.52, 9);
  });

  it("tells company from chance", () => {
    const beside = line.map((value, at) => (at % 2 === 0 ? value : value + 1));
    expect(mannerOf([line, beside]).together).toBe(Number.POSITIVE_INFINITY);
    const elsewhen = Float64Array.from({ length: 1000 }, (_, at) => (at % 2 === 0 ? (at + 500) % 1000 : 0.5));
    expect(mannerOf([line, elsewhen]).together).toBe(0);
  });
});
