/**
 * Dead reckoning from positions alone (N §2.7.2): no velocity is sent, the last two or three positions say where the object is going.
 * `historyLine` goes on along the line through the last two; `historyCurve` along the parabola through the last three; `history` chooses
 * by the angle at the middle one: an object that bends gently will go on bending, one that turned sharply (a collision, a key) will
 * not, so it gets the line.
 *
 * The times of the positions are those at which they were sent, not at which they arrived. So uneven arrivals do not bend the course.
 */

import { linear } from "./linear.ts";
import { MOTION_SIZE, type MotionModel, PLACE_SIZE, SAME_MOMENT_MS } from "./motion-model.ts";
import { placeOnParabola, restsOnParabola, velocityOnParabola } from "./quadratic.ts";

const VELOCITY = PLACE_SIZE;
const ACCELERATION = 2 * PLACE_SIZE;
/** Mean velocity between the last two positions, and the time between them: 0 while there is only one. */
const STEP = 3 * PLACE_SIZE;
const STEP_MS = 4 * PLACE_SIZE;
const BEND = STEP_MS + 1;
const STATE_SIZE = BEND + 1;

const STRAIGHT_ON = -1;
/** Cosine of 100°: below that angle a turn is sharp. */
const SHARP_COSINE = -0.17364817766693033;

/** Between sends it is the model of order 1, with a velocity of its own making. */
export const historyLine: MotionModel = {
  name: "historyLine",
  stateSize: MOTION_SIZE,
  motionSize: PLACE_SIZE,
  remembers: true,
  receive(state, at, motion, motionAt, sinceMs, settles) {
    for (let axis = 0; axis < PLACE_SIZE; axis++) {
      const position = motion[motionAt + axis]!;
      if (settles) state[at + VELOCITY + axis] = 0;
      else if (sinceMs >= SAME_MOMENT_MS) {
        state[at + VELOCITY + axis] = ((position - state[at + axis]!) * 1000) / sinceMs;
      }
      state[at + axis] = position;
    }
  },
  place: linear.place,
  velocity(state, at, _elapsedMs, out, outAt) {
    for (let axis = 0; axis < PLACE_SIZE; axis++) out[outAt + axis] = state[at + VELOCITY + axis]!;
  },
  rests: linear.rests,
};

export const historyCurve: MotionModel = /* @__PURE__ */ curvedHistory("historyCurve", false);
export const history: MotionModel = /* @__PURE__ */ curvedHistory("history", true);

function curvedHistory(name: string, isAdaptive: boolean): MotionModel {
  return {
    name,
    stateSize: STATE_SIZE,
    motionSize: PLACE_SIZE,
    remembers: true,
    receive(state, at, motion, motionAt, sinceMs, settles) {
      if (sinceMs >= SAME_MOMENT_MS) follow(state, at, motion, motionAt, sinceMs, isAdaptive);
      for (let axis = 0; axis < PLACE_SIZE; axis++) state[at + axis] = motion[motionAt + axis]!;
      // What comes next starts from here.
      if (settles) state.fill(0, at + VELOCITY, at + STATE_SIZE);
    },
    place: placeOnParabola,
    velocity: velocityOnParabola,
    rests: restsOnParabola,
    bend: (state, at) => (state[at + STEP_MS]! > 0 ? state[at + BEND]! : STRAIGHT_ON),
  };
}

/** Takes the step to a new position; the state still has the last one. */
function follow(
  state: Float64Array,
  at: number,
  motion: Float64Array,
  motionAt: number,
  sinceMs: number,
  isAdaptive: boolean,
): void {
  const isThird = state[at + STEP_MS]! > 0;
  if (isThird) bendInto(state, at, motion, motionAt);
  else state[at + BEND] = STRAIGHT_ON;
  const curves = isThird && (!isAdaptive || state[at + BEND]! <= SHARP_COSINE);
  const betweenStepsMs = (sinceMs + state[at + STEP_MS]!) / 2;
  for (let axis = 0; axis < PLACE_SIZE; axis++) {
    const step = ((motion[motionAt + axis]! - state[at + axis]!) * 1000) / sinceMs;
    // The step before is the mean velocity half way through it, as this one is; between the two halves the parabola has one acceleration.
    const acceleration = curves ? ((step - state[at + STEP + axis]!) * 1000) / betweenStepsMs : 0;
    state[at + ACCELERATION + axis] = acceleration;
    state[at + VELOCITY + axis] = step + (acceleration * sinceMs) / 2000;
    state[at + STEP + axis] = step;
  }
  state[at + STEP_MS] = sinceMs;
}

/** Writes the cosine of the angle at the last position, between the one before and the new one; the same place twice is no turn, but no course to bend either. */
function bendInto(state: Float64Array, at: number, motion: Float64Array, motionAt: number): void {
  let dot = 0;
  let before = 0;
  let after = 0;
  for (let axis = 0; axis < PLACE_SIZE; axis++) {
    const back = -state[at + STEP + axis]!;
    const on = motion[motionAt + axis]! - state[at + axis]!;
    dot += back * on;
    before += back * back;
    after += on * on;
  }
  const lengths = Math.sqrt(before) * Math.sqrt(after);
  state[at + BEND] = lengths > 0 ? dot / lengths : 1;
}
