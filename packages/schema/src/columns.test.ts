import { describe, expect, expectTypeOf, it } from "vitest";
import { bool, bytes, enumeration, list, object, quantized, SchemaError, text, uint } from "./index.ts";
import { Columns, type Wire } from "./internal/index.ts";

const Ship = object("ship", {
  x: quantized(10, 100, 0.5),
  hull: uint(7),
  docked: bool(),
  team: enumeration("red", "blue"),
  name: text(20),
  key: bytes(4),
  cargo: list(uint(4), 4),
});
const VALUES = [12.3, 5, true, "blue", "Beagle", Uint8Array.of(1), [1, 2]] as const;
const WIRES: readonly Wire[] = [5, 5, 1, 1, "Beagle", Uint8Array.of(1), [1, 2]];
const INITIAL_VALUES = [10, 0, false, "red", "", new Uint8Array(0), []];
const INITIAL_WIRES = [0, 0, 0, 0, "", new Uint8Array(0), []];

function row(columns: Columns, at: number): unknown[] {
  return Ship.fields.map(({ index }) => columns.get(index, at));
}

describe.each([
  ["value" as const, VALUES, INITIAL_VALUES],
  ["wire" as const, WIRES, INITIAL_WIRES],
])("Columns in the form %s", (form, cells, initial) => {
  function filled(at: number): Columns {
    const columns: Columns = new Columns(Ship.fields, form);
    cells.forEach((cell, index) => {
      columns.set(index, at, cell);
    });
    return columns;
  }

  it("give back what was set, and initial values elsewhere", () => {
    const columns = filled(3);
    expect(row(columns, 3)).toEqual(cells);
    expect(row(columns, 2)).toEqual(initial);
    expect(row(columns, 4)).toEqual(initial);
    expect(row(columns, 1_000_000)).toEqual(initial);
  });

  it("keep everything when they grow, and grow by doubling", () => {
    const columns = filled(3);
    const { capacity } = columns;
    columns.set(0, capacity, cells[0]);
    expect(columns.capacity).toBe(2 * capacity);
    expect(row(columns, 3)).toEqual(cells);
    expect(row(columns, capacity + 1)).toEqual(initial);
    columns.reserve(1_000);
    expect(columns.capacity).toBe(1_000);
    expect(row(columns, 3)).toEqual(cells);
    expect(row(columns, 999)).toEqual(initial);
    columns.reserve(10);
    expect(columns.capacity).toBe(1_000);
  });

  it("clear a row", () => {
    const columns = filled(3);
    columns.clear(3);
    expect(row(columns, 3)).toEqual(initial);
    columns.clear(1_000_000);
    expect(columns.capacity).toBeLessThan(1_000);
  });
});

describe("number columns", () => {
  it("hold column numbers or wire numbers, and write through", () => {
    const values = new Columns(Ship.fields, "value");
    values.set(3, 2, "blue");
    values.numbers(0)[2] = 55.25;
    expect(values.numbers(3)[2]).toBe(1);
    expect(values.get(0, 2)).toBe(55.25);
    const wires = new Columns(Ship.fields, "wire");
    expect(wires.numbers(0)[0]).toBe(0);
    expect(values.numbers(0)[0]).toBe(10);
    expect(values.numbers(0)).toHaveLength(values.capacity);
  });

  it("exist for numeric fields only", () => {
    const columns = new Columns(Ship.fields, "wire");
    expect(() => columns.numbers(4)).toThrow("name: is not a numeric field");
    expect(() => columns.numbers(99)).toThrow(SchemaError);
  });

  it("are typed by their form", () => {
    expectTypeOf(new Columns(Ship.fields, "wire").get(0, 0)).toEqualTypeOf<Wire>();
    expectTypeOf(new Columns(Ship.fields, "value").get(0, 0)).toBeUnknown();
    expect(new Columns([], "wire").capacity).toBeGreaterThan(0);
  });
});
