import { slotOf } from "@nearfield/schema";
import { GENERATIONS, generationOf, MAX_SLOTS, objectId } from "@nearfield/schema/internal";
import { describe, expect, test } from "vitest";
import { Score, Ship, smallWorld } from "../test/small-world.ts";
import { ObjectStore } from "./internal/index.ts";

function store(written: (slot: number, field: number) => void = () => {}): ObjectStore {
  return new ObjectStore(smallWorld().protocol, written);
}

describe("ids", () => {
  test("slot and generation come back, at the far ends too", () => {
    for (const slot of [0, 1, MAX_SLOTS - 1]) {
      for (const generation of [0, 1, GENERATIONS - 1]) {
        const id = objectId(slot, generation);
        expect([slotOf(id), generationOf(id)]).toEqual([slot, generation]);
        expect(new Uint32Array([id])[0]).toBe(id);
      }
    }
  });
});

describe("object store", () => {
  test("slots are chosen by the caller, as a replica needs it", () => {
    const objects = store();
    const ship = objects.occupy(300, 7, objects.tableOf(Ship), 2);
    expect([ship.id, ship.owner, ship.type]).toEqual([objectId(300, 7), 2, Ship]);
    expect([objects.slotHigh, objects.count, objects.isLive(300), objects.isLive(299)]).toEqual([301, 1, true, false]);
    expect(objects.get(ship.id)).toBe(ship);
  });

  test("an id of another generation is unknown", () => {
    const objects = store();
    objects.occupy(3, 1, objects.tableOf(Ship), 0);
    expect(objects.liveSlot(objectId(3, 1))).toBe(3);
    expect(objects.liveSlot(objectId(3, 0))).toBe(-1);
    expect(objects.liveSlot(objectId(4, 0))).toBe(-1);
    expect(objects.liveSlot(objectId(MAX_SLOTS - 1, 0))).toBe(-1);
    expect(objects.get(objectId(3, 2))).toBeUndefined();
  });

  test("a freed row is cleared before the next object gets it", () => {
    const objects = store();
    const table = objects.tableOf(Ship);
    const first = objects.occupy(0, 0, table, 0) as unknown as { hull: number };
    first.hull = 99;
    objects.vacate(0);
    const second = objects.occupy(1, 0, table, 0) as unknown as { hull: number };
    expect([second.hull, table.count, table.high]).toEqual([0, 1, 1]);
  });

  test("rows and slots grow, and every object keeps its own values", () => {
    const objects = store();
    const table = objects.tableOf(Score);
    for (let slot = 0; slot < 500; slot++) {
      (objects.occupy(slot, 0, table, 0) as unknown as { points: number }).points = slot;
    }
    expect(Array.from(objects.all(Score), ({ points }) => points)).toEqual(Array.from({ length: 500 }, (_, i) => i));
  });

  test("objects destroyed during a walk are not visited", () => {
    const objects = store();
    for (let slot = 0; slot < 4; slot++) objects.occupy(slot, 0, objects.tableOf(Ship), 0);
    const seen: number[] = [];
    for (const { id } of objects.all(Ship)) {
      seen.push(slotOf(id));
      if (slotOf(id) === 1) objects.vacate(2);
    }
    expect(seen).toEqual([0, 1, 3]);
  });

  test("a write is checked, named, and told", () => {
    const told: number[][] = [];
    const objects = store((slot, field) => told.push([slot, field]));
    const ship = objects.occupy(5, 0, objects.tableOf(Ship), 0) as unknown as { hull: number };
    expect(() => {
      ship.hull = -1;
    }).toThrow(/ship\.hull/);
    expect(told).toEqual([]);
    ship.hull = 12;
    expect(told).toEqual([[5, 3]]);
  });

  test("more objects than slots are refused", () => {
    const objects = store();
    const full = expect.objectContaining({ code: "full" });
    expect(() => objects.occupy(MAX_SLOTS, 0, objects.tableOf(Ship), 0)).toThrow(full);
    expect(objects.count).toBe(0);
  });
});
