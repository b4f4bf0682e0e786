import { World } from "@nearfield/core";
import { type ObjectId, object, Protocol, slotOf, uint } from "@nearfield/schema";
import { generationOf } from "@nearfield/schema/internal";
import { expect, it } from "vitest";
import { ClientNames } from "./client-names.ts";

const Rock = object("rock", { a: uint(8) });
const protocol = new Protocol({ objects: [Rock] });

function setUp(count: number): { world: World; ids: ObjectId[]; names: ClientNames } {
  const world = new World({ protocol });
  const ids = Array.from({ length: count }, () => world.spawn(Rock).id);
  return { world, ids, names: new ClientNames(world) };
}

function namesOf(names: ClientNames, ...ids: ObjectId[]): number[] {
  return [...names.namesOf(Uint32Array.from(ids), ids.length).subarray(0, ids.length)];
}

it("counts names on as objects are told, whatever their ids are", () => {
  const { ids, names } = setUp(1000);
  expect(namesOf(names, ids[900]!, ids[7]!)).toEqual([2, 1]);
  expect(namesOf(names, ids[500]!, ids[900]!)).toEqual([3, 2]);
  expect([3, 4, 0].map((name) => names.objectOf(name as ObjectId))).toEqual([ids[500], undefined, undefined]);
});

it("gives the older of two the first name, even where it has the higher slot", () => {
  const { world, ids, names } = setUp(100);
  const [older] = [world.spawn(Rock)];
  for (const id of ids.slice(0, 80)) world.destroy(id);
  const younger = world.spawn(Rock);
  expect(slotOf(younger.id)).toBeLessThan(slotOf(older.id));
  expect(namesOf(names, younger.id, older.id)).toEqual([2, 1]);
});

it("ends a name when its removal has arrived, and not if the object was told again since", () => {
  const { ids, names } = setUp(2);
  const [first, second] = ids as [ObjectId, ObjectId];
  namesOf(names, first, second);
  names.removed(first, 3);
  names.removed(second, 3);
  expect(names.nameOf(first)).toBe(1);
  names.told(second);
  names.release(first, 3);
  names.release(second, 3);
  expect([names.has(first), names.has(second), names.objectOf(1 as ObjectId)]).toEqual([false, true, undefined]);
  expect(names.nameOf(first)).toBe(3);
});

it("keeps the name of an object that is gone until its removal has arrived, though another has its slot in the world", () => {
  const { world, ids, names } = setUp(100);
  namesOf(names, ...ids);
  for (const id of ids) {
    world.destroy(id);
    names.removed(id, 1);
  }
  const heir = world.spawn(Rock);
  expect(slotOf(heir.id)).toBe(slotOf(ids[0]!));
  expect([names.nameOf(heir.id), names.nameOf(ids[0]!)]).toEqual([101, 1]);
  names.release(ids[0]!, 1);
  expect([names.nameOf(heir.id), names.has(ids[0]!)]).toEqual([101, false]);
});

it("uses slots again, rested and with another generation", () => {
  const { world, names } = setUp(0);
  const given: ObjectId[] = [];
  for (let turn = 0; turn < 2000; turn++) {
    const { id } = world.spawn(Rock);
    given.push(names.nameOf(id));
    world.destroy(id);
    names.removed(id, turn);
    names.release(id, turn);
  }
  expect(new Set(given).size).toBe(given.length);
  expect(Math.max(...given.map(slotOf))).toBeLessThan(70);
  expect(Math.max(...given.map(generationOf))).toBeGreaterThan(25);
  for (let turn = 65; turn < given.length; turn++) {
    expect(given.slice(turn - 64, turn).map(slotOf)).not.toContain(slotOf(given[turn]!));
  }
});
