/**
 * What simpler rules would have sent in the same rounds (F §5.1: both must be counted in one run, since no two runs are alike).
 *
 * *Broadcast*: every update, creation and removal to every client that is connected and keeps up, but no echo to who wrote it. Counted in
 * every round from what changed in the world, without looking at pairs.
 * *Aura*: the share of those whose object is within a radius of one of the client's pivots, or has no place. Every update of every
 * client is looked at, in every round, as long as that takes at most 1,500 looks; beyond that some clients are, the next ones in each
 * round. Since all have their turn equally often, the mean is not shifted; how far chance may have put it off is `auraError`. What enters
 * and leaves the aura is not counted, which favours the aura.
 */

import type { World } from "@nearfield/core";
import { grown } from "@nearfield/schema/internal";
import type { Connection, RoomSeam } from "@nearfield/server/seam";
import type { PivotPlaces } from "./drawn.ts";
import type { WorldChanges } from "./world-changes.ts";

const LOOKS_PER_ROUND = 1500;
/** Fewer clients than these say nothing about how unlike they are. */
const LEAST_CLIENTS = 4;
/** 19 of 20 cases lie within so many standard deviations. */
const DEVIATIONS = 1.96;

export class Baselines {
  broadcastSends = 0;
  auraSends = 0;
  readonly radius: number;
  readonly #seam: RoomSeam;
  readonly #places: PivotPlaces;
  #joins: number;
  /** Broadcast's sends since the last look. */
  #unjudged = 0;
  /** Where the next look goes on, if it cannot take in everybody. */
  #turn = 0;
  #variance = 0;
  /** Places of what changed, x, y, z of each, up to an end; and how many of the changed have no place, or are gone. */
  #changed: Float64Array = new Float64Array(192);
  #changedEnd = 0;
  #everywhere = 0;
  /** Places of one client's pivots: x, y, z of each. */
  #pivots: Float64Array = new Float64Array(12);

  constructor(seam: RoomSeam, radius: number, places: PivotPlaces) {
    this.#seam = seam;
    this.radius = radius;
    this.#places = places;
    this.#joins = seam.telemetry.joins;
  }

  /** How far `auraSends` may be off, as a share of it; 0: nothing was left out. */
  get auraError(): number | null {
    return this.auraSends > 0 ? (DEVIATIONS * Math.sqrt(this.#variance)) / this.auraSends : null;
  }

  /** @param views how many were sent a frame in this round. */
  roundEnded(changes: WorldChanges, views: number): void {
    const { telemetry, world } = this.#seam;
    const joined = Math.min(views, telemetry.joins - this.#joins);
    this.#joins = telemetry.joins;
    const news = changes.count + changes.destroyedCount;
    const sends = joined * world.count + (views - joined) * changes.spawnedCount + views * news - this.#echoes(changes);
    this.broadcastSends += sends;
    this.#unjudged += sends;
    this.#look(changes);
  }

  /** Client writes that a broadcast would not send back to their writers. */
  #echoes(changes: WorldChanges): number {
    let echoes = 0;
    for (let i = 0; i < changes.count; i++) {
      const writer = changes.writerOf(changes.slots[i]!);
      if (writer !== 0 && this.#seam.connections.get(writer)?.isPaused === false) echoes += 1;
    }
    return echoes;
  }

  #look(changes: WorldChanges): void {
    const sessions: Connection[] = [];
    for (const session of this.#seam.connections.values()) if (!session.isPaused) sessions.push(session);
    const all = sessions.length;
    if (changes.count === 0 || all === 0) return;
    const most = Math.min(all, Math.max(LEAST_CLIENTS, Math.floor(LOOKS_PER_ROUND / changes.count)));
    this.#gather(changes);
    let sum = 0;
    let squares = 0;
    for (let n = 0; n < most; n++) {
      this.#turn = (this.#turn + 1) % all;
      const within = this.#countWithin(sessions[this.#turn]!);
      sum += within;
      squares += within * within;
    }
    const perClient = this.#unjudged / changes.count;
    this.auraSends += (perClient * sum) / most;
    if (most < all) {
      const spread = (squares - (sum * sum) / most) / (most - 1);
      this.#variance += (perClient * perClient * spread * (1 - most / all)) / most;
    }
    this.#unjudged = 0;
  }

  /** Takes the places of what changed out of the world's columns, once for all clients. */
  #gather(changes: WorldChanges): void {
    const { world } = this.#seam;
    const { x, y, z, store } = world;
    if (3 * changes.count > this.#changed.length) this.#changed = new Float64Array(6 * changes.count);
    this.#everywhere = 0;
    let end = 0;
    for (let i = 0; i < changes.count; i++) {
      const slot = changes.slots[i]!;
      if (!store.isLive(slot) || !world.isSpatial(slot)) {
        this.#everywhere += 1;
        continue;
      }
      this.#changed[end++] = x[slot]!;
      this.#changed[end++] = y[slot]!;
      this.#changed[end++] = z[slot]!;
    }
    this.#changedEnd = end;
  }

  #countWithin({ player }: Connection): number {
    const end = 3 * this.#placePivots(player.settings.pivots, this.#seam.world);
    const limit = this.radius * this.radius;
    const places = this.#changed;
    const pivots = this.#pivots;
    let within = this.#everywhere;
    for (let i = 0; i < this.#changedEnd; i += 3) {
      for (let at = 0; at < end; at += 3) {
        const dx = places[i]! - pivots[at]!;
        const dy = places[i + 1]! - pivots[at + 1]!;
        const dz = places[i + 2]! - pivots[at + 2]!;
        if (dx * dx + dy * dy + dz * dz > limit) continue;
        within += 1;
        break;
      }
    }
    return within;
  }

  /** Into `#pivots`; returns how many there are. One on a living object, the usual kind, takes no more than a look at its columns. */
  #placePivots(pivots: Connection["player"]["settings"]["pivots"], world: World): number {
    if (3 * pivots.length > this.#pivots.length) this.#pivots = grown(this.#pivots, pivots.length, 3);
    let count = 0;
    for (const pivot of pivots) {
      const slot = "object" in pivot ? world.store.liveSlot(pivot.object) : -1;
      if (slot >= 0 && world.isSpatial(slot)) this.#put(count++, world.x[slot]!, world.y[slot]!, world.z[slot]!);
      else for (const { x, y, z } of this.#places.drawn([pivot], world)) this.#put(count++, x, y, z);
    }
    return count;
  }

  #put(index: number, x: number, y: number, z: number): void {
    this.#pivots[3 * index] = x;
    this.#pivots[3 * index + 1] = y;
    this.#pivots[3 * index + 2] = z;
  }
}
