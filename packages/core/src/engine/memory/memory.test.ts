/** Memory beside a list of what was taken from it: columns keep to themselves, begin as zeros, and stay where they are. */

import fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import { GIVEN_OUT } from "./layout.ts";
import { type Column, type ColumnSource, enlarged, heap, Memory } from "./memory.ts";

const MIB = 2 ** 20;
const LINE = 64;
const MAKERS: readonly ((columns: ColumnSource, length: number) => Column)[] = [
  (columns, length) => columns.ints(length),
  (columns, length) => columns.words(length),
  (columns, length) => columns.reals(length),
  (columns, length) => columns.bytes(length),
];

/** Memory as it is where the host allows none to be shared. */
function fixedMemory(): Memory {
  vi.stubGlobal("SharedArrayBuffer", undefined);
  return new Memory();
}

afterEach(() => {
  vi.unstubAllGlobals();
});

/** What is in use of a memory, each column filled with a number of its own. */
class Twin {
  readonly #memory: Memory;
  readonly #used: { readonly column: Column; readonly mark: number }[] = [];
  #marks = 0;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  take(kind: number, length: number): void {
    const column = MAKERS[kind]!(this.#memory, length);
    expect([column.length, column.byteOffset % LINE]).toEqual([length, 0]);
    expect(holdsOnly(column, 0)).toBe(true);
    const mark = 1 + (this.#marks++ % 255);
    column.fill(mark);
    this.#used.push({ column, mark });
  }

  release(which: number): void {
    if (this.#used.length === 0) return;
    for (const { column } of this.#used.splice(which % this.#used.length, 1)) this.#memory.release(column);
  }

  check(): void {
    this.#used.sort((a, b) => a.column.byteOffset - b.column.byteOffset);
    let end = GIVEN_OUT;
    for (const { column, mark } of this.#used) {
      if (column.length === 0) continue;
      expect(column.byteOffset).toBeGreaterThanOrEqual(end);
      end = column.byteOffset + column.byteLength;
      expect(holdsOnly(column, mark)).toBe(true);
    }
    expect(end).toBeLessThanOrEqual(this.#memory.linear.buffer.byteLength);
  }
}

function holdsOnly(column: Column, number: number): boolean {
  return column.every((found: number) => found === number);
}

/** Takes columns until the memory has grown; returns the last of them. */
function growBy(memory: Memory, length: number): Int32Array {
  const { byteLength } = memory.linear.buffer;
  let last = memory.ints(length);
  while (memory.linear.buffer.byteLength === byteLength) last = memory.ints(length);
  return last;
}

describe("memory", () => {
  const length = fc.oneof(
    { weight: 6, arbitrary: fc.integer({ min: 0, max: 40 }) },
    { weight: 3, arbitrary: fc.integer({ min: 1, max: 3000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 90_000 }) },
  );
  const step = fc.tuple(fc.nat({ max: 6 }), length, fc.nat());

  test.each(["shared", "fixed"])("%s: columns in use never overlap, and begin as zeros", (kind) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80, size: "max" }), (steps) => {
        const memory = kind === "shared" ? new Memory() : fixedMemory();
        const twin = new Twin(memory);
        for (const [choice, size, which] of steps) {
          if (choice < MAKERS.length) twin.take(choice, size);
          else twin.release(which);
        }
        twin.check();
        expect(holdsOnly(memory.engine, 0)).toBe(true);
      }),
    );
  });

  test("what was released serves again, for any kind of column, as zeros", () => {
    const memory = new Memory();
    const first = memory.bytes(1000);
    const neighbour = memory.bytes(1000);
    first.fill(255);
    neighbour.fill(7);
    memory.release(first);
    const again = memory.reals(128);
    expect(again.byteOffset).toBe(first.byteOffset);
    expect(holdsOnly(again, 0)).toBe(true);
    again.fill(-1);
    memory.release(again);
    const shorter = memory.ints(130);
    shorter.fill(-1);
    memory.release(shorter);
    const whole = memory.words(256);
    expect([shorter.byteOffset, whole.byteOffset]).toEqual([first.byteOffset, first.byteOffset]);
    expect([holdsOnly(whole, 0), holdsOnly(neighbour, 7)]).toEqual([true, true]);
    expect(memory.bytes(1000).byteOffset).not.toBe(first.byteOffset);
  });

  test("those who take and release all the time need no more than is in use at once", () => {
    const memory = new Memory();
    const { byteLength } = memory.linear.buffer;
    for (let i = 0; i < 10_000; i++) memory.release(MAKERS[i % MAKERS.length]!(memory, 1 + (i % 5000)));
    expect(memory.linear.buffer.byteLength).toBe(byteLength);
  });

  test("columns made before it grew are the same bytes as those made after", () => {
    const memory = new Memory();
    expect(memory.isShared).toBe(true);
    const before = memory.ints(16);
    const { engine } = memory;
    const kept = memory.reals(16);
    kept.fill(0.5);
    growBy(memory, 50_000);
    growBy(memory, 50_000);
    const { buffer } = memory.linear;
    const same = new Int32Array(buffer, before.byteOffset, 16);
    before[3] = 30;
    same[4] = 40;
    expect([same[3], before[4]]).toEqual([30, 40]);
    engine[5] = 50;
    expect(new Int32Array(buffer, 0, 16)[5]).toBe(50);
    memory.release(before);
    const after = memory.ints(16);
    after[7] = 70;
    expect([after.byteOffset, before[3], before[7]]).toEqual([before.byteOffset, 0, 70]);
    expect(holdsOnly(kept, 0.5)).toBe(true);
  });

  test("where it cannot be shared it has one size, and columns stay what they are", () => {
    const memory = fixedMemory();
    expect(memory.isShared).toBe(false);
    const { buffer } = memory.linear;
    expect(buffer).toBeInstanceOf(ArrayBuffer);
    const before = memory.ints(16);
    before[3] = 30;
    for (let i = 0; i < 60; i++) memory.bytes(MIB);
    expect(memory.linear.buffer).toBe(buffer);
    expect([before.length, before[3]]).toEqual([16, 30]);
  });

  test("a column may be empty, and need next to nothing", () => {
    const memory = new Memory();
    const { byteLength } = memory.linear.buffer;
    for (const make of MAKERS) {
      const column = make(memory, 0);
      expect(column.length).toBe(0);
      expect([...enlarged(memory, column, 2)]).toEqual([0, 0]);
    }
    expect(memory.linear.buffer.byteLength).toBe(byteLength);
  });

  test("too much is refused, and it is said how much that is", () => {
    for (const ask of [
      (columns: ColumnSource) => columns.bytes(2 ** 32),
      (columns: ColumnSource) => columns.reals(2 ** 28 + 1),
      (columns: ColumnSource) => columns.ints(2 ** 30),
    ]) {
      const memory = new Memory();
      const { byteLength } = memory.linear.buffer;
      expect(() => ask(memory)).toThrow(RangeError);
      expect(() => ask(memory)).toThrow("needs more than 4096 MiB");
      expect(memory.linear.buffer.byteLength).toBe(byteLength);
    }
    const fixed = fixedMemory();
    expect(fixed.bytes(128 * MIB - 1).length).toBe(128 * MIB - 1);
    expect(() => fixed.words(32 * MIB)).toThrow(RangeError);
    expect(() => fixed.words(32 * MIB)).toThrow("needs more than 256 MiB");
  });
});

describe("a longer column", () => {
  test.each(["heap", "memory"])(
    "%s: begins with what the other held, goes on with zeros, and takes its place",
    (kind) => {
      const columns = kind === "heap" ? heap : new Memory();
      for (const [index, make] of MAKERS.entries()) {
        const column = make(columns, 20);
        for (let i = 0; i < 20; i++) column[i] = 100 + i;
        const larger = enlarged(columns, column, 300);
        expect([larger.constructor, larger.length]).toEqual([column.constructor, 300]);
        expect([...larger.subarray(0, 20)]).toEqual(Array.from({ length: 20 }, (_, i) => 100 + i));
        expect(holdsOnly(larger.subarray(20), 0)).toBe(true);
        if (kind === "memory") expect(make(columns, 20).byteOffset, `maker ${index}`).toBe(column.byteOffset);
      }
    },
  );

  test("also where there is room only after the memory has grown", () => {
    const memory = new Memory();
    const { byteLength } = memory.linear.buffer;
    let column = memory.words(1);
    column[0] = 4_000_000_000;
    for (let size = 2; memory.linear.buffer.byteLength === byteLength; size *= 2) {
      column = enlarged(memory, column, size);
      expect(column[0]).toBe(4_000_000_000);
    }
    expect(column.byteLength).toBeGreaterThan(MIB / 4);
  });
});
