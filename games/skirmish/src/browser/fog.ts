/**
 * What the own side sees, and what it once saw, cell by cell. By the rule of `rules/vision.ts`, so the page knows without a byte what the server lets it
 * know: a cell is seen if its middle is no farther from the middle of a piece's cell than the piece sees.
 *
 * For every picture: `begin()`, `see(x, y, sight)` for each own piece, `end()`. A match keeps one fog; the next match makes a new one.
 */

import { FOG_CELL } from "../state.ts";
import type { SeenCells } from "./picture.ts";

const NEVER = 0;
const ONCE = 1;
const NOW = 2;

export class Fog implements SeenCells {
  /** Cells in a row. */
  readonly across: number;
  /** 0: never seen, 1: once, 2: now. Row by row. */
  readonly cells: Uint8Array;
  /** By cell: how far the piece there sees that sees farthest. Its disc covers those of the others, so a crowd costs as much as one piece. */
  readonly #sights: Float32Array;
  /** Cells with such a piece, as many as `#count`. */
  readonly #places: Uint32Array;
  #count = 0;
  /** By sight: for each row from the topmost seen to the lowest, how many cells to each hand are seen. */
  readonly #spans = new Map<number, Uint8Array>();

  /** `size`: length of the map's sides, world units. */
  constructor(size: number) {
    this.across = Math.ceil(size / FOG_CELL);
    this.cells = new Uint8Array(this.across * this.across);
    this.#sights = new Float32Array(this.cells.length);
    this.#places = new Uint32Array(this.cells.length);
  }

  begin(): void {
    this.#count = 0;
  }

  /** A piece at a place sees so far, world units. */
  see(x: number, y: number, sight: number): void {
    const cell = this.#cellAt(x, y);
    const before = this.#sights[cell]!;
    if (before >= sight) return;
    if (before === 0) this.#places[this.#count++] = cell;
    this.#sights[cell] = sight;
  }

  end(): void {
    const { cells } = this;
    for (let cell = 0; cell < cells.length; cell++) if (cells[cell] === NOW) cells[cell] = ONCE;
    for (let at = 0; at < this.#count; at++) {
      const cell = this.#places[at]!;
      this.#stamp(cell, this.#spansOf(this.#sights[cell]!));
      this.#sights[cell] = 0;
    }
  }

  isSeen(x: number, y: number): boolean {
    return this.cells[this.#cellAt(x, y)] === NOW;
  }

  wasSeen(x: number, y: number): boolean {
    return this.cells[this.#cellAt(x, y)] !== NEVER;
  }

  #stamp(cell: number, spans: Uint8Array): void {
    const { cells, across } = this;
    const column = cell % across;
    const top = (cell - column) / across - (spans.length >> 1);
    for (let line = 0; line < spans.length; line++) {
      const row = top + line;
      if (row < 0 || row >= across) continue;
      const from = Math.max(0, column - spans[line]!);
      const to = Math.min(across - 1, column + spans[line]!);
      cells.fill(NOW, row * across + from, row * across + to + 1);
    }
  }

  #spansOf(sight: number): Uint8Array {
    const ready = this.#spans.get(sight);
    if (ready) return ready;
    const reach = sight / FOG_CELL;
    const whole = Math.floor(reach);
    const spans = Uint8Array.from({ length: 2 * whole + 1 }, (_, line) =>
      Math.floor(Math.sqrt(reach * reach - (line - whole) ** 2)),
    );
    this.#spans.set(sight, spans);
    return spans;
  }

  #cellAt(x: number, y: number): number {
    return this.#line(y) * this.across + this.#line(x);
  }

  /** Points outside the map count as on its edge. */
  #line(coordinate: number): number {
    const line = Math.floor(coordinate / FOG_CELL);
    return line > 0 ? Math.min(line, this.across - 1) : 0;
  }
}
