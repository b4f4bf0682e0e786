/** A shot hits the first target on its way, where the shooter saw it. */

import { type Entity, World } from "@nearfield/core";
import { float64, object, Protocol } from "@nearfield/schema";
import { describe, expect, it } from "vitest";
import { findHit, type Shot } from "./hitscan.ts";
import type { Sighting } from "./lag-compensation.ts";

const Ball = object("ball", { x: float64(), y: float64(), z: float64() }, { position: ["x", "y", "z"] });
const world = new World({ protocol: new Protocol({ objects: [Ball] }) });
const balls = [10, 20, 30].map((x) => world.spawn(Ball, { x, y: 0, z: 0 }));

/** Everybody was seen 5 higher than it is. */
const seen = ({ x, y, z }: Entity<typeof Ball.shape>): Sighting => ({
  basis: "seen",
  x,
  y: y + 5,
  z,
  atMs: 0,
  backMs: 0,
  clampedMs: 0,
});

const shoot = (more: Partial<Shot<typeof Ball.shape>>): [number | undefined, number | undefined] => {
  const hit = findHit({ from: [0, 5], direction: [2, 0], targets: balls, radius: 2, ...more }, seen);
  return [hit && balls.indexOf(hit.target), hit?.distance];
};

describe("hitscan", () => {
  it("finds the nearest, whatever the order of targets", () => {
    expect([shoot({}), shoot({ targets: [...balls].reverse() })]).toEqual([
      [0, 8],
      [0, 8],
    ]);
    expect(shoot({ from: [15, 5] })).toEqual([1, 3]);
    expect(shoot({ direction: [-1, 0], from: [25, 5] })).toEqual([1, 3]);
  });

  it("misses what lies aside, behind or out of reach", () => {
    const nothing = [undefined, undefined];
    expect([shoot({ from: [0, 0] }), shoot({ direction: [-1, 0] }), shoot({ reach: 7 })]).toEqual([
      nothing,
      nothing,
      nothing,
    ]);
    expect([shoot({ reach: 8 }), shoot({ from: [0, 6.9] })[0]]).toEqual([[0, 8], 0]);
    expect(shoot({ from: [0, 7.1] })).toEqual(nothing);
  });

  it("hits what it begins in, in 3D as well, with a radius of each target's own", () => {
    expect(shoot({ from: [20, 5] })).toEqual([1, 0]);
    expect(shoot({ from: [10, 5, 9], direction: [0, 0, -1] })).toEqual([0, 7]);
    expect(shoot({ from: [0, 9], radius: (ball) => (ball.x === 20 ? 5 : 1) })).toEqual([1, 17]);
  });

  it("refuses a direction that leads nowhere", () => {
    expect(() => shoot({ direction: [0, 0] })).toThrow("leads nowhere");
    expect(() => shoot({ direction: [Number.NaN, 0] })).toThrow("leads nowhere");
  });
});
