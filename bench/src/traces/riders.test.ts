import { predicted, World } from "@nearfield/core";
import { Engine, ReferenceEngine } from "@nearfield/core/internal";
import { linear, pacedFading } from "@nearfield/presentation";
import { type ObjectId, type ObjectType, Protocol, slotOf } from "@nearfield/schema";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { requireSame } from "../engine/same-decisions.ts";
import { type PlayOptions, playTrace } from "./play-trace.ts";
import { moverOf, Primaries } from "./primaries.ts";
import {
  CARRYING,
  crewMetric,
  LONGEST_SEAT,
  RIDING,
  seatMetric,
  seatShares,
  seatStep,
  setsWithRiders,
  VEHICLE,
} from "./riders.ts";
import { Kind, type Trace } from "./trace.ts";
import { type Row, Track } from "./track.ts";

const SECONDS = 24;
const ROUND_MS = 50;

function track(id: string, make: (s: number) => Partial<Row> | undefined): Track {
  const rows = Array.from({ length: 4 * SECONDS + 1 }, (_, quarter) => quarter / 4).flatMap((s) => {
    const made = make(s);
    return made === undefined
      ? []
      : [{ ms: s * 1000, x: 0, y: 0, z: 0, heading: 0, kind: Kind.player, carrier: "", ...made }];
  });
  return new Track(id, rows);
}

/** A car drives circles and is destroyed after 18 s, a boat goes straight on. */
const car = (s: number): { x: number; y: number } => ({ x: 60 * Math.cos(s / 3), y: 60 * Math.sin(s / 3) });
const boat = (s: number): { x: number; y: number } => ({ x: -100 + 12 * s, y: 90 });
const seat = (place: { x: number; y: number }, dx: number, dy: number): { x: number; y: number } => ({
  x: place.x + dx,
  y: place.y + dy,
});

/**
 * `driver` walks up to the car, gets on after 4 s, turns with it, and is left standing when it is destroyed. `guest` gets on after 6 s, over
 * to the boat after 12 s, off it after 20 s. `lost` is said to ride the car, but is far from it until 8 s, and dies in it after 14 s.
 * `watcher` stands where the zones' borders cut the car's circle.
 */
function ride(): Trace {
  const ridesCar = { kind: Kind.rider, carrier: "car" };
  const ridesBoat = { kind: Kind.rider, carrier: "boat" };
  return {
    name: "ride",
    tracks: [
      track("car", (s) => ({ ...car(Math.min(s, 18)), kind: s < 18 ? Kind.thing : Kind.dead })),
      track("boat", (s) => ({ ...boat(s), kind: Kind.thing })),
      track("driver", (s) => {
        if (s < 4) return { ...car(4), x: car(4).x + 3 * (4 - s) };
        return s < 18 ? { ...seat(car(s), 2 * Math.cos(s / 3), 2 * Math.sin(s / 3)), ...ridesCar } : car(18);
      }),
      track("guest", (s) => {
        if (s < 6) return car(6);
        if (s < 12) return { ...car(s), ...ridesCar };
        return s < 20 ? { ...seat(boat(s), 0, -1), ...ridesBoat } : { ...boat(20), y: boat(20).y + 2 * (s - 20) };
      }),
      track("lost", (s) => {
        if (s < 8) return { x: 900 - 100 * s, ...ridesCar };
        return { ...seat(car(s), 0, 1), ...ridesCar, ...(s >= 14 && { kind: Kind.dead, carrier: "" }) };
      }),
      track("watcher", () => ({ x: 15, y: 5 })),
    ],
    dimensions: 3,
    hasHeading: false,
    hasRiders: true,
    spacingMs: 250,
    durationMs: SECONDS * 1000,
    lowest: [-200, -200, 0],
    highest: [1000, 200, 0],
  };
}

const OPTIONS: Omit<PlayOptions, "riders"> = {
  way: "predicted",
  fromMs: 0,
  roundMs: ROUND_MS,
  radii: [50, 75],
  values: [2, 5, 15],
  ripe: 1,
  aura: 150,
  model: pacedFading(1.4),
};

function primariesOf(trace: Trace): { world: World; primaries: Primaries; type: ObjectType } {
  const type = moverOf(trace, { precision: 1, withVelocity: true, withSeats: true });
  const world = new World({ protocol: new Protocol({ objects: [type] }) });
  return { world, primaries: new Primaries(trace, world, type, { roundMs: ROUND_MS, precision: 2 }), type };
}

describe("riders", () => {
  it("ride while what they ride is alive and they sit in it", () => {
    const { primaries } = primariesOf(ride());
    const tags = new Map<number, Record<string, string>>();
    for (let ms = ROUND_MS; ms <= 22_000; ms += ROUND_MS) {
      primaries.step(ms);
      const tagged = primaries.movers.flatMap(({ track: { id }, object }) =>
        [...(object?.tags ?? [])].filter((tag) => tag !== VEHICLE).map((tag) => [id, tag]),
      );
      tags.set(ms / 1000, Object.fromEntries(tagged));
    }
    expect(tags.get(2)).toEqual({});
    expect(tags.get(5)).toEqual({ driver: RIDING, car: CARRYING });
    expect(tags.get(11)).toEqual({ driver: RIDING, guest: RIDING, lost: RIDING, car: CARRYING });
    expect(tags.get(15)).toEqual({ driver: RIDING, guest: RIDING, car: CARRYING, boat: CARRYING });
    expect(tags.get(19)).toEqual({ guest: RIDING, boat: CARRYING });
    expect(tags.get(22)).toEqual({});
  });

  it.each(["predicted", "displacement"] as const)("are seen within their bound in every round under %s", (way) => {
    const played = playTrace(ride(), { ...OPTIONS, way, riders: "attached" });
    expect(played).toMatchObject({ clients: 4, audited: 0, violations: 0, seenShare: 1 });
    played.errors.forEach((tally, zone) => {
      expect(tally.count).toBeGreaterThan(0);
      expect(tally.largest).toBeLessThan(OPTIONS.values[zone]!);
    });
    const own = playTrace(ride(), { ...OPTIONS, way, riders: "own" });
    expect(own.violations).toBe(0);
    expect(played.updates).toBeLessThan(own.updates);
  });

  it("are decided on by the engine as by the oracle", () => {
    const { world, primaries, type } = primariesOf(ride());
    const { model, radii, values } = OPTIONS;
    const [engine, oracle] = [Engine, ReferenceEngine].map((Model) => {
      const metrics = [predicted(model), seatMetric(type), crewMetric(type, model, primaries.crews)];
      const made = new Model(world, { roundMs: ROUND_MS, metrics });
      const sets = setsWithRiders(radii, values, predicted(model).name);
      for (const x of [0, 40]) made.addView({ sets, pivots: [{ point: [x, 0] }] }, { assumeDelivered: true });
      return made;
    }) as [Engine, ReferenceEngine];
    let decided = 0;
    for (let round = 1; round * ROUND_MS <= SECONDS * 1000; round++) {
      primaries.step(round * ROUND_MS);
      world.commit();
      for (const each of [engine, oracle]) each.round(round);
      for (const view of [0, 1]) {
        requireSame(engine.decisions(view), oracle.decisions(view), `round ${round}, view ${view}`);
        decided += oracle.decisions(view).count;
      }
    }
    expect(decided).toBeGreaterThan(50);
    expect([engine.account.decided, oracle.account.decided]).toEqual([0, 0]);
  });

  it("cost nothing while they keep their seat, and getting on or off sends nobody else", () => {
    const rider = track("rider", (s) =>
      s >= 4 && s < 10 ? { ...boat(s), kind: Kind.rider, carrier: "boat" } : boat(s < 4 ? 4 : 10),
    );
    const { world, primaries, type } = primariesOf({
      ...ride(),
      tracks: [track("boat", (s) => ({ ...boat(s), kind: Kind.thing })), rider],
    });
    const engine = new Engine(world, {
      roundMs: ROUND_MS,
      metrics: [seatMetric(type), crewMetric(type, linear, primaries.crews)],
    });
    const view = engine.addView({ sets: setsWithRiders([50], [2, 5], "predicted"), pivots: [{ point: [0, 0] }] });
    const sent: Record<string, number[]> = { boat: [], rider: [] };
    for (let round = 1; round <= 300; round++) {
      primaries.step(round * ROUND_MS);
      world.commit();
      engine.round(round);
      const { ids, count } = engine.decisions(view);
      for (const { track: by, object } of primaries.movers) {
        if (ids.subarray(0, count).includes(object!.id)) sent[by.id]!.push(round);
      }
    }
    expect(sent["boat"]!.filter((round) => round > 20)).toEqual([]);
    expect(sent["rider"]!.filter((round) => round > 1 && round <= 200)).toEqual([80, 200]);
  });
});

describe("seatMetric", () => {
  const type = moverOf(ride(), { precision: 1, withVelocity: false, withSeats: true });
  const world = new World({ protocol: new Protocol({ objects: [type] }) });
  const metric = seatMetric(type);

  it("is how far the seat has moved, and infinite to another vehicle", () => {
    const rider = world.spawn(type, { carrier: 8, seatX: 1, seatY: 0, seatZ: 0 }) as unknown as Record<string, number>;
    const slot = rider["id"]! & 0xf_ffff;
    const sent = new Float64Array(6);
    world.commit();
    metric.sample(world, slot, sent, 0, 0, false);
    Object.assign(rider, { seatX: 4, seatY: 4 });
    world.commit();
    expect(metric.divergence(world, slot, sent, 0, 0)).toBeCloseTo(5, 2);
    rider["carrier"] = 9;
    expect(metric.divergence(world, slot, sent, 0, 0)).toBe(Number.POSITIVE_INFINITY);
  });

  it("leaves the vehicle bounds that loosen outward, and of each enough to put a rider's picture right", () => {
    const bound = fc.double({ noNaN: true, min: 0.001, max: 10_000 });
    fc.assert(
      fc.property(fc.array(bound, { minLength: 1, maxLength: 5 }), (unordered) => {
        const values = unordered.toSorted((a, b) => a - b);
        const shares = seatShares(values);
        const [seats, vehicles] = setsWithRiders([], values, "predicted").map(({ bounds }) =>
          (bounds as { value: number }[]).map(({ value }) => value),
        );
        for (const [zone, value] of values.entries()) {
          expect(shares[zone]! + seatStep(values[0]!)).toBeLessThan(value);
          expect(shares[zone]).toBeLessThanOrEqual(LONGEST_SEAT);
          expect(seats![zone]).toBeGreaterThan(0);
          // a seat stated anew and then again may end up a hair from the one sent
          if (shares[zone] === 0) expect(seats![zone]).toBeLessThan(values[0]! / 100);
          if (zone === 0) continue;
          expect(seats![zone]).toBeGreaterThanOrEqual(seats![zone - 1]!);
          expect(vehicles![zone]).toBeGreaterThanOrEqual(vehicles![zone - 1]!);
        }
      }),
    );
  });
});

describe("crewMetric", () => {
  it("is what the vehicle is off, or whoever of its crew is farthest off", () => {
    const type = moverOf(ride(), { precision: 1, withVelocity: true, withSeats: true });
    const world = new World({ protocol: new Protocol({ objects: [type] }) });
    const [truck, rider] = [world.spawn(type, { vx: 10 }), world.spawn(type, { x: 1, seatX: 1 })] as unknown as Record<
      string,
      number
    >[];
    const crews = new Map<number, number[]>();
    const metric = crewMetric(type, linear, crews);
    const slot = slotOf(truck!["id"] as ObjectId);
    const sent = new Float64Array(6);
    world.commit();
    metric.sample(world, slot, sent, 0, 0, false);
    Object.assign(truck!, { x: 10, y: 3 });
    Object.assign(rider!, { x: 11, y: 5 });
    world.commit();
    expect(metric.divergence(world, slot, sent, 0, 1000)).toBeCloseTo(3, 1);
    crews.set(slot, [slotOf(rider!["id"] as ObjectId)]);
    expect(metric.divergence(world, slot, sent, 0, 1000)).toBeCloseTo(5, 1);
  });
});
