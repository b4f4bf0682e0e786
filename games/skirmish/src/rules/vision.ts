/**
 * What each side sees, cell by cell: the rule of the server's team vision, so that orders and bots know exactly what a player's client may know. A cell is
 * seen if its middle is no farther from the middle of a piece's cell than the piece sees.
 */

import { FOG_CELL, MOST_SIDES } from "../state.ts";
import { SIGHT } from "./kinds.ts";
import type { Pieces } from "./pieces.ts";

export class SideVision {
  readonly cells: number;
  /** By cell: bit s is set if side s sees it. */
  readonly seen: Uint8Array;
  /** By cell: bit s is set if side s has ever seen it. */
  readonly known: Uint8Array;
  /** By rank: for each row from the topmost seen to the lowest, how many cells to each hand are seen. Kinds that see as far share a rank, 1 and up. */
  readonly #spans: readonly Uint8Array[];
  readonly #rankOf: Uint8Array;
  /** By side and cell: highest rank of the side's pieces there. The largest disc covers the others, so crowds cost as much as one piece. */
  readonly #ranks: Uint8Array;
  readonly #places: Uint32Array;

  constructor(size: number) {
    this.cells = Math.ceil(size / FOG_CELL);
    const count = this.cells * this.cells;
    this.seen = new Uint8Array(count);
    this.known = new Uint8Array(count);
    this.#ranks = new Uint8Array(count * MOST_SIDES);
    this.#places = new Uint32Array(count * MOST_SIDES);
    const sights = [...new Set(SIGHT)].sort((a, b) => a - b);
    this.#rankOf = Uint8Array.from(SIGHT, (sight) => sights.indexOf(sight) + 1);
    this.#spans = [new Uint8Array(0), ...sights.map((sight) => spansOf(sight / FOG_CELL))];
  }

  refresh(pieces: Pieces): void {
    const { seen, known } = this;
    const count = this.#rankPlaces(pieces);
    seen.fill(0);
    for (let at = 0; at < count; at++) {
      const place = this.#places[at]!;
      this.#stamp(place % seen.length, 1 << Math.floor(place / seen.length), this.#spans[this.#ranks[place]!]!);
      this.#ranks[place] = 0;
    }
    for (let cell = 0; cell < seen.length; cell++) known[cell]! |= seen[cell]!;
  }

  /** Notes who sees farthest in each cell, by side; gives the number of such places. */
  #rankPlaces(pieces: Pieces): number {
    const ranks = this.#ranks;
    let count = 0;
    for (let slot = 0; slot < pieces.high; slot++) {
      if (pieces.alive[slot] === 0) continue;
      const place = pieces.side[slot]! * this.seen.length + this.cellAt(pieces.x[slot]!, pieces.y[slot]!);
      const rank = this.#rankOf[pieces.kind[slot]!]!;
      if (ranks[place]! >= rank) continue;
      if (ranks[place] === 0) this.#places[count++] = place;
      ranks[place] = rank;
    }
    return count;
  }

  #stamp(cell: number, bit: number, spans: Uint8Array): void {
    const { seen, cells } = this;
    const column = cell % cells;
    const top = (cell - column) / cells - (spans.length >> 1);
    for (let line = 0; line < spans.length; line++) {
      const row = top + line;
      if (row < 0 || row >= cells) continue;
      const last = row * cells + Math.min(cells - 1, column + spans[line]!);
      for (let at = row * cells + Math.max(0, column - spans[line]!); at <= last; at++) seen[at]! |= bit;
    }
  }

  sees(side: number, x: number, y: number): boolean {
    return ((this.seen[this.cellAt(x, y)]! >> side) & 1) === 1;
  }

  hasSeen(side: number, x: number, y: number): boolean {
    return ((this.known[this.cellAt(x, y)]! >> side) & 1) === 1;
  }

  cellAt(x: number, y: number): number {
    return this.#line(y) * this.cells + this.#line(x);
  }

  #line(coordinate: number): number {
    const line = Math.floor(coordinate / FOG_CELL);
    return line > 0 ? Math.min(line, this.cells - 1) : 0;
  }
}

/** The rows of a disc, as half widths. */
function spansOf(reach: number): Uint8Array {
  const whole = Math.floor(reach);
  return Uint8Array.from({ length: 2 * whole + 1 }, (_, line) => {
    const dy = line - whole;
    return Math.floor(Math.sqrt(reach * reach - dy * dy));
  });
}
