/**
 * Hides corrections. When an object turns out to be elsewhere than it was drawn, the difference is kept and fades within a short time. So
 * the object never jumps, and is soon drawn where it is. Position and orientation fade alike, orientation the shorter way round. All other
 * fields are drawn as they are.
 */

import type { ObjectType } from "@nearfield/schema";

type State = Record<string, unknown>;

const AXES = 3;
const TURN = 2 * Math.PI;
/** A correction fades by a factor of e in a third of its time. At the end a twentieth is left. */
const FADINGS = 3;
/** A smaller rest counts as none, in world units or radians. */
const NOTHING = 1e-6;

export class Correction {
  /** Position, then orientation, three numbers each: as last shown. */
  readonly picture: Float64Array = new Float64Array(2 * AXES);
  readonly #position: readonly string[];
  readonly #orientation: readonly string[];
  readonly #fadeMs: number;
  readonly #snapDistance: number;
  /** The difference that was left at `#sinceMs`; laid out like the picture. */
  readonly #left: Float64Array = new Float64Array(2 * AXES);
  #sinceMs = 0;

  constructor({ fields, position, orientation }: ObjectType, correctionMs: number, snapDistance: number) {
    this.#position = position.map((index) => fields[index]!.name);
    this.#orientation = orientation.map((index) => fields[index]!.name);
    this.#fadeMs = correctionMs / FADINGS;
    this.#snapDistance = snapDistance;
  }

  /** Call it before an object is corrected: notes where it is drawn now. */
  before(state: State, nowMs: number): void {
    this.show({ ...state }, nowMs);
  }

  /** Call it after the correction: from the new state to the noted picture is the difference to fade. */
  after(state: State, nowMs: number): void {
    this.#sinceMs = nowMs;
    for (const [axis, name] of this.#position.entries())
      this.#left[axis] = this.picture[axis]! - (state[name] as number);
    for (const [axis, name] of this.#orientation.entries()) {
      this.#left[AXES + axis] = shorterWay(this.picture[AXES + axis]! - (state[name] as number));
    }
    if (this.#length() > this.#snapDistance) this.#left.fill(0);
  }

  /** Puts position and orientation where they are to be drawn, into `state` and the picture. */
  show(state: State, nowMs: number): void {
    const share = this.#shareAt(nowMs);
    for (const [axis, name] of this.#position.entries()) {
      this.picture[axis] = (state[name] as number) + share * this.#left[axis]!;
      state[name] = this.picture[axis];
    }
    for (const [axis, name] of this.#orientation.entries()) {
      this.picture[AXES + axis] = (state[name] as number) + share * this.#left[AXES + axis]!;
      state[name] = this.picture[AXES + axis];
    }
  }

  /** How far the picture of the position is off, in world units. */
  distanceAt(nowMs: number): number {
    return this.#shareAt(nowMs) * this.#length();
  }

  #shareAt(nowMs: number): number {
    if (this.#fadeMs === 0) return 0;
    const share = Math.exp(-Math.max(0, nowMs - this.#sinceMs) / this.#fadeMs);
    return share < NOTHING ? 0 : share;
  }

  #length(): number {
    return Math.hypot(this.#left[0]!, this.#left[1]!, this.#left[2]!);
  }
}

function shorterWay(angle: number): number {
  return angle - TURN * Math.round(angle / TURN);
}
