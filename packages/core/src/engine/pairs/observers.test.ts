import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { kernelOn } from "../memory/kernel.ts";
import { ENGINE_SHEETS, VIEW } from "../memory/layout.ts";
import { Memory } from "../memory/memory.ts";
import { SlotList } from "../memory/slot-list.ts";
import { Observers } from "./observers.ts";
import { PairPages } from "./pair-pages.ts";
import { PairTable, planByte } from "./pair-table.ts";

const VIEWS = 4;
const SLOTS = 6;

/** Observers of a few views, each with a table of its own; those that are not given do not exist. `wake` is what an update of an object does in a round. */
function observe(views: readonly number[]): {
  observers: Observers;
  tables: (PairTable | undefined)[];
  wake: (slot: number) => void;
} {
  const memory = new Memory();
  const kernel = kernelOn(memory);
  const pages = new PairPages(memory);
  const sheets = memory.ints(16);
  memory.engine[ENGINE_SHEETS / 4] = sheets.byteOffset;
  const tables: (PairTable | undefined)[] = [];
  for (const view of views) {
    const sheet = memory.ints(VIEW / 4);
    sheets[view] = sheet.byteOffset;
    tables[view] = new PairTable(pages, false, sheet);
  }
  const observers = new Observers(
    memory,
    () => kernel,
    (view) => tables[view],
  );
  const updated = new SlotList(memory);
  const wake = (slot: number): void => {
    updated.add(slot);
    observers.wake(updated);
    updated.clear();
    for (const view of views) kernel.awaken(sheets[view]!);
  };
  return { observers, tables, wake };
}

/** Observers beside what they should know, with the tables of a few views. */
class Twin {
  readonly #tables: PairTable[];
  readonly #observers: Observers;
  readonly #wake: (slot: number) => void;
  readonly #resting = new Set<string>();

  constructor() {
    const { observers, tables, wake } = observe(Array.from({ length: VIEWS }, (_, view) => view));
    this.#observers = observers;
    this.#wake = wake;
    this.#tables = tables as PairTable[];
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
    table.unplan(pair);
    this.#observers.rest(slot, view, pair, table);
    this.#resting.add(`${view} ${slot}`);
  }

  destroy(slot: number): void {
    for (let view = 0; view < VIEWS; view++) this.untrack(view, slot);
    this.#observers.clear(slot);
    expect(this.#observers.restingOn(slot)).toBe(0);
  }

  wake(slot: number): void {
    const pairs = this.#tables.map((table) => table.find(slot));
    this.#tables.forEach((table, view) => void (pairs[view]! >= 0 && table.unplan(pairs[view]!)));
    this.#wake(slot);
    const woken = this.#tables.flatMap((table, view) => {
      const isPlanned = pairs[view]! >= 0 && table.page.next[table.start + pairs[view]!] === planByte(0);
      return isPlanned ? [`${view} ${slot}`] : [];
    });
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
    const { observers, tables } = observe([0]);
    const table = tables[0]!;
    observers.reserve(0);
    for (let i = 0; i < 5000; i++) {
      const pair = table.take(0, 0);
      observers.rest(0, 0, pair, table);
      table.free(pair);
    }
    expect(observers.restingOn(0)).toBeLessThan(64);
  });

  test("one who comes and goes all the time does not fill the list of those that watch", () => {
    const { observers, tables } = observe([0]);
    const table = tables[0]!;
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
    const { observers, tables, wake } = observe([0]);
    const table = tables[0]!;
    observers.reserve(0);
    const pair = table.take(0, 0);
    for (const view of [3, 0, 1]) {
      observers.add(0, view, pair);
      table.setListed(pair, false);
      observers.rest(0, view, pair, table);
    }
    const told: string[] = [];
    observers.each(0, (view) => told.push(`has ${view}`));
    expect(told).toEqual(["has 0"]);
    wake(0);
    expect(table.page.next[table.start + pair]).toBe(planByte(0));
    expect(observers.restingOn(0)).toBe(0);
  });
});
