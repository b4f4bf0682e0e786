/**
 * A trace as a world of primaries: round by round, entities come, move and go as their tracks say. What is alive is an object, and one that
 * died and comes back is another object. Objects are described from the trace: its axes, its heading, its extent. Their velocity is a
 * guess from the past (`velocity.ts`), and riders sit in what carries them (`riders.ts`).
 */

import type { Entity, World } from "@nearfield/core";
import { angle, type Fields, type ObjectType, object, quantized, slotOf, uint } from "@nearfield/schema";
import type { Field } from "@nearfield/schema/internal";
import { CARRIER, CARRIER_BITS, CARRYING, carrierOf, LONGEST_SEAT, RIDING, SEAT, seatStep, VEHICLE } from "./riders.ts";
import { Kind, type Trace } from "./trace.ts";
import { nowhere, type Place, type Track } from "./track.ts";
import { FASTEST, Velocity } from "./velocity.ts";

const HEADING_BITS = 8;
/** World units per second: who boards what stands still is where he is until it sets off. */
const SETS_OFF = 1;

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
  /** Where it rides, if it does and riders are shown so; and the seat stated for it, from there. */
  carrier: Mover | undefined;
  readonly seat: { x: number; y: number; z: number };
}

type MoverField = (typeof AXES)[number] | "heading" | (typeof VELOCITIES)[number] | "carrier" | (typeof SEAT)[number];
type MoverFields = Fields & Readonly<Record<MoverField, Field<number>>>;

export interface PrimariesOptions {
  readonly roundMs: number;
  /** The tightest value bound, world units: riders are stated to sit where they do to a share of it. */
  readonly precision: number;
}

export class Primaries {
  readonly movers: readonly Mover[];
  /** Who rides what. It is always the same map, brought up to date in each step. */
  readonly crews: Map<number, number[]> = new Map();
  readonly #byName: ReadonlyMap<string, Mover>;
  readonly #world: World;
  readonly #type: ObjectType<MoverFields>;
  readonly #names: readonly MoverField[];
  readonly #withSeats: boolean;
  readonly #seatStep: number;
  readonly #next: Place = nowhere();

  constructor(trace: Trace, world: World, type: ObjectType, { roundMs, precision }: PrimariesOptions) {
    this.#world = world;
    this.#type = type as unknown as ObjectType<MoverFields>;
    this.#names = type.fields.map(({ name }) => name) as MoverField[];
    this.#withSeats = this.#names.includes(CARRIER);
    this.#seatStep = seatStep(precision);
    this.movers = trace.tracks.map((track) => ({
      track,
      object: undefined,
      place: nowhere(),
      velocity: new Velocity({ roundMs, spacingMs: trace.spacingMs, hasHeading: trace.hasHeading }),
      carrier: undefined,
      seat: { x: 0, y: 0, z: 0 },
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
    this.#tag(mover, VEHICLE, this.#withSeats && mover.place.kind === Kind.thing);
  }

  #end(mover: Mover): void {
    if (mover.object === undefined) return;
    this.#world.destroy(mover.object);
    mover.object = undefined;
  }

  /** After everybody has moved: finds who rides what and in which seat, and sets the tags. */
  #seat(): void {
    this.crews.clear();
    for (const mover of this.movers) {
      const carrier = this.#carrierOf(mover);
      if (carrier !== undefined) this.#sit(mover, carrier);
      mover.carrier = carrier;
      this.#tag(mover, RIDING, carrier !== undefined);
    }
    for (const mover of this.movers) {
      this.#tag(mover, CARRYING, mover.object !== undefined && this.crews.has(slotOf(mover.object.id)));
    }
  }

  #carrierOf({ object, place, carrier: before }: Mover): Mover | undefined {
    const carrier = object === undefined ? undefined : this.#byName.get(place.carrier);
    if (carrier?.object === undefined || carrier.place.kind !== Kind.thing) return undefined;
    if (distance(place, carrier.place) > LONGEST_SEAT) return undefined;
    return carrier === before || carrier.velocity.speed > SETS_OFF ? carrier : undefined;
  }

  /** The seat stated for a rider stays as it is until he is a step away from it. */
  #sit(mover: Mover, carrier: Mover): void {
    const { seat, place } = mover;
    const x = place.x - carrier.place.x;
    const y = place.y - carrier.place.y;
    const z = place.z - carrier.place.z;
    const isOff = distance(seat, { x, y, z }) >= this.#seatStep;
    if (isOff || carrier !== mover.carrier) Object.assign(seat, { x, y, z });
    const slot = slotOf(carrier.object!.id);
    const crew = this.crews.get(slot);
    if (crew === undefined) this.crews.set(slot, [slotOf(mover.object!.id)]);
    else crew.push(slotOf(mover.object!.id));
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

function numberOf({ place, velocity, carrier, seat }: Mover, name: MoverField): number {
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
      return carrier === undefined ? 0 : seat.x;
    case "seatY":
      return carrier === undefined ? 0 : seat.y;
    case "seatZ":
      return carrier === undefined ? 0 : seat.z;
    default:
      return place[name];
  }
}

function distance(a: Mover["seat"], b: Mover["seat"]): number {
  return Math.sqrt((a.x - b.x) ** 2 + (a.y - b.y) ** 2 + (a.z - b.z) ** 2);
}
