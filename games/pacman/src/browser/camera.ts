/**
 * Where the screen looks. Usually at the room of the avatar, which fills the stage; with the overlay open, from higher up at the rooms around it.
 * Every change is approached smoothly, so that walking through a door slides the next room in.
 */

import { ROOM, roomCentre, roomIndex } from "../maze.ts";
import type { Spot } from "../state.ts";

/** The square of the window in which the room is drawn, in CSS pixels. */
export interface Stage {
  readonly left: number;
  readonly top: number;
  readonly size: number;
  /** Panels lie beside the stage, or above and below it. */
  readonly wide: boolean;
}

/** Ms in which about two thirds of a change are made. */
const PAN_MS = 95;
const ZOOM_MS = 130;
/** Rooms across the stage while the overlay is open. */
export const OVERVIEW_ROOMS = 4.3;
/** Tiles beyond a room's edge before the camera follows, so that it does not flutter on the threshold. */
const STICK = 0.25;

const SIDE_PANEL = 208;
const TOP_PANEL = 58;
const BOTTOM_PANEL = 196;

/** Places the stage in a window of that size. */
export function stageFor(width: number, height: number): Stage {
  const wide = width > height * 1.1;
  if (wide) {
    const size = Math.floor(Math.min(height - 16, width - 2 * SIDE_PANEL));
    return { left: Math.floor((width - size) / 2), top: Math.floor((height - size) / 2), size, wide };
  }
  const size = Math.floor(Math.min(width - 8, height - TOP_PANEL - BOTTOM_PANEL));
  return { left: Math.floor((width - size) / 2), top: TOP_PANEL, size, wide };
}

export class Camera {
  stage: Stage = { left: 0, top: 0, size: 1, wide: true };
  /** Room on stage. */
  column = 0;
  row = 0;
  /** 0 = the room, 1 = overview. */
  height = 0;
  #x = 0;
  #y = 0;
  #placed = false;

  /** CSS pixels per tile. */
  get tile(): number {
    const across = ROOM * (1 + (OVERVIEW_ROOMS - 1) * this.height);
    return this.stage.size / across;
  }

  follow(own: Spot, overview: boolean, elapsedMs: number): void {
    this.#enterRoom(own);
    const targetX = overview ? own.x : roomCentre(this.column);
    const targetY = overview ? own.y : roomCentre(this.row);
    const pan = this.#placed ? 1 - Math.exp(-elapsedMs / PAN_MS) : 1;
    this.#x = approach(this.#x, targetX, pan);
    this.#y = approach(this.#y, targetY, pan);
    this.height = approach(this.height, overview ? 1 : 0, 1 - Math.exp(-elapsedMs / ZOOM_MS));
    this.#placed = true;
  }

  screenX(x: number): number {
    return this.stage.left + this.stage.size / 2 + (x - this.#x) * this.tile;
  }

  screenY(y: number): number {
    return this.stage.top + this.stage.size / 2 + (y - this.#y) * this.tile;
  }

  #enterRoom(own: Spot): void {
    const outside =
      Math.max(Math.abs(own.x - roomCentre(this.column)), Math.abs(own.y - roomCentre(this.row))) > ROOM / 2 + STICK;
    if (this.#placed && !outside) return;
    this.column = roomIndex(own.x);
    this.row = roomIndex(own.y);
  }
}

/** Goes a share of the way; arrives when what is left cannot be seen, so that a still picture is still. */
function approach(from: number, to: number, share: number): number {
  return Math.abs(to - from) < 0.002 ? to : from + (to - from) * share;
}
