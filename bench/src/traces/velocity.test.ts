import { describe, expect, it } from "vitest";
import { Kind } from "./trace.ts";
import { nowhere, type Place } from "./track.ts";
import { Velocity } from "./velocity.ts";

/** Rounds of 100 ms, rows every 200 ms: walkers are followed over four rounds. */
const OPTIONS = { roundMs: 100, spacingMs: 200, hasHeading: true };

const at = (x: number, y = 0, more: Partial<Place> = {}): Place => ({ ...nowhere(), kind: Kind.player, x, y, ...more });

function after(places: readonly Place[], options = OPTIONS): number[] {
  const velocity = new Velocity(options);
  velocity.begin(places[0]!);
  for (const place of places.slice(1)) velocity.follow(place);
  return [velocity.x, velocity.y, velocity.z];
}

function expectClose(found: readonly number[], wanted: readonly number[]): void {
  wanted.forEach((value, axis) => {
    expect(found[axis]).toBeCloseTo(value, 9);
  });
}

describe("Velocity", () => {
  it("follows a walker over twice the time between rows", () => {
    expectClose(after([9, 0, 0.1, 0.2, 0.3, 0.8].map((x) => at(x))), [2, 0, 0]);
  });

  it("knows nothing of the time before it came", () => {
    expectClose(after([at(1)]), [0, 0, 0]);
    expectClose(after([at(1), at(1.1), at(1.3)]), [1.5, 0, 0]);
  });

  it("turns half of a walker's pace to where he looks", () => {
    const north = { heading: Math.PI / 2 };
    const walk = [0, 0.2, 0.4].map((x) => at(x, 0, north));
    expectClose(after(walk), [1, 1, 0]);
    expectClose(after(walk, { ...OPTIONS, hasHeading: false }), [2, 0, 0]);
    expectClose(after(walk.map((place) => ({ ...place, kind: Kind.projectile }))), [2, 0, 0]);
  });

  it("does not turn who all but stands, or falls", () => {
    const north = { heading: Math.PI / 2 };
    expectClose(after([at(0, 0, north), at(0.04, 0, north)]), [0.4, 0, 0]);
    expectClose(after([at(0, 0, north), at(0, 0, { ...north, z: -0.7 })]), [0, 0, -7]);
  });

  it("takes what is fast by its last round, wherever it looks", () => {
    expectClose(after([0, 1, 2, 3, 5].map((x) => at(x, 0, { heading: 3 }))), [20, 0, 0]);
  });

  it("says nothing after a jump, and forgets what was before it", () => {
    expectClose(after([at(0), at(0.2), at(900)]), [0, 0, 0]);
    expectClose(after([at(0), at(0.2), at(900), at(900.3)]), [3, 0, 0]);
  });

  it("looks at one round where rows come faster than rounds", () => {
    expectClose(after([at(0), at(0.5), at(0.6)], { ...OPTIONS, spacingMs: 14 }), [1, 0, 0]);
  });
});
