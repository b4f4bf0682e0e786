/**
 * Finds who sees whom, for a server whose game has to do that itself: a grid over the objects, and for each client the objects it has, with their
 * tier. It must be fast, since its time counts for the server that uses it: cells are rebuilt with two passes of a counting sort, and only changes
 * are reported.
 */

import { type Scene, SIGHT, SIGHT_LOST, TIERS } from "./scene.ts";

const CELL = 50;
/** In the table of tiers: not seen. */
const UNSEEN = 0;

export class Interest {
  readonly #scene: Scene;
  readonly #across: number;
  /** Objects by cell: those of cell c are `#order[#start[c] … #start[c + 1] − 1]`. */
  readonly #start: Int32Array;
  readonly #order: Int32Array;
  readonly #cell: Int32Array;
  /** By client and object: 0 unseen, otherwise tier + 1. */
  readonly #tiers: Uint8Array;
  readonly #seen: number[][];
  /** Squares of the tiers' radii. */
  readonly #reaches: readonly number[];

  /** @param tiered whether tiers are told apart; otherwise all that is seen is of tier 0. */
  constructor(scene: Scene, tiered: boolean) {
    const { objects, clients, side } = scene.size;
    this.#scene = scene;
    this.#across = Math.ceil(side / CELL) + 1;
    this.#start = new Int32Array(this.#across * this.#across + 1);
    this.#order = new Int32Array(objects);
    this.#cell = new Int32Array(objects);
    this.#tiers = new Uint8Array(clients * objects);
    this.#seen = Array.from({ length: clients }, () => []);
    this.#reaches = (tiered ? TIERS.map(({ radius }) => radius) : [SIGHT]).map((radius) => radius * radius);
  }

  /** Sorts the objects into their cells; call it when they have moved. */
  sort(): void {
    const { x, y } = this.#scene;
    this.#start.fill(0);
    for (let i = 0; i < this.#cell.length; i++) {
      const cell = Math.floor(y[i]! / CELL) * this.#across + Math.floor(x[i]! / CELL);
      this.#cell[i] = cell;
      this.#start[cell + 1]!++;
    }
    for (let cell = 1; cell < this.#start.length; cell++) this.#start[cell]! += this.#start[cell - 1]!;
    for (let i = this.#cell.length - 1; i >= 0; i--) this.#order[--this.#start[this.#cell[i]! + 1]!] = i;
    this.#start.copyWithin(0, 1);
    this.#start[this.#start.length - 1] = this.#order.length;
  }

  /** Reports what changed for a client since the last time: tiers as they were and are, −1 for unseen. */
  refresh(client: number, changed: (object: number, before: number, now: number) => void): void {
    const seen = this.#seen[client]!;
    const base = client * this.#order.length;
    let kept = 0;
    for (const object of seen) {
      if (this.#squared(client, object) <= SIGHT_LOST * SIGHT_LOST) {
        seen[kept++] = object;
        continue;
      }
      changed(object, this.#tiers[base + object]! - 1, -1);
      this.#tiers[base + object] = UNSEEN;
    }
    seen.length = kept;
    this.#look(client, seen, changed);
  }

  #look(client: number, seen: number[], changed: (object: number, before: number, now: number) => void): void {
    const { x, y } = this.#scene;
    const last = this.#across - 1;
    const base = client * this.#order.length;
    const fromX = Math.max(0, Math.floor((x[client]! - SIGHT_LOST) / CELL));
    const toX = Math.min(last, Math.floor((x[client]! + SIGHT_LOST) / CELL));
    const fromY = Math.max(0, Math.floor((y[client]! - SIGHT_LOST) / CELL));
    const toY = Math.min(last, Math.floor((y[client]! + SIGHT_LOST) / CELL));
    for (let row = fromY; row <= toY; row++) {
      const end = this.#start[row * this.#across + toX + 1]!;
      for (let at = this.#start[row * this.#across + fromX]!; at < end; at++) {
        const object = this.#order[at]!;
        const before = this.#tiers[base + object]!;
        const now = this.#tierAt(this.#squared(client, object), before);
        if (now === before) continue;
        this.#tiers[base + object] = now;
        if (before === UNSEEN) seen.push(object);
        changed(object, before - 1, now - 1);
      }
    }
  }

  /** What is seen already stays in the last tier until it is lost. */
  #tierAt(squared: number, before: number): number {
    const reaches = this.#reaches;
    for (let tier = 0; tier < reaches.length; tier++) if (squared <= reaches[tier]!) return tier + 1;
    return before === UNSEEN ? UNSEEN : reaches.length;
  }

  #squared(client: number, object: number): number {
    const { x, y } = this.#scene;
    return (x[client]! - x[object]!) ** 2 + (y[client]! - y[object]!) ** 2;
  }
}
