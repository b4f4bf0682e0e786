import { afterEach, describe, expect, test, vi } from "vitest";
import { grown, roomFor } from "./growth.ts";

const MOST_ROWS = 2 ** 20;

describe("room for more rows", () => {
  test("doubles while a column is short, and grows by steps of 4,096 from then on", () => {
    expect(roomFor(10, 64)).toBe(64);
    expect(roomFor(65, 64)).toBe(128);
    expect(roomFor(200, 64)).toBe(200);
    expect(roomFor(4097, 4096)).toBe(8192);
    expect(roomFor(100_000, 8192)).toBe(102_400);
    expect(roomFor(MOST_ROWS, 8192)).toBe(MOST_ROWS);
    expect(roomFor(MOST_ROWS + 1, MOST_ROWS)).toBe(2 * MOST_ROWS);
  });
});

describe("a column that grows", () => {
  test("keeps what it holds, in every size, and is 0 beyond", () => {
    for (const Kind of [Float64Array, Int32Array, Uint32Array, Int16Array, Uint16Array, Uint8Array]) {
      let column: InstanceType<typeof Kind> = new Kind(2 * 3);
      let rows = 2;
      while (rows < 30_000) {
        for (let at = (rows / 2) | 0; at < rows * 3; at++) column[at] = at % 200;
        const before = column.length;
        rows = roomFor(rows + 1, rows);
        column = grown(column, rows, 3);
        expect(column.length).toBe(rows * 3);
        expect([column[before - 1], column[before], column[column.length - 1]]).toEqual([(before - 1) % 200, 0, 0]);
      }
      expect(column).toBeInstanceOf(Kind);
    }
  });

  test("is not copied once it is long", () => {
    const set = vi.spyOn(Object.getPrototypeOf(Float64Array.prototype) as Float64Array, "set");
    let column = grown(new Float64Array(4096), 8192);
    expect(set).toHaveBeenCalledTimes(1);
    for (let rows = 12_288; rows <= 200_000; rows += 4096) column = grown(column, rows);
    expect(set).toHaveBeenCalledTimes(1);
    expect(column.length).toBeGreaterThan(190_000);
  });

  afterEach(() => void vi.restoreAllMocks());
});

describe("where nothing can be reserved", () => {
  test("a column doubles and is copied", async () => {
    vi.stubGlobal("SharedArrayBuffer", undefined);
    vi.resetModules();
    const without = await import("./growth.ts");
    expect(without.roomFor(4097, 4096)).toBe(8192);
    expect(without.roomFor(8193, 8192)).toBe(16_384);
    const column = without.grown(new Float64Array(4096).fill(3), 8192);
    expect([column.buffer instanceof ArrayBuffer, column[4095], column[4096]]).toEqual([true, 3, 0]);
    vi.unstubAllGlobals();
  });

  test("nor is it where the host refuses", () => {
    vi.stubGlobal(
      "SharedArrayBuffer",
      class {
        constructor() {
          throw new RangeError("no address space");
        }
      },
    );
    const column = grown(new Int32Array(4096).fill(7), 8192);
    vi.unstubAllGlobals();
    expect([column.length, column[4095]]).toEqual([8192, 7]);
  });
});
