/**
 * A jump to somebody. Where a person far away points is known to within the bound of a far zone; on the way there it becomes live. So the camera is
 * aimed anew until then, unless the hand takes it over.
 */

import { PRESENCE_MS } from "../views.ts";
import type { Camera } from "./camera.ts";
import type { SeenPerson } from "./network.ts";

/** When it ends, ms: what was not live has arrived by then. */
const JUMP_MS = PRESENCE_MS[3] + 1000;
/** So near to the middle of the screen is there, as a share of its shorter side. */
const THERE = 0.25;
const LEAST_ZOOM = 0.6;

export class Jump {
  readonly #camera: Camera;
  readonly number: number;
  readonly #untilMs: number;
  readonly #handled: number;

  constructor(camera: Camera, number: number, nowMs: number) {
    this.#camera = camera;
    this.number = number;
    this.#untilMs = nowMs + JUMP_MS;
    this.#handled = camera.handled;
  }

  /** Call it in every frame; false: the jump is over. */
  aim(person: SeenPerson | undefined, nowMs: number): boolean {
    const camera = this.#camera;
    const goal = person?.cursor;
    if (goal === undefined || nowMs > this.#untilMs || camera.handled !== this.#handled) return false;
    const { x, y } = camera.goal;
    const away = Math.max(Math.abs(goal.x - x), Math.abs(goal.y - y)) * camera.zoom;
    if (away > Math.min(camera.width, camera.height) * THERE) camera.glideTo(goal, Math.max(LEAST_ZOOM, camera.zoom));
    return true;
  }
}
