/**
 * Dead reckoning as a target: the motion model moves the object on from where it was sent. A send is already old when it is applied, by its
 * way through the network. Time compensation adds that age, up to a limit (N §2.7.1.2), to the time since it was applied. Example: a send of
 * time 1,000 is applied at 1,150 with a limit of 100. The object is moved on by 100 ms at once, and by 120 ms 20 ms later.
 */

import { angleBetween } from "@nearfield/schema/internal";
import { type MotionModel, PLACE_SIZE, SAME_MOMENT_MS } from "./motion-model.ts";
import { finite, SendField } from "./send.ts";
import type { ResolvedPresenterSettings } from "./settings.ts";
import type { Target } from "./target.ts";

const TIME = 0;
const APPLIED = 1;
/** Age that is made up for. */
const AGE = 2;
/** 1 once anything was received. */
const HEARD = 3;
const ORIENTATION = 4;
const TURN_RATE = ORIENTATION + PLACE_SIZE;
const MODEL = TURN_RATE + PLACE_SIZE;

export class Reckoned implements Target {
  readonly stateSize: number;
  readonly #model: MotionModel;
  readonly #settings: ResolvedPresenterSettings;

  constructor(model: MotionModel, settings: ResolvedPresenterSettings) {
    this.stateSize = MODEL + model.stateSize;
    this.#model = model;
    this.#settings = settings;
  }

  receive(state: Float64Array, at: number, send: Float64Array, appliedAtMs: number): boolean {
    const time = send[SendField.time]!;
    const isFirst = state[at + HEARD] === 0;
    const sinceMs = isFirst ? 0 : time - state[at + TIME]!;
    if (sinceMs < 0) return false;
    const settles = send[SendField.settles] === 1;
    this.#turn(state, at, send, sinceMs, settles);
    state[at + TIME] = time;
    state[at + APPLIED] = appliedAtMs;
    state[at + AGE] = Math.min(Math.max(0, appliedAtMs - time), this.#settings.compensationMs);
    state[at + HEARD] = 1;
    this.#model.receive(state, at + MODEL, send, SendField.motion, sinceMs, settles);
    return true;
  }

  /** One that settles rests where it is; but it may turn on the spot, so a turn rate that was sent still counts. */
  #turn(state: Float64Array, at: number, send: Float64Array, sinceMs: number, settles: boolean): void {
    const { turning } = this.#settings;
    for (let axis = 0; axis < PLACE_SIZE; axis++) {
      const angle = send[SendField.orientation + axis]!;
      const before = state[at + ORIENTATION + axis]!;
      state[at + ORIENTATION + axis] = angle;
      if (turning === "sent") state[at + TURN_RATE + axis] = send[SendField.turnRate + axis]!;
      else if (settles || turning === "hold") state[at + TURN_RATE + axis] = 0;
      else if (sinceMs >= SAME_MOMENT_MS) state[at + TURN_RATE + axis] = (angleBetween(before, angle) * 1000) / sinceMs;
    }
  }

  momentOf(_state: Float64Array, _at: number, renderMs: number): number {
    return renderMs;
  }

  place(state: Float64Array, at: number, momentMs: number, out: Float64Array, outAt: number): void {
    const elapsedMs = momentMs - state[at + APPLIED]! + state[at + AGE]!;
    this.#model.place(state, at + MODEL, elapsedMs, out, outAt);
    for (let axis = 0; axis < PLACE_SIZE; axis++) {
      out[outAt + axis] = finite(out[outAt + axis]!);
      const turned = (state[at + TURN_RATE + axis]! * elapsedMs) / 1000;
      out[outAt + PLACE_SIZE + axis] = state[at + ORIENTATION + axis]! + turned;
    }
  }

  bend(state: Float64Array, at: number): number {
    return this.#model.bend?.(state, at + MODEL) ?? 1;
  }
}
