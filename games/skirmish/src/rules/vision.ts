/**
 * What each side sees, cell by cell: the rule of the server's team vision, so that orders and bots know exactly what a player's client may know. A cell is
 * seen if its middle is no farther from the middle of a piece's cell than the piece sees.
 */

import { FOG_CELL } from "../state.ts";
import { KINDS, SIGHT } from "./kinds.ts";
import type { Pieces } from "./pieces.ts";

export class SideVision {
  readonly cells: number;
  /** By cell: bit s is set if side s sees it. */
  readonly seen: Uint8Array;
  /** By cell: bit s is set if side s has ever seen it. */
  readonly known: Uint8Array;
  /** By kind: steps from a cell to those that the kind sees, as rows of x and y. */
  readonly #discs: readonly Int8Array[];
  /** By kind and cell: sides whose pieces of that kind were counted there. Crowds cost as much as one piece. */
  readonly #counted: Uint8Array;

  constructor(size: number) {
    this.cells = Math.ceil(size / FOG_CELL);
    const count = this.cells * this.cells;
    this.seen = new Uint8Array(count);
    this.known = new Uint8Array(count);
    this.#counted = new Uint8Array(count * KINDS.length);
    this.#discs = KINDS.map((_, kind) => disc(SIGHT[kind]! / FOG_CELL));
  }

  refresh(pieces: Pieces): void {
    const { seen, known, cells } = this;
    const counted = this.#counted;
    seen.fill(0);
    counted.fill(0);
    for (let slot = 0; slot < pieces.high; slot++) {
      if (pieces.alive[slot] === 0) continue;
      const cell = this.cellAt(pieces.x[slot]!, pieces.y[slot]!);
      const kind = pieces.kind[slot]!;
      const bit = 1 << pieces.side[slot]!;
      const at = kind * seen.length + cell;
      if ((counted[at]! & bit) !== 0) continue;
      counted[at]! |= bit;
      const column = cell % cells;
      const row = (cell - column) / cells;
      const steps = this.#discs[kind]!;
      for (let step = 0; step < steps.length; step += 2) {
        const x = column + steps[step]!;
        const y = row + steps[step + 1]!;
        if (x >= 0 && y >= 0 && x < cells && y < cells) seen[y * cells + x]! |= bit;
      }
    }
    for (let cell = 0; cell < seen.length; cell++) known[cell]! |= seen[cell]!;
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

function disc(reach: number): Int8Array {
  const steps: number[] = [];
  const whole = Math.floor(reach);
  for (let y = -whole; y <= whole; y++) {
    for (let x = -whole; x <= whole; x++) if (x * x + y * y <= reach * reach) steps.push(x, y);
  }
  return Int8Array.from(steps);
}
