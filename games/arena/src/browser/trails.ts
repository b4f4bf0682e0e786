/** Smoke behind every rocket in sight, a puff every few milliseconds whatever the frame rate. */

import { ROCKET } from "../state.ts";
import type { Camera } from "./camera.ts";
import type { Effects } from "./effects.ts";
import type { RocketReplica } from "./network.ts";

const PUFF_MS = 22;
/** Rockets remembered; more are never in the air at once. */
const MOST = 256;
/** World units from a rocket's middle to its flame. */
const TAIL = 9;

export class Trails {
  readonly #effects: Effects;
  readonly #puffedMs = new Map<number, number>();

  constructor(effects: Effects) {
    this.#effects = effects;
  }

  puff(rockets: readonly RocketReplica[], camera: Camera, nowMs: number): void {
    for (const { id, shown } of rockets) {
      if (nowMs - (this.#puffedMs.get(id) ?? 0) < PUFF_MS || !camera.sees(shown.x, shown.y, 60)) continue;
      if (this.#puffedMs.size > MOST) this.#puffedMs.clear();
      this.#puffedMs.set(id, nowMs);
      const back = TAIL / (Math.hypot(shown.vx, shown.vy) || ROCKET.speed);
      this.#effects.trail(shown.x - shown.vx * back, shown.y - shown.vy * back, nowMs);
    }
  }
}
