/**
 * The entity that a player steers (N §3.2.2, §3.2.4): position, velocity and heading in the plane, moved by acceleration, drag and brakes.
 * `stepEntity` is a pure function of state, input and time to the same bits on every machine, so that client, server and a replay
 * agree. Nothing is allocated: a state is `ENTITY_SIZE` numbers of an array.
 */

/** Where each number of a state stands, from its start on. Units: world units, seconds, radians. */
export const EntityField = {
  x: 0,
  y: 1,
  velocityX: 2,
  velocityY: 3,
  /** What became of the velocity in the last step, all forces together. */
  accelerationX: 4,
  accelerationY: 5,
  /** Counter-clockwise from the x axis, in [−π, π). */
  heading: 6,
  turnRate: 7,
} as const;

/** Numbers of a state. */
export const ENTITY_SIZE = 8;

/** How an entity moves, whoever steers it. */
export interface EntityTraits {
  /** What a pressed key adds to the velocity, in world units per second squared. */
  readonly acceleration: number;
  /** Share of the velocity that friction takes per second. The top speed is `acceleration ÷ drag`. */
  readonly drag: number;
  /** What slows the entity when nothing accelerates it, in world units per second squared; 0: only drag does. */
  readonly brakeForce: number;
  /** Radians per second, for controls that turn. */
  readonly turnSpeed: number;
}

/** What a player does in one step. */
export interface ControlInput {
  /** Sum of `Keys`. */
  readonly keys: number;
  /** Where point and click sends the entity. */
  readonly targetX: number;
  readonly targetY: number;
}

export const Keys = {
  forward: 1,
  back: 2,
  left: 4,
  right: 8,
  strafeLeft: 16,
  strafeRight: 32,
} as const;

export interface ControlModel {
  readonly name: "direct" | "thrust" | "action" | "point";
  /**
   * Turns the entity, and writes what the player accelerates it by where its acceleration stands. Returns whether he wants to move; if
   * not, the brakes are on.
   */
  steer(state: Float64Array, at: number, input: ControlInput, traits: EntityTraits, seconds: number): boolean;
}

/** Slower than this nobody sees it move; drag alone would never end it. In world units per second. */
const REST_SPEED = 0.01;

/** Moves `state[at … at + ENTITY_SIZE − 1]` on by `seconds`. */
export function stepEntity(
  control: ControlModel,
  traits: EntityTraits,
  state: Float64Array,
  at: number,
  input: ControlInput,
  seconds: number,
): void {
  const moves = control.steer(state, at, input, traits, seconds);
  const oldX = state[at + EntityField.velocityX]!;
  const oldY = state[at + EntityField.velocityY]!;
  let velocityX = oldX + (state[at + EntityField.accelerationX]! - traits.drag * oldX) * seconds;
  let velocityY = oldY + (state[at + EntityField.accelerationY]! - traits.drag * oldY) * seconds;
  if (!moves) {
    const speed = Math.sqrt(velocityX * velocityX + velocityY * velocityY);
    const left = speed - traits.brakeForce * seconds;
    const kept = left < REST_SPEED ? 0 : left / speed;
    velocityX *= kept;
    velocityY *= kept;
  }
  state[at + EntityField.velocityX] = velocityX;
  state[at + EntityField.velocityY] = velocityY;
  state[at + EntityField.accelerationX] = (velocityX - oldX) / seconds;
  state[at + EntityField.accelerationY] = (velocityY - oldY) / seconds;
  state[at] = state[at]! + velocityX * seconds;
  state[at + EntityField.y] = state[at + EntityField.y]! + velocityY * seconds;
}
