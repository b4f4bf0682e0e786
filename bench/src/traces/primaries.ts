/**
 * A trace as a world of primaries: round by round, entities come, move and go as their tracks say. What is alive is an object, and one that
 * died and comes back is another object. Objects are described from the trace: its axes, its heading, its extent.
 *
 * A primary's velocity is its displacement in the last round, so it comes from the past alone, one round late. Tried against means and
 * regressions over 0.1 to 1.6 s on both kinds of trace, it needs the fewest updates on the fine one and is within 6 % of the best on
 * the coarse one. A step faster than anything flies is a jump (a teleporter, a respawn) and says nothing of where the entity goes.
 */

import type { Entity, World } from "@nearfield/core";
import { angle, type Field, type Fields, type ObjectType, object, quantized } from "@nearfield/schema";
import type { Trace } from "./trace.ts";
import type { Place, Track } from "./track.ts";

/** World units per second; what is faster has jumped. */
const FASTEST = 400;
const HEADING_BITS = 8;

const AXES = ["x", "y", "z"] as const;
const VELOCITIES = ["vx", "vy", "vz"] as const;

export interface MoverOptions {
  /** The tightest value bound, world units: a position travels to a hundredth of it, a velocity to a fifth of it per second. */
  readonly precision: number;
  /** Whether the velocity travels too. */
  readonly withVelocity: boolean;
}

/** Describes what moves in this trace. */
export function moverOf(trace: Trace, { precision, withVelocity }: MoverOptions): ObjectType {
  const axes = AXES.slice(0, trace.dimensions);
  const velocities = VELOCITIES.slice(0, trace.dimensions);
  const fields: Record<string, Field<number>> = {};
  axes.forEach((axis, index) => {
    fields[axis] = quantized(trace.lowest[index]!, trace.highest[index]! + precision, precision / 100);
  });
  if (trace.hasHeading) fields["heading"] = angle(HEADING_BITS);
  if (withVelocity) for (const name of velocities) fields[name] = quantized(-FASTEST, FASTEST, precision / 5);
  return object("mover", fields, {
    position: axes as ["x", "y"] | ["x", "y", "z"],
    ...(trace.hasHeading && { orientation: "heading" }),
    ...(withVelocity && { velocity: velocities as ["vx", "vy"] | ["vx", "vy", "vz"] }),
  }) as unknown as ObjectType;
}

/** One entity of the trace, and its object while it is alive. */
export interface Mover {
  readonly track: Track;
  object: Entity<MoverFields> | undefined;
  readonly place: Place;
  vx: number;
  vy: number;
  vz: number;
}

type MoverFields = Fields & Readonly<Record<"x" | "y" | "z" | "heading" | "vx" | "vy" | "vz", Field<number>>>;

export class Primaries {
  readonly movers: readonly Mover[];
  readonly #world: World;
  readonly #type: ObjectType<MoverFields>;
  readonly #roundS: number;
  readonly #names: readonly ("x" | "y" | "z" | "heading" | "vx" | "vy" | "vz")[];
  readonly #next: Place = { x: 0, y: 0, z: 0, heading: 0 };

  constructor(trace: Trace, world: World, type: ObjectType, roundMs: number) {
    this.#world = world;
    this.#type = type as unknown as ObjectType<MoverFields>;
    this.#roundS = roundMs / 1000;
    this.#names = type.fields.map(({ name }) => name) as ("x" | "y")[];
    this.movers = trace.tracks.map((track) => ({
      track,
      object: undefined,
      place: { x: 0, y: 0, z: 0, heading: 0 },
      vx: 0,
      vy: 0,
      vz: 0,
    }));
  }

  /** Moves everything to where it is at this time; times ascend by one round. */
  step(ms: number): void {
    for (const mover of this.movers) {
      if (!mover.track.place(ms, this.#next)) this.#end(mover);
      else if (mover.object === undefined) this.#begin(mover);
      else this.#move(mover);
    }
  }

  #begin(mover: Mover): void {
    Object.assign(mover.place, this.#next);
    mover.vx = mover.vy = mover.vz = 0;
    const start = Object.fromEntries(this.#names.map((name) => [name, numberOf(mover, name)]));
    mover.object = this.#world.spawn(this.#type, start as Partial<Record<"x", number>>);
  }

  #move(mover: Mover): void {
    const { place } = mover;
    const next = this.#next;
    const vx = (next.x - place.x) / this.#roundS;
    const vy = (next.y - place.y) / this.#roundS;
    const vz = (next.z - place.z) / this.#roundS;
    const jumped = vx * vx + vy * vy + vz * vz > FASTEST * FASTEST;
    mover.vx = jumped ? 0 : vx;
    mover.vy = jumped ? 0 : vy;
    mover.vz = jumped ? 0 : vz;
    Object.assign(place, next);
    const object = mover.object!;
    for (const name of this.#names) {
      const value = numberOf(mover, name);
      if (object[name] !== value) (object as Record<string, unknown>)[name] = value;
    }
  }

  #end(mover: Mover): void {
    if (mover.object === undefined) return;
    this.#world.destroy(mover.object);
    mover.object = undefined;
  }
}

function numberOf({ place, vx, vy, vz }: Mover, name: "x" | "y" | "z" | "heading" | "vx" | "vy" | "vz"): number {
  switch (name) {
    case "vx":
      return vx;
    case "vy":
      return vy;
    case "vz":
      return vz;
    default:
      return place[name];
  }
}
