/**
 * The four ways to steer an entity (N §3.2.2). Each turns the entity and sets its acceleration; `stepEntity` does the rest. Forward
 * is up on the screen for direct control, and where the entity looks for thrust and action; y grows upward.
 */

import { angleBetween, cosine, directionOf, foldAngle, sine } from "@nearfield/schema/internal";
import { type ControlModel, EntityField, type EntityTraits, Keys } from "./entity.ts";

/** 1, 0 or −1 by which of two keys is pressed; both together are neither. */
function axis(keys: number, positive: number, negative: number): number {
  return (keys & positive ? 1 : 0) - (keys & negative ? 1 : 0);
}

/** Arrow keys are directions of the screen: the entity looks and accelerates that way at once. Sport and arcade games. */
export const direct: ControlModel = {
  name: "direct",
  steer(state, at, { keys }, { acceleration }) {
    const x = axis(keys, Keys.right, Keys.left);
    const y = axis(keys, Keys.forward, Keys.back);
    state[at + EntityField.turnRate] = 0;
    if (x === 0 && y === 0) return still(state, at);
    const each = x !== 0 && y !== 0 ? acceleration * Math.SQRT1_2 : acceleration;
    state[at + EntityField.accelerationX] = x * each;
    state[at + EntityField.accelerationY] = y * each;
    state[at + EntityField.heading] = foldAngle(directionOf(x, y));
    return true;
  },
};

/** Left and right turn, forward pushes where the entity looks. Races, flight, space. */
export const thrust: ControlModel = {
  name: "thrust",
  steer(state, at, { keys }, traits, seconds) {
    turn(state, at, keys, traits, seconds);
    if ((keys & Keys.forward) === 0) return still(state, at);
    push(state, at, traits.acceleration, 0);
    return true;
  },
};

/** Left and right turn; forward, back and steps to either side go by where the entity looks. Shooters, third-person games. */
export const action: ControlModel = {
  name: "action",
  steer(state, at, { keys }, traits, seconds) {
    turn(state, at, keys, traits, seconds);
    const ahead = axis(keys, Keys.forward, Keys.back);
    const aside = axis(keys, Keys.strafeLeft, Keys.strafeRight);
    if (ahead === 0 && aside === 0) return still(state, at);
    const each = ahead !== 0 && aside !== 0 ? traits.acceleration * Math.SQRT1_2 : traits.acceleration;
    push(state, at, ahead * each, aside * each);
    return true;
  },
};

/**
 * The entity goes to `target` in a straight line and stops there; the way around walls is the game's business, one target after another.
 * It turns at `turnSpeed` and may move before it has turned. Strategy and role-playing games.
 */
export const pointAndClick: ControlModel = {
  name: "point",
  steer(state, at, input, traits, seconds) {
    const wayX = input.targetX - state[at + EntityField.x]!;
    const wayY = input.targetY - state[at + EntityField.y]!;
    const distance = Math.sqrt(wayX * wayX + wayY * wayY);
    state[at + EntityField.turnRate] = 0;
    if (distance === 0) return stopHere(state, at);
    turnTowards(state, at, directionOf(wayX, wayY), traits, seconds);
    const speed = approachSpeed(distance, traits, seconds);
    const velocityX = state[at + EntityField.velocityX]!;
    const velocityY = state[at + EntityField.velocityY]!;
    const wantedX = ((wayX / distance) * speed - velocityX) / seconds + traits.drag * velocityX;
    const wantedY = ((wayY / distance) * speed - velocityY) / seconds + traits.drag * velocityY;
    const wanted = Math.sqrt(wantedX * wantedX + wantedY * wantedY);
    const share = Math.min(1, (traits.acceleration + traits.brakeForce) / wanted);
    state[at + EntityField.accelerationX] = wanted === 0 ? 0 : wantedX * share;
    state[at + EntityField.accelerationY] = wanted === 0 ? 0 : wantedY * share;
    return true;
  },
};

export const CONTROLS: readonly ControlModel[] = [direct, thrust, action, pointAndClick];

function still(state: Float64Array, at: number): boolean {
  state[at + EntityField.accelerationX] = 0;
  state[at + EntityField.accelerationY] = 0;
  return false;
}

/** Accelerates ahead and to the left of where the entity looks. */
function push(state: Float64Array, at: number, ahead: number, left: number): void {
  const heading = state[at + EntityField.heading]!;
  const x = cosine(heading);
  const y = sine(heading);
  state[at + EntityField.accelerationX] = x * ahead - y * left;
  state[at + EntityField.accelerationY] = y * ahead + x * left;
}

function turn(state: Float64Array, at: number, keys: number, traits: EntityTraits, seconds: number): void {
  const rate = axis(keys, Keys.left, Keys.right) * traits.turnSpeed;
  state[at + EntityField.turnRate] = rate;
  state[at + EntityField.heading] = foldAngle(state[at + EntityField.heading]! + rate * seconds);
}

function turnTowards(state: Float64Array, at: number, wanted: number, traits: EntityTraits, seconds: number): void {
  const heading = state[at + EntityField.heading]!;
  const left = angleBetween(heading, wanted);
  const most = traits.turnSpeed * seconds;
  const turned = Math.max(-most, Math.min(most, left));
  state[at + EntityField.turnRate] = turned / seconds;
  state[at + EntityField.heading] = foldAngle(heading + turned);
}

/** The highest speed at which full brakes still stop the entity at the target, and at which one step does not carry it past the target. */
function approachSpeed(distance: number, traits: EntityTraits, seconds: number): number {
  const brakes = traits.brakeForce > 0 ? traits.brakeForce : traits.acceleration;
  const top = traits.drag > 0 ? traits.acceleration / traits.drag : Number.POSITIVE_INFINITY;
  return Math.min(top, Math.sqrt(brakes * distance), distance / seconds);
}

/** Arrived: not even what is left of the velocity carries it on. */
function stopHere(state: Float64Array, at: number): boolean {
  state[at + EntityField.velocityX] = 0;
  state[at + EntityField.velocityY] = 0;
  return still(state, at);
}
