/**
 * What does not move: floor and walls, in squares that are painted when they first come into sight and then only copied. One square a frame
 * is painted ahead of need, the nearest first. Blasts mark the floor for good: they are painted into its squares. From far above, sheets are copied
 * instead, into which every square was copied when it was painted.
 */

import type { Camera } from "../camera.ts";
import { paintFloor, scorch } from "./floor.ts";
import type { Ground, Rect } from "./ground.ts";
import { VOID } from "./palette.ts";
import type { Pen } from "./pen.ts";
import { finished, newPicture, type Picture } from "./picture.ts";
import { Sheets } from "./sheets.ts";
import { paintTops, WALL_LIFT, WallSides } from "./wall-art.ts";

/** Side of a square, world units, and how finely it is painted. */
const SIDE = 250;
const FINENESS = 2;
/** From far above, coarser pictures do: below this scale (CSS pixels per unit) sheets are copied. */
const COARSE_SCALE = 1.1;
/** Squares that are kept; beyond them the furthest are forgotten, and painted again when they are needed. */
const KEPT = 42;
/** How black a blast leaves the floor. */
const SCORCH = 0.28;

interface Square {
  readonly floor: CanvasRenderingContext2D;
  /** Undefined where no wall stands. */
  readonly tops: Picture | undefined;
}

/** The squares in sight, by column and row. */
interface Span {
  first: number;
  last: number;
  top: number;
  bottom: number;
}

export class Backdrop {
  readonly #ground: Ground;
  readonly #sides: WallSides;
  readonly #columns: number;
  readonly #rows: number;
  readonly #squares: (Square | undefined)[];
  readonly #sheets: Sheets;
  /** By square: 1 once the sheets have it; they keep what the squares forget. */
  readonly #isOnSheet: Uint8Array;
  readonly #span: Span = { first: 0, last: 0, top: 0, bottom: 0 };
  readonly #scorch = scorch();
  #painted = 0;

  constructor(ground: Ground) {
    this.#ground = ground;
    this.#sides = new WallSides(ground);
    this.#columns = Math.ceil(ground.width / SIDE);
    this.#rows = Math.ceil(ground.height / SIDE);
    this.#squares = new Array<Square | undefined>(this.#columns * this.#rows).fill(undefined);
    this.#sheets = new Sheets(ground);
    this.#isOnSheet = new Uint8Array(this.#squares.length);
  }

  /** Whether everything that will be kept is painted. */
  get isReady(): boolean {
    return this.#painted >= Math.min(KEPT, this.#squares.length);
  }

  /** Floor first; covers the whole canvas. `ratio` is device pixels per CSS pixel. */
  drawFloor(pen: Pen, camera: Camera, ratio: number): void {
    const { context } = pen;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalAlpha = 1;
    context.globalCompositeOperation = "source-over";
    context.fillStyle = VOID;
    context.fillRect(0, 0, context.canvas.width, context.canvas.height);
    this.#paintAhead(camera);
    pen.aim(camera, ratio);
    if (camera.scale < COARSE_SCALE) return this.#drawSheets(context, camera, "floor", 1);
    const { first, last, top, bottom } = this.#inSight(camera, 1);
    for (let row = top; row <= bottom; row++)
      for (let column = first; column <= last; column++)
        this.#copy(context, this.#square(column, row).floor.canvas, column, row);
  }

  /** Everything that lies on the floor is drawn before; walls stand above it. */
  drawWalls(pen: Pen, camera: Camera, ratio: number): void {
    const { context } = pen;
    pen.aim(camera, ratio);
    this.#sides.draw(context, camera);
    pen.aim(camera, ratio, WALL_LIFT);
    if (camera.scale < COARSE_SCALE) this.#drawSheets(context, camera, "tops", WALL_LIFT);
    else this.#drawTops(context, camera);
    pen.aim(camera, ratio);
  }

  /** A blast blackens the floor. */
  scorch(x: number, y: number, radius: number): void {
    for (let row = Math.floor((y - radius) / SIDE); row * SIDE < y + radius; row++) {
      for (let column = Math.floor((x - radius) / SIDE); column * SIDE < x + radius; column++) {
        if (column < 0 || row < 0 || column >= this.#columns || row >= this.#rows) continue;
        const floor = this.#squares[row * this.#columns + column]?.floor;
        if (!floor) continue;
        floor.globalAlpha = SCORCH;
        floor.drawImage(this.#scorch, x - radius, y - radius, 2 * radius, 2 * radius);
        floor.globalAlpha = 1;
      }
    }
    this.#sheets.mark(this.#scorch, x - radius, y - radius, 2 * radius, SCORCH);
  }

  #copy(context: CanvasRenderingContext2D, picture: Picture, column: number, row: number): void {
    // A little more than its share hides the hairline between two squares.
    context.drawImage(picture, column * SIDE, row * SIDE, SIDE + 0.4, SIDE + 0.4);
  }

  #drawTops(context: CanvasRenderingContext2D, camera: Camera): void {
    const { first, last, top, bottom } = this.#inSight(camera, WALL_LIFT);
    for (let row = top; row <= bottom; row++) {
      for (let column = first; column <= last; column++) {
        const { tops } = this.#square(column, row);
        if (tops) this.#copy(context, tops, column, row);
      }
    }
  }

  #drawSheets(context: CanvasRenderingContext2D, camera: Camera, what: "floor" | "tops", lift: number): void {
    const { first, last, top, bottom } = this.#inSight(camera, lift);
    for (let row = top; row <= bottom; row++)
      for (let column = first; column <= last; column++)
        if (this.#isOnSheet[row * this.#columns + column] === 0) this.#square(column, row);
    this.#sheets.draw(context, what, first * SIDE, top * SIDE, (last + 1) * SIDE, (bottom + 1) * SIDE);
  }

  #inSight(camera: Camera, lift: number): Span {
    const halfWidth = camera.width / camera.scale / 2 / lift + 12;
    const halfHeight = camera.height / camera.scale / 2 / lift + 12;
    const span = this.#span;
    span.first = Math.max(0, Math.floor((camera.x - halfWidth) / SIDE));
    span.last = Math.min(this.#columns - 1, Math.floor((camera.x + halfWidth) / SIDE));
    span.top = Math.max(0, Math.floor((camera.y - halfHeight) / SIDE));
    span.bottom = Math.min(this.#rows - 1, Math.floor((camera.y + halfHeight) / SIDE));
    return span;
  }

  #square(column: number, row: number): Square {
    const at = row * this.#columns + column;
    const ready = this.#squares[at];
    if (ready) return ready;
    this.#painted++;
    const square = this.#paint(column, row);
    this.#squares[at] = square;
    this.#sheets.take(square.floor.canvas, square.tops, column * SIDE, row * SIDE, SIDE);
    this.#isOnSheet[at] = 1;
    return square;
  }

  #paint(column: number, row: number): Square {
    const area = { x: column * SIDE, y: row * SIDE, width: SIDE, height: SIDE };
    const floor = layerOf(area);
    floor.beginPath();
    floor.rect(0, 0, this.#ground.width, this.#ground.height);
    floor.clip();
    paintFloor(floor, this.#ground, area);
    const tops = layerOf(area);
    const hasWalls = paintTops(tops, this.#ground, area);
    return { floor, tops: hasWalls ? finished(tops) : undefined };
  }

  /** Paints the nearest square that is not there yet, or forgets the furthest if there are too many. */
  #paintAhead(camera: Camera): void {
    if (this.isReady && this.#painted <= KEPT) return;
    const forgets = this.#painted > KEPT;
    let chosen = -1;
    let best = forgets ? -1 : Number.POSITIVE_INFINITY;
    for (let at = 0; at < this.#squares.length; at++) {
      if ((this.#squares[at] !== undefined) !== forgets) continue;
      const dx = ((at % this.#columns) + 0.5) * SIDE - camera.x;
      const dy = (Math.floor(at / this.#columns) + 0.5) * SIDE - camera.y;
      const away = dx * dx + dy * dy;
      if (forgets ? away <= best : away >= best) continue;
      best = away;
      chosen = at;
    }
    if (!forgets) this.#square(chosen % this.#columns, Math.floor(chosen / this.#columns));
    else {
      this.#squares[chosen] = undefined;
      this.#painted--;
    }
  }
}

function layerOf(area: Rect): CanvasRenderingContext2D {
  const context = newPicture(SIDE * FINENESS);
  context.setTransform(FINENESS, 0, 0, FINENESS, -area.x * FINENESS, -area.y * FINENESS);
  return context;
}
