/**
 * Limits for one network address: its players, its players that are away, its hellos per second. Most attackers who try to fill a server
 * come from few addresses. With these limits, players from other addresses still get in.
 *
 * Links within the process ("memory:3") have no network address and no such limits.
 */

import { ProtocolError } from "@nearfield/protocol/internal";
import { addressGroup, hostOf } from "@nearfield/transport/internal";
import type { Host } from "../host.ts";
import type { RoomCore } from "../room/room-core.ts";
import type { Session } from "./session.ts";

interface Bucket {
  hellos: number;
  atMs: number;
}

/** Addresses whose hellos are counted. If there are more, addresses that have their full burst of hellos again are forgotten. */
const MOST_BUCKETS = 4096;
/** A full server ends a player that is away only if its address has at least this many players away. */
const LEAST_AWAY = 2;

export class Addresses {
  readonly #host: Host;
  readonly #rooms: ReadonlyMap<string, RoomCore>;
  readonly #buckets = new Map<string, Bucket>();

  constructor(host: Host, rooms: ReadonlyMap<string, RoomCore>) {
    this.#host = host;
    this.#rooms = rooms;
  }

  /** Counts a hello before it is read. Throws `ProtocolError("too-many")` if this address sends them too fast. */
  countHello(address: string): void {
    const group = networkOf(address);
    if (group === undefined) return;
    const { hellosPerSecond, perAddress } = this.#host.resolved.limits;
    const nowMs = this.#host.elapsedMs;
    const bucket = this.#bucket(group, nowMs);
    bucket.hellos = Math.min(perAddress, bucket.hellos + ((nowMs - bucket.atMs) * hellosPerSecond) / 1000);
    bucket.atMs = nowMs;
    if (bucket.hellos < 1)
      throw new ProtocolError("too-many", `more than ${hellosPerSecond} hellos a second from this address`);
    bucket.hellos -= 1;
  }

  /**
   * Makes sure that one more player of this address may join. If too many of its players are away, those that played for the shortest time
   * are ended. Throws `ProtocolError("too-many")`.
   */
  requireSeat(address: string): void {
    const group = networkOf(address);
    if (group === undefined) return;
    const { perAddress, awayPerAddress } = this.#host.resolved.limits;
    const theirs = this.#sessions().filter((session) => groupOf(session) === group);
    const away = theirs.filter(({ link }) => link === undefined).sort(byTimeHere);
    let players = theirs.length;
    for (let left = away.length; left > 0 && (left >= awayPerAddress || players >= perAddress); left--) {
      giveUp(away.shift()!);
      players -= 1;
    }
    if (players >= perAddress) throw new ProtocolError("too-many", `${perAddress} players of this address are here`);
  }

  /** Whether a full server can make room for one more, because some address has several players away. */
  get canFreeSeat(): boolean {
    return this.#mostAway().length >= LEAST_AWAY;
  }

  /** Makes room on a full server. Of the address with the most players away, it ends the one that played for the shortest time. */
  freeSeat(): void {
    const away = this.#mostAway();
    if (away.length >= LEAST_AWAY) giveUp(away.sort(byTimeHere)[0]!);
  }

  /** The players away of the address that has most of them. */
  #mostAway(): Session[] {
    const groups = new Map<string, Session[]>();
    for (const session of this.#sessions()) {
      const group = groupOf(session);
      if (group === undefined || session.link !== undefined) continue;
      const away = groups.get(group);
      if (away === undefined) groups.set(group, [session]);
      else away.push(session);
    }
    const [most = []] = [...groups.values()].sort((a, b) => b.length - a.length);
    return most;
  }

  #sessions(): Session[] {
    return [...this.#rooms.values()].flatMap(({ sessions }) => [...sessions.values()]);
  }

  #bucket(group: string, nowMs: number): Bucket {
    let bucket = this.#buckets.get(group);
    if (bucket === undefined) {
      if (this.#buckets.size >= MOST_BUCKETS) this.#forgetFull(nowMs);
      bucket = { hellos: this.#host.resolved.limits.perAddress, atMs: nowMs };
      this.#buckets.set(group, bucket);
    }
    return bucket;
  }

  #forgetFull(nowMs: number): void {
    const { hellosPerSecond, perAddress } = this.#host.resolved.limits;
    for (const [group, { hellos, atMs }] of this.#buckets) {
      if (hellos + ((nowMs - atMs) * hellosPerSecond) / 1000 >= perAddress) this.#buckets.delete(group);
    }
  }
}

function byTimeHere(a: Session, b: Session): number {
  return a.hereMs - b.hereMs;
}

function giveUp({ room, player }: Session): void {
  room.end(player, new ProtocolError("too-many", "its seat was given up: too many players of its address are away"));
}

function groupOf({ player }: Session): string | undefined {
  return networkOf(player.address);
}

/** Undefined for a link without a network address. */
export function networkOf(address: string): string | undefined {
  const host = hostOf(address);
  return host === undefined ? undefined : addressGroup(host);
}
