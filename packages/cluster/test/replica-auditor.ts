/**
 * Judges what clients hold, from their own decoded replicas and from what the referee saw the objects do: what a view promised must be there one way later, over the bus, a
 * round of the gateway, and the path to the client. It knows nothing of what any server decided or sent.
 */

import type { WorldId } from "@nearfield/schema";
import { type ClusterLab, FRAME_MS, RANGE, ROUND_MS, type Roamer, Ship } from "./cluster-lab.ts";

/** Beyond zone 0 fewer than this many updates may be missing (the lab's view). */
const SEQUENCE = 4;
/** Zone 0 of the lab's view, and how far inside of a border nobody can doubt on which side something is: what two ships move in a round. */
const ZONE = 60;
const DOUBT = 45;
/** An object must have been in range for this time, ms: so long views may take to be stated, and copies to come. */
const SETTLED_MS = 4 * ROUND_MS;

export interface Watched {
  readonly roamer: Roamer;
  avatar: WorldId;
}

export class ReplicaAuditor {
  /** Pairs of client and object that were judged, and those that broke the promise. */
  judged = 0;
  shortfalls = 0;
  /** The shortfalls, in words. */
  readonly seen: string[] = [];
  /** By pair: since when it breaks the promise. */
  readonly #since = new Map<string, number>();
  /** The longest time that a pair broke the promise, ms. */
  longestMs = 0;
  readonly #cluster: ClusterLab;
  readonly #oldestMs: number;

  constructor(cluster: ClusterLab, latencyMs: number, busMs: number) {
    this.#cluster = cluster;
    this.#oldestMs = latencyMs + busMs + ROUND_MS + FRAME_MS;
  }

  /** What breaks the promise now, in words. */
  get open(): string[] {
    return [...this.#since].map(([pair, sinceMs]) => `${pair} since ${Math.round(sinceMs)}`);
  }

  look(players: readonly Watched[]): void {
    const { referee, clock } = this.#cluster;
    const dueMs = clock.nowMs - this.#oldestMs;
    const before = new Map(this.#since);
    this.#since.clear();
    for (const { roamer, avatar } of players) {
      const { client, server } = roamer;
      if (avatar === 0) continue;
      const here = referee.stepsOf(avatar, dueMs - SETTLED_MS, clock.nowMs);
      const { world } = server.lab;
      // What the gateway has given up is about to leave the client too.
      const ships = [...client.world.all(Ship)].filter((ship) => world.get(ship.id) !== undefined);
      const held = new Map(ships.map((ship) => [world.worldIdOf(ship.id), ship.seen]));
      for (const id of referee.objects) {
        const steps = referee.stepsOf(id, dueMs - SETTLED_MS, dueMs);
        const due = steps.at(-1);
        if (due === undefined || here.length === 0) continue;
        const far = Math.max(...steps.flatMap((a) => here.map((b) => Math.hypot(a.x - b.x, a.y - b.y))));
        if (far > RANGE - DOUBT) continue;
        this.judged += 1;
        const mayMiss = far < ZONE - DOUBT ? 0 : SEQUENCE;
        const pair = `${client.nickname}: ${id}`;
        const has = held.get(id) ?? Number.NEGATIVE_INFINITY;
        this.#note(pair, before.get(pair), has < due.seen - mayMiss, `${has} of ${due.seen}, ${Math.round(far)} away`);
      }
    }
  }

  #note(pair: string, before: number | undefined, isShort: boolean, what: string): void {
    if (!isShort) return;
    const { nowMs } = this.#cluster.clock;
    this.shortfalls += 1;
    const sinceMs = before ?? nowMs;
    this.#since.set(pair, sinceMs);
    this.seen.push(`${pair} at ${Math.round(nowMs)}: ${what}`);
    this.longestMs = Math.max(this.longestMs, nowMs - sinceMs);
  }
}
