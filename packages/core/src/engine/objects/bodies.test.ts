import { describe, expect, test } from "vitest";
import { Drone, Score, Ship, smallWorld } from "../../../test/small-world.ts";
import { BUSY, BUSY_SHIFT, GAP, INEXACT, SPATIAL, UPDATES, UPDATES_SHIFT, WINDOW } from "../memory/layout.ts";
import { heap } from "../memory/memory.ts";
import { SpeedCaps } from "../plans/motion.ts";
import { Bodies, INTS, Int, REALS, Real } from "./bodies.ts";

function begin() {
  const world = smallWorld();
  const bodies = new Bodies(world, heap);
  const spawn = (place: { x: number; y: number; z: number }): { slot: number; drone: ReturnType<typeof make> } => {
    const drone = make(place);
    const slot = world.store.liveSlot(drone.id);
    bodies.add(slot, 1);
    return { slot, drone };
  };
  const make = (place: { x: number; y: number; z: number }) => world.spawn(Drone, place, { owner: 3 });
  return { world, bodies, spawn };
}

const placeOf = ({ reals }: Bodies, slot: number): number[] => [
  ...reals.subarray(slot * REALS + Real.x, slot * REALS + Real.z + 1),
];
const wireOf = ({ reals }: Bodies, slot: number): number[] => [
  ...reals.subarray(slot * REALS + Real.wireX, slot * REALS + Real.wireZ + 1),
];

/** Caps of an object that has moved so far. */
function capsOf(slot: number, step: number): SpeedCaps {
  const caps = new SpeedCaps();
  caps.start(slot, 0);
  caps.exceedsAt(slot, Float64Array.of(step), 0, 0);
  return caps;
}

function stepSquare(bodies: Bodies, slot: number): number {
  bodies.measureStep(slot);
  return bodies.stepSquare[0]!;
}

describe("bodies", () => {
  test("a new object: where it is, as sent, who owns it; it has not moved", () => {
    const { world, bodies, spawn } = begin();
    const { slot, drone } = spawn({ x: 1.2, y: -2, z: 3 });
    expect(placeOf(bodies, slot)).toEqual([1.2, -2, 3]);
    expect(wireOf(bodies, slot)).toEqual([1, -2, 3]);
    const at = slot * INTS;
    expect([bodies.ints[at + Int.version], bodies.ints[at + Int.id], bodies.owner[slot]]).toEqual([1, drone.id, 3]);
    expect([stepSquare(bodies, slot), bodies.isSpatial(slot), bodies.movedIn(slot)]).toEqual([0, true, 1]);
    const score = world.store.liveSlot(world.spawn(Score, {}).id);
    bodies.add(score, 1);
    expect(bodies.isSpatial(score)).toBe(false);
  });

  test("a move: the way there and back, and how far from where it was a round ago", () => {
    const { world, bodies, spawn } = begin();
    const { slot, drone } = spawn({ x: 0, y: 0, z: 0 });
    drone.x = 5;
    world.commit(0);
    drone.x = 3;
    drone.y = 4;
    world.commit(0);
    bodies.noteMove(slot);
    expect(bodies.way[slot]).toBeCloseTo(5 + Math.sqrt(20), 12);
    expect([placeOf(bodies, slot), stepSquare(bodies, slot)]).toEqual([[3, 4, 0], 25]);
    bodies.noteMove(slot);
    expect(bodies.way[slot]).toBe(0);
    bodies.settle(slot);
    expect(stepSquare(bodies, slot)).toBe(0);
    expect(wireOf(bodies, slot)).toEqual([0, 0, 0]);
    bodies.noteUpdate(slot, 2, 4, 7);
    expect(wireOf(bodies, slot)).toEqual([3, 4, 0]);
  });

  test("traits: updates in a round, busy rounds, and rounds between the last two, each up to what its bits hold", () => {
    const { bodies, spawn } = begin();
    const { slot } = spawn({ x: 0, y: 0, z: 0 });
    const traits = (): number[] => {
      const bits = bodies.ints[slot * INTS + Int.traits]!;
      return [bits & GAP, (bits >>> UPDATES_SHIFT) & UPDATES, (bits >>> BUSY_SHIFT) & BUSY, bits & SPATIAL];
    };
    expect(traits()).toEqual([255, 1, WINDOW, SPATIAL]);
    bodies.noteUpdate(slot, 3, 8, 10);
    bodies.noteUpdate(slot, 3, 32, 14);
    expect([traits(), bodies.quietFor(slot, 20)]).toEqual([[4, 3, 32, SPATIAL], 6]);
    bodies.noteUpdate(slot, 70_000, 4, 1014);
    expect(traits()).toEqual([255, 255, 4, SPATIAL]);
  });

  test("what rounding to wire form adds matters once it exceeds the tolerance", () => {
    const { world, bodies, spawn } = begin();
    const { slot, drone } = spawn({ x: 1.2, y: 0, z: 0 });
    const isInexact = (): boolean => (bodies.ints[slot * INTS + Int.traits]! & INEXACT) !== 0;
    expect(isInexact()).toBe(false);
    bodies.tolerance = 0.1;
    bodies.noteError(slot);
    expect(isInexact()).toBe(true);
    bodies.noteUpdate(slot, 1, 4, 2);
    expect(isInexact()).toBe(true);
    drone.x = 1.05;
    world.commit(0);
    bodies.noteMove(slot);
    expect(isInexact()).toBe(false);
  });

  test("the cap on its speed is never rounded down", () => {
    const { bodies, spawn } = begin();
    const { slot } = spawn({ x: 0, y: 0, z: 0 });
    for (const speed of [0, 0.1, 1 / 3, 5, 16_777_217, 1e30, Number.POSITIVE_INFINITY]) {
      bodies.noteSpeed(slot, capsOf(slot, speed));
      expect(bodies.floats[slot * INTS + Int.speed]).toBeGreaterThanOrEqual(speed);
    }
  });

  test("the round in which it moved in wire form; other updates do not count", () => {
    const world = smallWorld();
    const bodies = new Bodies(world, heap);
    const ship = world.spawn(Ship, { x: 0, y: 0 });
    const slot = world.store.liveSlot(ship.id);
    bodies.add(slot, 1);
    ship.hull = 5;
    world.commit(0);
    bodies.noteVersion(slot, 4);
    expect(bodies.movedIn(slot)).toBe(1);
    ship.x = 9;
    world.commit(0);
    bodies.noteVersion(slot, 6);
    expect(bodies.movedIn(slot)).toBe(6);
  });

  test("growth keeps what is known, and a slot that is used again forgets it", () => {
    const { world, bodies, spawn } = begin();
    const { slot: first, drone } = spawn({ x: 7, y: 8, z: 9 });
    bodies.noteSpeed(first, capsOf(first, 2));
    const slots = Array.from({ length: 500 }, (_, i) => spawn({ x: i, y: 0, z: -i }).slot);
    expect([placeOf(bodies, first), bodies.owner[first]]).toEqual([[7, 8, 9], 3]);
    expect(bodies.floats[first * INTS + Int.speed]).toBeCloseTo(2, 4);
    for (const [i, slot] of slots.entries()) if (placeOf(bodies, slot)[2] !== -i && i > 0) expect(slot).toBe(i);
    drone.x = 500;
    world.commit(0);
    bodies.add(first, 30);
    bodies.noteMove(first);
    expect([placeOf(bodies, first)[0], stepSquare(bodies, first), bodies.way[first]]).toEqual([500, 0, 0]);
  });
});
