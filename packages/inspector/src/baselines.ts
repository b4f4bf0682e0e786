/**
 * What simpler rules would have sent in the same rounds. Both must be counted in one run, since no two runs are alike (F §5.1).
 *
 * *Broadcast* sends every update, creation and removal to every client that is connected and keeps up, except to the client that wrote it.
 * It is counted in every round from what changed in the world, without looking at pairs.
 * *Aura* sends those whose object is within a radius of one of the client's pivots, or has no place. If a round has at most 250 pairs of
 * a client and an update, all of them are checked. If it has more, every eighth round is checked, with at most 1,500 pairs: the next clients
 * each time, so that all have their turn equally often. What was found counts for the rounds since the last check. So the mean is not biased;
 * `auraError` says how far off it may be. Objects that enter and leave the aura are not counted, which favours the aura.
 * Both send a client one packet in each round in which they send it anything. How large their updates are, `sizes` counts through our own codec.
 */

import type { World } from "@nearfield/core";
import { grown } from "@nearfield/schema/internal";
import type { Connection, RoomSeam } from "@nearfield/server/seam";
import { BroadcastSizes } from "./broadcast-sizes.ts";
import type { PivotPlaces } from "./drawn.ts";
import type { WorldChanges } from "./world-changes.ts";

/** Pairs up to which every round is checked. */
const LOOKS_IN_EACH_ROUND = 250;
/** Else: pairs of a check, and rounds from one check to the next. */
const MOST_LOOKS = 1500;
const ROUNDS_PER_LOOK = 8;
/** With fewer clients than this, their differences cannot be estimated. */
const LEAST_CLIENTS = 4;
/** 19 of 20 cases lie within this many standard deviations. */
const DEVIATIONS = 1.96;

export class Baselines {
  broadcastSends = 0;
  broadcastPackets = 0;
  auraSends = 0;
  auraPackets = 0;
  readonly sizes: BroadcastSizes;
  readonly radius: number;
  readonly #seam: RoomSeam;
  readonly #places: PivotPlaces;
  #joins: number;
  /** Sends of the broadcast since the last check of the aura. */
  #unjudged = 0;
  /** The client at which the next check continues, if it cannot include all. */
  #turn = 0;
  #variance = 0;
  /** Rounds with changes since the last check; and the share that it found. */
  #unlooked = 0;
  /** Whether the aura and the sizes of updates are to be looked at after this round. */
  #isAuraDue = false;
  #isSizeDue = false;
  #share = Number.NaN;
  /** Places of the objects that changed: x, y, z of each; and the number of changed objects that have no place or are gone. */
  #changed: Float64Array = new Float64Array(192);
  #changedEnd = 0;
  #everywhere = 0;
  /** Places of one client's pivots: x, y, z of each. */
  #pivots: Float64Array = new Float64Array(12);
  /** Who is connected and keeps up. */
  readonly #sessions: Connection[] = [];

  constructor(seam: RoomSeam, radius: number, places: PivotPlaces) {
    this.#seam = seam;
    this.radius = radius;
    this.#places = places;
    this.#joins = seam.telemetry.joins;
    this.sizes = new BroadcastSizes(seam);
  }

  /** How far `auraSends` may be off, as a share of it; 0: everything was counted. */
  get auraError(): number | null {
    return this.auraSends > 0 ? (DEVIATIONS * Math.sqrt(this.#variance)) / this.auraSends : null;
  }

  /**
   * Counts the broadcast's sends of a round.
   *
   * @param views how many views were sent a frame in this round.
   * @returns whether `look` is to be called for it.
   */
  roundEnded(changes: WorldChanges, views: number): boolean {
    const { telemetry, world } = this.#seam;
    const joined = Math.min(views, telemetry.joins - this.#joins);
    this.#joins = telemetry.joins;
    const news = changes.count + changes.destroyedCount;
    const sends = joined * world.count + (views - joined) * changes.spawnedCount + views * news - this.#echoes(changes);
    this.broadcastSends += sends;
    if (sends > 0) this.broadcastPackets += views;
    this.#unjudged += sends;
    if (changes.count > 0) this.#unlooked += 1;
    this.#isAuraDue = changes.count > 0 && (this.#unlooked >= ROUNDS_PER_LOOK || this.#isSmall(changes));
    this.#isSizeDue = this.sizes.roundEnded();
    return this.#isAuraDue || this.#isSizeDue;
  }

  /** Looks at what changed in the round that has just ended. */
  look(changes: WorldChanges, round: number): void {
    if (this.#isSizeDue) this.sizes.look(changes, round);
    if (this.#isAuraDue) this.#lookAround(changes);
  }

  #isSmall({ count }: WorldChanges): boolean {
    return count * this.#seam.connections.size <= LOOKS_IN_EACH_ROUND;
  }

  /** Clients' writes that a broadcast would not send back to their writers. */
  #echoes(changes: WorldChanges): number {
    let echoes = 0;
    if (!changes.hasWriters) return 0;
    for (let i = 0; i < changes.count; i++) {
      const writer = changes.writerOf(changes.slots[i]!);
      if (writer !== 0 && this.#seam.connections.get(writer)?.isPaused === false) echoes += 1;
    }
    return echoes;
  }

  #lookAround(changes: WorldChanges): void {
    const sessions = this.#sessions;
    let all = 0;
    for (const connection of this.#seam.connections.values()) if (!connection.isPaused) sessions[all++] = connection;
    sessions.length = all;
    if (all === 0) return;
    const most = Math.min(all, Math.max(LEAST_CLIENTS, Math.floor(MOST_LOOKS / changes.count)));
    this.#gather(changes);
    let sum = 0;
    let squares = 0;
    let reached = 0;
    for (let n = 0; n < most; n++) {
      this.#turn = (this.#turn + 1) % all;
      const within = this.#countWithin(sessions[this.#turn]!);
      sum += within;
      squares += within * within;
      if (within > 0) reached += 1;
    }
    // As many as in this round, in each of the rounds that were not checked.
    this.auraPackets += ((reached * all) / most) * this.#unlooked;
    this.#judge(sum / most / changes.count, varianceOf(sum, squares, most, all) / changes.count ** 2);
  }

  /**
   * @param share of the broadcast's sends that the aura would make, as found now.
   * @param variance of that share, from looking at some clients only.
   */
  #judge(share: number, variance: number): void {
    // In rounds that were not checked the share is taken to lie between the last one found and this one.
    const drift = this.#unlooked > 1 && !Number.isNaN(this.#share) ? (share - this.#share) / 2 : 0;
    const sends = this.#unjudged;
    this.auraSends += sends * share;
    this.#variance += sends * sends * (variance + drift * drift);
    this.#share = share;
    this.#unjudged = 0;
    this.#unlooked = 0;
  }

  /** Reads the places of the changed objects from the world's columns, once for all clients. */
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
    const end = 3 * this.#placePivots(player.settingsWithUnits.pivots, this.#seam.world);
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

  /**
   * Writes the pivots' places into `#pivots` and returns their number. Most pivots are on a living object, whose place is read from its
   * columns.
   */
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

/** Variance of the mean over `most` of `all` clients; 0 if all were counted. */
function varianceOf(sum: number, squares: number, most: number, all: number): number {
  if (most === all) return 0;
  return ((squares - (sum * sum) / most) / (most - 1) / most) * (1 - most / all);
}
