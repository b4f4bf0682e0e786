/** No number ever changed by more than its cap said, unless the engine was told in that round. */

import { object, Protocol, quantized, uint } from "@nearfield/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { World } from "../../world.ts";
import { FIELD, FIELD_CAP, FIELD_NOW, FIELD_WIRE } from "../memory/layout.ts";
import { Memory } from "../memory/memory.ts";
import { FieldValues } from "./field-values.ts";

const METRIC = 5;
const Ship = object("ship", { hull: quantized(0, 100, 1), crew: uint(4) });
const Rock = object("rock", { size: uint(4) });
const protocol = new Protocol({ objects: [Rock, Ship] });

function watched(): { world: World; fields: FieldValues; read: (slot: number, at: number) => number } {
  const world = new World({ protocol });
  const memory = new Memory();
  const fields = new FieldValues(world, memory);
  const read = (slot: number, at: number): number =>
    new Float64Array(memory.linear.buffer, fields.addresses[METRIC]! + slot * FIELD + at, 1)[0]!;
  return { world, fields, read };
}

describe("field values", () => {
  test("whatever changes by more than promised is told of", () => {
    const step = fc.oneof(fc.constantFrom(0, 0.1, 0.5, 3, 40), fc.double({ min: 0, max: 100, noNaN: true }));
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 400, size: "max" }), (steps) => {
        const { world, fields, read } = watched();
        const ship = world.spawn(Ship, { hull: 50 });
        fields.heed(METRIC, "hull", 0);
        for (const [index, way] of steps.entries()) {
          const before = ship.hull;
          const promised = read(0, FIELD_CAP);
          ship.hull = before + way > 100 ? Math.max(0, before - way) : before + way;
          world.commit();
          const isTold = fields.note(0, index + 1);
          expect(isTold).toBe(Math.abs(ship.hull - before) > promised);
          expect(read(0, FIELD_NOW)).toBe(ship.hull);
          expect(read(0, FIELD_WIRE)).toBe(Math.round(ship.hull));
        }
      }),
    );
  });

  test("a leap raises no cap, an even change does after its second round", () => {
    const { world, fields, read } = watched();
    const ship = world.spawn(Ship, { hull: 90 });
    fields.heed(METRIC, "hull", 0);
    const told: number[] = [];
    const change = (round: number, hull: number): void => {
      ship.hull = hull;
      world.commit();
      if (fields.note(0, round)) told.push(round);
    };
    change(1, 40);
    expect(read(0, FIELD_CAP)).toBe(0);
    for (let round = 10; round < 40; round++) change(round, round);
    expect(told).toEqual([1, 10, 11]);
    expect(read(0, FIELD_CAP)).toBe(1);
  });

  test("objects without the field are 0, and room is made for those that come", () => {
    const { world, fields, read } = watched();
    world.spawn(Rock, { size: 3 });
    fields.heed(METRIC, "hull", 0);
    for (let slot = 1; slot < 300; slot++) {
      world.spawn(Ship, { hull: slot % 100 });
      fields.add(slot, 1);
    }
    expect([0, 1, 299].map((slot) => read(slot, FIELD_NOW))).toEqual([0, 1, 99]);
    expect(fields.note(0, 2)).toBe(false);
  });
});
