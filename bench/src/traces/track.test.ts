import { describe, expect, it } from "vitest";
import { Kind } from "./trace.ts";
import { nowhere, type Row, Track } from "./track.ts";

const row = (ms: number, x: number, kind: Kind = Kind.player, heading = 0): Row => ({
  ms,
  x,
  y: -x,
  z: 0,
  heading,
  kind,
  carrier: "",
});

function at(track: Track, ms: number): number | undefined {
  const place = nowhere();
  return track.place(ms, place) ? place.x : undefined;
}

describe("Track", () => {
  it("moves in a straight line between rows up to a second apart", () => {
    const track = new Track("1", [row(100, 10), row(1100, 20), row(1200, 40)]);
    expect([99, 100, 350, 1100, 1150, 1200].map((ms) => at(track, ms))).toEqual([undefined, 10, 12.5, 20, 30, 40]);
  });

  it("stays where it was while the trace is silent for longer, and after its end", () => {
    const track = new Track("1", [row(0, 10), row(1001, 20)]);
    expect([0, 500, 1000, 1001, 99_999].map((ms) => at(track, ms))).toEqual([10, 10, 10, 20, 20]);
  });

  it("is nowhere while dead, and does not glide back to life", () => {
    const track = new Track("1", [
      row(0, 0),
      row(200, 2, Kind.dead),
      row(400, 4, Kind.dead),
      row(600, 90),
      row(700, 91),
    ]);
    expect([100, 200, 300, 599, 600, 650].map((ms) => at(track, ms))).toEqual([
      1,
      undefined,
      undefined,
      undefined,
      90,
      90.5,
    ]);
  });

  it("ends a projectile with its last row", () => {
    const track = new Track("100", [row(0, 0, Kind.projectile), row(100, 10, Kind.projectile)]);
    expect([50, 100, 101].map((ms) => at(track, ms))).toEqual([5, 10, undefined]);
  });

  it("says as what it is there, and whom it rides, as its last row did", () => {
    const place = nowhere();
    const on: Row = { ...row(100, 10, Kind.rider), carrier: "9" };
    const track = new Track("1", [row(0, 0), on, row(200, 20)]);
    const seen = [50, 100, 150, 200].map((ms) => track.place(ms, place) && [place.kind, place.carrier]);
    expect(seen).toEqual([
      [Kind.player, ""],
      [Kind.rider, "9"],
      [Kind.rider, "9"],
      [Kind.player, ""],
    ]);
    expect([track.ridesAtTimes, track.gapsMs()]).toEqual([true, [100, 100]]);
  });

  it("turns the short way", () => {
    const place = nowhere();
    const track = new Track("1", [row(0, 0, Kind.player, 3), row(100, 0, Kind.player, -3)]);
    track.place(50, place);
    expect(Math.cos(place.heading)).toBeCloseTo(-1, 9);
  });

  it("answers the same whatever was asked before", () => {
    const track = new Track("1", [row(0, 0), row(100, 10), row(200, 30)]);
    expect([150, 50, 150].map((ms) => at(track, ms))).toEqual([20, 5, 20]);
  });

  it("looks from its first row as a player until it dies for good", () => {
    const rider = new Track("1", [
      row(0, 0, Kind.dead),
      row(50, 0, Kind.rider),
      row(90, 0, Kind.dead),
      row(95, 1, Kind.dead),
    ]);
    expect([rider.looksFromMs, rider.looksUntilMs]).toEqual([50, 90]);
    const alive = new Track("2", [row(0, 0), row(10, 0, Kind.dead), row(20, 0)]);
    expect([alive.looksFromMs, alive.looksUntilMs]).toEqual([0, Number.POSITIVE_INFINITY]);
    expect(new Track("3", [row(0, 0, Kind.thing)]).looksFromMs).toBe(Number.POSITIVE_INFINITY);
  });
});
