/**
 * Where the screen looks: a turned rectangle of the flat ground. `x`, `y`, `zoom` and `rotation` are what is shown now; the calls say where they shall go,
 * and `step` goes there smoothly, whatever the frame rate. What the pointer zooms at stays under the pointer all the way.
 */

import { UNIT_KINDS, UNITS } from "../state.ts";
import type { CameraRectangle } from "./picture.ts";

/** World units that the geometric mean of the screen's sides shows when a match begins. */
const HOME_SPAN = 460;
/** CSS pixels per world unit when nearest. */
const MOST_ZOOM = 5;
/** World units beyond the map's edges that may be seen. */
const BEYOND = 48;
/** Ms in which about two thirds of a change are made. */
const MOVE_MS = 70;
const ZOOM_MS = 90;
/** How much more of the world the screen shows, by length, while the overlay is wholly risen. */
const OVERVIEW = 2.1;
/** Margin of the rectangle: a large unit that is half on the screen counts as shown. */
const MARGIN: number = 2 * Math.max(...UNIT_KINDS.map((kind) => UNITS[kind].radius));

export interface Spot {
  x: number;
  y: number;
}

export class Camera {
  /** Size of the screen, CSS pixels. */
  width = 1;
  height = 1;
  /** Middle of the screen, in the world. */
  x = 0;
  y = 0;
  /** CSS pixels per world unit, the overlay's rise left out. */
  zoom = 1;
  /** The screen's right hand points this way in the world, radians from +x towards +y. */
  rotation = 0;
  /** 0: plain; 1: seen from higher up, as the overlay wants it. `rectangle()` stays that of the plain view. */
  rise = 0;
  #toX = 0;
  #toY = 0;
  #toZoom = 1;
  #toRotation = 0;
  /** What is zoomed at, CSS pixels from the middle of the screen. */
  #anchorX = 0;
  #anchorY = 0;
  #size = 1024;

  /** CSS pixels per world unit on the screen now. */
  get scale(): number {
    return this.zoom / (1 + (OVERVIEW - 1) * this.rise);
  }

  /** The zoom with which a match begins. */
  get homeZoom(): number {
    return this.#held(Math.sqrt(this.width * this.height) / HOME_SPAN);
  }

  /** At this zoom the whole map is on the screen. */
  get leastZoom(): number {
    return Math.min(MOST_ZOOM, Math.min(this.width, this.height) / (this.#size + 2 * BEYOND));
  }

  /** Takes a map and shows the whole of it. */
  fit(terrain: { readonly size: number }): void {
    this.#size = terrain.size;
    this.#toRotation = 0;
    this.cutTo(terrain.size / 2, terrain.size / 2, this.leastZoom);
  }

  /** Shows a place at once. */
  cutTo(x: number, y: number, zoom: number = this.homeZoom): void {
    this.#toZoom = this.#held(zoom);
    this.centre(x, y);
    this.x = this.#toX;
    this.y = this.#toY;
    this.zoom = this.#toZoom;
    this.rotation = this.#toRotation;
  }

  /** By CSS pixels: right and down on the screen. */
  moveBy(dx: number, dy: number): void {
    const cosine = Math.cos(this.rotation) / this.scale;
    const sine = Math.sin(this.rotation) / this.scale;
    this.centre(this.#toX + dx * cosine - dy * sine, this.#toY + dx * sine + dy * cosine);
  }

  /** What is at that place of the screen stays there. A factor above 1 comes nearer. */
  zoomAt(sx: number, sy: number, factor: number): void {
    this.#toZoom = this.#held(this.#toZoom * factor);
    this.#anchorX = sx - this.width / 2;
    this.#anchorY = sy - this.height / 2;
  }

  turn(radians: number): void {
    this.#toRotation += radians;
  }

  centre(x: number, y: number): void {
    const reach = this.#reach(this.#toZoom);
    this.#toX = within(x, reach.x, this.#size);
    this.#toY = within(y, reach.y, this.#size);
  }

  step(elapsedMs: number): void {
    const share = 1 - Math.exp(-elapsedMs / MOVE_MS);
    this.rotation = approach(this.rotation, this.#toRotation, share, 1e-4);
    const before = this.scale;
    // The screen may have changed its size, and with it what fits.
    this.#toZoom = this.#held(this.#toZoom);
    const factor = (this.#toZoom / this.zoom) ** (1 - Math.exp(-elapsedMs / ZOOM_MS));
    this.zoom = Math.abs(this.#toZoom / this.zoom - 1) < 1e-4 ? this.#toZoom : this.zoom * factor;
    if (this.scale !== before) this.#keepAnchor(1 / before - 1 / this.scale);
    this.centre(this.#toX, this.#toY);
    this.x = approach(this.x, this.#toX, share, 0.01);
    this.y = approach(this.y, this.#toY, share, 0.01);
  }

  /** The place in the world under a point of the screen. */
  toWorld<S extends Spot>(sx: number, sy: number, out: S): S {
    const u = (sx - this.width / 2) / this.scale;
    const v = (sy - this.height / 2) / this.scale;
    const cosine = Math.cos(this.rotation);
    const sine = Math.sin(this.rotation);
    out.x = this.x + u * cosine - v * sine;
    out.y = this.y + u * sine + v * cosine;
    return out;
  }

  /** The point of the screen at which a place in the world is shown. */
  toScreen<S extends Spot>(x: number, y: number, out: S): S {
    const [dx, dy] = [x - this.x, y - this.y];
    const cosine = Math.cos(this.rotation) * this.scale;
    const sine = Math.sin(this.rotation) * this.scale;
    out.x = this.width / 2 + dx * cosine + dy * sine;
    out.y = this.height / 2 - dx * sine + dy * cosine;
    return out;
  }

  /** What the screen shows, and a margin of one large unit around it, in world units. */
  rectangle(): CameraRectangle {
    return {
      at: [this.x, this.y],
      size: [this.width / this.zoom + 2 * MARGIN, this.height / this.zoom + 2 * MARGIN],
      rotation: this.rotation,
    };
  }

  /** A change of zoom moves the middle of the screen so that the anchor stays. `change`: of world units per CSS pixel. */
  #keepAnchor(change: number): void {
    const cosine = Math.cos(this.rotation) * change;
    const sine = Math.sin(this.rotation) * change;
    const dx = this.#anchorX * cosine - this.#anchorY * sine;
    const dy = this.#anchorX * sine + this.#anchorY * cosine;
    this.x += dx;
    this.y += dy;
    this.#toX += dx;
    this.#toY += dy;
  }

  /** How far the screen reaches from its middle along the world's axes. */
  #reach(zoom: number): Spot {
    const cosine = Math.abs(Math.cos(this.#toRotation)) / (2 * zoom);
    const sine = Math.abs(Math.sin(this.#toRotation)) / (2 * zoom);
    return { x: this.width * cosine + this.height * sine, y: this.width * sine + this.height * cosine };
  }

  #held(zoom: number): number {
    return Math.min(MOST_ZOOM, Math.max(this.leastZoom, zoom));
  }
}

/** Keeps what lies beyond the map off the screen, where the map is larger than the screen. */
function within(middle: number, reach: number, size: number): number {
  const least = reach - BEYOND;
  return least * 2 > size - 1e-6 ? size / 2 : Math.min(size - least, Math.max(least, middle));
}

/** Goes a share of the way; arrives when what is left cannot be seen. */
function approach(from: number, to: number, share: number, unseen: number): number {
  return Math.abs(to - from) < unseen ? to : from + (to - from) * share;
}
