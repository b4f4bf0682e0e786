/**
 * All units and buildings of a match, in typed columns by slot. A *handle* names a piece for good: it holds the slot and the slot's generation, so that the
 * handle of a dead piece never reaches the piece that has its slot now. Handle 0 names nothing.
 */

import { HEALTH, isBuildingKind } from "./kinds.ts";

const SLOT_BITS = 18;
const MOST_SLOTS = 1 << SLOT_BITS;
const GENERATIONS = 1 << 14;

export class Pieces {
  readonly capacity: number;
  /** 1 = a piece is there. */
  readonly alive: Uint8Array;
  readonly #generation: Uint16Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** Where it looks: a vector of length 1. */
  readonly faceX: Float32Array;
  readonly faceY: Float32Array;
  readonly kind: Uint8Array;
  readonly side: Uint8Array;
  readonly health: Float32Array;
  /** Damage taken in this step; it counts at the step's end, so that nobody gains by being asked first. */
  readonly hurt: Float32Array;
  /** Share of it that is built, 0 to 1; 1 for units. */
  readonly built: Float32Array;
  /** Index into `DOINGS`. */
  readonly doing: Uint8Array;
  /** Handle of what it shoots at. */
  readonly target: Uint32Array;
  /** Steps until the weapon is ready again. */
  readonly cooldown: Uint16Array;
  /** Ore that it carries, and steps that it has dug. */
  readonly cargo: Uint8Array;
  readonly digging: Uint16Array;
  /** Where an idle unit stands, to which it returns after a fight; the other end of a patrol. */
  readonly postX: Float32Array;
  readonly postY: Float32Array;

  /** Slots from 0 to below this may be in use. */
  high = 0;
  readonly #free: number[] = [];

  constructor(capacity: number) {
    if (capacity > MOST_SLOTS) throw new RangeError(`capacity must be at most ${MOST_SLOTS}, got ${capacity}`);
    this.capacity = capacity;
    this.alive = new Uint8Array(capacity);
    this.#generation = new Uint16Array(capacity).fill(1);
    this.x = new Float64Array(capacity);
    this.y = new Float64Array(capacity);
    this.faceX = new Float32Array(capacity);
    this.faceY = new Float32Array(capacity);
    this.kind = new Uint8Array(capacity);
    this.side = new Uint8Array(capacity);
    this.health = new Float32Array(capacity);
    this.hurt = new Float32Array(capacity);
    this.built = new Float32Array(capacity);
    this.doing = new Uint8Array(capacity);
    this.target = new Uint32Array(capacity);
    this.cooldown = new Uint16Array(capacity);
    this.cargo = new Uint8Array(capacity);
    this.digging = new Uint16Array(capacity);
    this.postX = new Float32Array(capacity);
    this.postY = new Float32Array(capacity);
  }

  /** Gives the slot of the new piece. Throws when the table is full: the limits of sides keep that from happening. */
  add(kind: number, side: number, x: number, y: number): number {
    const slot = this.#free.pop() ?? this.high;
    if (slot >= this.capacity) throw new RangeError(`there is room for ${this.capacity} pieces only`);
    if (slot === this.high) this.high += 1;
    this.alive[slot] = 1;
    this.x[slot] = x;
    this.y[slot] = y;
    this.faceX[slot] = 1;
    this.faceY[slot] = 0;
    this.kind[slot] = kind;
    this.side[slot] = side;
    this.health[slot] = HEALTH[kind]!;
    this.built[slot] = 1;
    this.postX[slot] = x;
    this.postY[slot] = y;
    for (const column of [this.hurt, this.doing, this.target, this.cooldown, this.cargo, this.digging])
      column[slot] = 0;
    return slot;
  }

  remove(slot: number): void {
    this.alive[slot] = 0;
    // Generation 0 is left out, so that no handle is 0.
    this.#generation[slot] = (this.#generation[slot]! % (GENERATIONS - 1)) + 1;
    this.#free.push(slot);
  }

  handleOf(slot: number): number {
    return this.#generation[slot]! * MOST_SLOTS + slot;
  }

  /** The slot that a handle names; −1 if that piece is gone. */
  slotOf(handle: number): number {
    const slot = handle & (MOST_SLOTS - 1);
    return slot < this.high && this.alive[slot] === 1 && this.handleOf(slot) === handle ? slot : -1;
  }

  isBuilding(slot: number): boolean {
    return isBuildingKind(this.kind[slot]!);
  }

  face(slot: number, x: number, y: number): void {
    const [dx, dy] = [x - this.x[slot]!, y - this.y[slot]!];
    const length = Math.sqrt(dx * dx + dy * dy);
    if (length === 0) return;
    this.faceX[slot] = dx / length;
    this.faceY[slot] = dy / length;
  }

  /** Distance between the middles of two pieces. */
  distance(a: number, b: number): number {
    const [dx, dy] = [this.x[a]! - this.x[b]!, this.y[a]! - this.y[b]!];
    return Math.sqrt(dx * dx + dy * dy);
  }
}
