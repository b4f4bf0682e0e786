/** The orders of every unit: the one in force and those that wait behind it, in columns with room for a fixed number per unit. */

import { ORDERS, type OrderName, QUEUED_ORDERS_MOST } from "../state.ts";

const ROOM = QUEUED_ORDERS_MOST;

/** Number of each order, as the columns hold it. */
export const ORDER: Readonly<Record<OrderName, number>> = Object.fromEntries(
  ORDERS.map((name, order) => [name, order]),
) as Record<OrderName, number>;
export const NO_ORDER = 255;

export interface QueuedOrder {
  /** A number of `ORDER`. */
  readonly what: number;
  readonly x: number;
  readonly y: number;
  /** Tile that the whole group walks to: they share its flow field. */
  readonly goal: number;
  /** Handle of a piece; of a gather order, the number of an ore patch. */
  readonly target: number;
  /** Kind of building to build. */
  readonly kind: number;
}

export class OrderQueues {
  readonly #first: Uint8Array;
  readonly count: Uint8Array;
  readonly #what: Uint8Array;
  readonly #x: Float32Array;
  readonly #y: Float32Array;
  readonly #goal: Int32Array;
  readonly #target: Uint32Array;
  readonly #kind: Uint8Array;
  /** 1 = the order in force has just come into force. */
  readonly isNew: Uint8Array;
  /** Counts how often another order came into force; it wraps. */
  readonly changes: Uint8Array;

  constructor(capacity: number) {
    this.#first = new Uint8Array(capacity);
    this.count = new Uint8Array(capacity);
    this.#what = new Uint8Array(capacity * ROOM);
    this.#x = new Float32Array(capacity * ROOM);
    this.#y = new Float32Array(capacity * ROOM);
    this.#goal = new Int32Array(capacity * ROOM);
    this.#target = new Uint32Array(capacity * ROOM);
    this.#kind = new Uint8Array(capacity * ROOM);
    this.isNew = new Uint8Array(capacity);
    this.changes = new Uint8Array(capacity);
  }

  clear(slot: number): void {
    this.count[slot] = 0;
    this.#change(slot);
  }

  isFull(slot: number): boolean {
    return this.count[slot]! >= ROOM;
  }

  /** Puts an order behind the others. The caller has asked `isFull`. */
  add(slot: number, order: QueuedOrder): void {
    const at = slot * ROOM + ((this.#first[slot]! + this.count[slot]!) % ROOM);
    if (this.count[slot] === 0) this.#change(slot);
    this.count[slot]! += 1;
    this.#what[at] = order.what;
    this.#x[at] = order.x;
    this.#y[at] = order.y;
    this.#goal[at] = order.goal;
    this.#target[at] = order.target;
    this.#kind[at] = order.kind;
  }

  /** The order in force is done; the next one comes into force. */
  finish(slot: number): void {
    if (this.count[slot] === 0) return;
    this.#first[slot] = (this.#first[slot]! + 1) % ROOM;
    this.count[slot]! -= 1;
    this.#change(slot);
  }

  #change(slot: number): void {
    this.isNew[slot] = 1;
    this.changes[slot]! += 1;
  }

  // Of the order in force

  what(slot: number): number {
    return this.count[slot] === 0 ? NO_ORDER : this.#what[this.#at(slot)]!;
  }

  x(slot: number): number {
    return this.#x[this.#at(slot)]!;
  }

  y(slot: number): number {
    return this.#y[this.#at(slot)]!;
  }

  goal(slot: number): number {
    return this.#goal[this.#at(slot)]!;
  }

  target(slot: number): number {
    return this.#target[this.#at(slot)]!;
  }

  kind(slot: number): number {
    return this.#kind[this.#at(slot)]!;
  }

  setPlace(slot: number, x: number, y: number, goal: number): void {
    const at = this.#at(slot);
    this.#x[at] = x;
    this.#y[at] = y;
    this.#goal[at] = goal;
  }

  setTarget(slot: number, target: number): void {
    this.#target[this.#at(slot)] = target;
  }

  #at(slot: number): number {
    return slot * ROOM + this.#first[slot]!;
  }
}
