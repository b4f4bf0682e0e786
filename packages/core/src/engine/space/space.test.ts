/**
 * Nobody crosses a border unseen: for random pivots, borders and moves, `Space` finds exactly the objects whose distance passed one of the
 * view's borders in the round, by comparing all of them with the distance functions of `judge.ts`. Those that are pairs it marks.
 */

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Drone, ROUND_MS, resolved, Ship, smallWorld, viewOf } from "../../../test/small-world.ts";
import type { Entity } from "../../entity.ts";
import { distance, LEAVE_FACTOR } from "../../judge.ts";
import type { Shape } from "../../view.ts";
import type { World } from "../../world.ts";
import { EngineView } from "../engine-view.ts";
import { ThresholdStore } from "../judges/thresholds.ts";
import { Batches } from "../memory/batches.ts";
import { ENGINE_ROUND } from "../memory/layout.ts";
import { Memory } from "../memory/memory.ts";
import { SlotList } from "../memory/slot-list.ts";
import { Bodies } from "../objects/bodies.ts";
import { PairPages } from "../pairs/pair-pages.ts";
import { Bearings } from "../plans/bearing.ts";
import { Found, MOST_RUNS, Space } from "./space.ts";
import { BorderStore } from "./watch.ts";

type Place = readonly [x: number, y: number, z: number];

interface Setting {
  readonly shape: Shape;
  readonly deep: boolean;
  readonly radii: readonly number[];
  readonly range: number | undefined;
  readonly centre: Place;
}

/** So that plans are counted from the start again soon. */
const FIRST_ROUND = 250;

/** A few objects, one view, and what `Engine` does with `Space` in a round. */
class Field {
  readonly space: Space;
  readonly setting: Setting;
  readonly #world: World = smallWorld();
  readonly #memory = new Memory();
  readonly #bodies = new Bodies(this.#world, this.#memory);
  readonly #live = new SlotList(this.#memory);
  readonly #moved = new SlotList(this.#memory);
  readonly #view: EngineView;
  readonly #things: Entity<(typeof Drone)["shape"]>[] = [];
  #pivot: Place;
  #round = FIRST_ROUND;

  /** @param span of the views by which the grid's cells are chosen; default: that of its own view */
  constructor(setting: Setting, offsets: readonly Place[], span?: number) {
    const { shape, deep, radii, range, centre } = setting;
    this.setting = setting;
    this.#pivot = centre;
    const memory = this.#memory;
    this.space = new Space(memory, new Batches(memory, MOST_RUNS, undefined), this.#bodies, this.#live, deep);
    const bounds = [...radii.map(() => ({})), {}];
    const settings = viewOf({ shape, radii, bounds, ...(range !== undefined && { range }) });
    const view = resolved(this.#world, settings);
    const stores = {
      columns: memory,
      pages: new PairPages(memory),
      borders: new BorderStore(memory),
      thresholds: new ThresholdStore(memory, ROUND_MS),
      bearings: new Bearings(),
      roundMs: ROUND_MS,
      kernelBegins: () => true,
    };
    this.#view = new EngineView(0, view, {}, stores, deep);
    this.#setPivot();
    for (const [x, y, z] of offsets) {
      const place = { x: centre[0] + x, y: centre[1] + y };
      const thing = deep ? this.#world.spawn(Drone, { ...place, z: centre[2] + z }) : this.#world.spawn(Ship, place);
      const slot = this.#world.store.liveSlot(thing.id);
      this.#bodies.add(slot, 1);
      this.#live.add(slot);
      this.space.follow(slot);
      this.#things.push(thing as unknown as Entity<(typeof Drone)["shape"]>);
    }
    this.#view.place(this.#world, this.#round);
    this.#view.place(this.#world, this.#round);
    this.space.fit([span ?? this.#view.span]);
  }

  get slots(): number[] {
    return this.#things.map(({ id }) => this.#world.store.liveSlot(id));
  }

  /** The object becomes a pair of the view, or is one no more. */
  setTracked(index: number, tracked: boolean): void {
    const { pairs } = this.#view;
    const slot = this.slots[index]!;
    const pair = pairs.find(slot);
    if (tracked && pair < 0) pairs.take(slot, 0);
    else if (!tracked && pair >= 0) pairs.free(pair);
  }

  /** A column that lies behind the next one that takes a block of as many numbers. */
  columnBehind(block: number): Int32Array {
    const both = this.#memory.ints(2 * block);
    this.#memory.release(both.subarray(0, block));
    return both.subarray(block);
  }

  isTracked(slot: number): boolean {
    return this.#view.pairs.find(slot) >= 0;
  }

  movePivot([x, y, z]: Place): void {
    this.#pivot = [this.#pivot[0] + x, this.#pivot[1] + y, this.#pivot[2] + z];
    this.#setPivot();
  }

  move(index: number, [x, y, z]: Place): void {
    const thing = this.#things[index]!;
    thing.x += x;
    thing.y += y;
    if (this.setting.deep) thing.z += z;
    this.#moved.add(this.slots[index]!);
  }

  /** Plays a round in which all move by so many margins. */
  shake(margins: number): void {
    const { margin } = this.space;
    for (const index of this.#things.keys()) this.move(index, [margins * margin, 0, 0]);
    this.round();
  }

  /** Plays a round: who crossed, as found, as marked and as it is, and who leapt. */
  round(): {
    found: Set<number>;
    marked: Set<number>;
    crossed: Set<number>;
    leapt: Set<number>;
    pivotLeapt: boolean;
  } {
    const before = new Map(this.slots.map((slot) => [slot, this.#distance(slot)]));
    this.#round++;
    this.#memory.engine[ENGINE_ROUND / 4] = this.#round;
    this.#world.commit(0);
    const leapt = new Set<number>();
    for (const slot of this.#moved.slots.subarray(0, this.#moved.count)) {
      this.#bodies.noteMove(slot);
      if (this.space.follow(slot)) leapt.add(slot);
    }
    this.space.endMoves(this.#moved, this.#round);
    this.#view.place(this.#world, this.#round);
    const pivotLeapt = this.#view.step > this.space.margin;
    const found = new Set<number>();
    if (!pivotLeapt) this.space.compare(this.#view);
    this.space.cross((view, slot) => {
      expect(view).toBe(this.#view);
      found.add(slot);
    });
    const crossed = new Set(this.slots.filter((slot) => this.#hasCrossed(before.get(slot)!, slot)));
    for (const slot of this.slots) this.#bodies.settle(slot);
    this.#moved.clear();
    return { found, marked: this.#marked(), crossed, leapt, pivotLeapt };
  }

  /** Whose pair is planned for this round. */
  #marked(): Set<number> {
    const { pairs } = this.#view;
    const planned = new Int32Array(pairs.high);
    const count = pairs.gather(this.#round, this.#round, false, planned);
    return new Set(Array.from(planned.subarray(0, count), (pair) => pairs.slotOf(pair)));
  }

  around(): { found: Set<number>; inReach: Set<number> } {
    const list = new Found(this.#memory);
    this.space.around(this.#view, list);
    const inReach = this.slots.filter((slot) => this.#distance(slot) <= this.#view.reach);
    return { found: new Set(list.slots.subarray(0, list.count)), inReach: new Set(inReach) };
  }

  #setPivot(): void {
    this.#view.setPivots([{ point: this.setting.deep ? this.#pivot : this.#pivot.slice(0, 2) }]);
  }

  /** From where the pivot was placed last. */
  #distance(slot: number): number {
    const { x, y, z } = this.#view.placed[0]!;
    const [dx, dy, dz] = [this.#world.x[slot]! - x, this.#world.y[slot]! - y, this.#world.z[slot]! - z];
    return distance(this.setting.shape, dx, dy, dz);
  }

  #hasCrossed(before: number, slot: number): boolean {
    const now = this.#distance(slot);
    const { radii, range } = this.setting;
    const inward = range === undefined ? radii : [...radii, range];
    if (inward.some((edge) => before > edge && now <= edge)) return true;
    return range !== undefined && before <= LEAVE_FACTOR * range && now > LEAVE_FACTOR * range;
  }
}

const share = fc.double({ min: -1, max: 1, noNaN: true });
const whole = fc.integer({ min: -4, max: 4 }).map((n) => n / 4);
const direction = fc.tuple(fc.oneof(share, whole), fc.oneof(share, whole), fc.oneof(share, whole));

const setting: fc.Arbitrary<Setting> = fc.record({
  shape: fc.constantFrom<Shape>("round", "square"),
  deep: fc.boolean(),
  radii: fc
    .uniqueArray(fc.constantFrom(8, 16, 24, 40.5, 64), { minLength: 1, maxLength: 3 })
    .map((radii) => radii.sort((a, b) => a - b)),
  range: fc.constantFrom(undefined, 30, 64, 100),
  centre: fc.tuple(fc.constantFrom(0, 800, -512.25), fc.constantFrom(0, -800, 64), fc.constantFrom(0, 5, -100)),
});

/** Where objects stand: on or about one of the borders, in any direction. */
const standing = fc.tuple(fc.nat({ max: 4 }), direction, fc.constantFrom(0, 0, 0.25, -0.25, 1));
/** How often the margin is doubled before. */
const hurry = fc.nat({ max: 4 });
const round = fc.record({
  pivot: direction,
  moves: fc.array(direction, { minLength: 30, maxLength: 30 }),
  rests: fc.nat({ max: 9 }),
});

function stand(
  { shape, deep, radii, range }: Setting,
  [border, [x, y, z], off]: readonly [number, Place, number],
): Place {
  const borders = range === undefined ? radii : [...radii, range, LEAVE_FACTOR * range];
  const edge = borders[border % borders.length]! + off;
  const length = distance(shape, x, y, deep ? z : 0);
  return length === 0 ? [edge, 0, 0] : [(x / length) * edge, (y / length) * edge, (z / length) * edge];
}

/** A direction as a step of at most `most`. */
function step([x, y, z]: Place, most: number, deep: boolean): Place {
  const length = Math.max(1, Math.sqrt(x * x + y * y + (deep ? z * z : 0)));
  const by = (most * 0.999) / length;
  return [x * by, y * by, deep ? z * by : 0];
}

describe("space", () => {
  test("finds all that crossed a border, and nobody else", () => {
    let crossings = 0;
    const places = fc.array(standing, { minLength: 30, maxLength: 30 });
    const rounds = fc.array(round, { minLength: 6, maxLength: 12 });
    fc.assert(
      fc.property(setting, places, hurry, rounds, (chosen, standings, doublings, played) => {
        const field = new Field(
          chosen,
          standings.map((at) => stand(chosen, at)),
        );
        field.round();
        for (let turn = 0; turn < 2 * doublings; turn++) field.shake(turn % 2 === 0 ? 1.5 : -1.5);
        for (const { pivot, moves, rests } of played) {
          if (rests % 3 > 0) field.movePivot(step(pivot, field.space.margin, chosen.deep));
          for (const [index, move] of moves.entries()) {
            if (index % 10 >= rests) field.move(index, step(move, field.space.margin, chosen.deep));
          }
          const { found, crossed, leapt, pivotLeapt } = field.round();
          expect([leapt.size, pivotLeapt]).toEqual([0, false]);
          for (const slot of crossed) if (!found.has(slot)) expect([...found]).toContain(slot);
          expect(found.size - crossed.size).toBeLessThanOrEqual(4);
          crossings += crossed.size;
        }
      }),
    );
    expect(crossings).toBeGreaterThan(1000);
  });

  test("marks those that are pairs of the view, and finds only the others", () => {
    let [marks, finds] = [0, 0];
    const places = fc.array(standing, { minLength: 30, maxLength: 30 });
    const tracking = fc.array(fc.boolean(), { minLength: 30, maxLength: 30 });
    const rounds = fc.array(fc.tuple(round, tracking), { minLength: 6, maxLength: 12 });
    fc.assert(
      fc.property(setting, places, rounds, (chosen, standings, played) => {
        const field = new Field(
          chosen,
          standings.map((at) => stand(chosen, at)),
        );
        field.round();
        for (const [{ pivot, moves, rests }, tracked] of played) {
          for (const [index, isTracked] of tracked.entries()) field.setTracked(index, isTracked);
          if (rests % 3 > 0) field.movePivot(step(pivot, field.space.margin, chosen.deep));
          for (const [index, move] of moves.entries()) {
            if (index % 10 >= rests) field.move(index, step(move, field.space.margin, chosen.deep));
          }
          const { found, marked, crossed } = field.round();
          for (const slot of found) expect(field.isTracked(slot)).toBe(false);
          for (const slot of crossed) expect(field.isTracked(slot) ? [...marked] : [...found]).toContain(slot);
          expect(found.size + marked.size - crossed.size).toBeLessThanOrEqual(4);
          marks += marked.size;
          finds += found.size;
        }
      }),
    );
    expect(marks).toBeGreaterThan(400);
    expect(finds).toBeGreaterThan(400);
  });

  test("finds all, however many cross at once", () => {
    const chosen: Setting = { shape: "round", deep: false, radii: [64], range: undefined, centre: [0, 0, 0] };
    const directions = Array.from({ length: 900 }, (_, i): Place => [Math.cos(i), Math.sin(i), 0]);
    const field = new Field(
      chosen,
      directions.map(([x, y]): Place => [64.5 * x, 64.5 * y, 0]),
    );
    for (let index = 0; index < 900; index += 3) field.setTracked(index, true);
    field.round();
    for (const [index, [x, y]] of directions.entries()) field.move(index, [-0.9 * x, -0.9 * y, 0]);
    const { found, marked } = field.round();
    expect([found.size, marked.size]).toEqual([600, 300]);
    expect(new Set([...found, ...marked])).toEqual(new Set(field.slots));
  });

  test("has room for objects that it meets again and again, in rows that lie on each other where the grid wraps around", () => {
    const chosen: Setting = { shape: "square", deep: false, radii: [40.5, 64], range: undefined, centre: [0, 0, 0] };
    const field = new Field(
      chosen,
      Array.from({ length: 200 }, (_, i): Place => [64.05 + i / 10_000, 64.05, 0]),
      8,
    );
    const behind = field.columnBehind(1024);
    field.shake(0.01);
    for (const index of field.slots.keys()) field.move(index, [-0.08, -0.08, 0]);
    expect(field.round().crossed.size).toBe(200);
    expect(behind.filter((number) => number !== 0)).toEqual(new Int32Array());
  });

  test("finds nobody of an earlier round", () => {
    const chosen: Setting = { shape: "round", deep: false, radii: [64], range: undefined, centre: [0, 0, 0] };
    const field = new Field(chosen, [
      [64.3, 0.1, 0],
      [64.3, 0.2, 0],
    ]);
    field.round();
    for (const index of [0, 1]) field.move(index, [-0.5, 0, 0]);
    expect(field.round().found).toEqual(new Set(field.slots));
    field.move(0, [0.01, 0, 0]);
    expect(field.round().found).toEqual(new Set());
  });

  test("finds all that are in reach", () => {
    const places = fc.array(standing, { minLength: 30, maxLength: 30 });
    fc.assert(
      fc.property(setting, places, (chosen, standings) => {
        const field = new Field(
          { ...chosen, range: chosen.range ?? 50 },
          standings.map((at) => stand(chosen, at)),
        );
        field.round();
        const { found, inReach } = field.around();
        for (const slot of inReach) if (!found.has(slot)) expect([...found]).toContain(slot);
      }),
    );
  });

  test("tells of those that moved farther than rings are made for, and widens its margin when many do", () => {
    const chosen: Setting = { shape: "round", deep: false, radii: [64], range: undefined, centre: [0, 0, 0] };
    const field = new Field(
      chosen,
      Array.from({ length: 40 }, (_, i): Place => [i, 0, 0]),
    );
    field.round();
    const { margin } = field.space;
    field.move(0, [margin * 1.01, 0, 0]);
    field.move(1, [margin * 0.99, 0, 0]);
    expect([...field.round().leapt]).toEqual([field.slots[0]]);
    expect(field.space.margin).toBe(margin);
    for (let i = 0; i < 40; i++) field.move(i, [0, margin * 1.5, 0]);
    expect(field.round().leapt.size).toBe(40);
    expect(field.space.margin).toBe(2 * margin);
    for (let i = 0; i < 40; i++) field.move(i, [0, margin * 1.5, 0]);
    expect(field.round().leapt.size).toBe(0);
    field.movePivot([margin * 2.01, 0, 0]);
    expect(field.round().pivotLeapt).toBe(true);
  });

  test("the margin does not grow without end", () => {
    const chosen: Setting = { shape: "round", deep: false, radii: [64], range: undefined, centre: [0, 0, 0] };
    const field = new Field(
      chosen,
      Array.from({ length: 40 }, (_, i): Place => [i, 0, 0]),
    );
    for (let turn = 0; turn < 40; turn++) {
      for (let i = 0; i < 40; i++) field.move(i, [turn % 2 === 0 ? 900 : -900, 0, 0]);
      field.round();
    }
    expect(field.space.margin).toBeLessThanOrEqual(64);
  });
});
