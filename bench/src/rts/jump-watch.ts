/**
 * Looks for sudden movements in what a client shows (R §5.3): from one frame to the next a unit moves by more than a hundredth of what the camera shows, although it has been in the
 * camera for longer than a round trip and a round. Until then nobody can have told the client that the camera is there.
 */

import type { Client } from "@nearfield/client";
import { ROUND_MS, Unit } from "@nearfield/skirmish";
import type { Gaze } from "./gaze.ts";
import { CAMERA_SIZE } from "./views.ts";

/** Of the camera's width. */
const JUMP = 0.01;

interface Seen {
  x: number;
  y: number;
  sinceMs: number;
  frame: number;
}

export class JumpWatch {
  jumps = 0;
  longest = 0;
  readonly #client: Client;
  readonly #gaze: Gaze;
  readonly #settleMs: number;
  readonly #seen = new Map<number, Seen>();
  #frame = 0;

  /** @param roundTripMs between client and server. */
  constructor(client: Client, gaze: Gaze, roundTripMs: number) {
    this.#client = client;
    this.#gaze = gaze;
    this.#settleMs = roundTripMs + ROUND_MS;
  }

  restart(): void {
    this.jumps = 0;
    this.longest = 0;
  }

  frame(nowMs: number): void {
    this.#frame += 1;
    for (const unit of this.#client.world.all(Unit)) {
      const { x, y } = unit.shown;
      const isIn = Math.abs(x - this.#gaze.x) * 2 <= CAMERA_SIZE[0] && Math.abs(y - this.#gaze.y) * 2 <= CAMERA_SIZE[1];
      if (isIn) this.#look(unit.id, x, y, nowMs);
    }
    for (const [id, { frame }] of this.#seen) if (frame !== this.#frame) this.#seen.delete(id);
  }

  #look(id: number, x: number, y: number, nowMs: number): void {
    const seen = this.#seen.get(id);
    if (seen === undefined) {
      this.#seen.set(id, { x, y, sinceMs: nowMs, frame: this.#frame });
      return;
    }
    const way = Math.sqrt((x - seen.x) ** 2 + (y - seen.y) ** 2);
    if (nowMs - seen.sinceMs > this.#settleMs) {
      this.longest = Math.max(this.longest, way);
      if (way > JUMP * CAMERA_SIZE[0]) this.jumps += 1;
    }
    seen.x = x;
    seen.y = y;
    seen.frame = this.#frame;
  }
}
