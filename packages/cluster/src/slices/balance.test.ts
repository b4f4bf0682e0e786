import { Dice } from "@nearfield/netlab";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutOf, type Load, nextMap, withoutServers } from "./balance.ts";
import { depthOf, SliceMap as Slices } from "./slice-map.ts";

const place = fc.double({ min: -1000, max: 1000, noNaN: true });
const points = fc.array(fc.tuple(place, place), { minLength: 1, maxLength: 60 });
const loads = (list: readonly (readonly [number, number])[]): Load[] =>
  list.map(([x, y]) => ({ x, y, z: 0, weight: 1 }));

/** Everybody knows everybody's load. */
const hasCounted = (): boolean => true;

describe("balance", () => {
  it("cuts where load halves: each side has half of it, but for those at one place", () => {
    fc.assert(
      fc.property(points, (list) => {
        const cut = cutOf(loads(list));
        const isOnePlace = list.every(([x, y]) => x === list[0]![0] && y === list[0]![1]);
        if (isOnePlace) return void expect(cut).toBeUndefined();
        if (cut === undefined) return; // places that differ by less than a number can say
        const low = list.filter((point) => point[cut.axis]! < cut.at).length;
        expect(low).toBeGreaterThan(0);
        expect(low).toBeLessThan(list.length);
      }),
    );
    const crowd = loads(Array.from({ length: 100 }, (_, i) => [i < 90 ? i : i * 50, 0]));
    const { axis, at } = cutOf(crowd)!;
    expect([axis, crowd.filter(({ x }) => x < at).length]).toEqual([0, 50]);
  });

  it("gives a server that has no slice half of the busiest one", () => {
    const map = Slices.whole(1);
    const own = loads(Array.from({ length: 40 }, (_, i) => [i, 0]));
    const next = nextMap(map, {
      me: 1,
      loads: new Map([
        [1, 40],
        [2, 0],
      ]),
      own,
      hasCounted,
    })!;
    const counts = [1, 2].map((server) => own.filter(({ x, y }) => next.at(x, y).owner === server).length);
    expect(counts).toEqual([20, 20]);
    expect(
      nextMap(map, {
        me: 2,
        loads: new Map([
          [1, 40],
          [2, 0],
        ]),
        own: [],
        hasCounted,
      }),
      "only the owner cuts",
    ).toBeUndefined();
  });

  it("cuts an empty world too", () => {
    let map = Slices.whole(1);
    for (const server of [2, 3, 4]) {
      const known = Array.from({ length: server }, (_, i) => [i + 1, 0] as const);
      map = nextMap(map, { me: 1, loads: new Map(known), own: [], hasCounted })!;
    }
    expect(new Set(map.slices.map(({ owner }) => owner))).toEqual(new Set([1, 2, 3, 4]));
  });

  it("evens out a crowd, and then rests", () => {
    const own = loads(Array.from({ length: 120 }, (_, i) => [i % 11, i]));
    let map = Slices.whole(1);
    for (let step = 0; step < 50; step++) {
      const of = (server: number) => own.filter(({ x, y }) => map.at(x, y).owner === server);
      const known = new Map([1, 2, 3, 4].map((server) => [server, of(server).length]));
      const next = [1, 2, 3, 4]
        .map((me) => nextMap(map, { me, loads: known, own: of(me), hasCounted }))
        .find((m) => m !== undefined);
      if (next === undefined) {
        expect(Math.max(...known.values())).toBeLessThanOrEqual(1.2 * 30);
        return;
      }
      map = next;
    }
    expect.fail("it never rests");
  });

  it("puts the sides of a cut together again where one server has both, and leaves nothing to the dead", () => {
    const map = Slices.whole(1).split("r", 0, 0, 2).split("r1", 1, 0, 3);
    const without = withoutServers(map, (server) => server !== 1, [1]);
    expect(without.slices.every(({ owner }) => owner === 1)).toBe(true);
    const loadsOfOne = new Map([[1, 0]]);
    expect(nextMap(without, { me: 1, loads: loadsOfOne, own: [], hasCounted })!.slices).toHaveLength(1);
  });
});

/** Servers that balance once a second, one after the other, and know of each other's loads what these said a second ago. */
class Servers {
  map = Slices.whole(1);
  people: Load[] = [];
  readonly numbers: readonly number[];
  #said = new Map<number, { readonly load: number; readonly epoch: number }>();

  constructor(count: number) {
    this.numbers = Array.from({ length: count }, (_, i) => i + 1);
    for (const server of this.numbers) this.#said.set(server, { load: 0, epoch: 0 });
  }

  of(server: number): Load[] {
    return this.people.filter(({ x, y }) => this.map.at(x, y).owner === server);
  }

  second(): void {
    const before = new Map(this.#said);
    for (const me of this.numbers) {
      const own = this.of(me);
      this.#said.set(me, { load: own.length, epoch: this.map.epoch });
      const loads = new Map([...before].map(([server, { load }]) => [server, load])).set(me, own.length);
      const hasCounted = (server: number): boolean =>
        this.map.ofOwner(server).every(({ since }) => since <= before.get(server)!.epoch);
      const next = nextMap(this.map, { me, loads, hasCounted, own });
      if (next !== undefined) this.map = next;
    }
  }

  /** Load of the busiest ÷ mean. */
  get imbalance(): number {
    return (
      (Math.max(...this.numbers.map((server) => this.of(server).length)) * this.numbers.length) / this.people.length
    );
  }
}

describe("a crowd of 1,000 on 9 servers", () => {
  const crowdAt = (dice: Dice, x: number, y: number, wide: number): Load[] =>
    Array.from({ length: 1000 }, () => {
      const around = (): number => (dice.range(-1, 1) + dice.range(-1, 1)) * wide;
      return { x: x + around(), y: y + around(), z: 0, weight: 1 };
    });

  it("is even within 10 s, wherever it gathers next, and leaves few cuts behind", () => {
    const dice = new Dice("crowd");
    const servers = new Servers(9);
    for (let shift = 0; shift < 8; shift++) {
      servers.people = crowdAt(dice, dice.range(0, 5000), dice.range(0, 5000), dice.pick([50, 300, 2500]));
      let seconds = 0;
      while (servers.imbalance > 1.3 && seconds < 10) {
        servers.second();
        seconds += 1;
      }
      expect(servers.imbalance, `shift ${shift}, after ${seconds} s`).toBeLessThanOrEqual(1.3);
      for (let rest = seconds; rest < 15; rest++) servers.second();
      expect(servers.imbalance, `shift ${shift}, after 15 s`).toBeLessThanOrEqual(1.3);
      expect(servers.map.slices.length, `slices after shift ${shift}`).toBeLessThanOrEqual(6 * 9);
    }
  });

  it("stays even while it walks, and rests once it stands", () => {
    const dice = new Dice("walking crowd");
    const servers = new Servers(9);
    servers.people = crowdAt(dice, 0, 0, 300);
    for (let second = 0; second < 20; second++) servers.second();
    let [uneven, deepest] = [0, 0];
    for (let second = 0; second < 120; second++) {
      servers.people = servers.people.map((load) => ({ ...load, x: load.x + 15, y: load.y + dice.range(-5, 5) }));
      servers.second();
      if (servers.imbalance > 1.3) uneven += 1;
      deepest = Math.max(deepest, ...servers.map.slices.map(({ id }) => depthOf(id)));
      expect(servers.imbalance, `second ${second}`).toBeLessThanOrEqual(1.5);
    }
    expect(uneven, "of 120 seconds").toBeLessThanOrEqual(6);
    expect(deepest, "cuts behind which a slice lies").toBeLessThanOrEqual(30);
    for (let second = 0; second < 30; second++) servers.second();
    const { epoch } = servers.map;
    for (let second = 0; second < 30; second++) servers.second();
    expect(servers.map.epoch, "changes of the map while nobody moves").toBe(epoch);
  });

  it("is not taken from a server whose share of it is still on its way", () => {
    let map = Slices.whole(1);
    let id = "r";
    for (let depth = 0; depth < 12; depth++, id += "0") map = map.split(id, 0, -depth, 2);
    const balance = {
      me: 2,
      loads: new Map([
        [1, 10],
        [2, 10],
      ]),
      own: loads([[100, 0]]),
    };
    expect(nextMap(map, { ...balance, hasCounted: () => false })).toBeUndefined();
    expect(nextMap(map, { ...balance, hasCounted })!.slices.length).toBeLessThan(map.slices.length);
  });

  it("does not cut deeper and deeper while it marches", () => {
    const dice = new Dice("marching crowd");
    const servers = new Servers(9);
    servers.people = crowdAt(dice, 0, 0, 150).slice(0, 200);
    let deepest = 0;
    for (let second = 0; second < 200; second++) {
      const way = Math.floor(second / 50) % 2 === 0 ? 100 : -100;
      servers.people = servers.people.map((load) => ({ ...load, x: load.x + way, y: load.y + dice.range(-5, 5) }));
      servers.second();
      deepest = Math.max(deepest, ...servers.map.slices.map(({ id }) => depthOf(id)));
    }
    expect(deepest, "cuts behind which a slice lies").toBeLessThanOrEqual(30);
    expect(servers.map.slices.length).toBeLessThanOrEqual(8 * 9);
  });
});
