/** `ship.shown`: what is drawn, compared with what was received. The test feeds the replicas by hand. */

import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { Presenter } from "@nearfield/presentation";
import { angle, type ObjectType, object, Protocol, quantized, uint } from "@nearfield/schema";
import { objectId, TrackedFields } from "@nearfield/schema/internal";
import { beforeEach, describe, expect, expectTypeOf, test } from "vitest";
import type { Replicated } from "./index.ts";
import { ReplicaStore, ReplicaWorld } from "./internal/index.ts";
import { presentIn } from "./present.ts";
import { Writing } from "./writing.ts";

const place = quantized(-1000, 1000, 0.5);
const speed = quantized(-500, 500, 0.5);
const fields = { x: place, y: place, vx: speed, vy: speed, heading: angle(16), hull: uint(7) };
const Ship = object("ship", fields, { position: ["x", "y"], velocity: ["vx", "vy"], orientation: "heading" });
const Crate = object("crate", { x: place, y: place }, { position: ["x", "y"], write: "owner" });
const protocol = new Protocol({ objects: [Ship, Crate] });
const ROUND_MS = 50;
const ME = 7;

type Ships = typeof fields;
const still = { x: 0, y: 0, vx: 0, vy: 0, heading: 0, hull: 0 };

let store: ReplicaStore;
let world: ReplicaWorld;
let ship: Replicated<Ships>;

/** All fields of an object as a record of a frame has them. */
function record(type: ObjectType, values: Readonly<Record<string, number>>, settled = false) {
  const { tracked, least } = new TrackedFields(type);
  const wireOf = (index: number): number => {
    const { name, field } = type.fields[index]!;
    return field.toWire(values[name]!) as number;
  };
  const plain = type.fields.filter(({ index }) => !Array.from(tracked).includes(index));
  return {
    mask: type.allMask,
    numbers: Int32Array.from(tracked, (index, i) => wireOf(index) - least[i]!),
    numbersAt: 0,
    wires: plain.map(({ index }) => wireOf(index)),
    wiresAt: 0,
    settled,
  };
}

function create(slot: number, round: number, values: Partial<typeof still>): Replicated<Ships> {
  store.begin(round, 0);
  store.create(objectId(slot, 1), 0, 0, record(Ship, { ...still, ...values }));
  return world.get(objectId(slot, 1)) as unknown as Replicated<Ships>;
}

function update(round: number, values: Partial<typeof still>, settled = false): void {
  store.begin(round, 0);
  store.update(objectId(1, 1), record(Ship, { ...still, ...values }, settled));
}

/** Both clocks are the server's. */
function look(atMs: number): void {
  store.presented.look(atMs, atMs);
}

beforeEach(() => {
  store = new ReplicaStore(protocol);
  store.roundMs = ROUND_MS;
  store.session = ME;
  store.writing = new Writing(store);
  world = new ReplicaWorld(store);
});

test("acceleration and turn rate are shown where the schema names them, and asked for where it does not", () => {
  const speed = quantized(-50, 50, 0.5);
  const Stone = object(
    "stone",
    { x: place, y: place, vx: speed, vy: speed, ax: speed, ay: speed, heading: angle(16), spin: speed },
    {
      position: ["x", "y"],
      velocity: ["vx", "vy"],
      acceleration: ["ax", "ay"],
      orientation: "heading",
      turnRate: "spin",
    },
  );
  store = new ReplicaStore(new Protocol({ objects: [Stone] }));
  store.roundMs = ROUND_MS;
  world = new ReplicaWorld(store);
  presentIn(store.presented, Stone, { model: "accelerated", turning: "sent", compensationMs: 0 });
  look(1000);
  store.begin(20, 0);
  const values = { x: 10, y: 0, vx: 20, vy: 0, ax: 0, ay: -8, heading: 0, spin: 0.5 };
  store.create(objectId(1, 1), 0, 0, record(Stone, values));
  const { shown } = world.get(objectId(1, 1)) as unknown as Replicated<typeof Stone.shape>;
  look(3000);
  expect([shown.x, shown.y, shown.heading]).toEqual([50, -16, 1]);
  const refused = expect.objectContaining({ name: "PresentationError", code: "bad-setting" });
  const other = new ReplicaStore(protocol);
  expect(() => presentIn(other.presented, Ship, { model: "accelerated" })).toThrow(refused);
  expect(() => presentIn(other.presented, Ship, { turning: "sent" })).toThrow(/ship names no turnRate.*"derived"/);
  expect(() => presentIn(other.presented, Crate, {})).toThrow(/crate names no velocity.*"historyLine"/);
});

describe("shown", () => {
  beforeEach(() => {
    presentIn(store.presented, Ship, { convergence: "snap" });
    look(1000);
    ship = create(1, 20, { x: 10, vx: 100, heading: 1, hull: 9 });
  });

  test("is what the presentation makes of what was received", () => {
    look(1100);
    expect([ship.x, ship.shown.x, ship.shown.y]).toEqual([10, 20, 0]);
    expect(ship.shown.heading).toBe(ship.heading);
    expect(ship.shown.hull).toBe(9);
    expectTypeOf(ship.shown.x).toEqualTypeOf<number>();
    // @ts-expect-error what is shown is not written
    expect(() => (ship.shown.x = 1)).toThrow();
  });

  test("is what a presenter shows that is sent the same", () => {
    presentIn(store.presented, Ship, { model: "quadratic", convergence: "curved", positionMs: 300 });
    const presenter = new Presenter({ model: "quadratic", convergence: "curved", positionMs: 300 });
    const send = (round: number): boolean =>
      presenter.receive(
        {
          timeMs: round * ROUND_MS,
          position: [ship.x, ship.y],
          velocity: [ship.vx, ship.vy],
          orientation: [ship.heading],
        },
        store.presented.renderMs,
      );
    send(20);
    for (const round of [21, 24, 25]) {
      look(round * ROUND_MS + 70);
      update(round, { x: round * round, y: -round, vx: 100 - round, vy: round, heading: round });
      send(round);
      for (const laterMs of [0, 13, 400]) {
        look(round * ROUND_MS + 70 + laterMs);
        const { position, orientation } = presenter.at(store.presented.renderMs);
        expect([ship.shown.x, ship.shown.y, ship.shown.heading]).toEqual([position[0], position[1], orientation[0]]);
      }
    }
  });

  test("stays the same within a frame, and knows in it of what is applied in it", () => {
    look(1050);
    expect(ship.shown.x).toBe(15);
    update(21, { x: 100 });
    expect(ship.shown.x).toBe(100);
  });

  test("an object that settled rests, whatever its velocity says", () => {
    look(1050);
    update(21, { x: 15, vx: 100 }, true);
    look(2000);
    expect(ship.shown.x).toBe(15);
  });

  test("is one object for as long as the replica is here, and throws as that does when it is gone", () => {
    const { shown } = ship;
    expect(ship.shown).toBe(shown);
    store.remove(ship.id, true);
    expect(() => shown.x).toThrow("no longer in this world");
    expect(() => ship.shown.x).toThrow("no longer in this world");
    const next = create(1, 30, { x: 500 });
    expect([next.shown === shown, next.shown.x]).toEqual([false, 500]);
  });

  test("a replica that takes another's place starts where it is", () => {
    presentIn(store.presented, Ship, { positionMs: 1000 });
    store.remove(ship.id, false);
    const next = create(1, 30, { x: -400 });
    expect(next.shown.x).toBe(-400);
  });

  test("an object that is sent whole again goes on; one that changes hands starts anew", () => {
    presentIn(store.presented, Ship, { positionMs: 1000 });
    look(1100);
    update(22, { x: 110 });
    expect(ship.shown.x).toBe(20);
    store.setOwner(ship.id, 0);
    expect(ship.shown.x).toBe(20);
    store.setOwner(ship.id, 5);
    expect(ship.shown.x).toBe(110);
  });

  test("what is on the screen can be told", () => {
    look(1140);
    update(22, { x: 20, vx: 100 });
    look(1156);
    const sight = { renderMs: 1156, target: ship.id, round: 22, appliedMs: 1140, momentMs: 1156 };
    expect(world.sightOf(ship.id)).toEqual(sight);
    expect(() => world.sightOf(objectId(7, 1))).toThrow("not in this replica");
  });

  test("an object can be shown elsewhere, for prediction", () => {
    const picture = Float64Array.of(1, 2, 0, 0.5, 0, 0);
    store.presented.override(ship.id, picture);
    picture[0] = 3;
    expect([ship.shown.x, ship.shown.y, ship.shown.heading, ship.x]).toEqual([3, 2, 0.5, 10]);
    store.presented.override(ship.id, undefined);
    expect(ship.shown.x).toBe(10);
  });
});

test("an object on a course is shown where that is, from what was sent once; one without, by the model", () => {
  presentIn(store.presented, Ship, {
    turning: "derived",
    course: ({ x, y, vy, hull }) =>
      hull === 0
        ? undefined
        : { course: { kind: "sine", from: [x, y, 0], swing: [0, vy, 0], periodMs: 1000 }, begunMs: hull * 100 },
  });
  look(1000);
  const lamp = create(1, 20, { x: 10, y: 5, vx: 70, vy: 4, hull: 8, heading: 1 });
  const ship = create(2, 20, { x: 10, vx: 100 });
  // A quarter of a swing after 800 ms it is farthest, then back in the middle.
  look(1050);
  expect([lamp.shown.x, lamp.shown.y, lamp.shown.heading]).toEqual([10, 5 + 4, lamp.heading]);
  look(1300);
  expect(lamp.shown.y).toBeCloseTo(5, 9);
  expect(ship.shown.x).toBe(10);
  update(27, { x: 10, y: 5, vy: 4, hull: 0 });
  look(1400);
  expect(lamp.shown.y).toBe(5);
});

test("a type is presented from the first look on, from where its objects are", () => {
  look(1000);
  ship = create(1, 20, { x: 10, vx: 100 });
  look(1040);
  expect(ship.shown.x).toBe(14);
  look(1060);
  expect(ship.shown.x).toBe(16);
});

test("what this client writes itself is shown as it is", () => {
  const id = objectId(3, 1);
  store.begin(20, 0);
  store.create(id, 1, ME, record(Crate, { x: 5, y: 5 }));
  const crate = world.get(id) as unknown as Replicated<typeof Crate.shape>;
  expect(crate.shown.x).toBe(5);
  crate.x = 6;
  expect(crate.shown.x).toBe(6);
  store.setOwner(id, 0);
  expect(crate.shown.x).toBe(6);
});

test("many objects in a type have pictures of their own", () => {
  presentIn(store.presented, Ship, {});
  look(0);
  const ships = Array.from({ length: 100 }, (_, i) => create(i + 1, 0, { x: i, vx: i }));
  look(100);
  expect(ships.map(({ shown }) => shown.x)).toEqual(ships.map(({ x, vx }) => x + vx * 0.1));
});

test("render time is what a clock last told; before that, the first moment that was received", () => {
  const { presented } = store;
  look(Number.NEGATIVE_INFINITY);
  expect(presented.renderMs).toBeNaN();
  store.begin(20, 0);
  expect(world.renderMs).toBe(1000);
  store.begin(21, 0);
  expect(world.renderMs).toBe(1000);
  look(1234);
  expect(world.renderMs).toBe(1234);
});

test("while the clock has not answered, it is not earlier than what is received", () => {
  store.presented.look(300, 300, true);
  store.begin(20, 0);
  expect(world.renderMs).toBe(1000);
  store.presented.look(1040, 320, true);
  store.begin(20, 0);
  expect(world.renderMs).toBe(1040);
  // Who renders late on purpose may be behind.
  store.presented.look(1060, 340);
  store.begin(25, 0);
  expect(world.renderMs).toBe(1060);
});

test("what is interpolated is shown by when frames come, whatever the server's clock is taken to be", () => {
  presentIn(store.presented, Ship, { model: "interpolation", deltaMs: 100 });
  let ship: Replicated<Ships> | undefined;
  for (let round = 0; round <= 20; round++) {
    // Frames take 80 ms; the clock is 500 ms off at first.
    const localMs = round * ROUND_MS + 80;
    store.presented.look(round < 10 ? localMs + 500 : localMs + 1000, localMs);
    if (ship === undefined) ship = create(1, round, { x: 0 });
    else update(round, { x: round * 5 });
    expect(ship.shown.x).toBeCloseTo(Math.max(0, round * 5 - 10), 6);
    expect(world.sightOf(ship.id).momentMs).toBeCloseTo(round * ROUND_MS - 100, 6);
  }
});

test("a frame allocates nothing for what it shows", () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  presentIn(store.presented, Ship, { model: "history", convergence: "curved" });
  const ships = Array.from({ length: 500 }, (_, i) => create(i + 1, 0, { x: i, vx: i }));
  const sum = new Float64Array(3);
  const draw = (frame: number): void => {
    look(frame * 16);
    for (let i = 0; i < ships.length; i++) {
      const { shown } = ships[i]!;
      sum[0]! += shown.x;
      sum[1]! += shown.y;
      sum[2]! += shown.heading;
    }
  };
  for (let frame = 0; frame < 300; frame++) draw(frame);
  collect();
  const grew: number[] = [];
  for (let frame = 300; frame < 1300; frame++) {
    const before = process.memoryUsage().heapUsed;
    draw(frame);
    grew.push(process.memoryUsage().heapUsed - before);
  }
  // Measuring takes some hundred bytes; one number per ship on the heap would be 6,000. On a busy machine the compiler comes late, and
  // until then numbers are boxed: what most frames cost says nothing, what none can do without does.
  expect(grew.sort((a, b) => a - b)[100]).toBeLessThan(3000);
});

test("a client that was not asked to write refuses to, and says how to ask", () => {
  store.writing = undefined;
  const id = objectId(3, 0);
  store.begin(1, 0);
  store.create(id, 1, ME, record(Crate, { x: 5, y: 5 }));
  const crate = world.get(id) as unknown as Replicated<typeof Crate.shape>;
  expect(() => {
    crate.x = 7;
  }).toThrow(/crate\.x: call enableWriting\(client\)/);
  expect(crate.x).toBe(5);
});
