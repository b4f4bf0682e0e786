/**
 * A trace as a world of primaries: round by round, entities come, move and go as their tracks say. What is alive is an object, and one that
 * died and comes back is another object. Objects are described from the trace: its axes, its heading, its extent. Their velocity is a
 * guess from the past (`velocity.ts`), and riders sit in what carries them (`riders.ts`).
 */

import type { Entity, World } from "@nearfield/core";
import { angle, type Field, type Fields, type ObjectType, object, quantized, uint } from "@nearfield/schema";
import { CARRIER, CARRIER_BITS, CARRYING, carrierOf, LONGEST_SEAT, RIDING, SEAT } from "./riders.ts";
import type { Trace } from "./trace.ts";
import { nowhere, type Place, type Track } from "./track.ts";
import { FASTEST, Velocity } from "./velocity.ts";

const HEADING_BITS = 8;

const AXES = ["x", "y", "z"] as const;
const VELOCITIES = ["vx", "vy", "vz"] as const;

export interface MoverOptions {
  /** The tightest value bound, world units: positions and seats travel to a hundredth of it, a velocity to a fifth of it per second. */
  readonly precision: number;
  /** Whether the velocity travels too. */
  readonly withVelocity: boolean;
  /** Whether riders are sent as sitting in what carries them. */
  readonly withSeats: boolean;
}

/** Describes what moves in this trace. */
export function moverOf(trace: Trace, { precision, withVelocity, withSeats }: MoverOptions): ObjectType {
  const axes = AXES.slice(0, trace.dimensions);
  const velocities = VELOCITIES.slice(0, trace.dimensions);
  const fields: Record<string, Field<number>> = {};
  axes.forEach((axis, index) => {
    fields[axis] = quantized(trace.lowest[index]!, trace.highest[index]! + precision, precision / 100);
  });
  if (trace.hasHeading) fields["heading"] = angle(HEADING_BITS);
  if (withVelocity) for (const name of velocities) fields[name] = quantized(-FASTEST, FASTEST, precision / 5);
  if (withSeats) {
    fields[CARRIER] = uint(CARRIER_BITS);
    for (const name of SEAT.slice(0, trace.dimensions)) {
      fields[name] = quantized(-LONGEST_SEAT, LONGEST_SEAT, precision / 100);
    }
  }
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
  readonly velocity: Velocity;
  /** Where it rides, if it does and riders are shown so. */
  carrier: Mover | undefined;
  /** How many ride in it. */
  riders: number;
}

type MoverField = (typeof AXES)[number] | "heading" | (typeof VELOCITIES)[number] | "carrier" | (typeof SEAT)[number];
type MoverFields = Fields & Readonly<Record<MoverField, Field<number>>>;

export class Primaries {
  readonly movers: readonly Mover[];
  readonly #byName: ReadonlyMap<string, Mover>;
  readonly #world: World;
  readonly #type: ObjectType<MoverFields>;
  readonly #names: readonly MoverField[];
  readonly #withSeats: boolean;
  readonly #next: Place = nowhere();

  constructor(trace: Trace, world: World, type: ObjectType, roundMs: number) {
    this.#world = world;
    this.#type = type as unknown as ObjectType<MoverFields>;
    this.#names = type.fields.map(({ name }) => name) as MoverField[];
    this.#withSeats = this.#names.includes(CARRIER);
    this.movers = trace.tracks.map((track) => ({
      track,
      object: undefined,
      place: nowhere(),
      velocity: new Velocity({ roundMs, spacingMs: trace.spacingMs, hasHeading: trace.hasHeading }),
      carrier: undefined,
      riders: 0,
    }));
    this.#byName = new Map(this.movers.map((mover) => [mover.track.id, mover]));
  }

  /** Moves everything to where it is at this time; times ascend by one round. */
  step(ms: number): void {
    for (const mover of this.movers) this.#place(mover, ms);
    if (this.#withSeats) this.#seat();
    for (const mover of this.movers) if (mover.object !== undefined) this.#write(mover, mover.object);
  }

  #place(mover: Mover, ms: number): void {
    if (!mover.track.place(ms, this.#next)) {
      this.#end(mover);
      return;
    }
    Object.assign(mover.place, this.#next);
    if (mover.object !== undefined) {
      mover.velocity.follow(mover.place);
      return;
    }
    mover.velocity.begin(mover.place);
    const start = Object.fromEntries(this.#names.map((name) => [name, numberOf(mover, name)]));
    mover.object = this.#world.spawn(this.#type, start as Partial<Record<"x", number>>);
  }

  #end(mover: Mover): void {
    if (mover.object === undefined) return;
    this.#world.destroy(mover.object);
    mover.object = undefined;
  }

  /** Who rides whom now that everybody is in his place, and tags that say so. */
  #seat(): void {
    for (const mover of this.movers) mover.riders = 0;
    for (const mover of this.movers) {
      mover.carrier = this.#carrierOf(mover);
      if (mover.carrier !== undefined) mover.carrier.riders += 1;
    }
    for (const mover of this.movers) {
      this.#tag(mover, RIDING, mover.carrier !== undefined);
      this.#tag(mover, CARRYING, mover.riders > 0);
    }
  }

  /** A carrier that rides itself would add its own error to its riders'. */
  #carrierOf({ object, place }: Mover): Mover | undefined {
    const carrier = object === undefined ? undefined : this.#byName.get(place.carrier);
    if (carrier?.object === undefined || carrier.place.carrier !== "") return undefined;
    return distance(place, carrier.place) <= LONGEST_SEAT ? carrier : undefined;
  }

  #tag({ object }: Mover, tag: string, holds: boolean): void {
    if (object === undefined || object.tags.has(tag) === holds) return;
    if (holds) this.#world.tag(object, tag);
    else this.#world.untag(object, tag);
  }

  #write(mover: Mover, object: Entity<MoverFields>): void {
    for (const name of this.#names) {
      const value = numberOf(mover, name);
      if (object[name] !== value) (object as Record<string, unknown>)[name] = value;
    }
  }
}

function numberOf({ place, velocity, carrier }: Mover, name: MoverField): number {
  switch (name) {
    case "vx":
      return velocity.x;
    case "vy":
      return velocity.y;
    case "vz":
      return velocity.z;
    case "carrier":
      return carrierOf(carrier?.object?.id);
    case "seatX":
      return carrier === undefined ? 0 : place.x - carrier.place.x;
    case "seatY":
      return carrier === undefined ? 0 : place.y - carrier.place.y;
    case "seatZ":
      return carrier === undefined ? 0 : place.z - carrier.place.z;
    default:
      return place[name];
  }
}

function distance(a: Place, b: Place): number {
  return Math.sqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2 + (a.z - b.z) ** 2);
}
