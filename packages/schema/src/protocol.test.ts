import { describe, expect, it } from "vitest";
import {
  angle,
  bool,
  bytes,
  command,
  enumeration,
  event,
  float32,
  float64,
  int,
  list,
  object,
  Protocol,
  quantized,
  SchemaError,
  text,
  uint,
} from "./index.ts";
import { BitReader, BitWriter, type ObjectOptions, WireError } from "./internal/index.ts";

const shape = { x: quantized(0, 100, 0.5), y: quantized(0, 100, 0.5), a: angle(8), vx: int(8), vy: int(8) };
const options: ObjectOptions<typeof shape> = { position: ["x", "y"], orientation: "a" };
const Ship = object("ship", shape, options);
const Rock = object("rock", { x: int(8), y: int(8) });
const Steer = command("steer", { heading: angle(8) });
const Shot = event("shot", { by: uint(20) });
const Boom = event("boom", { at: uint(20) });
const base = { objects: [Ship, Rock], commands: [Steer], events: [Shot, Boom] };

describe("Protocol", () => {
  it("numbers the types of each kind by their order", () => {
    const protocol = new Protocol(base);
    expect([Ship, Rock, Steer, Shot, Boom].map((type) => protocol.typeIndex(type))).toEqual([0, 1, 0, 0, 1]);
    expect(() => protocol.typeIndex(event("other", {}))).toThrow("other: this event is not part of the protocol");
    expect(() => protocol.typeIndex(object("ship", shape, options))).toThrow(SchemaError);
  });

  it("finds types by name", () => {
    const protocol = new Protocol(base);
    expect(protocol.objectNamed("rock")).toBe(Rock);
    expect(protocol.commandNamed("steer")).toBe(Steer);
    expect(protocol.eventNamed("boom")).toBe(Boom);
    expect(protocol.objectNamed("steer")).toBeUndefined();
  });

  it("writes and reads types in as few bits as their number needs", () => {
    const protocol = new Protocol({ ...base, objects: [Ship, Rock, object("third", {})] });
    const writer = new BitWriter();
    protocol.writeType(writer, Rock);
    protocol.writeType(writer, Steer);
    protocol.writeType(writer, Boom);
    expect(writer.bitLength).toBe(2 + 0 + 1);
    expect(["object", "command", "event"].map((kind) => protocol.measureType(kind as "object"))).toEqual([2, 0, 1]);
    const reader = new BitReader(writer.finish());
    expect(protocol.readObjectType(reader)).toBe(Rock);
    expect(protocol.readCommandType(reader)).toBe(Steer);
    expect(protocol.readEventType(reader)).toBe(Boom);
  });

  it("refuses a type index that it does not have", () => {
    const protocol = new Protocol({ objects: [Ship, Rock, object("third", {})] });
    const all = (): BitReader => new BitReader(Uint8Array.of(255));
    const codes = [() => protocol.readObjectType(all()), () => protocol.readCommandType(all())].map((action) => {
      try {
        return action();
      } catch (error) {
        return (error as WireError).code;
      }
    });
    expect(codes).toEqual(["unknown", "unknown"]);
    expect(() => protocol.readObjectType(new BitReader(new Uint8Array(0)))).toThrow(WireError);
  });

  it("refuses two types of one kind with one name, and more than 256 of a kind", () => {
    expect(() => new Protocol({ objects: [Rock, object("rock", {})] })).toThrow("rock: two objects have this name");
    expect(new Protocol({ objects: [Rock], events: [event("rock", {})] }).events).toHaveLength(1);
    expect(() => new Protocol({ objects: [Shot as never] })).toThrow("shot: must be made by object()");
    const many = Array.from({ length: 257 }, (_, index) => event(`e${index}`, {}));
    expect(() => new Protocol({ objects: [], events: many })).toThrow("at most 256 events");
    expect(new Protocol({ objects: [], events: many.slice(1) }).measureType("event")).toBe(8);
  });
});

describe("the protocol hash", () => {
  it("is the same for the same description, made twice", () => {
    const again = { ...base, objects: [object("ship", { ...shape }, options), Rock] };
    expect(new Protocol(again).hash).toBe(new Protocol(base).hash);
  });

  it("is pinned: a change here means that old clients must be refused", () => {
    const protocol = new Protocol(base);
    expect(protocol.signature.split("\n")).toEqual([
      "nearfield 2",
      "object ship {x:quantized(0,100,0.5) y:quantized(0,100,0.5) a:angle(8) vx:int(8) vy:int(8)} position(x,y) orientation(a) velocity() server",
      "object rock {x:int(8) y:int(8)} position() orientation() velocity() server",
      "command steer {heading:angle(8)}",
      "event shot {by:uint(20)}",
      "event boom {at:uint(20)}",
    ]);
    expect(protocol.hash).toBe(2_937_601_057);
  });

  it("changes with every name, order, parameter, role and write mode", () => {
    const ship = (changed: object, changedOptions: object = {}): Protocol =>
      new Protocol({
        ...base,
        objects: [object("ship", { ...shape, ...changed }, { ...options, ...changedOptions }), Rock],
      });
    const { x, y, a, vx, vy } = shape;
    const protocols = [
      new Protocol(base),
      new Protocol({ ...base, objects: [Rock, Ship] }),
      new Protocol({ ...base, objects: [Ship] }),
      new Protocol({ ...base, objects: [object("boat", shape, options), Rock] }),
      new Protocol({ ...base, objects: [object("ship", { y, x, a, vx, vy }, options), Rock] }),
      new Protocol({
        ...base,
        objects: [object("ship", { x, y, b: a, vx, vy }, { position: ["x", "y"], orientation: "b" }), Rock],
      }),
      new Protocol({ ...base, commands: [] }),
      new Protocol({ ...base, commands: [], events: [...base.events, event("steer", { heading: angle(8) })] }),
      new Protocol({ ...base, events: [Boom, Shot] }),
      new Protocol({ ...base, events: [Shot, event("boom", { at: uint(21) })] }),
      ship({}, { write: "owner" }),
      ship({}, { write: "locked" }),
      ship({}, { position: ["y", "x"] }),
      ship({}, { orientation: undefined }),
      ship({}, { velocity: ["vx", "vy"] }),
      ship({}, { velocity: ["vy", "vx"] }),
      ship({ ax: int(8), ay: int(8) }, { velocity: ["vx", "vy"] }),
      ship({ ax: int(8), ay: int(8) }, { velocity: ["vx", "vy"], acceleration: ["ax", "ay"] }),
      ship({}, { turnRate: "vx" }),
      ship({ a: angle(9) }),
      ship({ x: quantized(0, 100, 0.25) }),
      ship({ x: quantized(0, 101, 0.5) }),
      ship({ x: quantized(-1, 100, 0.5) }),
      ship({ vx: uint(8) }),
      ship({ vx: int(9) }),
      ship({ vx: float32() }),
      ship({ vx: float64() }),
      ship({ vx: bool() }),
      ship({ vx: text(8) }),
      ship({ vx: text(9) }),
      ship({ vx: bytes(8) }),
      ship({ vx: list(int(8), 8) }),
      ship({ vx: list(int(8), 9) }),
      ship({ vx: list(int(9), 8) }),
      ship({ vx: enumeration("a", "b") }),
      ship({ vx: enumeration("b", "a") }),
      ship({ vx: enumeration("a", "b", "c") }),
      ship({ vx: enumeration('a","b') }),
      ship({ vx: enumeration("a") }),
      ship({ vx: enumeration("\u0161") }),
      ship({ vz: int(8) }),
    ];
    expect(new Set(protocols.map((protocol) => protocol.hash)).size).toBe(protocols.length);
  });
});
