/** A small fight for peers: pods run and shoot in eight directions, shots push and wound, as in the paper's prototype with collisions added. */

import { Columns, EVERYBODY, type Fight, perPlayer, type StepInputs, shared } from "@nearfield/rollback/internal";
import type { Dice } from "../dice.ts";

/** Shots that a pod can have in the air. */
const SHOTS = 4;
const SPEED = 5;
const SHOT_SPEED = 14;
const SHOT_STEPS = 10;
const RADIUS = 6;
const SHOT_RADIUS = 3;
const WORLD = 2000;
/** Bits of an input. */
const Press = { left: 1, right: 2, up: 4, down: 8, fire: 16 } as const;

const shape = {
  x: perPlayer(Float64Array),
  y: perPlayer(Float64Array),
  facing: perPlayer(Uint8Array),
  health: perPlayer(Int16Array),
  hits: perPlayer(Uint16Array),
  reload: perPlayer(Uint8Array),
  shotX: perPlayer(Float64Array, SHOTS),
  shotY: perPlayer(Float64Array, SHOTS),
  shotVx: perPlayer(Float64Array, SHOTS),
  shotVy: perPlayer(Float64Array, SHOTS),
  shotLeft: perPlayer(Uint8Array, SHOTS),
  dice: shared(Uint32Array),
};

export class Pods implements Fight {
  readonly state: Columns;
  readonly #at: Columns<typeof shape>["at"];
  readonly #players: number;

  constructor(players: number, spread: number = WORLD) {
    this.#players = players;
    const state = new Columns(players, shape);
    this.state = state;
    this.#at = state.at;
    const { x, y, health, dice } = state.at;
    for (let pod = 0; pod < players; pod++) {
      x[pod] = ((pod * 733) % spread) + (WORLD - spread) / 2;
      y[pod] = ((pod * 457) % spread) + (WORLD - spread) / 2;
      health[pod] = 100;
    }
    dice[0] = 12_345;
  }

  /** What the fight is worth: hits by player, as two bytes each. */
  get goods(): Uint8Array {
    const { buffer, byteOffset, byteLength } = this.#at.hits;
    return new Uint8Array(buffer, byteOffset, byteLength).slice();
  }

  advance(_step: number, inputs: StepInputs, only: number): void {
    const first = only === EVERYBODY ? 0 : only;
    const last = only === EVERYBODY ? this.#players : only + 1;
    for (let pod = first; pod < last; pod++) this.#run(pod, inputs.of(pod)[0]!);
    for (let pod = first; pod < last; pod++) this.#fly(pod);
    if (only !== EVERYBODY) return;
    for (let pod = 0; pod < this.#players; pod++) this.#hit(pod);
  }

  /** All that a pod and its shots touch in the next step. */
  spheres(into: Float64Array): void {
    const { x, y, shotX, shotY, shotLeft } = this.#at;
    for (let pod = 0; pod < this.#players; pod++) {
      // A shot that is fired now flies at once.
      let reach = RADIUS + SPEED + SHOT_SPEED;
      for (let shot = pod * SHOTS; shot < (pod + 1) * SHOTS; shot++) {
        if (shotLeft[shot] === 0) continue;
        const far = Math.hypot(shotX[shot]! - x[pod]!, shotY[shot]! - y[pod]!);
        reach = Math.max(reach, far + SPEED + SHOT_SPEED + SHOT_RADIUS);
      }
      into[pod * 3] = x[pod]!;
      into[pod * 3 + 1] = y[pod]!;
      into[pod * 3 + 2] = reach;
    }
  }

  #run(pod: number, pressed: number): void {
    const { x, y, facing, health, reload } = this.#at;
    if (health[pod]! <= 0) return;
    const dx = (pressed & Press.right ? 1 : 0) - (pressed & Press.left ? 1 : 0);
    const dy = (pressed & Press.down ? 1 : 0) - (pressed & Press.up ? 1 : 0);
    const pace = dx !== 0 && dy !== 0 ? SPEED * Math.SQRT1_2 : SPEED;
    x[pod] = Math.min(WORLD, Math.max(0, x[pod]! + dx * pace));
    y[pod] = Math.min(WORLD, Math.max(0, y[pod]! + dy * pace));
    if (dx !== 0 || dy !== 0) facing[pod] = (dy + 1) * 3 + dx + 1;
    if (reload[pod]! > 0) reload[pod]!--;
    else if (pressed & Press.fire) this.#fire(pod);
  }

  #fire(pod: number): void {
    const { x, y, facing, reload, shotX, shotY, shotVx, shotVy, shotLeft } = this.#at;
    for (let shot = pod * SHOTS; shot < (pod + 1) * SHOTS; shot++) {
      if (shotLeft[shot]! > 0) continue;
      shotLeft[shot] = SHOT_STEPS;
      shotX[shot] = x[pod]!;
      shotY[shot] = y[pod]!;
      shotVx[shot] = ((facing[pod]! % 3) - 1) * SHOT_SPEED;
      shotVy[shot] = (Math.floor(facing[pod]! / 3) - 1) * SHOT_SPEED;
      reload[pod] = 3;
      return;
    }
  }

  #fly(pod: number): void {
    const { shotX, shotY, shotVx, shotVy, shotLeft } = this.#at;
    for (let shot = pod * SHOTS; shot < (pod + 1) * SHOTS; shot++) {
      if (shotLeft[shot] === 0) continue;
      shotLeft[shot]!--;
      shotX[shot]! += shotVx[shot]!;
      shotY[shot]! += shotVy[shot]!;
    }
  }

  #hit(by: number): void {
    const { x, y, health, hits, shotX, shotY, shotVx, shotVy, shotLeft, dice } = this.#at;
    for (let shot = by * SHOTS; shot < (by + 1) * SHOTS; shot++) {
      if (shotLeft[shot] === 0) continue;
      for (let pod = 0; pod < this.#players; pod++) {
        if (pod === by || health[pod]! <= 0) continue;
        const dx = x[pod]! - shotX[shot]!;
        const dy = y[pod]! - shotY[shot]!;
        if (dx * dx + dy * dy > (RADIUS + SHOT_RADIUS) * (RADIUS + SHOT_RADIUS)) continue;
        dice[0] = Math.imul(dice[0]!, 1_664_525) + 1_013_904_223;
        health[pod]! -= 5 + (dice[0]! >>> 28);
        hits[by]!++;
        x[pod]! += shotVx[shot]!;
        y[pod]! += shotVy[shot]!;
        shotLeft[shot] = 0;
        break;
      }
    }
    if (health[by]! <= 0) {
      health[by] = 100;
      x[by] = WORLD - x[by]!;
    }
  }
}

/** What a player takes into its head: a direction or none, firing or not. */
export function pressedBy(dice: Dice): number {
  const { left, right, up, down, fire } = Press;
  const way = dice.pick([0, left, right, up, down, left | up, right | down]);
  return dice.chance(0.5) ? way | fire : way;
}
