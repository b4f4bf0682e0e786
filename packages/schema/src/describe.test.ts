import { describe, expect, expectTypeOf, it } from "vitest";
import type { CommandType, EventType } from "./index.ts";
import {
  angle,
  bool,
  bytes,
  command,
  enumeration,
  event,
  type Fields,
  float32,
  float64,
  int,
  list,
  type ObjectType,
  object,
  quantized,
  SchemaError,
  text,
  uint,
  type Values,
} from "./index.ts";
import type { Field } from "./internal/index.ts";

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

function refusal(action: () => unknown): { code: string; field: string; message: string } {
  try {
    action();
  } catch (error) {
    if (error instanceof SchemaError) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

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
    expectTypeOf<Values<Record<never, never>>>().toEqualTypeOf<Record<never, never>>();
  });

  it("lets any description stand where the general type is asked for", () => {
    expectTypeOf(Ship).toExtend<ObjectType>();
    expectTypeOf(command("go", { to: uint(3) })).toExtend<CommandType>();
    expectTypeOf(event("bang", {})).toExtend<EventType>();
    expectTypeOf(bool()).toExtend<Field<boolean>>();
    expectTypeOf(enumeration("a", "b")).toExtend<Field<"a" | "b">>();
    expectTypeOf(list(bool(), 3)).toExtend<Field<readonly boolean[]>>();
    expectTypeOf(list(text(3), 3)).not.toExtend<Field<readonly number[]>>();
  });

  it("tells numeric fields from the others by `numeric`", () => {
    const field = Ship.fields[0]!.field;
    if (field.numeric) expectTypeOf(field.quantizeNumber).toBeFunction();
    // @ts-expect-error only numeric fields have column numbers
    else field.toNumber;
    expect(field.numeric).toBe(true);
  });

  it("knows the names of the fields", () => {
    expect(Ship.fieldIndex("heading")).toBe(2);
    // @ts-expect-error there is no such field
    expect(() => Ship.fieldIndex("headin")).toThrow("ship.headin: is not a field; ship has x, y, heading");
  });

  it("refuses names that are not number fields as roles", () => {
    const shape = { x: float32(), y: float32(), name: text(3), open: bool() };
    // @ts-expect-error a text is no axis
    expect(() => object("door", shape, { position: ["x", "name"] })).toThrow("door.name");
    // @ts-expect-error there is no field z
    expect(() => object("door", shape, { position: ["x", "y", "z"] })).toThrow("door.z");
    // @ts-expect-error a bool is no orientation
    expect(() => object("door", shape, { position: ["x", "y"], orientation: "open" })).toThrow("door.open");
  });

  it("refuses what no builder made", () => {
    // @ts-expect-error a number is no field
    expect(refusal(() => object("door", { width: 3 }))).toMatchObject({ code: "parameter", field: "door.width" });
  });
});

describe("object", () => {
  it("keeps the fields in declaration order, with their index", () => {
    expect(Ship.fields.map(({ name, index }) => `${index} ${name}`).slice(0, 4)).toEqual([
      "0 x",
      "1 y",
      "2 heading",
      "3 hull",
    ]);
    expect(Ship.fields[3]!.field).toBe(Ship.shape.hull);
  });

  const axes = { x: int(8), y: int(8), z: int(8), a: angle(8), b: angle(8) };
  const rates = { ...axes, u: int(8), w: int(8) };

  it("finds the fields of each role", () => {
    const shape = {
      hp: uint(7),
      z: int(20),
      y: float64(),
      x: float32(),
      pitch: angle(8),
      yaw: angle(8),
      vx: int(8),
      vy: int(8),
      vz: int(8),
    };
    const made = object("drone", shape, {
      position: ["x", "y", "z"],
      orientation: ["yaw", "pitch"],
      velocity: ["vx", "vy", "vz"],
      write: "owner",
    });
    expect(made).toMatchObject({ position: [3, 2, 1], orientation: [5, 4], velocity: [6, 7, 8], write: "owner" });
    const plain = object("score", { points: uint(20) });
    expect(plain).toMatchObject({ position: [], orientation: [], velocity: [], write: "server", kind: "object" });
    expect(plain).toMatchObject({ acceleration: [], turnRate: [] });
  });

  it("finds acceleration and turn rate", () => {
    const shape = { ...axes, vx: int(8), vy: int(8), ax: int(8), ay: quantized(-50, 50, 0.5), spin: float32() };
    const made = object("ship", shape, {
      position: ["x", "y"],
      velocity: ["vx", "vy"],
      acceleration: ["ax", "ay"],
      orientation: "a",
      turnRate: "spin",
    });
    expect(made).toMatchObject({ acceleration: [7, 8], turnRate: [9] });
    expect(Object.isFrozen(made.acceleration) && Object.isFrozen(made.turnRate)).toBe(true);
  });

  it("is frozen", () => {
    for (const part of [Ship, Ship.fields, Ship.fields[0], Ship.shape, Ship.position]) {
      expect(Object.isFrozen(part)).toBe(true);
    }
  });

  it("has a mask of all its fields, up to 32 of them", () => {
    const wide = (count: number): Fields =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, bool()]));
    expect(object("none", {}).allMask).toBe(0);
    expect(object("three", wide(3)).allMask).toBe(0b111);
    expect(object("full", wide(32)).allMask).toBe(0xffff_ffff);
    expect(refusal(() => object("over", wide(33)))).toMatchObject({ code: "limit", field: "over" });
    expect(refusal(() => object("over", wide(33))).message).toContain("list, or split");
  });

  it.each(["", "2d", "a b", "é", "_x", "x".repeat(65), "x-y"])("refuses the name %j", (name) => {
    expect(refusal(() => object(name, {})).code).toBe("name");
    expect(refusal(() => event(name, {})).code).toBe("name");
    expect(refusal(() => object("ship", { [name]: bool() }))).toMatchObject({ code: "name", field: `ship.${name}` });
  });

  it("takes names of up to 64 characters", () => {
    expect(object("x".repeat(64), { ["y".repeat(64)]: bool(), a_1: bool() }).fields).toHaveLength(2);
  });

  it.each(["id", "type", "tags", "owner", "shown", "alive"])("keeps the field name %s for entities", (name) => {
    expect(refusal(() => object("ship", { [name]: bool() }))).toMatchObject({ code: "name", field: `ship.${name}` });
    expect(event("shot", { [name]: bool() }).fields).toHaveLength(1);
  });

  it.each<[string, () => unknown]>([
    ["ship", () => object("ship", axes, { position: ["x"] as never })],
    ["ship", () => object("ship", axes, { orientation: "a" })],
    ["ship", () => object("ship", axes, { position: ["x", "y"], orientation: ["a", "b"] })],
    ["ship", () => object("ship", axes, { velocity: ["x", "y"] })],
    [
      "ship",
      () =>
        object("ship", { ...axes, u: int(8), w: int(8) }, { position: ["x", "y"], velocity: ["z", "u", "w"] as never }),
    ],
    ["ship.x", () => object("ship", axes, { position: ["x", "x"] })],
    ["ship", () => object("ship", rates, { position: ["x", "y"], acceleration: ["u", "w"] })],
    ["ship", () => object("ship", rates, { position: ["x", "y"], velocity: ["u", "w"], acceleration: ["z"] as never })],
    ["ship", () => object("ship", rates, { position: ["x", "y"], turnRate: "z" })],
    ["ship", () => object("ship", rates, { position: ["x", "y"], orientation: "a", turnRate: ["u", "w"] })],
    ["ship.z", () => object("ship", rates, { position: ["x", "y", "z"], orientation: "a", turnRate: "z" })],
    ["ship.b", () => object("ship", rates, { position: ["x", "y"], orientation: "a", turnRate: "b" })],
    ["ship.y", () => object("ship", axes, { position: ["x", "y"], orientation: "y" })],
    ["ship.a", () => object("ship", axes, { position: ["x", "a"] })],
  ])("refuses roles that make no sense, naming %s (%#)", (field, build) => {
    expect(refusal(build)).toMatchObject({ code: "role", field });
  });

  it("says what a role lacks", () => {
    const refused = (options: object): string => refusal(() => object("ship", rates, options)).message;
    expect(refused({ position: ["x", "y"], acceleration: ["u", "w"] })).toContain("acceleration needs a velocity");
    expect(refused({ position: ["x", "y"], turnRate: "u" })).toContain("as many fields as orientation, 0, got 1");
  });

  it("refuses an unknown write mode", () => {
    expect(refusal(() => object("ship", {}, { write: "anyone" as never })).message).toContain('got "anyone"');
  });
});
