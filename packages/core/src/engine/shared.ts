/** What the parts of one engine share: the world as it reads it, what it knows of every object, and the auditor. */

import type { Auditor } from "../audit.ts";
import type { MetricRegistry } from "../metrics.ts";
import type { ModelOptions } from "../model.ts";
import { grown } from "../object-store.ts";
import type { World } from "../world.ts";
import type { Bodies } from "./bodies.ts";
import type { SpeedCaps } from "./motion.ts";
import type { Observers } from "./observers.ts";
import type { UpdateLog } from "./update-log.ts";

export interface Shared {
  readonly world: World;
  readonly options: ModelOptions;
  readonly metrics: MetricRegistry;
  readonly audit: Auditor;
  readonly bodies: Bodies;
  readonly observers: Observers;
  readonly log: UpdateLog;
  readonly speeds: SpeedCaps;
  readonly updates: UpdateCaps;
}

/** The most updates an object is taken to get in a round, and how many it got in this one. */
export class UpdateCaps {
  cap: Uint16Array = new Uint16Array(64).fill(1);
  #now: Uint16Array = new Uint16Array(64);

  start(slot: number): void {
    while (slot >= this.cap.length) this.#grow();
    this.cap[slot] = 1;
    this.#now[slot] = 0;
  }

  count(slot: number): void {
    this.#now[slot] = this.#now[slot]! + 1;
  }

  /** Ends the round for an object that was updated in it; true if its cap was too low, and is raised. */
  exceeds(slot: number): boolean {
    const now = this.#now[slot]!;
    this.#now[slot] = 0;
    if (now <= this.cap[slot]!) return false;
    this.cap[slot] = now;
    return true;
  }

  #grow(): void {
    const length = this.cap.length * 2;
    this.cap = grown(new Uint16Array(length).fill(1), this.cap);
    this.#now = grown(new Uint16Array(length), this.#now);
  }
}
