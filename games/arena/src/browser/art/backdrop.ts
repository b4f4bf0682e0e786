/**
 * What does not move: floor and walls, in squares that are painted when they first come into sight and then only copied. One square a frame
 * is painted ahead of need, the nearest first. Blasts mark the floor for good: they are painted into its squares.
 */

import type { Camera } from "../camera.ts";
import { paintFloor, scorch } from "./floor.ts";
import type { Ground, Rect } from "./ground.ts";
import { VOID } from "./palette.ts";
import type { Pen } from "./pen.ts";
import { newPicture, type Picture } from "./picture.ts";
import { paintTops, WALL_LIFT, WallSides } from "./wall-art.ts";

/** Side of a square, world units, and how finely it is painted. */
const SIDE = 250;
const FINENESS = 2;
/** From far above, smaller pictures do: below this scale (CSS pixels per unit) those of half the size are copied. */
const COARSE_SCALE = 1.1;
const COARSENESS = 2;
/** Squares that are kept; beyond them the furthest are forgotten, and painted again when they are needed. */
const KEPT = 42;

/** Each painted finely, and coarsely. */
interface Square {
  readonly floors: readonly [fine: CanvasRenderingContext2D, coarse: CanvasRenderingContext2D];
  /** Undefined where no wall stands. */
  readonly tops: readonly [fine: Picture, coarse: Picture] | undefined;
}

export class Backdrop {
  readonly #ground: Ground;
  readonly #sides: WallSides;
  readonly #columns: number;
  readonly #rows: number;
  readonly #squares: (Square | undefined)[];
  readonly #scorch = scorch();
  #painted = 0;

  constructor(ground: Ground) {
    this.#ground = ground;
    this.#sides = new WallSides(ground);
    this.#columns = Math.ceil(ground.width / SIDE);
    this.#rows = Math.ceil(ground.height / SIDE);
    this.#squares = new Array<Square | undefined>(this.#columns * this.#rows).fill(undefined);
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
    const size = sizeFor(camera);
    this.#eachInSight(camera, 1, ({ floors }, column, row) => this.#copy(context, floors[size].canvas, column, row));
  }

  /** Everything that lies on the floor is drawn before; walls stand above it. */
  drawWalls(pen: Pen, camera: Camera, ratio: number): void {
    const { context } = pen;
    pen.aim(camera, ratio);
    this.#sides.draw(context, camera);
    pen.aim(camera, ratio, WALL_LIFT);
    const size = sizeFor(camera);
    this.#eachInSight(camera, WALL_LIFT, ({ tops }, column, row) => {
      if (tops) this.#copy(context, tops[size], column, row);
    });
    pen.aim(camera, ratio);
  }

  /** A blast blackens the floor. */
  scorch(x: number, y: number, radius: number): void {
    for (let row = Math.floor((y - radius) / SIDE); row * SIDE < y + radius; row++) {
      for (let column = Math.floor((x - radius) / SIDE); column * SIDE < x + radius; column++) {
        if (column < 0 || row < 0 || column >= this.#columns || row >= this.#rows) continue;
        for (const floor of this.#squares[row * this.#columns + column]?.floors ?? []) {
          floor.globalAlpha = 0.28;
          floor.drawImage(this.#scorch, x - radius, y - radius, 2 * radius, 2 * radius);
          floor.globalAlpha = 1;
        }
      }
    }
  }

  #copy(context: CanvasRenderingContext2D, picture: Picture, column: number, row: number): void {
    // A little more than its share hides the hairline between two squares.
    context.drawImage(picture, column * SIDE, row * SIDE, SIDE + 0.4, SIDE + 0.4);
  }

  #eachInSight(camera: Camera, lift: number, draw: (square: Square, column: number, row: number) => void): void {
    const [halfWidth, halfHeight] = [
      camera.width / camera.scale / 2 / lift + 12,
      camera.height / camera.scale / 2 / lift + 12,
    ];
    const first = Math.max(0, Math.floor((camera.x - halfWidth) / SIDE));
    const last = Math.min(this.#columns - 1, Math.floor((camera.x + halfWidth) / SIDE));
    const top = Math.max(0, Math.floor((camera.y - halfHeight) / SIDE));
    const bottom = Math.min(this.#rows - 1, Math.floor((camera.y + halfHeight) / SIDE));
    for (let row = top; row <= bottom; row++)
      for (let column = first; column <= last; column++) draw(this.#square(column, row), column, row);
  }

  #square(column: number, row: number): Square {
    const at = row * this.#columns + column;
    const ready = this.#squares[at];
    if (ready) return ready;
    this.#painted++;
    const square = this.#paint(column, row);
    this.#squares[at] = square;
    return square;
  }

  #paint(column: number, row: number): Square {
    const area = { x: column * SIDE, y: row * SIDE, width: SIDE, height: SIDE };
    const floor = layerOf(area, FINENESS);
    floor.beginPath();
    floor.rect(0, 0, this.#ground.width, this.#ground.height);
    floor.clip();
    paintFloor(floor, this.#ground, area);
    const tops = layerOf(area, FINENESS);
    const hasWalls = paintTops(tops, this.#ground, area);
    return {
      floors: [floor, coarsened(floor, area)],
      tops: hasWalls ? [tops.canvas, coarsened(tops, area).canvas] : undefined,
    };
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

function sizeFor(camera: Camera): 0 | 1 {
  return camera.scale < COARSE_SCALE ? 1 : 0;
}

function layerOf(area: Rect, fineness: number): CanvasRenderingContext2D {
  const context = newPicture(SIDE * fineness);
  context.setTransform(fineness, 0, 0, fineness, -area.x * fineness, -area.y * fineness);
  return context;
}

function coarsened(fine: CanvasRenderingContext2D, area: Rect): CanvasRenderingContext2D {
  const coarse = layerOf(area, FINENESS / COARSENESS);
  coarse.imageSmoothingQuality = "high";
  coarse.drawImage(fine.canvas, area.x, area.y, SIDE, SIDE);
  return coarse;
}
