/**
 * What is selected, in figures: how many of each kind, which kind the command card is about, and where they are. Worked out once a frame, without
 * garbage; kinds count through units and buildings as in `KINDS`.
 */

import { FIRST_BUILDING, KINDS } from "../../rules/kinds.ts";
import type { Field } from "../field.ts";
import { OWN, type Pieces, SELECTED } from "../picture.ts";

const KIND_COUNT: number = KINDS.length;
const NONE = -1;

export class Squad {
  /** By kind. */
  readonly counts: Uint16Array = new Uint16Array(KIND_COUNT);
  /** By kind: the sum of health, percent. */
  readonly health: Float64Array = new Float64Array(KIND_COUNT);
  total = 0;
  /** Whether they take orders. */
  isOwn = false;
  /** Side of the first. */
  side = 0;
  /** Kind in focus; −1: nothing is selected. */
  focus: number = NONE;
  /** Of those in focus: the first one's id and row, and how far it is built, percent. */
  firstId = 0;
  firstRow = 0;
  firstBuilt = 100;
  /** Mean place. */
  x = 0;
  y = 0;

  get isBuilding(): boolean {
    return this.focus >= FIRST_BUILDING;
  }

  read(field: Field): void {
    this.counts.fill(0);
    this.health.fill(0);
    this.total = 0;
    this.isOwn = false;
    this.x = this.y = 0;
    this.#count(field.units, 0);
    this.#count(field.buildings, FIRST_BUILDING);
    this.#count(field.remembered, FIRST_BUILDING);
    if (this.total > 0) {
      this.x /= this.total;
      this.y /= this.total;
    }
    if (this.focus === NONE || this.counts[this.focus] === 0) this.focus = this.#best();
    this.#findFirst(field);
  }

  /** The next kind among those selected. */
  cycle(): void {
    for (let step = 1; step <= KIND_COUNT && this.focus !== NONE; step++) {
      const kind = (this.focus + step) % KIND_COUNT;
      if (this.counts[kind] === 0) continue;
      this.focus = kind;
      return;
    }
  }

  #count({ count, flags, kind, health, x, y, side }: Pieces, firstKind: number): void {
    for (let row = 0; row < count; row++) {
      if ((flags[row]! & SELECTED) === 0) continue;
      if (this.total === 0) this.side = side[row]!;
      this.total += 1;
      this.counts[firstKind + kind[row]!]! += 1;
      this.health[firstKind + kind[row]!]! += health[row]!;
      this.x += x[row]!;
      this.y += y[row]!;
      if ((flags[row]! & OWN) !== 0) this.isOwn = true;
    }
  }

  /** The kind with most members; builders only if there is nothing else. */
  #best(): number {
    let best = NONE;
    for (let kind = 0; kind < KIND_COUNT; kind++) {
      if (this.counts[kind] === 0) continue;
      if (best <= 0 || this.counts[kind]! > this.counts[best]!) best = kind;
    }
    return best;
  }

  #findFirst(field: Field): void {
    this.firstId = 0;
    if (this.focus === NONE) return;
    const pieces = this.isBuilding ? field.buildings : field.units;
    const kind = this.isBuilding ? this.focus - FIRST_BUILDING : this.focus;
    for (let row = 0; row < pieces.count; row++) {
      if ((pieces.flags[row]! & SELECTED) === 0 || pieces.kind[row] !== kind) continue;
      // The lowest id, so that it stays the same one.
      if (this.firstId !== 0 && pieces.id[row]! > this.firstId) continue;
      this.firstId = pieces.id[row]!;
      this.firstRow = row;
      this.firstBuilt = pieces.built[row]!;
    }
  }
}
