/** A thing as the page shows it: a piece of a stroke, or a note. What the page asked for and the server has not confirmed counts already. */

import type { ObjectId } from "@nearfield/schema";
import { unpackInk } from "../ink.ts";
import type { Box } from "./camera.ts";
import { type Lines, layOut, layOutPlain } from "./draw/lay-out.ts";
import type { Kept } from "./history.ts";
import { NOTE_SIDES, PEN_WIDTHS } from "./palette.ts";

abstract class Shown {
  readonly key: number;
  /** Of the replica; undefined until the server has it. */
  id: ObjectId | undefined;
  /** As the server has it. */
  placeX = 0;
  placeY = 0;
  paint = 0;
  author = 0;
  size = 0;
  /** Asked for, not confirmed: moved by so much, painted anew, taken away. */
  movedX = 0;
  movedY = 0;
  painted: number | undefined;
  erased = false;
  /** Whether it waits for a link. */
  waits = false;
  /** Page time of its last update, ms. */
  updatedMs = 0;

  constructor(key: number) {
    this.key = key;
  }

  get x(): number {
    return this.placeX + this.movedX;
  }

  get y(): number {
    return this.placeY + this.movedY;
  }

  get colour(): number {
    return this.painted ?? this.paint;
  }

  forgetAsked(): void {
    this.movedX = 0;
    this.movedY = 0;
    this.painted = undefined;
    this.erased = false;
    this.waits = false;
  }

  abstract get box(): Box;
  /** Whether the thing lies within `reach` units of this place. */
  abstract touches(x: number, y: number, reach: number): boolean;
  /** As it can be put on the board again. */
  abstract keep(): Kept;
}

export class ShownStroke extends Shown {
  readonly kind = "stroke";
  /** Key of the first piece, which names the whole stroke. */
  whole = 0;
  #ink: Uint8Array = new Uint8Array(0);
  #points: readonly number[] = [];
  #path: Path2D | undefined;
  /** Around its points, relative to its place. */
  #bounds: Box = { left: 0, top: 0, right: 0, bottom: 0 };

  get ink(): Uint8Array {
    return this.#ink;
  }

  set ink(ink: Uint8Array) {
    this.#ink = ink;
    this.#points = unpackInk(ink) ?? [];
    this.#path = undefined;
    this.#bounds = boundsOf(this.#points);
  }

  /** Relative to its place: a curve through the middles of its steps. */
  get path(): Path2D {
    this.#path ??= pathOf(this.#points);
    return this.#path;
  }

  get width(): number {
    return PEN_WIDTHS[this.size] ?? PEN_WIDTHS[1];
  }

  get box(): Box {
    const { left, top, right, bottom } = this.#bounds;
    const half = this.width / 2;
    const { x, y } = this;
    return { left: x + left - half, top: y + top - half, right: x + right + half, bottom: y + bottom + half };
  }

  touches(x: number, y: number, reach: number): boolean {
    const { left, top, right, bottom } = this.box;
    if (x < left - reach || x > right + reach || y < top - reach || y > bottom + reach) return false;
    const within = (reach + this.width / 2) ** 2;
    const [px, py] = [x - this.x, y - this.y];
    for (let at = 0; at < this.#points.length; at += 2) {
      const [ax, ay] = [this.#points[Math.max(0, at - 2)]!, this.#points[Math.max(1, at - 1)]!];
      if (squareToSegment(px, py, ax, ay, this.#points[at]!, this.#points[at + 1]!) <= within) return true;
    }
    return false;
  }

  keep(): Kept {
    const { key, whole, x, y, colour, size, ink } = this;
    return { kind: "draw", key, whole, x, y, colour, size, ink };
  }
}

export class ShownNote extends Shown {
  readonly kind = "note";
  plain = false;
  order = 0;
  #words = "";
  #lines: Lines | undefined;
  #linesSize = -1;

  get words(): string {
    return this.#words;
  }

  set words(words: string) {
    this.#words = words;
    this.#lines = undefined;
  }

  get lines(): Lines {
    if (this.#lines === undefined || this.#linesSize !== this.size) {
      this.#lines = this.plain ? layOutPlain(this.#words, this.size) : layOut(this.#words, this.size);
      this.#linesSize = this.size;
    }
    return this.#lines;
  }

  get width(): number {
    return this.plain ? this.lines.width : NOTE_SIDES[this.size]!;
  }

  get height(): number {
    return this.plain ? this.lines.height : NOTE_SIDES[this.size]!;
  }

  get box(): Box {
    return { left: this.x, top: this.y, right: this.x + this.width, bottom: this.y + this.height };
  }

  touches(x: number, y: number, reach: number): boolean {
    const { left, top, right, bottom } = this.box;
    return x >= left - reach && x <= right + reach && y >= top - reach && y <= bottom + reach;
  }

  keep(): Kept {
    const { key, x, y, colour, size, plain, words } = this;
    return { kind: "put", key, x, y, colour, size, plain, words };
  }
}

export type ShownThing = ShownStroke | ShownNote;

function boundsOf(points: readonly number[]): Box {
  let [left, top, right, bottom] = [0, 0, 0, 0];
  for (let at = 0; at < points.length; at += 2) {
    left = Math.min(left, points[at]!);
    right = Math.max(right, points[at]!);
    top = Math.min(top, points[at + 1]!);
    bottom = Math.max(bottom, points[at + 1]!);
  }
  return { left, top, right, bottom };
}

function pathOf(points: readonly number[]): Path2D {
  const path = new Path2D();
  if (points.length < 2) return path;
  path.moveTo(points[0]!, points[1]!);
  // A dot is a line of no length; round ends make it visible.
  if (points.length === 2) path.lineTo(points[0]!, points[1]!);
  for (let at = 2; at < points.length - 2; at += 2) {
    const [x, y] = [points[at]!, points[at + 1]!];
    path.quadraticCurveTo(x, y, (x + points[at + 2]!) / 2, (y + points[at + 3]!) / 2);
  }
  if (points.length > 2) path.lineTo(points.at(-2)!, points.at(-1)!);
  return path;
}

function squareToSegment(px: number, py: number, ax: number, ay: number, bx: number, by: number): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, ((px - ax) * dx + (py - ay) * dy) / length));
  return (px - ax - share * dx) ** 2 + (py - ay - share * dy) ** 2;
}
