/**
 * The walls of a room, drawn once into a picture of their own and kept while the room is near: neon tubes around the wall tiles. A tube is two strokes of
 * the same path, a bright wide one and a dark narrow one on top; where walls lie two by two (between rooms) the inside is filled.
 */

import { GATE, type Maze, ROOM, ROOMS, WALL } from "../maze.ts";
import { roomHue } from "../palette.ts";

/** Device pixels kept: nine large pictures in play, all 64 small ones in the overview. About 100 MB. */
const KEPT_PIXELS = 26_000_000;
/** Largest side of a picture, device pixels. */
const MAX_SIDE = 1200;
const TUBE = 0.6;
const EDGE = 0.085;
/** The glow is soft, so it is drawn this many times smaller and stretched: a blur at full size would stall the page for seconds. */
const GLOW_SHRINK = 4;
/** Tiles beyond the room's edge that are drawn with it, so that rooms join without a seam. */
const MARGIN = 2;

export class RoomArt {
  readonly #maze: Maze;
  /** By room and side, the least recently used first. */
  readonly #pictures = new Map<string, HTMLCanvasElement>();
  #pixels = 0;

  constructor(maze: Maze) {
    this.#maze = maze;
  }

  /**
   * The picture of a room, at about `side` device pixels; undefined if there is none yet and `draw` forbids to make one now. One takes some
   * milliseconds, so a frame should not make many.
   */
  get(room: number, side: number, draw: boolean): HTMLCanvasElement | undefined {
    const wanted = Math.min(MAX_SIDE, Math.ceil(side));
    const key = `${room} ${wanted}`;
    const kept = this.#pictures.get(key);
    if (kept) {
      this.#pictures.delete(key);
      this.#pictures.set(key, kept);
      return kept;
    }
    if (!draw) return undefined;
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
    const hue = roomHue(room);
    const [left, top] = [(room % ROOMS) * ROOM, Math.floor(room / ROOMS) * ROOM];
    const walls = { tubes: this.#tubes(left, top), blocks: this.#blocks(left, top) };
    const context = newPicture(side);
    const floor = context.createRadialGradient(side / 2, side / 2, side * 0.1, side / 2, side / 2, side * 0.75);
    floor.addColorStop(0, `hsl(${hue} 60% 7%)`);
    floor.addColorStop(1, `hsl(${hue} 70% 3.5%)`);
    context.fillStyle = floor;
    context.fillRect(0, 0, side, side);
    context.drawImage(glowOf(walls, Math.ceil(side / GLOW_SHRINK), hue), 0, 0, side, side);
    toTiles(context);
    paint(context, walls, TUBE, `hsl(${hue} 95% 62%)`);
    paint(context, walls, TUBE - 2 * EDGE, `hsl(${hue} 65% 8%)`);
    paint(context, walls, TUBE - 4.4 * EDGE, `hsl(${hue} 70% 11%)`);
    this.#paintGates(context, left, top);
    return context.canvas;
  }

  #isWall(x: number, y: number): boolean {
    return this.#maze.at(x, y) === WALL;
  }

  /** Lines through the centres of neighbouring wall tiles, as long as they go straight; a wall tile by itself is a point. */
  #tubes(left: number, top: number): Path2D {
    const path = new Path2D();
    for (let line = -MARGIN; line < ROOM + MARGIN; line++) {
      this.#addRuns(path, (at) => [at, line], left, top);
      this.#addRuns(path, (at) => [line, at], left, top);
    }
    return path;
  }

  #addRuns(path: Path2D, tile: (at: number) => [number, number], left: number, top: number): void {
    const wallAt = (at: number): boolean => {
      const [x, y] = tile(at);
      return at < ROOM + MARGIN && this.#isWall(left + x, top + y);
    };
    for (let start = -MARGIN; start < ROOM + MARGIN; start++) {
      if (!wallAt(start)) continue;
      let end = start;
      while (wallAt(end + 1)) end++;
      path.moveTo(...tile(start));
      path.lineTo(...tile(end));
      start = end;
    }
  }

  #blocks(left: number, top: number): Path2D {
    const path = new Path2D();
    for (let y = -MARGIN; y < ROOM + MARGIN; y++) {
      for (let x = -MARGIN; x < ROOM + MARGIN; x++) {
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

interface Walls {
  readonly tubes: Path2D;
  readonly blocks: Path2D;
}

function newPicture(side: number): CanvasRenderingContext2D {
  const canvas = document.createElement("canvas");
  canvas.width = canvas.height = side;
  return canvas.getContext("2d")!;
}

/** From here on coordinates are tiles of the room; a tile's centre is a whole number. */
function toTiles(context: CanvasRenderingContext2D): void {
  const scale = context.canvas.width / ROOM;
  context.setTransform(scale, 0, 0, scale, scale / 2, scale / 2);
  context.lineCap = "round";
  context.lineJoin = "round";
}

function glowOf(walls: Walls, side: number, hue: number): HTMLCanvasElement {
  const context = newPicture(side);
  toTiles(context);
  context.shadowColor = `hsl(${hue} 100% 55%)`;
  context.shadowBlur = (side / ROOM) * 0.6;
  paint(context, walls, TUBE, `hsl(${hue} 100% 50%)`);
  return context.canvas;
}

function paint(context: CanvasRenderingContext2D, { tubes, blocks }: Walls, width: number, colour: string): void {
  context.strokeStyle = colour;
  context.fillStyle = colour;
  context.lineWidth = width;
  context.stroke(tubes);
  context.fill(blocks);
}
