/**
 * From (view, slot) to a pair's number: one open-addressing table for the whole engine, linear probing, deletion by shifting back.
 * No allocation but doubling.
 */

import { MAX_SLOTS } from "../ids.ts";

const EMPTY = -1;

export class PairIndex {
  #keys: Float64Array = new Float64Array(1024).fill(EMPTY);
  #pairs: Int32Array = new Int32Array(1024);
  #mask = 1023;
  #count = 0;

  /** The pair's number, or −1. */
  get(view: number, slot: number): number {
    const key = view * MAX_SLOTS + slot;
    for (let at = home(view, slot) & this.#mask; ; at = (at + 1) & this.#mask) {
      const found = this.#keys[at]!;
      if (found === key) return this.#pairs[at]!;
      if (found === EMPTY) return -1;
    }
  }

  set(view: number, slot: number, pair: number): void {
    if ((this.#count + 1) * 2 > this.#keys.length) this.#double();
    this.#insert(view * MAX_SLOTS + slot, view, slot, pair);
    this.#count++;
  }

  delete(view: number, slot: number): void {
    const key = view * MAX_SLOTS + slot;
    let hole = home(view, slot) & this.#mask;
    while (this.#keys[hole] !== key) {
      if (this.#keys[hole] === EMPTY) return;
      hole = (hole + 1) & this.#mask;
    }
    this.#count--;
    for (let at = (hole + 1) & this.#mask; this.#keys[at] !== EMPTY; at = (at + 1) & this.#mask) {
      const moved = this.#keys[at]!;
      const wanted = home(Math.floor(moved / MAX_SLOTS), moved % MAX_SLOTS) & this.#mask;
      const distanceFromHome = (at - wanted) & this.#mask;
      const distanceFromHole = (at - hole) & this.#mask;
      if (distanceFromHome < distanceFromHole) continue;
      this.#keys[hole] = moved;
      this.#pairs[hole] = this.#pairs[at]!;
      hole = at;
    }
    this.#keys[hole] = EMPTY;
  }

  #insert(key: number, view: number, slot: number, pair: number): void {
    let at = home(view, slot) & this.#mask;
    while (this.#keys[at] !== EMPTY) at = (at + 1) & this.#mask;
    this.#keys[at] = key;
    this.#pairs[at] = pair;
  }

  #double(): void {
    const keys = this.#keys;
    const pairs = this.#pairs;
    this.#keys = new Float64Array(keys.length * 2).fill(EMPTY);
    this.#pairs = new Int32Array(keys.length * 2);
    this.#mask = this.#keys.length - 1;
    keys.forEach((key, at) => {
      if (key !== EMPTY) this.#insert(key, Math.floor(key / MAX_SLOTS), key % MAX_SLOTS, pairs[at]!);
    });
  }
}

function home(view: number, slot: number): number {
  const mixed = Math.imul(slot, 0x9e3779b1) ^ Math.imul(view + 1, 0x85ebca6b);
  return mixed ^ (mixed >>> 15);
}
