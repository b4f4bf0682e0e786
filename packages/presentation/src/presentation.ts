/**
 * Computes an object's picture: receive → target → converge. One `Presentation` serves any number of objects with the same settings;
 * each has `stateSize` numbers in an array that the caller provides.
 *
 * The picture is a pure function of the settings, the sends with the render times at which they were applied, and the render time
 * asked for. The frames drawn in between have no influence, and only + − × ÷, roots and rounding are used. So a server that replays the same
 * sends gets the same bits, in any JavaScript engine.
 */

import { angleBetween, foldAngle } from "@nearfield/schema/internal";
import { Interpolated } from "./interpolated.ts";
import { PLACE_SIZE } from "./motion-model.ts";
import { Reckoned } from "./reckoned.ts";
import { copyCleaned, finite, SEND_SIZE } from "./send.ts";
import type { ResolvedPresenterSettings } from "./settings.ts";
import { PICTURE_SIZE, type Target } from "./target.ts";

const APPLIED = 0;
/** 1 once anything was received. */
const HEARD = 1;
/** How far the picture was from its new target when that changed, and how fast they moved apart; then the same for the heading. */
const JUMP = 2;
const DRIFT = JUMP + PLACE_SIZE;
const TURN = DRIFT + PLACE_SIZE;
/** 1 while it converges in a curve. */
const CURVED = TURN + PLACE_SIZE;
const TARGET = CURVED + 1;

/** Over so many ms velocities are measured. */
const STRIDE_MS = 8;
/** Cosine of 175°: a course that bends less is straight, and is converged to in a line. */
const STRAIGHT_COSINE = -0.9961946980917455;

export class Presentation {
  readonly settings: ResolvedPresenterSettings;
  readonly stateSize: number;
  readonly #target: Target;
  readonly #send: Float64Array = new Float64Array(SEND_SIZE);
  readonly #before: Float64Array = new Float64Array(2 * PICTURE_SIZE);
  readonly #after: Float64Array = new Float64Array(2 * PICTURE_SIZE);

  constructor(settings: ResolvedPresenterSettings) {
    this.settings = settings;
    const { model } = settings;
    this.#target = model === "interpolation" ? new Interpolated(settings) : new Reckoned(model, settings);
    this.stateSize = TARGET + this.#target.stateSize;
  }

  /**
   * Takes in a send: `SEND_SIZE` numbers from `sendAt` on. False, and nothing changes, if a newer one is known.
   *
   * @param state all 0 from `at` on before the first send.
   * @param appliedAtMs render time at which it takes effect; what is shown from then on knows of it.
   */
  receive(state: Float64Array, at: number, send: Float64Array, sendAt: number, appliedAtMs: number): boolean {
    const isFirst = state[at + HEARD] === 0;
    const applied = isFirst ? finite(appliedAtMs) : Math.max(state[at + APPLIED]!, finite(appliedAtMs));
    copyCleaned(send, sendAt, this.#send);
    if (!isFirst) this.#look(state, at, applied);
    if (!this.#target.receive(state, at + TARGET, this.#send, applied)) return false;
    if (!isFirst) this.#converge(state, at, applied);
    state[at + APPLIED] = applied;
    state[at + HEARD] = 1;
    return true;
  }

  /** Where the picture is, and where it would be a stride later, by what was known so far. */
  #look(state: Float64Array, at: number, renderMs: number): void {
    this.show(state, at, renderMs, this.#before, 0);
    if (this.settings.convergence === "curved") this.show(state, at, renderMs + STRIDE_MS, this.#before, PICTURE_SIZE);
  }

  /** Sets out from where the picture was to the new target. */
  #converge(state: Float64Array, at: number, renderMs: number): void {
    const { convergence, snapDistance } = this.settings;
    this.#place(state, at, renderMs, this.#after, 0);
    state.fill(0, at + JUMP, at + TARGET);
    if (convergence === "snap") return;
    let square = 0;
    for (let axis = 0; axis < PLACE_SIZE; axis++) {
      const jump = this.#before[axis]! - this.#after[axis]!;
      square += jump * jump;
      state[at + JUMP + axis] = jump;
      const angle = PLACE_SIZE + axis;
      state[at + TURN + axis] = angleBetween(this.#after[angle]!, this.#before[angle]!);
    }
    if (Math.sqrt(square) > snapDistance) state.fill(0, at + JUMP, at + TARGET);
    else if (convergence === "curved" && this.#target.bend(state, at + TARGET) > STRAIGHT_COSINE) {
      this.#leaveAhead(state, at, renderMs);
    }
  }

  /** The curve begins in the direction of the movement so far. */
  #leaveAhead(state: Float64Array, at: number, renderMs: number): void {
    this.#place(state, at, renderMs + STRIDE_MS, this.#after, PICTURE_SIZE);
    for (let axis = 0; axis < PLACE_SIZE; axis++) {
      const was = this.#before[PICTURE_SIZE + axis]! - this.#before[axis]!;
      const is = this.#after[PICTURE_SIZE + axis]! - this.#after[axis]!;
      state[at + DRIFT + axis] = (was - is) / STRIDE_MS;
    }
    state[at + CURVED] = 1;
  }

  /**
   * Writes what is shown at a render time into `out[outAt … outAt + PICTURE_SIZE − 1]`: position, then orientation in [−π, π). Zeros before
   * the first send; times before the last send was applied count as that time.
   */
  show(state: Float64Array, at: number, renderMs: number, out: Float64Array, outAt: number): void {
    this.showMoment(state, at, renderMs, this.momentOf(state, at, renderMs), out, outAt);
  }

  /**
   * The moment of the server's time that is shown at a render time: that time itself, or with interpolation an earlier one. 0 before the first
   * send.
   */
  momentOf(state: Float64Array, at: number, renderMs: number): number {
    if (state[at + HEARD] === 0) return 0;
    return this.#target.momentOf(state, at + TARGET, Math.max(state[at + APPLIED]!, finite(renderMs)));
  }

  /** As `show`, for a caller that knows which moment is shown (`momentOf`) better than these sends tell. */
  showMoment(
    state: Float64Array,
    at: number,
    renderMs: number,
    momentMs: number,
    out: Float64Array,
    outAt: number,
  ): void {
    if (state[at + HEARD] === 0) {
      out.fill(0, outAt, outAt + PICTURE_SIZE);
      return;
    }
    const applied = state[at + APPLIED]!;
    this.#target.place(state, at + TARGET, finite(momentMs), out, outAt);
    this.#showOff(state, at, Math.max(applied, finite(renderMs)) - applied, out, outAt);
  }

  #place(state: Float64Array, at: number, renderMs: number, out: Float64Array, outAt: number): void {
    const momentMs = this.#target.momentOf(state, at + TARGET, renderMs);
    this.#target.place(state, at + TARGET, momentMs, out, outAt);
  }

  /** Render time at which the last send was applied; 0 before the first. */
  appliedAtMs(state: Float64Array, at: number): number {
    return state[at + APPLIED]!;
  }

  /** Render time at which the last send's correction is over. */
  convergedAtMs(state: Float64Array, at: number): number {
    const { convergence, positionMs } = this.settings;
    return state[at + APPLIED]! + (convergence === "snap" ? 0 : positionMs);
  }

  /**
   * Adds what is left of the way to the target. Of a jump J that is J(1 − w) in a line, w being the share of the time that has passed. The
   * curve J(1 − w²) + D·t(1 − w) is of second degree, begins at J with the drift D, and ends at 0 as well.
   */
  #showOff(state: Float64Array, at: number, sinceMs: number, out: Float64Array, outAt: number): void {
    const { positionMs, orientationMs } = this.settings;
    const passed = sinceMs < positionMs ? sinceMs / positionMs : 1;
    const curved = 1 + state[at + CURVED]! * passed;
    const leftToTurn = sinceMs < orientationMs ? 1 - sinceMs / orientationMs : 0;
    for (let axis = 0; axis < PLACE_SIZE; axis++) {
      const off = state[at + JUMP + axis]! * curved + state[at + DRIFT + axis]! * sinceMs;
      // Where it has converged, the target's own bits are shown.
      if (passed < 1) out[outAt + axis] = out[outAt + axis]! + off * (1 - passed);
      const turn = outAt + PLACE_SIZE + axis;
      out[turn] = foldAngle(out[turn]! + state[at + TURN + axis]! * leftToTurn);
    }
  }
}
