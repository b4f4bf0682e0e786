import { inspect } from "node:util";
import { float64, type ObjectId, object, Protocol, slotOf } from "@nearfield/schema";
import { generationOf } from "@nearfield/schema/internal";
import { describe, expect, test } from "vitest";
import { Comet, Crate, Drone, Score, Ship, smallWorld } from "../test/small-world.ts";
import { World, WorldError } from "./index.ts";
import type { WorldObserver } from "./internal/index.ts";

const X = 1 << 0;
const Y = 1 << 1;
const HULL = 1 << 3;

/** Writes down what a model would be told. */
function listen(world: World): string[] {
  const heard: string[] = [];
  const observer: WorldObserver = {
    spawned: (slot) => heard.push(`spawned ${slot}`),
    destroyed: (slot) => heard.push(`destroyed ${slot}`),
    updated: (slot, writer) => heard.push(`updated ${slot} by ${writer}`),
    moved: (slot) => heard.push(`moved ${slot}`),
    reclassified: (slot) => heard.push(`reclassified ${slot}`),
  };
  world.observe(observer);
  return heard;
}

describe("updates", () => {
  test("all writes of one writer between two commits are one update", () => {
    const world = smallWorld();
    const ship = world.spawn(Ship, { x: 1, hull: 50 });
    const heard = listen(world);
    expect(world.version[0]).toBe(1);
    ship.x = 2;
    ship.x = 3;
    ship.hull = 49;
    world.commit(0);
    expect(world.version[0]).toBe(2);
    expect(heard).toEqual(["moved 0", "updated 0 by 0"]);
  });

  test("two writers make two updates, each credited with its own fields", () => {
    const world = smallWorld();
    const ship = world.spawn(Ship);
    ship.x = 5;
    world.commit(7);
    ship.hull = 9;
    world.commit(8);
    expect(world.version[0]).toBe(3);
    expect(world.changedSince(0, 1, 0)).toBe(X | HULL);
    expect(world.changedSince(0, 1, 7)).toBe(HULL);
    expect(world.changedSince(0, 1, 8)).toBe(X);
    expect(world.changedSince(0, 2, 0)).toBe(HULL);
    expect(world.changedSince(0, 3, 0)).toBe(0);
  });

  test("a field that another writer overwrote is no longer the first one's own", () => {
    const world = smallWorld();
    const ship = world.spawn(Ship);
    ship.x = 5;
    world.commit(7);
    ship.x = 6;
    world.commit(0);
    expect(world.changedSince(0, 1, 7)).toBe(X);
  });

  test("what a session foresaw is an update of the server that this session has already, and of that object alone", () => {
    const world = smallWorld();
    const ship = world.spawn(Ship);
    const other = world.spawn(Ship);
    const heard = listen(world);
    ship.x = 5;
    other.x = 6;
    world.foresee(ship, 7);
    expect(heard).toEqual(["moved 0", "updated 0 by 7"]);
    expect(world.changedSince(0, 1, 7)).toBe(X);
    expect(world.version[1]).toBe(1);
    world.commit(0);
    expect([world.version[0], world.version[1]]).toEqual([2, 2]);
    world.foresee(ship, 7);
    expect(world.version[0]).toBe(2);
  });

  test("A → B → A over two commits makes two versions; within one commit none", () => {
    const world = smallWorld();
    const ship = world.spawn(Ship, { hull: 10 });
    ship.hull = 11;
    world.commit(0);
    ship.hull = 10;
    world.commit(0);
    expect(world.version[0]).toBe(3);
    ship.hull = 11;
    ship.hull = 10;
    world.commit(0);
    expect(world.version[0]).toBe(3);
  });

  test("a move below the wire's step is no update, but it is a move", () => {
    const world = smallWorld();
    const ship = world.spawn(Ship, { x: 1 });
    const heard = listen(world);
    ship.x = 1.2;
    world.commit(0);
    expect(heard).toEqual(["moved 0"]);
    expect(world.version[0]).toBe(1);
    expect([world.x[0], world.wireX[0], world.travelled[0]]).toEqual([1.2, 1, expect.closeTo(0.2, 12)]);
    ship.x = 1.3;
    world.commit(0);
    expect(world.version[0]).toBe(2);
    expect([world.x[0], world.wireX[0]]).toEqual([1.3, 1.5]);
  });

  test("turning is a move of no length; a field that is not a place is none", () => {
    const world = smallWorld();
    const ship = world.spawn(Ship);
    const heard = listen(world);
    ship.heading = 1;
    world.commit(0);
    ship.hull = 3;
    world.commit(0);
    expect(heard).toEqual(["moved 0", "updated 0 by 0", "updated 0 by 0"]);
    expect(world.travelled[0]).toBe(0);
  });

  test("velocity in wire form, and the version in which the place last changed in wire form", () => {
    const world = smallWorld();
    const columns = (slot: number): unknown[] => [
      world.velX[slot],
      world.velY[slot],
      world.velZ[slot],
      world.movedVersion[slot],
    ];
    const comet = world.spawn(Comet, { x: 1, vx: 20.2, vy: -3 });
    world.spawn(Ship, { x: 1 });
    expect([columns(0), columns(1)]).toEqual([
      [20, -3, 0, 1],
      [0, 0, 0, 1],
    ]);
    comet.vx = 7;
    world.commit(0);
    expect(columns(0)).toEqual([7, -3, 0, 1]);
    comet.x = 1.1;
    comet.vy = 0;
    world.commit(0);
    expect(columns(0)).toEqual([7, 0, 0, 1]);
    world.correct(comet, X);
    expect(columns(0)).toEqual([7, 0, 0, 1]);
    comet.x = 2;
    world.commit(0);
    expect(columns(0)).toEqual([7, 0, 0, 5]);
  });

  test("the path counts every commit's way, there and back", () => {
    const world = smallWorld();
    const drone = world.spawn(Drone, { x: 1, y: 2, z: 3 });
    Object.assign(drone, { x: 3, y: 5, z: 9 });
    world.commit(0);
    expect(world.travelled[0]).toBe(7);
    Object.assign(drone, { x: 1, y: 2, z: 3 });
    world.commit(0);
    expect(world.travelled[0]).toBe(14);
  });

  test("a place out of this world is held within reach, and steps after the way back still count", () => {
    const Probe = object("probe", { x: float64(), y: float64() }, { position: ["x", "y"] });
    const world = new World({ protocol: new Protocol({ objects: [Probe] }) });
    const comet = world.spawn(Probe);
    for (const x of [1e308, 1e300, 0]) {
      comet.x = x;
      world.commit(0);
    }
    const back = world.travelled[0]!;
    comet.x = 1;
    world.commit(0);
    expect(world.travelled[0]! - back).toBeCloseTo(1, 3);
    expect(world.x[0]).toBe(1);
  });

  test("a value out of its field's range is refused, and the field stays as it was", () => {
    const world = smallWorld();
    const ship = world.spawn(Ship, { x: 5 });
    for (const x of [-1e9, 1e9, Number.POSITIVE_INFINITY, Number.NaN]) {
      expect(() => {
        ship.x = x;
      }).toThrow(/^ship\.x: must be a number from -?\d+ to \d+, got /);
    }
    expect(ship.x).toBe(5);
    expect(() => world.spawn(Ship, { x: -1e9 })).toThrow(/^ship\.x: /);
    expect(world.count).toBe(1);
  });

  test("fields that are not numbers are compared in wire form too", () => {
    const world = smallWorld();
    const crate = world.spawn(Crate, { label: "tea" });
    crate.label = "tea";
    world.commit(0);
    expect(world.version[0]).toBe(1);
    crate.label = "coffee";
    world.commit(0);
    expect(world.version[0]).toBe(2);
    expect(world.wireAt(0, 2)).toEqual(Crate.shape.label.toWire("coffee"));
  });

  test("correct() sends fields out again as the server's, changed or not", () => {
    const world = smallWorld();
    const ship = world.spawn(Ship, { x: 5 });
    ship.x = 8;
    world.commit(7);
    expect(world.changedSince(0, 1, 7)).toBe(0);
    const heard = listen(world);
    world.correct(ship, X | Y);
    expect(world.version[0]).toBe(3);
    expect(heard).toEqual(["moved 0", "updated 0 by 0"]);
    expect(world.changedSince(0, 2, 7)).toBe(X | Y);
  });

  test("correct() takes in a waiting write: the place, the predicates, and no second update", () => {
    const world = smallWorld();
    world.predicate("weak", (entity) => (entity as unknown as { hull: number }).hull < 10);
    const ship = world.spawn(Ship, { x: 5, hull: 50 });
    const heard = listen(world);
    ship.x = 9;
    ship.hull = 1;
    world.correct(ship, X | HULL);
    expect([world.x[0], world.predicateBits[0]]).toEqual([9, 1]);
    world.commit(7);
    expect(world.version[0]).toBe(2);
    expect(heard).toEqual(["moved 0", "updated 0 by 0", "reclassified 0"]);
  });

  test("correct() of no known field is no update", () => {
    const world = smallWorld();
    const ship = world.spawn(Ship);
    const heard = listen(world);
    world.correct(ship, 1 << 20);
    expect([world.version[0], heard]).toEqual([1, []]);
  });
});

describe("objects", () => {
  test("fields left out, or undefined, start at their initial value", () => {
    const world = smallWorld();
    const ship = world.spawn(Ship, { x: 4, y: undefined } as unknown as { x: number });
    expect([ship.x, ship.y, ship.hull, world.count]).toEqual([4, 0, 0, 1]);
  });

  test("a wrong value or field name throws before anything is spawned", () => {
    const world = smallWorld();
    expect(() => world.spawn(Ship, { hull: 500 })).toThrow(/ship\.hull/);
    expect(() => world.spawn(Ship, { speed: 1 } as unknown as { x: number })).toThrow(/ship\.speed/);
    expect(world.count).toBe(0);
  });

  test("a slot is reused only with a new generation, after others have rested", () => {
    const world = smallWorld();
    const first = world.spawn(Ship);
    world.destroy(first);
    const ids = new Set<number>([first.id]);
    let reused: ObjectId | undefined;
    for (let i = 0; i < 200 && reused === undefined; i++) {
      const next = world.spawn(Score);
      expect(ids.has(next.id)).toBe(false);
      ids.add(next.id);
      if (slotOf(next.id) === slotOf(first.id)) reused = next.id;
      world.destroy(next);
    }
    expect(generationOf(reused!)).toBe(1);
    expect(world.get(first.id)).toBeUndefined();
  });

  test("a reused slot starts afresh: version, path, tags, writes that were waiting", () => {
    const world = smallWorld();
    const first = world.spawn(Ship, { x: 1 }, { tags: ["old"], owner: 3 });
    first.x = 50;
    world.commit(0);
    first.x = 60;
    world.destroy(first);
    for (let i = 0; i < 64; i++) world.destroy(world.spawn(Score));
    const second = world.spawn(Ship, { x: 2 });
    expect(slotOf(second.id)).toBe(0);
    world.commit(0);
    expect([world.version[0], world.travelled[0], world.x[0], second.owner]).toEqual([1, 0, 2, 0]);
    expect([...second.tags]).toEqual([]);
    expect(world.changedSince(0, 0, 0)).toBe(Ship.allMask);
  });

  test("a stale handle throws on its fields and says it is gone", () => {
    const world = smallWorld();
    const stale = world.spawn(Ship, {}, { tags: ["a"], owner: 5 });
    world.destroy(stale);
    for (let i = 0; i < 64; i++) world.destroy(world.spawn(Score));
    const successor = world.spawn(Ship, {}, { tags: ["b"], owner: 6 });
    expect(slotOf(successor.id)).toBe(slotOf(stale.id));
    expect([stale.alive, stale.owner, [...stale.tags]]).toEqual([false, 0, []]);
    const gone = expect.objectContaining({ code: "destroyed", message: expect.stringContaining("ship.x") });
    expect(() => stale.x).toThrow(gone);
    expect(() => {
      stale.x = 1;
    }).toThrow(gone);
    const unknown = expect.objectContaining({ code: "unknown-object" });
    expect(() => world.destroy(stale)).toThrow(unknown);
    expect(() => world.tag(stale, "c")).toThrow(unknown);
    expect(() => world.correct(stale, X)).toThrow(unknown);
    expect(successor.alive).toBe(true);
  });

  test("a type the protocol lacks is refused by name", () => {
    const other = smallWorld();
    const Foreign = { ...Ship, name: "foreign" };
    expect(() => other.spawn(Foreign)).toThrow(WorldError);
    expect(() => other.spawn(Foreign)).toThrow(/foreign/);
  });

  test("walks and questions: by type, by test, by id", () => {
    const world = smallWorld();
    const ships = [1, 2, 3].map((x) => world.spawn(Ship, { x }));
    world.spawn(Score);
    world.destroy(ships[1]!);
    expect([...world.all(Ship)].map(({ x }) => x)).toEqual([1, 3]);
    expect([...world.where(Ship, ({ x }) => x > 2)]).toEqual([ships[2]]);
    expect(world.get(ships[0]!.id)).toBe(ships[0]);
    expect([world.isSpatial(0), world.isSpatial(3)]).toEqual([true, false]);
  });
});

test("an object logs as its fields, not as the columns behind it", () => {
  const world = smallWorld();
  const ship = world.spawn(Ship, { x: 1, y: 2, hull: 7 });
  expect(JSON.parse(JSON.stringify(ship))).toMatchObject({
    id: ship.id,
    type: "ship",
    alive: true,
    x: 1,
    y: 2,
    hull: 7,
  });
  expect(inspect(ship)).toContain("hull: 7");
  world.destroy(ship);
  expect(JSON.parse(JSON.stringify(ship))).toEqual({ id: ship.id, type: "ship", alive: false });
});

describe("classification", () => {
  test("tags and owner are told when they change, and only then", () => {
    const world = smallWorld();
    const ship = world.spawn(Ship, {}, { tags: ["red"] });
    const heard = listen(world);
    world.tag(ship, "red");
    world.untag(ship, "blue");
    world.setOwner(ship, 0);
    expect(heard).toEqual([]);
    world.tag(ship, "blue");
    world.untag(ship, "red");
    world.setOwner(ship, 4);
    expect(heard).toEqual(["reclassified 0", "reclassified 0", "reclassified 0"]);
    expect([[...ship.tags], ship.owner]).toEqual([["blue"], 4]);
  });

  test("predicates follow updates and tags, and cover what was there before them", () => {
    const world = smallWorld();
    const ship = world.spawn(Ship, { hull: 5 });
    world.predicate("weak", (entity) => (entity as unknown as { hull: number }).hull < 10);
    world.predicate("vip", ({ tags }) => tags.has("vip"));
    expect([world.predicateIndex("weak"), world.predicateIndex("vip"), world.predicateIndex("none")]).toEqual([
      0, 1, -1,
    ]);
    expect(world.predicateBits[0]).toBe(0b01);
    const heard = listen(world);
    ship.hull = 6;
    world.commit(0);
    expect(heard).toEqual(["updated 0 by 0"]);
    ship.hull = 90;
    world.commit(0);
    expect([world.predicateBits[0], heard.at(-1)]).toEqual([0b00, "reclassified 0"]);
    world.tag(ship, "vip");
    expect(world.predicateBits[0]).toBe(0b10);
    expect(world.predicateBits[slotOf(world.spawn(Ship, { hull: 1 }).id)]).toBe(0b01);
  });

  test("a name is registered once, and there are 32 of them", () => {
    const world = smallWorld();
    world.predicate("p0", () => true);
    expect(() => world.predicate("p0", () => true)).toThrow(expect.objectContaining({ code: "duplicate-name" }));
    for (let i = 1; i < 32; i++) world.predicate(`p${i}`, () => i === 31);
    expect(() => world.predicate("p32", () => true)).toThrow(expect.objectContaining({ code: "too-many" }));
    expect(world.predicateBits[slotOf(world.spawn(Ship).id)]).toBe(0x8000_0001);
  });
});
