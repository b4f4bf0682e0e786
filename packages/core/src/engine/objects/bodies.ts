/**
 * What the engine knows of each object: 64 bytes that hold its place, its place in wire form, newest version, id and a few traits. The world
 * has all of that in separate columns; here one cache line holds everything that judging a pair reads. It changes only between rounds and in `note…`.
 */

import { MAX_SLOTS } from "@nearfield/schema/internal";
import type { World } from "../../world.ts";
import {
  BUSY_SHIFT,
  GAP,
  INEXACT,
  MOTION,
  MOTION_DRIFT,
  MOTION_MOVED_IN,
  SPATIAL,
  UPDATES,
  UPDATES_SHIFT,
  WINDOW,
} from "../memory/layout.ts";
import { type ColumnSource, enlarged } from "../memory/memory.ts";
import type { SpeedCaps } from "../plans/motion.ts";

/** Numbers per object: `reals[slot * REALS + …]`. */
export const REALS = 8;
export const Real = { x: 0, y: 1, z: 2, wireX: 3, wireY: 4, wireZ: 5 } as const;
/** The same memory as integers and as short reals: `ints[slot * INTS + …]`, `floats[slot * INTS + …]`. */
export const INTS = 16;
export const Int = { version: 12, id: 13, traits: 14, speed: 15 } as const;
/** Numbers of a motion: `motion[slot * MOTIONS + axis]` is its velocity. */
export const MOTIONS: number = MOTION / 8;
const [DRIFT, MOVED_IN, MOTION_INTS] = [MOTION_DRIFT / 4, MOTION_MOVED_IN / 4, MOTION / 4];
const FIRST_SLOTS = 64;
/** In place of an id. */
const GONE = -1;

export class Bodies {
  reals: Float64Array;
  ints: Int32Array;
  floats: Float32Array;
  /** By slot: session of the owning client. */
  owner: Int32Array;
  /** By slot: round of the last update. */
  lastUpdate: Int32Array;
  /** By slot, three each: where it was a round ago. */
  before: Float64Array;
  /** By slot: its motion, see `layout.ts`; the same memory as integers and as short reals; and the round in which the velocity last changed. */
  motion: Float64Array;
  #motionInts: Int32Array;
  #motionFloats: Float32Array;
  #turnedIn: Int32Array;
  /** By slot: how far it travelled between the last two notes of a move, there and back included. */
  way: Float64Array;
  /** Of the object that `measureDrift` was last asked about. */
  readonly drift: Float64Array = new Float64Array(1);
  /** Of the object that `measureStep` was last asked about. */
  readonly stepSquare: Float64Array = new Float64Array(1);
  /** By slot: how far it has travelled since it was spawned. */
  travelled: Float64Array;
  readonly #columns: ColumnSource;
  readonly #world: World;
  #toleranceSquare = Number.POSITIVE_INFINITY;

  constructor(world: World, columns: ColumnSource) {
    this.#world = world;
    this.#columns = columns;
    this.reals = columns.reals(FIRST_SLOTS * REALS);
    this.ints = asInts(this.reals);
    this.floats = asFloats(this.reals);
    this.owner = columns.ints(FIRST_SLOTS);
    this.lastUpdate = columns.ints(FIRST_SLOTS);
    this.before = columns.reals(FIRST_SLOTS * 3);
    this.motion = columns.reals(FIRST_SLOTS * MOTIONS);
    this.#motionInts = asInts(this.motion);
    this.#motionFloats = asFloats(this.motion);
    this.#turnedIn = columns.ints(FIRST_SLOTS);
    this.way = columns.reals(FIRST_SLOTS);
    this.travelled = columns.reals(FIRST_SLOTS);
  }

  /** A new object: where it is now is where it was before. */
  add(slot: number, round: number): void {
    while (slot * REALS >= this.reals.length) this.#grow();
    const at = slot * INTS;
    this.ints[at + Int.traits] =
      (this.#world.isSpatial(slot) ? SPATIAL : 0) | (WINDOW << BUSY_SHIFT) | (1 << UPDATES_SHIFT) | GAP;
    this.lastUpdate[slot] = round - GAP;
    this.#motionInts[slot * MOTION_INTS + MOVED_IN] = round;
    this.#motionFloats[slot * MOTION_INTS + DRIFT] = 0;
    this.ints[at + Int.version] = this.#world.version[slot]!;
    this.ints[at + Int.id] = this.#world.store.idAt(slot);
    this.noteOwner(slot);
    this.noteWire(slot);
    this.noteMove(slot);
    this.settle(slot);
  }

  /** The object is gone: whoever asks for it by its id is told so. */
  remove(slot: number): void {
    this.ints[slot * INTS + Int.id] = GONE;
  }

  noteOwner(slot: number): void {
    this.owner[slot] = this.#world.store.owner[slot]!;
  }

  /** The most it is taken to move in a round; rounded up. */
  noteSpeed(slot: number, speeds: SpeedCaps): void {
    speeds.writeTo(this.floats, slot * INTS + Int.speed, slot);
  }

  versionOf(slot: number): number {
    return this.ints[slot * INTS + Int.version]!;
  }

  /** Rounds since its last update. */
  quietFor(slot: number, round: number): number {
    return round - this.lastUpdate[slot]!;
  }

  /** Last round in which the position changed in wire form, the spawning included. */
  movedIn(slot: number): number {
    return this.#motionInts[slot * MOTION_INTS + MOVED_IN]!;
  }

  /** The newest version was made in this round; it may be one of several. */
  noteVersion(slot: number, round: number): void {
    if (this.#world.movedVersion[slot] !== this.#world.version[slot]) return;
    this.#motionInts[slot * MOTION_INTS + MOVED_IN] = round;
  }

  /**
   * Besides, its error is to be noted, unless it moved as well.
   *
   * @param cap the most updates it is taken to get in a round.
   * @param windows the most rounds in which it is taken to get any (`UpdateCaps.windowsOf`).
   */
  noteUpdate(slot: number, cap: number, windows: number, round: number): void {
    const at = slot * INTS;
    const gap = Math.min(GAP, round - this.lastUpdate[slot]!);
    this.lastUpdate[slot] = round;
    this.ints[at + Int.version] = this.#world.version[slot]!;
    const others = this.ints[at + Int.traits]! & (SPATIAL | INEXACT);
    this.ints[at + Int.traits] = others | (windows << BUSY_SHIFT) | (Math.min(cap, UPDATES) << UPDATES_SHIFT) | gap;
    this.noteWire(slot);
  }

  /** Takes over the velocity as sent; true if it is another one. */
  noteVelocity(slot: number, round: number): boolean {
    const { velX, velY, velZ } = this.#world;
    const { motion } = this;
    const at = slot * MOTIONS;
    if (motion[at] === velX[slot] && motion[at + 1] === velY[slot] && motion[at + 2] === velZ[slot]) return false;
    motion[at] = velX[slot]!;
    motion[at + 1] = velY[slot]!;
    motion[at + 2] = velZ[slot]!;
    this.#turnedIn[slot] = round;
    return true;
  }

  /** Puts into `drift` how far the object is from where its velocity would have brought it in this round; 0 where that was not its velocity before. */
  measureDrift(slot: number, seconds: number, round: number): void {
    this.drift[0] = 0;
    if (this.#turnedIn[slot] === round) return;
    const at = slot * 3;
    const { reals, before, motion } = this;
    const dx = reals[slot * REALS + Real.x]! - before[at]! - motion[slot * MOTIONS]! * seconds;
    const dy = reals[slot * REALS + Real.y]! - before[at + 1]! - motion[slot * MOTIONS + 1]! * seconds;
    const dz = reals[slot * REALS + Real.z]! - before[at + 2]! - motion[slot * MOTIONS + 2]! * seconds;
    this.drift[0] = Math.sqrt(dx * dx + dy * dy + dz * dz);
  }

  /** The most it is taken to depart from its velocity in a round; rounded up. */
  noteDrift(slot: number, drifts: SpeedCaps): void {
    drifts.writeTo(this.#motionFloats, slot * MOTION_INTS + DRIFT, slot);
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
    this.way[slot] = this.#world.travelled[slot]! - this.travelled[slot]!;
    this.travelled[slot] = this.#world.travelled[slot]!;
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

  /** Puts the square of the way covered since the round before into `stepSquare`. */
  measureStep(slot: number): void {
    const at = slot * REALS;
    const dx = this.reals[at + Real.x]! - this.before[slot * 3]!;
    const dy = this.reals[at + Real.y]! - this.before[slot * 3 + 1]!;
    const dz = this.reals[at + Real.z]! - this.before[slot * 3 + 2]!;
    this.stepSquare[0] = dx * dx + dy * dy + dz * dz;
  }

  isSpatial(slot: number): boolean {
    return (this.ints[slot * INTS + Int.traits]! & SPATIAL) !== 0;
  }

  #grow(): void {
    const columns = this.#columns;
    const slots = this.owner.length * 2;
    this.reals = enlarged(columns, this.reals, slots * REALS, MAX_SLOTS * REALS);
    this.ints = asInts(this.reals);
    this.floats = asFloats(this.reals);
    this.owner = enlarged(columns, this.owner, slots, MAX_SLOTS);
    this.lastUpdate = enlarged(columns, this.lastUpdate, slots, MAX_SLOTS);
    this.before = enlarged(columns, this.before, slots * 3, MAX_SLOTS * 3);
    this.motion = enlarged(columns, this.motion, slots * MOTIONS, MAX_SLOTS * MOTIONS);
    this.#motionInts = asInts(this.motion);
    this.#motionFloats = asFloats(this.motion);
    this.#turnedIn = enlarged(columns, this.#turnedIn, slots, MAX_SLOTS);
    this.way = enlarged(columns, this.way, slots, MAX_SLOTS);
    this.travelled = enlarged(columns, this.travelled, slots, MAX_SLOTS);
  }
}

function asInts({ buffer, byteOffset, byteLength }: Float64Array): Int32Array {
  return new Int32Array(buffer, byteOffset, byteLength / 4);
}

function asFloats({ buffer, byteOffset, byteLength }: Float64Array): Float32Array {
  return new Float32Array(buffer, byteOffset, byteLength / 4);
}
