import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { heap } from "./memory.ts";
import { Observers } from "./observers.ts";
import { PairPages } from "./pair-pages.ts";
import { PairTable } from "./pair-table.ts";

const VIEWS = 4;
const SLOTS = 6;

/** Observers beside what they should know, with the tables of a few views. */
class Twin {
  readonly #pages = new PairPages(heap);
  readonly #tables = Array.from({ length: VIEWS }, () => new PairTable(this.#pages, false));
  readonly #observers = new Observers((view) => this.#tables[view]);
  readonly #resting = new Set<string>();

  constructor() {
    for (let slot = 0; slot < SLOTS; slot++) this.#observers.reserve(slot);
  }

  track(view: number, slot: number): void {
    if (this.#tables[view]!.find(slot) < 0) this.#observers.add(slot, view, this.#tables[view]!.take(slot, 0));
  }

  untrack(view: number, slot: number): void {
    const pair = this.#tables[view]!.find(slot);
    if (pair < 0) return;
    this.#tables[view]!.free(pair);
    this.#resting.delete(`${view} ${slot}`);
  }

  rest(view: number, slot: number): void {
    const table = this.#tables[view]!;
    const pair = table.find(slot);
    if (pair < 0) return;
    this.#observers.rest(slot, view, pair, table);
    this.#resting.add(`${view} ${slot}`);
  }

  destroy(slot: number): void {
    for (let view = 0; view < VIEWS; view++) this.untrack(view, slot);
    this.#observers.clear(slot);
    expect(this.#observers.restingOn(slot)).toBe(0);
  }

  wake(slot: number): void {
    const woken: string[] = [];
    this.#observers.wake(slot, (table, pair) => woken.push(`${this.#tables.indexOf(table)} ${table.slotOf(pair)}`));
    const expected = [...this.#resting].filter((entry) => entry.endsWith(` ${slot}`));
    expect(woken.sort()).toEqual(expected.sort());
    for (const entry of expected) this.#resting.delete(entry);
    expect(this.#observers.restingOn(slot)).toBe(0);
  }

  check(): void {
    for (let slot = 0; slot < SLOTS; slot++) {
      const told = new Set<number>();
      this.#observers.each(slot, (view, pair) => {
        expect(this.#tables[view]!.slotOf(pair)).toBe(slot);
        told.add(view);
      });
      const watching = this.#tables.flatMap((table, view) => (table.find(slot) < 0 ? [] : [view]));
      expect([...told].sort()).toEqual(watching);
      const resting = [...this.#resting].filter((entry) => entry.endsWith(` ${slot}`)).length;
      expect(this.#observers.restingOn(slot)).toBeGreaterThanOrEqual(resting);
    }
  }
}

describe("observers", () => {
  test("tell of every pair that watches, and wake each pair that rests, once", () => {
    const step = fc.tuple(fc.nat({ max: 15 }), fc.nat({ max: VIEWS - 1 }), fc.nat({ max: SLOTS - 1 }));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400, size: "max" }), (steps) => {
        const twin = new Twin();
        for (const [kind, view, slot] of steps) {
          if (kind < 5) twin.track(view, slot);
          else if (kind < 8) twin.untrack(view, slot);
          else if (kind < 13) twin.rest(view, slot);
          else if (kind < 15) twin.wake(slot);
          else twin.destroy(slot);
        }
        twin.check();
        for (let slot = 0; slot < SLOTS; slot++) twin.wake(slot);
      }),
    );
  });

  test("one who comes, rests and goes all the time does not fill the list of those that rest", () => {
    const table = new PairTable(new PairPages(heap), false);
    const observers = new Observers(() => table);
    observers.reserve(0);
    for (let i = 0; i < 5000; i++) {
      const pair = table.take(0, 0);
      observers.rest(0, 0, pair, table);
      table.free(pair);
    }
    expect(observers.restingOn(0)).toBeLessThan(64);
  });

  test("one who comes and goes all the time does not fill the list of those that watch", () => {
    const table = new PairTable(new PairPages(heap), false);
    const observers = new Observers(() => table);
    observers.reserve(0);
    let pair = -1;
    for (let i = 0; i < 5000; i++) {
      if (pair >= 0) table.free(pair);
      pair = table.take(0, 0);
      observers.add(0, 0, pair);
    }
    let visits = 0;
    observers.each(0, () => visits++);
    expect(visits).toBeLessThan(16);
  });

  test("views that are gone are passed over", () => {
    const table = new PairTable(new PairPages(heap), false);
    const observers = new Observers((view) => (view === 0 ? table : undefined));
    observers.reserve(0);
    const pair = table.take(0, 0);
    for (const view of [3, 0, 1]) {
      observers.add(0, view, pair);
      table.setListed(pair, false);
      observers.rest(0, view, pair, table);
    }
    const told: string[] = [];
    observers.each(0, (view) => told.push(`has ${view}`));
    observers.wake(0, () => told.push("woken"));
    expect(told).toEqual(["has 0", "woken"]);
  });
});
