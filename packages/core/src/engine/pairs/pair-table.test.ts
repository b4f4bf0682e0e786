import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ABSENT, CYCLE, FARTHEST_PLAN, METRIC_MASK } from "../memory/layout.ts";
import { heap } from "../memory/memory.ts";
import { PairPages } from "./pair-pages.ts";
import { PairTable, planByte } from "./pair-table.ts";

function planned(table: PairTable, round: number): number[] {
  const out = new Int32Array(table.high);
  return [...out.subarray(0, table.gather(round, round, false, out))];
}

/** One of all numbers that a metric can have. */
const metricOf = (slot: number): number => 1 + (slot % (METRIC_MASK - 1));

/** A table beside what it should hold. */
class Twin {
  readonly table: PairTable;
  readonly expected = new Map<number, { pair: number; round: number; held: number }>();

  constructor(pages: PairPages, lossy: boolean) {
    this.table = new PairTable(pages, lossy);
  }

  take(slot: number, round: number): void {
    if (this.expected.has(slot)) return;
    const pair = this.table.take(slot, slot % 16);
    this.table.plan(pair, round);
    this.table.setHeld(pair, slot + 1);
    this.table.setLastSend(pair, round);
    this.table.writeSample(pair, metricOf(slot), Float64Array.of(slot, -slot, 0, 0, 0, 0), 0);
    this.expected.set(slot, { pair, round, held: slot + 1 });
  }

  free(slot: number): void {
    const known = this.expected.get(slot);
    if (known === undefined) return;
    this.table.free(known.pair);
    this.expected.delete(slot);
  }

  check(slots: number): void {
    const { table, expected } = this;
    expect(table.count).toBe(expected.size);
    const sample = new Float64Array(6);
    for (let slot = 0; slot < slots; slot++) {
      const pair = table.find(slot);
      const known = expected.get(slot);
      if (pair !== (known?.pair ?? -1)) expect([slot, pair]).toEqual([slot, known?.pair ?? -1]);
      if (known === undefined) continue;
      table.readSample(pair, sample, 0);
      const found = [table.slotOf(pair), table.setOf(pair), table.heldOf(pair), table.metricOf(pair), sample[0]!];
      expect(found).toEqual([slot, slot % 16, known.held, metricOf(slot), slot]);
    }
  }

  checkAll(): void {
    const out = new Int32Array(this.table.high);
    const all = out.subarray(0, this.table.gather(0, 0, true, out));
    const pairs = [...this.expected.values()].map(({ pair }) => pair);
    expect([...all]).toEqual(pairs.sort((a, b) => a - b));
  }

  checkPlans(rounds: number): void {
    for (let round = 0; round < rounds; round++) {
      const due = [...this.expected.values()].filter((known) => known.round === round).map(({ pair }) => pair);
      expect(planned(this.table, round).sort((a, b) => a - b)).toEqual(due.sort((a, b) => a - b));
    }
  }
}

describe("pair table", () => {
  test("finds what it holds and gathers what is planned, or all, among others in the same memory", () => {
    const SLOTS = 200;
    const step = fc.tuple(fc.nat({ max: 2 }), fc.nat({ max: SLOTS - 1 }), fc.nat({ max: 24 }), fc.boolean());
    fc.assert(
      fc.property(fc.array(step, { maxLength: 600, size: "max" }), (steps) => {
        const pages = new PairPages(heap);
        const twins = [new Twin(pages, false), new Twin(pages, true), new Twin(pages, false)];
        for (const [which, slot, round, stays] of steps) {
          if (stays || round < 12) twins[which]!.take(slot, round);
          else twins[which]!.free(slot);
        }
        for (const twin of twins) {
          twin.check(SLOTS);
          twin.checkPlans(25);
          twin.checkAll();
        }
      }),
    );
  });

  test("thousands of slots that collide come and go", () => {
    const twin = new Twin(new PairPages(heap), false);
    for (let turn = 0; turn < 4; turn++) {
      for (let i = 0; i < 3000; i++) twin.take((i * 4096 + turn * 17) & 0xfffff, 1);
      for (let i = turn; i < 3000; i += 2) twin.free((i * 4096 + turn * 17) & 0xfffff);
    }
    expect(twin.table.count).toBe(twin.expected.size);
    for (const [slot, { pair }] of twin.expected) if (twin.table.find(slot) !== pair) expect(slot).toBe("found");
    expect(planned(twin.table, 1)).toHaveLength(twin.expected.size);
  });

  test("a number that is used again knows nothing of the pair before", () => {
    const table = new PairTable(new PairPages(heap), true);
    const pair = table.take(5, 3);
    table.plan(pair, 9);
    table.setHeld(pair, 4);
    table.setLastSend(pair, 8);
    table.setFirstMiss(pair, 9);
    table.setListed(pair, true);
    table.setBase(pair, 2);
    table.free(pair);
    expect([table.isLive(pair), planned(table, 9)]).toEqual([false, []]);
    expect(table.take(6, 1)).toBe(pair);
    expect([table.slotOf(pair), table.setOf(pair), table.isListed(pair)]).toEqual([6, 1, false]);
    expect([table.heldOf(pair), table.lastSendOf(pair), table.firstMissOf(pair), table.baseOf(pair)]).toEqual([
      ABSENT,
      -1,
      -1,
      -1,
    ]);
    expect([table.metricOf(pair), planned(table, 9)]).toEqual([0, []]);
  });

  test("marks of a pair do not touch one another", () => {
    const table = new PairTable(new PairPages(heap), false);
    const pair = table.take(0xfffff, 15);
    const metric = METRIC_MASK - 1;
    table.writeSample(pair, metric, new Float64Array(6), 0);
    table.setListed(pair, true);
    table.setSet(pair, 2);
    expect([table.slotOf(pair), table.setOf(pair), table.metricOf(pair)]).toEqual([0xfffff, 2, metric]);
    expect([table.isListed(pair), table.isLive(pair)]).toEqual([true, true]);
    table.setListed(pair, false);
    expect([table.slotOf(pair), table.setOf(pair), table.metricOf(pair)]).toEqual([0xfffff, 2, metric]);
    table.forgetSends(pair);
    expect([table.slotOf(pair), table.setOf(pair), table.metricOf(pair)]).toEqual([0xfffff, 2, 0]);
  });

  test("a first miss counts only if it came after the last send", () => {
    const table = new PairTable(new PairPages(heap), false);
    const pair = table.take(0, 0);
    table.setFirstMiss(pair, 7);
    table.setLastSend(pair, 6);
    expect(table.firstMissOf(pair)).toBe(7);
    table.setLastSend(pair, 7);
    expect(table.firstMissOf(pair)).toBe(-1);
  });

  test("memory given back is clean for the next table", () => {
    const pages = new PairPages(heap);
    const table = new PairTable(pages, true);
    for (let slot = 0; slot < 40; slot++) table.plan(table.take(slot, 0), 3);
    table.dispose();
    const next = new PairTable(pages, false);
    for (let slot = 0; slot < 40; slot++) next.take(slot, 0);
    expect(planned(next, 3)).toEqual([]);
  });

  test("plans as far ahead as may be are told apart from all rounds before them", () => {
    for (const now of [0, 1, 200, 254, 255, 256, 5000]) {
      const bytes = Array.from({ length: FARTHEST_PLAN + 1 }, (_, wait) => planByte(now + wait));
      expect(new Set(bytes).size).toBe(CYCLE);
      expect(Math.min(...bytes)).toBe(1);
      expect(Math.max(...bytes)).toBe(CYCLE);
    }
  });

  test("samples are kept in full once a metric needs them, across growth", () => {
    const table = new PairTable(new PairPages(heap), false);
    table.deepen();
    const sample = (slot: number): Float64Array => Float64Array.from({ length: 6 }, (_, i) => slot * 10 + i);
    for (let slot = 0; slot < 100; slot++) table.writeSample(table.take(slot, 0), 1, sample(slot), 0);
    const out = new Float64Array(6);
    for (let slot = 0; slot < 100; slot++) {
      table.readSample(table.find(slot), out, 0);
      expect(out).toEqual(sample(slot));
    }
  });
});
