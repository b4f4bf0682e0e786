/**
 * What does not move: the walls of all rooms in sight, the lit one and the dim ones, as one picture. It is drawn anew only while the camera or the light
 * moves or a room's art has just been finished; most frames only copy it.
 */

import { type Maze, ROOM, ROOMS } from "../maze.ts";
import { BACKGROUND } from "../palette.ts";
import { type Camera, OVERVIEW_ROOMS } from "./camera.ts";
import { RoomArt } from "./room-art.ts";

const DIM = 0.22;
/** The dim rooms are brighter from above. */
const OVERVIEW_LIGHT = 0.35;
const LIGHT_MS = 140;
/** A difference in light nobody sees. */
const SAME_LIGHT = 0.004;
/** Time a frame may spend on drawing new rooms, ms; the rest appear in the next frames. */
const ART_MS = 4;

export class Backdrop {
  readonly #camera: Camera;
  readonly #art: RoomArt;
  readonly #light = new Float64Array(ROOMS * ROOMS).fill(DIM);
  readonly #picture = document.createElement("canvas");
  #drawn = "";
  /** Rooms whose small picture is ready, and the side of those pictures. */
  #prepared = 0;
  #preparedSide = 0;

  constructor(maze: Maze, camera: Camera) {
    this.#camera = camera;
    this.#art = new RoomArt(maze);
  }

  /** 1 for the room on stage, less for the others. */
  lightOf(room: number): number {
    return this.#light[room]!;
  }

  /** Left and top edge of a room on the screen, CSS pixels. */
  cornerOf(room: number): [number, number] {
    const [x, y] = [(room % ROOMS) * ROOM, Math.floor(room / ROOMS) * ROOM];
    return [this.#camera.screenX(x - 0.5), this.#camera.screenY(y - 0.5)];
  }

  /** Rooms of which at least a part is on the screen, the one on stage first. */
  roomsInSight(width: number, height: number): number[] {
    const lit = this.#camera.row * ROOMS + this.#camera.column;
    const size = ROOM * this.#camera.tile;
    const rooms = [lit];
    for (let room = 0; room < ROOMS * ROOMS; room++) {
      const [left, top] = this.cornerOf(room);
      if (room !== lit && left < width && top < height && left + size > 0 && top + size > 0) rooms.push(room);
    }
    return rooms;
  }

  /** Covers the whole canvas. `scale` is device pixels per CSS pixel. */
  draw(context: CanvasRenderingContext2D, rooms: readonly number[], scale: number, elapsedMs: number): void {
    const { width, height } = context.canvas;
    this.#shiftLight(elapsedMs);
    const state = `${width} ${height} ${this.cornerOf(0)} ${this.#camera.tile} ${rooms.map((room) => this.#light[room])}`;
    if (state !== this.#drawn) this.#drawn = this.#redraw(width, height, rooms, scale) ? state : "";
    else this.#prepareOverview(scale);
    context.save();
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.#picture, 0, 0);
    context.restore();
  }

  /** A frame without other work draws one small room, so that the overview is there when it is asked for. */
  #prepareOverview(scale: number): void {
    const side = this.#sideOf(scale, 1);
    if (side !== this.#preparedSide) this.#prepared = 0;
    this.#preparedSide = side;
    if (this.#prepared < ROOMS * ROOMS) this.#art.get(this.#prepared++, side, true);
  }

  /** Device pixels of a room's picture, seen from a height. */
  #sideOf(scale: number, height: number): number {
    return Math.ceil((this.#camera.stage.size * scale) / (height < 0.5 ? 1 : OVERVIEW_ROOMS));
  }

  #shiftLight(elapsedMs: number): void {
    const lit = this.#camera.row * ROOMS + this.#camera.column;
    const share = 1 - Math.exp(-elapsedMs / LIGHT_MS);
    for (let room = 0; room < this.#light.length; room++) {
      const target = room === lit ? 1 : DIM + OVERVIEW_LIGHT * this.#camera.height;
      const missing = target - this.#light[room]!;
      this.#light[room] = Math.abs(missing) < SAME_LIGHT ? target : this.#light[room]! + missing * share;
    }
  }

  /** False if some rooms could not be drawn in time. */
  #redraw(width: number, height: number, rooms: readonly number[], scale: number): boolean {
    if (this.#picture.width !== width || this.#picture.height !== height) {
      this.#picture.width = width;
      this.#picture.height = height;
    }
    const context = this.#picture.getContext("2d", { alpha: false })!;
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.globalAlpha = 1;
    context.fillStyle = BACKGROUND;
    context.fillRect(0, 0, width, height);
    const size = ROOM * this.#camera.tile;
    const side = this.#sideOf(scale, this.#camera.height);
    const deadline = performance.now() + ART_MS;
    let whole = true;
    for (const [at, room] of rooms.entries()) {
      const picture = this.#art.get(room, side, at === 0 || performance.now() < deadline);
      if (!picture) {
        whole = false;
        continue;
      }
      const [left, top] = this.cornerOf(room);
      context.globalAlpha = this.#light[room]!;
      // Half a pixel more than its share hides the hairline between two pictures.
      context.drawImage(picture, left, top, size + 0.5, size + 0.5);
    }
    return whole;
  }
}
