/**
 * The walls of a room, drawn once into a picture of their own and kept while the room is near: neon tubes around the wall tiles. A tube is two strokes of
 * the same path, a bright wide one and a dark narrow one on top; where walls lie two by two (between rooms) the inside is filled.
 */

import { GATE, type Maze, ROOM, ROOMS, WALL } from "../maze.ts";
import { roomHue } from "../palette.ts";

/** Device pixels kept: nine large pictures in play, all 64 small ones in the overview. About 100 MB. */
const KEPT_PIXELS = 26_000_000;
/** Largest side of a picture, device pixels. */
const MAX_SIDE = 1600;
const TUBE = 0.6;
const EDGE = 0.085;

export class RoomArt {
  readonly #maze: Maze;
  /** By room and side, the least recently used first. */
  readonly #pictures = new Map<string, HTMLCanvasElement>();
  #pixels = 0;

  constructor(maze: Maze) {
    this.#maze = maze;
  }

  /** The picture of a room, at about `side` device pixels. */
  get(room: number, side: number): HTMLCanvasElement {
    const wanted = Math.min(MAX_SIDE, Math.ceil(side));
    const key = `${room} ${wanted}`;
    const kept = this.#pictures.get(key);
    if (kept) {
      this.#pictures.delete(key);
      this.#pictures.set(key, kept);
      return kept;
    }
    const picture = this.#draw(room, wanted);
    this.#pictures.set(key, picture);
    this.#pixels += wanted * wanted;
    this.#forgetOldest(key);
    return picture;
  }

  #forgetOldest(newest: string): void {
    for (const [key, picture] of this.#pictures) {
      if (this.#pixels <= KEPT_PIXELS || key === newest) return;
      this.#pictures.delete(key);
      this.#pixels -= picture.width * picture.width;
    }
  }

  #draw(room: number, side: number): HTMLCanvasElement {
    const canvas = document.createElement("canvas");
    canvas.width = side;
    canvas.height = side;
    const context = canvas.getContext("2d")!;
    const hue = roomHue(room);
    const scale = side / ROOM;
    const floor = context.createRadialGradient(side / 2, side / 2, side * 0.1, side / 2, side / 2, side * 0.75);
    floor.addColorStop(0, `hsl(${hue} 60% 7%)`);
    floor.addColorStop(1, `hsl(${hue} 70% 3.5%)`);
    context.fillStyle = floor;
    context.fillRect(0, 0, side, side);
    context.setTransform(scale, 0, 0, scale, scale / 2, scale / 2);
    context.lineCap = "round";
    context.lineJoin = "round";

    const [left, top] = [(room % ROOMS) * ROOM, Math.floor(room / ROOMS) * ROOM];
    const tubes = this.#tubes(left, top);
    const blocks = this.#blocks(left, top);
    context.shadowColor = `hsl(${hue} 100% 55%)`;
    context.shadowBlur = scale * 0.55;
    paint(context, tubes, blocks, TUBE, `hsl(${hue} 95% 62%)`);
    context.shadowBlur = 0;
    paint(context, tubes, blocks, TUBE - 2 * EDGE, `hsl(${hue} 65% 8%)`);
    paint(context, tubes, blocks, TUBE - 4.4 * EDGE, `hsl(${hue} 70% 11%)`);
    this.#paintGates(context, left, top);
    return canvas;
  }

  #isWall(x: number, y: number): boolean {
    return this.#maze.at(x, y) === WALL;
  }

  /** Lines between the centres of neighbouring wall tiles; one tile beyond the room's edge, so that rooms join without a seam. */
  #tubes(left: number, top: number): Path2D {
    const path = new Path2D();
    for (let y = -2; y <= ROOM + 1; y++) {
      for (let x = -2; x <= ROOM + 1; x++) {
        if (!this.#isWall(left + x, top + y)) continue;
        path.moveTo(x, y);
        path.lineTo(x, y);
        if (this.#isWall(left + x + 1, top + y)) {
          path.moveTo(x, y);
          path.lineTo(x + 1, y);
        }
        if (this.#isWall(left + x, top + y + 1)) {
          path.moveTo(x, y);
          path.lineTo(x, y + 1);
        }
      }
    }
    return path;
  }

  #blocks(left: number, top: number): Path2D {
    const path = new Path2D();
    for (let y = -2; y <= ROOM + 1; y++) {
      for (let x = -2; x <= ROOM + 1; x++) {
        const solid = [0, 1, 2, 3].every((at) => this.#isWall(left + x + (at % 2), top + y + (at >> 1)));
        if (solid) path.rect(x, y, 1, 1);
      }
    }
    return path;
  }

  #paintGates(context: CanvasRenderingContext2D, left: number, top: number): void {
    context.fillStyle = "#ffb3de";
    context.shadowColor = "#ff7ac8";
    context.shadowBlur = 8;
    for (let y = 0; y < ROOM; y++) {
      for (let x = 0; x < ROOM; x++)
        if (this.#maze.at(left + x, top + y) === GATE) context.fillRect(x - 0.62, y - 0.07, 1.24, 0.14);
    }
  }
}

function paint(context: CanvasRenderingContext2D, tubes: Path2D, blocks: Path2D, width: number, colour: string): void {
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.lineWidth = width;
  context.stroke(tubes);
  context.fill(blocks);
}
