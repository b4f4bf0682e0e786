/**
 * What simpler rules would have sent in the same rounds (F §5.1: both must be counted in one run, since no two runs are alike).
 *
 * *Broadcast*: every update, creation and removal to every client that is connected and keeps up, but no echo to who wrote it. Counted in
 * every round from what changed in the world, without looking at pairs.
 * *Aura*: the share of those whose object is within a radius of one of the client's pivots, or has no place. That takes a look at
 * pairs, so it is found in every 32nd round, on at most 20,000 pairs, and holds for the rounds since the last look. What enters and leaves the
 * aura is not counted, which favours the aura.
 */

import type { RoomCore } from "../room/room-core.ts";
import type { Session } from "../session/session.ts";
import type { PivotPlaces } from "./drawn.ts";
import type { WorldChanges } from "./world-changes.ts";

const LOOK_EVERY = 32;
const PAIRS_PER_LOOK = 20_000;

export class Baselines {
  broadcastSends = 0;
  auraSends = 0;
  readonly radius: number;
  readonly #core: RoomCore;
  readonly #places: PivotPlaces;
  #joins: number;
  /** Broadcast's sends since the last look. */
  #unjudged = 0;
  /** Where the next look goes on, if it cannot take in everybody. */
  #turn = 0;

  constructor(core: RoomCore, radius: number, places: PivotPlaces) {
    this.#core = core;
    this.radius = radius;
    this.#places = places;
    this.#joins = core.telemetry.joins;
  }

  /** @param views how many were sent a frame in this round. */
  roundEnded(round: number, changes: WorldChanges, views: number): void {
    const { telemetry, world } = this.#core;
    const joined = Math.min(views, telemetry.joins - this.#joins);
    this.#joins = telemetry.joins;
    const news = changes.count + changes.destroyedCount;
    const sends = joined * world.count + (views - joined) * changes.spawnedCount + views * news - this.#echoes(changes);
    this.broadcastSends += sends;
    this.#unjudged += sends;
    if (round % LOOK_EVERY === 0) this.#look(changes);
  }

  /** Client writes that a broadcast would not send back to their writers. */
  #echoes(changes: WorldChanges): number {
    let echoes = 0;
    for (let i = 0; i < changes.count; i++) {
      const writer = changes.writerOf(changes.slots[i]!);
      if (writer !== 0 && this.#core.sessions.get(writer)?.isPaused === false) echoes += 1;
    }
    return echoes;
  }

  #look(changes: WorldChanges): void {
    const sessions = [...this.#core.sessions.values()].filter(({ isPaused }) => !isPaused);
    if (changes.count === 0 || sessions.length === 0) return;
    const most = Math.max(1, Math.min(sessions.length, Math.floor(PAIRS_PER_LOOK / changes.count)));
    let within = 0;
    for (let n = 0; n < most; n++) {
      this.#turn = (this.#turn + 1) % sessions.length;
      within += this.#countWithin(sessions[this.#turn]!, changes);
    }
    this.auraSends += this.#unjudged * (within / (most * changes.count));
    this.#unjudged = 0;
  }

  #countWithin({ player }: Session, changes: WorldChanges): number {
    const { world } = this.#core;
    const pivots = this.#places.drawn(player.settings.pivots, world);
    const limit = this.radius * this.radius;
    let within = 0;
    for (let i = 0; i < changes.count; i++) {
      const slot = changes.slots[i]!;
      let isNear = !world.store.isLive(slot) || !world.isSpatial(slot);
      for (let p = 0; p < pivots.length && !isNear; p++) {
        const pivot = pivots[p]!;
        const dx = world.x[slot]! - pivot.x;
        const dy = world.y[slot]! - pivot.y;
        const dz = world.z[slot]! - pivot.z;
        isNear = dx * dx + dy * dy + dz * dz <= limit;
      }
      if (isNear) within += 1;
    }
    return within;
  }
}
