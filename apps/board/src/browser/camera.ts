/** Where the screen is over the board: which place is in its middle, and how large a unit is. It glides to where it was sent. */

import { CENTRE } from "../shared.ts";
import type { Rectangle } from "../views.ts";

export const LEAST_ZOOM = 0.1;
export const MOST_ZOOM = 4;
/** Share of the way that a glide covers in a millisecond. */
const GLIDE = 0.012;

/** A part of the board, units. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export class Camera {
  /** The place in the middle of the screen; CSS pixels in a unit; size of the screen, CSS pixels. */
  x: number = CENTRE;
  y: number = CENTRE;
  zoom = 1;
  width = 1;
  height = 1;
  /** How often a hand has moved or zoomed it. */
  handled = 0;
  #target: { x: number; y: number; zoom: number } | undefined;

  screenX(x: number): number {
    return (x - this.x) * this.zoom + this.width / 2;
  }

  screenY(y: number): number {
    return (y - this.y) * this.zoom + this.height / 2;
  }

  toBoard(screenX: number, screenY: number): Point {
    return { x: this.x + (screenX - this.width / 2) / this.zoom, y: this.y + (screenY - this.height / 2) / this.zoom };
  }

  /** What the screen shows. */
  get rectangle(): Rectangle {
    return { x: this.x, y: this.y, width: this.width / this.zoom, height: this.height / this.zoom };
  }

  /** Whether any of this box is on the screen. */
  shows({ left, top, right, bottom }: Box): boolean {
    const { x, y, width, height } = this.rectangle;
    return right >= x - width / 2 && left <= x + width / 2 && bottom >= y - height / 2 && top <= y + height / 2;
  }

  /** The board follows the hand by so many CSS pixels. */
  panBy(screenX: number, screenY: number): void {
    this.#target = undefined;
    this.handled += 1;
    this.#put(this.x - screenX / this.zoom, this.y - screenY / this.zoom);
  }

  /** The place under this point of the screen stays there. */
  zoomAt(screenX: number, screenY: number, factor: number): void {
    this.#target = undefined;
    this.handled += 1;
    const { x, y } = this.toBoard(screenX, screenY);
    this.zoom = withinZoom(this.zoom * factor);
    this.#put(x - (screenX - this.width / 2) / this.zoom, y - (screenY - this.height / 2) / this.zoom);
  }

  glideTo({ x, y }: Point, zoom: number = this.zoom): void {
    const goal = withinZoom(zoom);
    this.#target = { x: within(x, this.width / goal), y: within(y, this.height / goal), zoom: goal };
  }

  /** Glides so far that all of this is on the screen, with a margin. */
  glideToShow(left: number, top: number, right: number, bottom: number): void {
    const margin = 0.8;
    const zoom = Math.min((this.width * margin) / (right - left), (this.height * margin) / (bottom - top), 1);
    this.glideTo({ x: (left + right) / 2, y: (top + bottom) / 2 }, zoom);
  }

  /** Where it is or is going to be. */
  get goal(): { readonly x: number; readonly y: number; readonly zoom: number } {
    return this.#target ?? this;
  }

  step(elapsedMs: number): void {
    const target = this.#target;
    if (target === undefined) return;
    const share = 1 - Math.exp(-GLIDE * elapsedMs);
    this.zoom *= (target.zoom / this.zoom) ** share;
    this.#put(this.x + (target.x - this.x) * share, this.y + (target.y - this.y) * share);
    const left = Math.max(Math.abs(target.x - this.x), Math.abs(target.y - this.y)) * this.zoom;
    if (left > 0.5 || Math.abs(this.zoom / target.zoom - 1) > 0.002) return;
    this.zoom = target.zoom;
    this.#put(target.x, target.y);
    this.#target = undefined;
  }

  #put(x: number, y: number): void {
    this.x = within(x, this.width / this.zoom);
    this.y = within(y, this.height / this.zoom);
  }
}

/** The middle of the screen stays over the board; the more the screen shows, the nearer to the board's middle. */
function within(value: number, shown: number): number {
  const most = Math.max(0, CENTRE - shown / 4);
  return Math.min(CENTRE + most, Math.max(CENTRE - most, value));
}

function withinZoom(zoom: number): number {
  return Math.min(MOST_ZOOM, Math.max(LEAST_ZOOM, zoom));
}
