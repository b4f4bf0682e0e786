/** The grouping keeps its rule, stated by brute force, on seeded random movement; it is deterministic; its cost follows what moved. */

import { object, Protocol, quantized } from "@nearfield/schema";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Entity, type Pivot, World } from "../src/index.ts";
import { resolveUnits, type Unit, type UnitSettings, Units } from "../src/internal/index.ts";
import { placePivot, replaced } from "../src/pivots.ts";

const axis = quantized(0, 4096, 1 / 16);
const Walker = object("walker", { x: axis, y: axis }, { position: ["x", "y"] });
const Flyer = object("flyer", { x: quantized(0, 4096, 1 / 8), y: axis, z: axis }, { position: ["x", "y", "z"] });
type Place = { x: number; y: number };

const RULE: UnitSettings = { join: 10, part: 16, turn: 40, partTurn: 70, most: 32 };
const OWNER = 7;
/** Ten times as many in the nightly tier. */
const WORLDS = process.env["NEARFIELD_NIGHTLY"] === "1" ? 400 : 40;

class Field {
  readonly world = new World({ protocol: new Protocol({ objects: [Walker, Flyer] }) });
  readonly units: Units;
  readonly settings;

  constructor(settings: UnitSettings = RULE) {
    this.settings = resolveUnits(settings);
    this.units = new Units(this.world, this.settings);
    this.world.observe({
      spawned: (slot) => this.units.add(slot, this.world.store.owner[slot]!),
      destroyed: (slot) => this.units.remove(slot),
      moved: (slot) => this.units.touch(slot),
      updated: () => {},
      reclassified: () => {},
    });
  }

  put(x: number, y: number, owner = OWNER): Entity & Place {
    return this.world.spawn(Walker, { x, y }, { owner }) as unknown as Entity & Place;
  }

  fly(x: number, y: number, z: number): Entity & Place {
    return this.world.spawn(Flyer, { x, y, z }, { owner: OWNER }) as unknown as Entity & Place;
  }

  round(): void {
    this.world.commit();
    this.units.round();
  }

  groups(owner = OWNER): number[][] {
    return this.units.of(owner).map((unit) => this.units.membersOf(unit));
  }
}

function random(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function apart({ x, y }: World, a: number, b: number): number {
  return Math.hypot(x[a]! - x[b]!, y[a]! - y[b]!);
}

/** Whether steps of at most `step` over the members lead from each to each. */
function isInOnePiece(world: World, members: readonly number[], step: number): boolean {
  const open = [members[0]!];
  const reached = new Set(open);
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const other of members) {
      if (reached.has(other) || apart(world, at, other) > step) continue;
      reached.add(other);
      open.push(other);
    }
  }
  return reached.size === members.length;
}

/** Degrees between the headings of two lists of objects, from where they came in this round; 0 if one of them stands. */
function turnBetween(
  headings: ReadonlyMap<number, readonly [number, number]>,
  a: readonly number[],
  b: readonly number[],
): number {
  const sum = (slots: readonly number[]): [number, number] =>
    slots.reduce<[number, number]>(
      ([x, y], slot) => {
        const [hx, hy] = headings.get(slot) ?? [0, 0];
        return [x + hx, y + hy];
      },
      [0, 0],
    );
  const [ax, ay] = sum(a);
  const [bx, by] = sum(b);
  const lengths = Math.hypot(ax, ay) * Math.hypot(bx, by);
  if (lengths < 1e-6) return 0;
  return (Math.acos(Math.max(-1, Math.min(1, (ax * bx + ay * by) / lengths))) * 180) / Math.PI;
}

/** Plays random movement and checks the rule after every round. Returns what happened, as text. */
function play(seed: number): string {
  const dice = random(seed);
  const field = new Field();
  const { world } = field;
  const size = 60 + dice() * 200;
  const things: (Entity & Place)[] = [];
  const courses = Array.from({ length: 4 }, () => dice() * 2 * Math.PI);
  const spawn = (): void => {
    const x = 1000 + dice() * size;
    const y = 1000 + dice() * size;
    things.push(dice() < 0.2 ? field.fly(x, y, dice() * 30) : field.put(x, y, dice() < 0.1 ? OWNER + 1 : OWNER));
  };
  for (let i = 0; i < 30; i++) spawn();
  let story = "";
  for (let round = 0; round < 25; round++) {
    const before = new Map(things.map(({ id }) => [world.store.liveSlot(id), [...placeOf(world, id)] as const]));
    if (dice() < 0.3) courses[Math.floor(dice() * 4)] = dice() * 2 * Math.PI;
    for (const [index, thing] of things.entries()) {
      if (dice() < 0.3) continue;
      const course = courses[index % 4]! + (dice() - 0.5) * (dice() < 0.1 ? 6 : 0.5);
      const way = index % 4 === 0 ? 0 : 3 * dice();
      thing.x += Math.cos(course) * way;
      thing.y += Math.sin(course) * way;
    }
    if (dice() < 0.3) world.destroy(things.splice(Math.floor(dice() * things.length), 1)[0]!);
    if (dice() < 0.3) spawn();
    field.round();
    const headings = new Map<number, readonly [number, number]>();
    for (const { id } of things) {
      const slot = world.store.liveSlot(id);
      const [x, y] = before.get(slot) ?? placeOf(world, id);
      const length = Math.hypot(world.x[slot]! - x, world.y[slot]! - y);
      if (length > 0.01) headings.set(slot, [(world.x[slot]! - x) / length, (world.y[slot]! - y) / length]);
    }
    for (const owner of [OWNER, OWNER + 1]) expectRule(field, things, owner, headings);
    story += JSON.stringify(field.groups());
  }
  return story;
}

function placeOf(world: World, id: Entity["id"]): readonly [number, number] {
  const slot = world.store.liveSlot(id);
  return [world.x[slot]!, world.y[slot]!];
}

function expectRule(
  field: Field,
  things: readonly Entity[],
  owner: number,
  headings: ReadonlyMap<number, readonly [number, number]>,
): void {
  const { world, settings } = field;
  const groups = field.groups(owner);
  const own = things.map(({ id }) => world.store.liveSlot(id)).filter((slot) => world.store.owner[slot] === owner);
  expect(groups.flat().sort((a, b) => a - b)).toEqual(own.sort((a, b) => a - b));
  if (groups.length === settings.most) return;
  for (const members of groups) expect(isInOnePiece(world, members, settings.part)).toBe(true);
  for (const [index, a] of groups.entries()) {
    for (const b of groups.slice(index + 1)) {
      const isNear = a.some((slot) => b.some((other) => apart(world, slot, other) <= settings.join));
      // A hair's breadth more, since headings are rounded.
      if (isNear) expect(turnBetween(headings, a, b)).toBeGreaterThan(settings.turn - 1e-3);
    }
  }
  expectPlaces(field, owner);
}

function expectPlaces(field: Field, owner: number): void {
  for (const unit of field.units.of(owner)) expectPlace(field, unit, field.units.membersOf(unit));
}

/** A unit lies exactly where a group pivot on its members lies. */
function expectPlace({ world }: Field, unit: Unit, members: readonly number[]): void {
  const pivot: Pivot = { group: members.map((slot) => world.store.idAt(slot)), margin: 0, coefficients: [] };
  const placed = replaced([], [], [pivot])[0]!;
  placePivot(pivot, world, placed);
  expect([unit.count, unit.x, unit.y, unit.z, unit.reach]).toEqual([
    members.length,
    placed.x,
    placed.y,
    placed.z,
    placed.radii![0],
  ]);
}

describe("the rule", () => {
  test("holds on random movement, and equal seeds give equal groups", () => {
    fc.assert(
      fc.property(fc.noBias(fc.nat()), (seed) => {
        expect(play(seed)).toBe(play(seed));
      }),
      { numRuns: WORLDS },
    );
  });

  test("an object that wavers between join and part changes groups only when it has been beyond part or within join", () => {
    const field = new Field();
    field.put(100, 100);
    const straggler = field.put(109, 100);
    for (const x of [109, 115, 111, 115.9, 110.1, 115]) {
      straggler.x = x;
      field.round();
      expect(field.groups()).toHaveLength(1);
    }
    for (const x of [116.1, 111, 115.9, 110.1, 115]) {
      straggler.x = x;
      field.round();
      expect(field.groups()).toHaveLength(2);
    }
    straggler.x = 110;
    field.round();
    expect(field.groups()).toHaveLength(1);
  });

  test("who turns about leaves, and comes back when it goes the same way again", () => {
    const field = new Field();
    const army = Array.from({ length: 6 }, (_, index) => field.put(100 + 4 * index, 100));
    const march = (ways: readonly number[]): void => {
      for (const [index, soldier] of army.entries()) soldier.y += ways[index]!;
      field.round();
    };
    march([1, 1, 1, 1, 1, 1]);
    expect(field.groups()).toHaveLength(1);
    march([1, 1, 1, 1, -1, -1]);
    expect(field.groups()).toEqual([
      [0, 1, 2, 3],
      [4, 5],
    ]);
    march([1, 1, 1, 1, 1, 1]);
    expect(field.groups()).toHaveLength(1);
    march([0, 0, 0, 0, 1, 1]);
    expect(field.groups()).toHaveLength(1);
  });

  test("two groups that touch become one when they come to agree, though nobody near the border moves", () => {
    const field = new Field();
    const rear = field.put(92, 100);
    field.put(100, 100);
    const border = field.put(208, 100);
    const front = field.put(216, 100);
    field.round();
    rear.y += 1;
    border.x -= 100;
    front.x -= 100;
    field.round();
    expect(field.groups()).toHaveLength(2);
    rear.y += 1;
    front.y -= 1;
    field.round();
    expect(field.groups()).toHaveLength(2);
    rear.y += 1;
    front.y += 1;
    field.round();
    expect(field.groups()).toHaveLength(1);
  });

  test("units go on as the same while members come and go; the larger part keeps the unit", () => {
    const field = new Field();
    const army = Array.from({ length: 5 }, (_, index) => field.put(100 + 8 * index, 100));
    field.round();
    const [unit] = field.units.of(OWNER);
    const edition = field.units.edition(OWNER);
    field.world.destroy(army[0]!);
    field.put(132, 105);
    field.round();
    expect(field.units.edition(OWNER)).not.toBe(0);
    expect(field.units.of(OWNER)[0]).toBe(unit);
    expect(unit!.count).toBe(5);
    expect(field.units.edition(OWNER)).toBe(edition);
    army[1]!.x -= 50;
    field.round();
    expect(field.units.of(OWNER)[0]).toBe(unit);
    expect(field.units.of(OWNER).map(({ count }) => count)).toEqual([4, 1]);
  });

  test("beyond `most` the nearest are one unit", () => {
    const field = new Field({ ...RULE, most: 3 });
    for (const x of [100, 130, 400, 440, 900]) field.put(x, 100);
    field.round();
    expect(field.groups()).toEqual([[0, 1], [2, 3], [4]]);
    expectPlaces(field, OWNER);
    for (let i = 0; i < 400; i++) field.put(100 + (i % 20) * 40, 300 + Math.floor(i / 20) * 40);
    field.round();
    expect(field.groups()).toHaveLength(3);
    expect(field.groups().flat()).toHaveLength(405);
  });

  test("with few units and groups made by hand, everybody is in one unit, and units are where their members are", () => {
    fc.assert(
      fc.property(fc.noBias(fc.nat()), (seed) => {
        const dice = random(seed);
        const most = 2 + Math.floor(dice() * 4);
        const field = new Field({ ...RULE, most });
        const things = Array.from({ length: 40 }, () => field.put(500 + dice() * 300, 500 + dice() * 300));
        const any = (): number => field.world.store.liveSlot(things[Math.floor(dice() * things.length)]!.id);
        field.round();
        for (let round = 0; round < 25; round++) {
          for (const thing of things) {
            if (dice() < 0.5) thing.x += dice() * 6 - 3;
            if (dice() < 0.5) thing.y += dice() * 6 - 3;
          }
          if (dice() < 0.4 && field.units.handMadeWithout([], OWNER) + 1 < most) {
            field.units.groupByHand([...new Set([any(), any(), any()])], OWNER);
          }
          if (dice() < 0.4) field.units.release(any());
          if (dice() < 0.4) field.world.destroy(things.splice(Math.floor(dice() * things.length), 1)[0]!);
          field.round();
          const slots = things.map(({ id }) => field.world.store.liveSlot(id));
          expect(field.groups().length).toBeLessThanOrEqual(most);
          expect(
            field
              .groups()
              .flat()
              .sort((a, b) => a - b),
          ).toEqual(slots.sort((a, b) => a - b));
          expectPlaces(field, OWNER);
        }
      }),
      { numRuns: WORLDS },
    );
  });

  test("a group made by hand holds exactly its objects until they are released", () => {
    const field = new Field();
    const things = [0, 1, 2, 3].map((index) => field.put(100 + 5 * index, 100));
    field.round();
    field.units.groupByHand([0, 3], OWNER);
    field.round();
    expect(field.groups()).toEqual([
      [0, 3],
      [1, 2],
    ]);
    things[3]!.x += 300;
    field.round();
    expect(field.groups()).toEqual([
      [0, 3],
      [1, 2],
    ]);
    expectPlaces(field, OWNER);
    field.units.release(0);
    field.round();
    expect(field.groups()).toEqual([[3], [0, 1, 2]]);
    field.world.destroy(things[3]!);
    field.round();
    expect(field.groups()).toEqual([[0, 1, 2]]);
  });
});

describe("settings", () => {
  test.each([
    [{ ...RULE, join: 0 }, /units\.join/],
    [{ ...RULE, part: 9 }, /units\.part/],
    [{ ...RULE, turn: 181 }, /units\.turn/],
    [{ ...RULE, partTurn: 30 }, /units\.partTurn/],
    [{ ...RULE, most: 33 }, /units\.most/],
    [{ ...RULE, margin: -1 }, /units\.margin/],
    [{ ...RULE, coefficients: [2, 2] }, /units\.coefficients\[1\]/],
  ])("refuses what makes no sense", (settings, message) => {
    expect(() => resolveUnits(settings)).toThrow(message);
  });
});

describe("units that are made anew in one of several rounds", () => {
  test("keep their places in between, each owner's in its turn; whoever gets an object does not wait", () => {
    const field = new Field({ ...RULE, every: 3 });
    const walkers = [0, 8].map((x) => field.put(x, 0));
    const others = [100, 108].map((x) => field.put(x, 0, OWNER + 1));
    field.round();
    const [unit] = field.units.of(OWNER);
    const [other] = field.units.of(OWNER + 1);
    expect([unit!.x, unit!.count, other!.x]).toEqual([4, 2, 104]);
    const seen: number[][] = [];
    for (let round = 0; round < 6; round++) {
      for (const each of [...walkers, ...others]) each.x += 2;
      field.round();
      seen.push([unit!.x - walkers[0]!.x, other!.x - others[0]!.x]);
    }
    // Four units ahead of its first member, if its turn has come.
    expect(seen).toEqual([
      [4, 2],
      [2, 0],
      [0, 4],
      [4, 2],
      [2, 0],
      [0, 4],
    ]);
    field.put(walkers[1]!.x + 8, 0);
    field.round();
    expect([unit!.count, unit!.x]).toEqual([3, walkers[0]!.x + 8]);
  });
});

describe("cost", () => {
  /** Armies of 500 in formation; one in ten soldiers of each moves on, to and fro. */
  function armies(): { field: Field; step: (round: number) => void } {
    const field = new Field({ ...RULE, most: 32 });
    const soldiers: (Entity & Place)[] = [];
    for (let i = 0; i < 10_000; i++) {
      const army = Math.floor(i / 500);
      const rank = i % 500;
      soldiers.push(
        field.put(
          100 + (army % 5) * 400 + (rank % 25) * 4,
          100 + Math.floor(army / 5) * 400 + Math.floor(rank / 25) * 4,
        ),
      );
    }
    field.round();
    const step = (round: number): void => {
      for (let i = 0; i < soldiers.length; i += 10) soldiers[i]!.x += round % 40 < 20 ? 1 : -1;
      field.world.commit();
    };
    return { field, step };
  }

  test("10,000 objects of which 1,000 move: the median round takes little time and leaves next to nothing behind", () => {
    const { field, step } = armies();
    for (let round = 0; round < 120; round++) {
      step(round);
      field.units.round();
    }
    const times: number[] = [];
    const left: number[] = [];
    for (let round = 0; round < 120; round++) {
      step(round);
      const heap = process.memoryUsage().heapUsed;
      const before = process.cpuUsage();
      field.units.round();
      const { user, system } = process.cpuUsage(before);
      times.push(user + system);
      left.push(process.memoryUsage().heapUsed - heap);
    }
    expect(field.groups()).toHaveLength(20);
    // Microseconds and bytes: several times what is measured (400, 600).
    expect(median(times)).toBeLessThan(3000);
    expect(median(left)).toBeLessThan(4096);
  });
});

function median(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}
