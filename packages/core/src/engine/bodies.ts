/**
 * What judging a pair needs of its object, 64 bytes side by side: where it is, the same as sent, newest version, id and a few traits. The
 * world has all of it in columns of its own; here one cache line holds it, and it changes only between rounds and in `note…`.
 */

import { grown } from "../object-store.ts";
import type { World } from "../world.ts";

/** Numbers per object: `reals[slot * 8 + …]`. */
export const REALS = 8;
export const Real = { x: 0, y: 1, z: 2, wireX: 3, wireY: 4, wireZ: 5 } as const;
/** The same memory as integers and as short reals: `ints[slot * 16 + …]`, `floats[slot * 16 + …]`. */
export const INTS = 16;
export const Int = { version: 12, id: 13, traits: 14, speed: 15 } as const;
/**
 * Bits of `traits`: rounds between its last two updates, at most 255; most updates in a round, 255 = that or more; has a place; is
 * inexact; most rounds with an update of any 32.
 */
export const GAP = 0xff;
export const UPDATES_SHIFT = 8;
export const UPDATES = 0xff;
export const BUSY_SHIFT = 18;
export const BUSY = 0x3f;
export const SPATIAL: number = 1 << 16;
/** The wire form is too far from the primary to be neglected beside the tightest value bound. */
export const INEXACT: number = 1 << 17;

export class Bodies {
  reals: Float64Array = inLines(64 * REALS);
  ints: Int32Array = asInts(this.reals);
  floats: Float32Array = asFloats(this.reals);
  /** By slot: session of the owning client. */
  owner: Int32Array = new Int32Array(64);
  /** By slot, three each: where it was a round ago. */
  before: Float64Array = new Float64Array(64 * 3);
  /** By slot, three each: velocity as sent, world units per second, and the round in which it last changed. */
  velocity: Float64Array = new Float64Array(64 * 3);
  #turnedIn: Int32Array = new Int32Array(64);
  /** By slot: how far it travelled between the last two notes of a move, there and back included. */
  way: Float64Array = new Float64Array(64);
  /** Columns by slot: round of the last update; last round in which the position changed in wire form, the spawning included. */
  #lastUpdate: Int32Array = new Int32Array(64);
  #movedIn: Int32Array = new Int32Array(64);
  #travelled: Float64Array = new Float64Array(64);
  readonly #world: World;
  #toleranceSquare = Number.POSITIVE_INFINITY;

  constructor(world: World) {
    this.#world = world;
  }

  /** A new object: where it is now is where it was before. */
  add(slot: number, round: number): void {
    while (slot * REALS >= this.reals.length) this.#grow();
    const at = slot * INTS;
    this.ints[at + Int.traits] = (this.#world.isSpatial(slot) ? SPATIAL : 0) | (1 << UPDATES_SHIFT) | GAP;
    this.#lastUpdate[slot] = round - GAP;
    this.#movedIn[slot] = round;
    this.ints[at + Int.version] = this.#world.version[slot]!;
    this.ints[at + Int.id] = this.#world.store.idAt(slot);
    this.noteOwner(slot);
    this.noteWire(slot);
    this.noteMove(slot);
    this.settle(slot);
  }

  noteOwner(slot: number): void {
    this.owner[slot] = this.#world.store.owner[slot]!;
  }

  /** The most it is taken to move in a round; rounded up. */
  noteSpeed(slot: number, speed: number): void {
    this.floats[slot * INTS + Int.speed] = speed * (1 + 1e-6);
  }

  /** Rounds since its last update. */
  quietFor(slot: number, round: number): number {
    return round - this.#lastUpdate[slot]!;
  }

  movedIn(slot: number): number {
    return this.#movedIn[slot]!;
  }

  /** The newest version was made in this round; it may be one of several. */
  noteVersion(slot: number, round: number): void {
    if (this.#world.movedVersion[slot] === this.#world.version[slot]) this.#movedIn[slot] = round;
  }

  /**
   * @param cap the most updates it is taken to get in a round.
   * @param busy the most rounds in which it is taken to get any, of 32.
   */
  noteUpdate(slot: number, cap: number, busy: number, round: number): void {
    const at = slot * INTS;
    const gap = Math.min(GAP, round - this.#lastUpdate[slot]!);
    this.#lastUpdate[slot] = round;
    this.ints[at + Int.version] = this.#world.version[slot]!;
    const others = this.ints[at + Int.traits]! & (SPATIAL | INEXACT);
    this.ints[at + Int.traits] = others | (busy << BUSY_SHIFT) | (Math.min(cap, UPDATES) << UPDATES_SHIFT) | gap;
    this.noteWire(slot);
    this.noteError(slot);
  }

  /** Takes over the velocity as sent; true if it is another one. */
  noteVelocity(slot: number, round: number): boolean {
    const { velX, velY, velZ } = this.#world;
    const { velocity } = this;
    const at = slot * 3;
    if (velocity[at] === velX[slot] && velocity[at + 1] === velY[slot] && velocity[at + 2] === velZ[slot]) return false;
    velocity[at] = velX[slot]!;
    velocity[at + 1] = velY[slot]!;
    velocity[at + 2] = velZ[slot]!;
    this.#turnedIn[slot] = round;
    return true;
  }

  /** How far the object is from where its velocity would have brought it in this round; 0 where that was not its velocity before. */
  driftOf(slot: number, seconds: number, round: number): number {
    if (this.#turnedIn[slot] === round) return 0;
    const at = slot * 3;
    const dx = this.reals[slot * REALS + Real.x]! - this.before[at]! - this.velocity[at]! * seconds;
    const dy = this.reals[slot * REALS + Real.y]! - this.before[at + 1]! - this.velocity[at + 1]! * seconds;
    const dz = this.reals[slot * REALS + Real.z]! - this.before[at + 2]! - this.velocity[at + 2]! * seconds;
    return Math.sqrt(dx * dx + dy * dy + dz * dz);
  }

  noteWire(slot: number): void {
    const at = slot * REALS;
    this.reals[at + Real.wireX] = this.#world.wireX[slot]!;
    this.reals[at + Real.wireY] = this.#world.wireY[slot]!;
    this.reals[at + Real.wireZ] = this.#world.wireZ[slot]!;
  }

  noteMove(slot: number): void {
    const at = slot * REALS;
    this.reals[at + Real.x] = this.#world.x[slot]!;
    this.reals[at + Real.y] = this.#world.y[slot]!;
    this.reals[at + Real.z] = this.#world.z[slot]!;
    this.noteError(slot);
    this.way[slot] = this.#world.travelled[slot]! - this.#travelled[slot]!;
    this.#travelled[slot] = this.#world.travelled[slot]!;
  }

  /** Below this, what rounding to wire form adds to a divergence does not matter. */
  set tolerance(tolerance: number) {
    this.#toleranceSquare = tolerance * tolerance;
  }

  noteError(slot: number): void {
    const at = slot * REALS;
    const dx = this.reals[at + Real.x]! - this.reals[at + Real.wireX]!;
    const dy = this.reals[at + Real.y]! - this.reals[at + Real.wireY]!;
    const dz = this.reals[at + Real.z]! - this.reals[at + Real.wireZ]!;
    const traits = this.ints[slot * INTS + Int.traits]! & ~INEXACT;
    const isInexact = !(dx * dx + dy * dy + dz * dz <= this.#toleranceSquare);
    this.ints[slot * INTS + Int.traits] = isInexact ? traits | INEXACT : traits;
  }

  /** Where it is now is where it was before. */
  settle(slot: number): void {
    const at = slot * REALS;
    this.before[slot * 3] = this.reals[at + Real.x]!;
    this.before[slot * 3 + 1] = this.reals[at + Real.y]!;
    this.before[slot * 3 + 2] = this.reals[at + Real.z]!;
  }

  /** Square of the way covered since the round before. */
  stepSquare(slot: number): number {
    const at = slot * REALS;
    const dx = this.reals[at + Real.x]! - this.before[slot * 3]!;
    const dy = this.reals[at + Real.y]! - this.before[slot * 3 + 1]!;
    const dz = this.reals[at + Real.z]! - this.before[slot * 3 + 2]!;
    return dx * dx + dy * dy + dz * dz;
  }

  isSpatial(slot: number): boolean {
    return (this.ints[slot * INTS + Int.traits]! & SPATIAL) !== 0;
  }

  #grow(): void {
    this.reals = grown(inLines(this.reals.length * 2), this.reals);
    this.ints = asInts(this.reals);
    this.floats = asFloats(this.reals);
    const slots = this.#lastUpdate.length * 2;
    this.owner = grown(new Int32Array(slots), this.owner);
    this.before = grown(new Float64Array(slots * 3), this.before);
    this.#lastUpdate = grown(new Int32Array(slots), this.#lastUpdate);
    this.#movedIn = grown(new Int32Array(slots), this.#movedIn);
    this.velocity = grown(new Float64Array(slots * 3), this.velocity);
    this.#turnedIn = grown(new Int32Array(slots), this.#turnedIn);
    this.#travelled = grown(new Float64Array(slots), this.#travelled);
    this.way = grown(new Float64Array(slots), this.way);
  }
}

/** Large blocks of memory begin 16 bytes after a cache line does; so that an object lies in one line, it begins 48 after that. */
const TO_NEXT_LINE = 48;

function inLines(length: number): Float64Array {
  return new Float64Array(new ArrayBuffer(length * 8 + TO_NEXT_LINE), TO_NEXT_LINE, length);
}

function asInts({ buffer, byteOffset, byteLength }: Float64Array): Int32Array {
  return new Int32Array(buffer, byteOffset, byteLength / 4);
}

function asFloats({ buffer, byteOffset, byteLength }: Float64Array): Float32Array {
  return new Float32Array(buffer, byteOffset, byteLength / 4);
}
