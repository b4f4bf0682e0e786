import { describe, expect, expectTypeOf, it } from "vitest";
import {
  angle,
  bool,
  bytes,
  command,
  enumeration,
  event,
  type Field,
  float32,
  list,
  type ObjectType,
  object,
  quantized,
  text,
  uint,
  type Values,
} from "./index.ts";

const Ship = object(
  "ship",
  {
    x: quantized(0, 5000, 0.01),
    y: quantized(0, 5000, 0.01),
    heading: angle(10),
    hull: uint(7),
    docked: bool(),
    mode: enumeration("idle", "thrust"),
    name: text(32),
    key: bytes(8),
    cargo: list(uint(4), 5),
    crew: list(text(8), 5),
    modes: list(enumeration("a", "b"), 2),
  },
  { position: ["x", "y"], orientation: "heading" },
);

describe("inferred types", () => {
  it("gives every field its value type", () => {
    expectTypeOf<Values<typeof Ship.shape>>().toEqualTypeOf<{
      x: number;
      y: number;
      heading: number;
      hull: number;
      docked: boolean;
      mode: "idle" | "thrust";
      name: string;
      key: Uint8Array;
      cargo: readonly number[];
      crew: readonly string[];
      modes: readonly ("a" | "b")[];
    }>();
  });

  it("lets any description stand where the general type is asked for", () => {
    expectTypeOf(Ship).toExtend<ObjectType>();
    expectTypeOf(enumeration("a", "b")).toExtend<Field<"a" | "b">>();
    expectTypeOf(list(bool(), 3)).toExtend<Field<readonly boolean[]>>();
    expect(Ship.position).toEqual([0, 1]);
  });

  it("refuses names that are not number fields as roles", () => {
    const shape = { x: float32(), y: float32(), name: text(3), open: bool() };
    // @ts-expect-error a text is no axis
    expect(() => object("door", shape, { position: ["x", "name"] })).toThrow();
    // @ts-expect-error there is no field z
    expect(() => object("door", shape, { position: ["x", "y", "z"] })).toThrow();
    // @ts-expect-error a bool is no orientation
    expect(() => object("door", shape, { position: ["x", "y"], orientation: "open" })).toThrow();
  });
});
void event;
void command;
