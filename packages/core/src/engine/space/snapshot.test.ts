/** A snapshot beside the list it is of: everyone once, in its cell. */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Drone, smallWorld } from "../../../test/small-world.ts";
import { kernelOn } from "../memory/kernel.ts";
import { SLENDER } from "../memory/layout.ts";
import { Memory } from "../memory/memory.ts";
import { Bodies } from "../objects/bodies.ts";
import { Snapshot } from "./snapshot.ts";

const place = fc.double({ min: -1000, max: 1000, noNaN: true });

/** A column of that memory. */
function columnOf(memory: Memory, slots: readonly number[]): Int32Array {
  const column = memory.ints(slots.length);
  column.set(slots);
  return column;
}

describe("snapshot", () => {
  test("has every object once, in its cell, with where it is and was", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(place, place, place, fc.boolean()), { maxLength: 400, size: "max" }),
        fc.constantFrom(1, 7.5, 62.5, 3000),
        fc.boolean(),
        (drones, size, isDeep) => {
          const world = smallWorld();
          const memory = new Memory();
          const bodies = new Bodies(world, memory);
          const slots = drones.map(([x, y, z, moves]) => {
            const drone = world.spawn(Drone, { x, y, z });
            const slot = world.store.liveSlot(drone.id);
            bodies.add(slot, 1);
            if (moves) drone.x = -drone.x;
            return slot;
          });
          world.commit(0);
          for (const slot of slots) bodies.noteMove(slot);
          const snapshot = new Snapshot(memory, kernelOn(memory), bodies, isDeep);
          snapshot.take(columnOf(memory, slots), slots.length, size, 1);
          const { starts, shift, rowShift, count } = snapshot;
          expect([count, starts[0], starts[1 << (shift + rowShift)]]).toEqual([slots.length, 0, slots.length]);
          expect([...snapshot.slots.subarray(0, count)].sort((a, b) => a - b)).toEqual(slots.sort((a, b) => a - b));
          for (let cell = 0; cell < 1 << (shift + rowShift); cell++) {
            for (let i = starts[cell]!; i < starts[cell + 1]!; i++) {
              const [x, y, z, moves] = drones[snapshot.slots[i]!]!;
              const nowX = moves ? -x : x;
              expect(snapshot.placeAt(i)).toEqual(isDeep ? [nowX, y, x, y, z, z] : [nowX, y, x, y]);
              const column = Math.floor((nowX * (1 << SLENDER)) / size) & ((1 << shift) - 1);
              const row = Math.floor(y / size) & ((1 << rowShift) - 1);
              expect(cell).toBe(column | (row << shift));
            }
          }
        },
      ),
      { numRuns: 80 },
    );
  });

  test("fewer objects than before leave nothing of those behind", () => {
    const world = smallWorld();
    const memory = new Memory();
    const bodies = new Bodies(world, memory);
    const slots = Array.from({ length: 100 }, (_, i) => {
      const slot = world.store.liveSlot(world.spawn(Drone, { x: i, y: i, z: 0 }).id);
      bodies.add(slot, 1);
      return slot;
    });
    const snapshot = new Snapshot(memory, kernelOn(memory), bodies, false);
    snapshot.take(columnOf(memory, slots), 100, 10, 1);
    snapshot.take(columnOf(memory, slots.slice(40)), 3, 10, 2);
    expect([...snapshot.slots.subarray(0, snapshot.count)]).toEqual([40, 41, 42]);
    expect(Math.max(...snapshot.starts)).toBe(3);
  });
});
