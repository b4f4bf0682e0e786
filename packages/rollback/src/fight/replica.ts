/** A fight on one machine: it carries out what the timeline asks for, on a state in typed columns. */

import { type ColumnShape, type Columns, checksumOf } from "../state/columns.ts";
import { EVERYBODY, type Request } from "../timeline/requests.ts";
import { SPHERE_SIZE } from "../timeline/spheres.ts";
import type { Timeline } from "../timeline/timeline.ts";

/** What the players did in the step that is advanced. */
export interface StepInputs {
  /** The input bytes of a player; true during the step only. */
  of(player: number): Uint8Array;
  /** How many steps old the player's knowledge of another was when it acted (H5); for lag compensation. */
  lag(player: number, of: number): number;
}

/** The game's rules. They know no clock and no dice, and keep all they need from step to step in `state`. */
export interface Fight<S extends ColumnShape = ColumnShape> {
  readonly state: Columns<S>;
  /** Advances everything by one step; `only` a player's own things where it is not `EVERYBODY`, as if nobody else were there. */
  advance(step: number, inputs: StepInputs, only: number): void;
  /** Writes for each player a circle, x, y and radius, that holds all it touches in the next step. Without this every late input that was guessed wrongly rolls back. */
  spheres?(into: Float64Array): void;
}

/** Told once of every final state, in order. */
export type OnSettled = (state: number, checksum: () => number, saved: Uint8Array) => void;

export class Replica {
  readonly timeline: Timeline;
  readonly fight: Fight;
  readonly #saved: readonly Uint8Array[];
  readonly #inputs: StepInputs;
  readonly #onSettled: OnSettled | undefined;
  /** For the circle of one player; the others' are not looked at. */
  readonly #circles: Float64Array;
  #step = 0;

  constructor(timeline: Timeline, fight: Fight, onSettled?: OnSettled) {
    this.timeline = timeline;
    this.fight = fight;
    this.#onSettled = onSettled;
    const { byteLength } = fight.state;
    this.#saved = Array.from({ length: timeline.slots }, () => new Uint8Array(byteLength));
    this.#circles = new Float64Array(fight.state.players * SPHERE_SIZE);
    this.#inputs = {
      of: (player) => timeline.inputOf(player, this.#step),
      lag: (player, of) => timeline.lagOf(player, of, this.#step),
    };
  }

  /** The newest final state, as it was saved: for a snapshot. True until the next tick. */
  get final(): Uint8Array {
    return this.#saved[this.timeline.tailSlot]!;
  }

  /** Does what the timeline asked for in this tick; after that the fight's state is the one to be shown. */
  carryOut(requests: readonly Request[]): void {
    const { state } = this.fight;
    for (const { kind, slot, step, player } of requests) {
      if (kind === "advance") this.#advance(step, player);
      else if (kind === "save") state.save(this.#saved[slot]!);
      else if (kind === "load") state.load(this.#saved[slot]!);
      else if (kind === "saveRows") state.saveRows(player, this.#saved[slot]!);
      else this.#settle(step, this.#saved[slot]!);
    }
  }

  #advance(step: number, only: number): void {
    this.#step = step;
    this.fight.advance(step, this.#inputs, only);
    if (!this.fight.spheres) return;
    if (only === EVERYBODY) this.fight.spheres(this.timeline.spheresOf(step + 1));
    else {
      this.fight.spheres(this.#circles);
      this.timeline.putSphere(step + 1, only, this.#circles);
    }
  }

  #settle(state: number, saved: Uint8Array): void {
    this.#onSettled?.(state, () => checksumOf(saved), saved);
  }
}
