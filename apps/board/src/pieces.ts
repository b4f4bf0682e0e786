/**
 * Cuts a stroke into pieces while it is drawn: each piece keeps to the rules of `ink.ts`, and begins where the one before it ended. So the pieces look
 * like one stroke, and each has a place of its own.
 */

import { MOST_POINTS, packInk, REACH } from "./ink.ts";
import { MOST_PLACE, PLACE_STEP } from "./shared.ts";

export interface Piece {
  readonly x: number;
  readonly y: number;
  /** x and y in turn, relative to the piece's place. */
  readonly points: number[];
}

export class Pieces {
  readonly all: Piece[] = [];
  #last: readonly [number, number] | undefined;

  /** The pen goes on to this place. Returns how many pieces changed or came: the last ones of `all`. */
  add(toX: number, toY: number): number {
    const [x, y] = [onBoard(toX), onBoard(toY)];
    const before = this.#last;
    this.#last = [x, y];
    if (before === undefined) {
      this.#begin(x, y);
      return 1;
    }
    // A step longer than a piece reaches is walked in several.
    const steps = Math.max(1, Math.ceil(Math.max(Math.abs(x - before[0]), Math.abs(y - before[1])) / REACH));
    let changed = 1;
    for (let step = 1; step <= steps; step++) {
      const share = step / steps;
      changed += this.#walk(before[0] + (x - before[0]) * share, before[1] + (y - before[1]) * share);
    }
    return changed;
  }

  #begin(x: number, y: number): void {
    this.all.push({ x, y, points: [0, 0] });
  }

  /** Returns 1 if it took a new piece. */
  #walk(x: number, y: number): number {
    const piece = this.all.at(-1)!;
    const [dx, dy] = [x - piece.x, y - piece.y];
    if (piece.points.length < 2 * MOST_POINTS && Math.max(Math.abs(dx), Math.abs(dy)) <= REACH) {
      piece.points.push(dx, dy);
      return 0;
    }
    const [endX, endY] = piece.points.slice(-2);
    const [fromX, fromY] = [onBoard(piece.x + endX!), onBoard(piece.y + endY!)];
    this.all.push({ x: fromX, y: fromY, points: [0, 0, x - fromX, y - fromY] });
    return 1;
  }
}

export function inkOf({ points }: Piece): Uint8Array {
  return packInk(points);
}

/** The nearest place that the board has. */
export function onBoard(value: number): number {
  const inside = Math.min(MOST_PLACE, Math.max(0, value));
  return Math.round(inside / PLACE_STEP) * PLACE_STEP;
}
