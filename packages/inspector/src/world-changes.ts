/**
 * What changed in a world within one round: which objects were updated, and how many came and went. Observes the world while somebody
 * watches. Costs one mark for each update.
 */

import type { WorldObserver } from "@nearfield/core/internal";
import { grown } from "@nearfield/schema/internal";
import type { RoomSeam } from "@nearfield/server/seam";

/** The object was written by the server, or by several sessions. */
const NOBODY_ALONE = 0;

export class WorldChanges implements WorldObserver {
  /** Updates since the observation began. Two writers of one object in one round make two. */
  updates = 0;
  /** This round: slots that were updated, each once. */
  slots: Int32Array = new Int32Array(64);
  count = 0;
  spawnedCount = 0;
  destroyedCount = 0;
  /** Whether a session wrote any of these updates. */
  hasWriters = false;
  /** Number of this round, from 1. */
  #round = 1;
  /** By slot: the number of the last round in which it was listed; and the session that wrote all of its changes then. */
  #listed: Uint32Array = new Uint32Array(64);
  #writers: Int32Array = new Int32Array(64);

  /** Observes until the guest that owns this seam leaves. */
  constructor(seam: RoomSeam) {
    seam.observe(this);
  }

  /** The session that alone wrote the changes of this object; 0 if there is none. A broadcast would not send them back to it. */
  writerOf(slot: number): number {
    return this.#writers[slot]!;
  }

  /** Whether the object was updated in this round. */
  hasUpdated(slot: number): boolean {
    return this.#listed[slot] === this.#round;
  }

  updated(slot: number, writer: number): void {
    this.updates += 1;
    this.#reserve(slot);
    if (writer !== NOBODY_ALONE) this.hasWriters = true;
    if (this.#listed[slot] === this.#round) {
      if (this.#writers[slot] !== writer) this.#writers[slot] = NOBODY_ALONE;
      return;
    }
    this.#listed[slot] = this.#round;
    this.#writers[slot] = writer;
    this.slots[this.count++] = slot;
  }

  spawned(): void {
    this.spawnedCount += 1;
  }

  destroyed(): void {
    this.destroyedCount += 1;
  }

  /** Begins the next round. */
  clear(): void {
    this.#round += 1;
    this.count = 0;
    this.hasWriters = false;
    this.spawnedCount = 0;
    this.destroyedCount = 0;
  }

  #reserve(slot: number): void {
    const { length } = this.#listed;
    if (slot < length) return;
    const more = Math.max(slot + 1, 2 * length);
    this.#listed = grown(this.#listed, more);
    this.#writers = grown(this.#writers, more);
    this.slots = grown(this.slots, more);
  }
}
