/** What the page shows in one frame: `play` fills it, `scene` draws it. Nothing here is kept from frame to frame but the memory. */

import type { OrderName } from "../state.ts";

const FIRST_CAPACITY = 256;

/** Bits of `Pieces.flags`. */
export const SELECTED = 1;
export const HOVERED = 2;
export const OWN = 4;

/** Columns of what is shown, refilled every frame; only the first `count` rows are true. */
export class Pieces {
  count = 0;
  capacity: number = FIRST_CAPACITY;
  /** Id of the object. */
  id: Float64Array = new Float64Array(FIRST_CAPACITY);
  /** World units, as shown. */
  x: Float32Array = new Float32Array(FIRST_CAPACITY);
  y: Float32Array = new Float32Array(FIRST_CAPACITY);
  z: Float32Array = new Float32Array(FIRST_CAPACITY);
  /** Radians; units only. */
  heading: Float32Array = new Float32Array(FIRST_CAPACITY);
  /** Index into `UNIT_KINDS` or `BUILDING_KINDS`. */
  kind: Uint8Array = new Uint8Array(FIRST_CAPACITY);
  side: Uint8Array = new Uint8Array(FIRST_CAPACITY);
  /** Percent. */
  health: Uint8Array = new Uint8Array(FIRST_CAPACITY);
  /** Percent; units: 100; ore: how full it is, 0–255. */
  built: Uint8Array = new Uint8Array(FIRST_CAPACITY);
  /** Index into `DOINGS`. */
  doing: Uint8Array = new Uint8Array(FIRST_CAPACITY);
  /** `SELECTED`, `HOVERED`, `OWN`. */
  flags: Uint8Array = new Uint8Array(FIRST_CAPACITY);
  /** Page time of the last update from the server: the overlay flashes then. */
  updatedMs: Float64Array = new Float64Array(FIRST_CAPACITY);

  clear(): void {
    this.count = 0;
  }

  /** Makes room for one more and gives its row. What stood there before is not cleared. */
  add(): number {
    if (this.count === this.capacity) this.#grow();
    return this.count++;
  }

  #grow(): void {
    this.capacity *= 2;
    this.id = grown(this.id, new Float64Array(this.capacity));
    this.x = grown(this.x, new Float32Array(this.capacity));
    this.y = grown(this.y, new Float32Array(this.capacity));
    this.z = grown(this.z, new Float32Array(this.capacity));
    this.heading = grown(this.heading, new Float32Array(this.capacity));
    this.kind = grown(this.kind, new Uint8Array(this.capacity));
    this.side = grown(this.side, new Uint8Array(this.capacity));
    this.health = grown(this.health, new Uint8Array(this.capacity));
    this.built = grown(this.built, new Uint8Array(this.capacity));
    this.doing = grown(this.doing, new Uint8Array(this.capacity));
    this.flags = grown(this.flags, new Uint8Array(this.capacity));
    this.updatedMs = grown(this.updatedMs, new Float64Array(this.capacity));
  }
}

function grown<T extends Float64Array | Float32Array | Uint8Array>(old: T, larger: T): T {
  larger.set(old);
  return larger;
}

/** An order's acknowledgement on the ground, shown at once. */
export interface Mark {
  readonly x: number;
  readonly y: number;
  readonly what: OrderName | "rally";
  readonly atMs: number;
  readonly refused: boolean;
}

/** A building that the player is about to place. */
export interface Ghost {
  readonly x: number;
  readonly y: number;
  /** Index into `BUILDING_KINDS`. */
  readonly kind: number;
  readonly fits: boolean;
}

/** What the camera shows, a turned rectangle on the ground, in world units; the rotation is counter-clockwise, radians. */
export interface CameraRectangle {
  readonly at: readonly [number, number];
  readonly size: readonly [number, number];
  readonly rotation: number;
}

/** What the side sees and has seen. */
export interface SeenCells {
  /** 0: never seen, 1: once, 2: now. Cells of `FOG_CELL`, row by row. */
  readonly cells: Uint8Array;
  isSeen(x: number, y: number): boolean;
  wasSeen(x: number, y: number): boolean;
}

/** The box that is drawn for selecting, CSS pixels. */
export interface Box {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** The network overlay: zones of the camera and of the groups. */
export interface Overlay {
  /** 0: not yet there; 1: wholly. */
  readonly rise: number;
  readonly camera: CameraRectangle;
  readonly coefficients: readonly number[];
  readonly groups: readonly { readonly x: number; readonly y: number; readonly radius: number }[];
  readonly groupFactors: readonly number[];
}

export interface Picture {
  readonly nowMs: number;
  /** `NO_SIDE` for a spectator. */
  readonly ownSide: number;
  /** RGB by side. */
  readonly colours: readonly number[];
  readonly units: Pieces;
  readonly buildings: Pieces;
  /** Buildings that were seen once and are not seen now. */
  readonly remembered: Pieces;
  readonly ore: Pieces;
  readonly marks: readonly Mark[];
  readonly ghost: Ghost | undefined;
  readonly box: Box | undefined;
  /** Queued orders of the selection, x y x y …, world units. */
  readonly paths: readonly Float32Array[];
  /** Undefined: everything is seen. */
  readonly fog: SeenCells | undefined;
  readonly overlay: Overlay | undefined;
}
