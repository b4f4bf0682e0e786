/** What every building trains: the kind in the making, how far it is, those that wait behind it, and where new units go. Columns by slot. */

import { TRAINING_MOST } from "../state.ts";
import { NO_KIND } from "./kinds.ts";

export class Trainings {
  /** Units in the queue, the one in the making included. */
  readonly count: Uint8Array;
  /** Steps that the first has been in the making. */
  readonly steps: Uint16Array;
  readonly rallyX: Float32Array;
  readonly rallyY: Float32Array;
  readonly #kinds: Uint8Array;

  constructor(capacity: number) {
    this.count = new Uint8Array(capacity);
    this.steps = new Uint16Array(capacity);
    this.rallyX = new Float32Array(capacity);
    this.rallyY = new Float32Array(capacity);
    this.#kinds = new Uint8Array(capacity * TRAINING_MOST);
  }

  reset(slot: number, rallyX: number, rallyY: number): void {
    this.count[slot] = 0;
    this.steps[slot] = 0;
    this.rallyX[slot] = rallyX;
    this.rallyY[slot] = rallyY;
  }

  /** The kind in the making; `NO_KIND`: none. */
  first(slot: number): number {
    return this.count[slot] === 0 ? NO_KIND : this.#kinds[slot * TRAINING_MOST]!;
  }

  /** The kind at a place of the queue. */
  at(slot: number, place: number): number {
    return this.#kinds[slot * TRAINING_MOST + place]!;
  }

  add(slot: number, kind: number): void {
    this.#kinds[slot * TRAINING_MOST + this.count[slot]!] = kind;
    this.count[slot]! += 1;
  }

  /** Takes the first out: it is made. */
  takeFirst(slot: number): void {
    const from = slot * TRAINING_MOST;
    this.#kinds.copyWithin(from, from + 1, from + TRAINING_MOST);
    this.count[slot]! -= 1;
    this.steps[slot] = 0;
  }

  /** Takes the last out and gives its kind. */
  takeLast(slot: number): number {
    this.count[slot]! -= 1;
    if (this.count[slot] === 0) this.steps[slot] = 0;
    return this.#kinds[slot * TRAINING_MOST + this.count[slot]!]!;
  }
}
