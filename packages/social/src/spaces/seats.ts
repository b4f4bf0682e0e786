/** A seat of an action space, as the server keeps it: who holds it, what the fight made of it, and what its holder may still send. */

import type { Seat, SpacePort } from "@nearfield/rollback/mesh";
import type { Player } from "@nearfield/server";
import { Bucket } from "./bucket.ts";
import { MOST_RESULT_PARTS } from "./messages.ts";

export interface SpaceLimits {
  /** Frames and bytes per second that the server passes on for one member; more are dropped and counted. Defaults 700 and 128 KiB. */
  readonly relayFrames: number;
  readonly relayBytes: number;
  /** Signals per second for one member, after a first burst of 100. Default 8. */
  readonly signals: number;
  /** Entries per second of one member, after a first burst of 4. Default 0.5. */
  readonly entries: number;
  /** Refusals after which a member is out for good. Default 64. */
  readonly refusals: number;
}

export const DEFAULT_SPACE_LIMITS: SpaceLimits = Object.freeze({
  relayFrames: 700,
  relayBytes: 128 * 1024,
  signals: 8,
  entries: 0.5,
  refusals: 64,
});

/** A member that runs inside the server: what others would be sent is handed to it. */
export interface Insider {
  seat(seat: Seat): void;
  relayed(from: number, frame: Uint8Array): void;
  signalled(from: number, signal: Uint8Array): void;
}

/** How an insider talks to the members. */
export type InsidePort = Pick<SpacePort, "relay" | "signal">;

const SIGNAL_BURST = 100;
const ENTRY_BURST = 4;
const NO_KEY = new Uint8Array(0);

export class SeatRecord {
  readonly address: number;
  /** Whether it belongs to a player of the fight, not to a spectator. */
  readonly isPlayers: boolean;
  /** Whether nobody had it when the fight began. */
  readonly isAbsent: boolean;
  /** Whether it checks the fight. */
  readonly isObserver: boolean;
  player: Player | undefined;
  /** Who sits here inside the server, if somebody does. */
  insider: Insider | undefined;
  visit = 0;
  /** The highest visit so far. */
  visits = 0;
  entry = 0;
  outTo = 0;
  isIn = false;
  sponsor = -1;
  sponsorMs = 0;
  /** All keys that its players have signed with, oldest first: who comes back may have another. */
  readonly keys: Uint8Array[] = [];
  isBanned = false;
  refusals = 0;
  /** What its holder said last: players who are gone, and whom it wants to leave. */
  gone = 0;
  suspects = 0;
  tail = 0;
  /** Players whom it has wanted to leave, or known to be gone, since they were last ruled out. */
  followed = 0;
  /** When the server ruled this entry out; Infinity: it did not. */
  ruledMs: number = Number.POSITIVE_INFINITY;
  /** When somebody first accused it; Infinity: nobody does. */
  accusedMs: number = Number.POSITIVE_INFINITY;
  result: Uint8Array | undefined;
  readonly counters: { relayedFrames: number; relayedBytes: number; droppedFrames: number } = {
    relayedFrames: 0,
    relayedBytes: 0,
    droppedFrames: 0,
  };
  readonly frames: Bucket;
  readonly bytes: Bucket;
  readonly signals: Bucket;
  readonly entries: Bucket;
  #parts: (Uint8Array | undefined)[] = [];

  constructor(
    address: number,
    kind: "player" | "absent" | "spectator" | "observer",
    limits: SpaceLimits,
    nowMs: number,
  ) {
    this.address = address;
    this.isPlayers = kind === "player" || kind === "absent";
    this.isObserver = kind === "observer";
    this.isAbsent = kind === "absent";
    this.frames = new Bucket(limits.relayFrames, limits.relayFrames, nowMs);
    this.bytes = new Bucket(limits.relayBytes, limits.relayBytes, nowMs);
    this.signals = new Bucket(limits.signals, SIGNAL_BURST, nowMs);
    this.entries = new Bucket(limits.entries, ENTRY_BURST, nowMs);
  }

  /** What its player signs with; empty if it told nothing. */
  get key(): Uint8Array {
    return this.keys.at(-1) ?? NO_KEY;
  }

  /** Its player signs with this from now on. */
  takeKey(key: Uint8Array): void {
    if (key.length > 0 && key.join() !== this.key.join()) this.keys.push(key);
  }

  /** Whether somebody can be sent something here. */
  get isTaken(): boolean {
    return this.player !== undefined || this.insider !== undefined;
  }

  /** Whether its player takes part in the fight now. */
  get isFighting(): boolean {
    return this.isPlayers && this.isIn && this.entry > this.outTo;
  }

  /** Whether the others wait for its player's inputs: it fights, or was expected at the beginning and has not come. */
  get isAwaited(): boolean {
    return this.isFighting || (this.isPlayers && !this.isAbsent && this.entry === 0 && this.outTo === 0);
  }

  /** Whether its player is there and waits to be let in. */
  get isPending(): boolean {
    return this.isPlayers && this.visit > 0 && !this.isIn && this.entry > this.outTo;
  }

  /** Takes a part of the result; false if it does not fit. */
  takePart(part: number, parts: number, bytes: Uint8Array): boolean {
    if (this.result !== undefined || parts < 1 || parts > MOST_RESULT_PARTS || part >= parts) return false;
    if (this.#parts.length === 0) this.#parts = Array.from({ length: parts }, () => undefined);
    if (this.#parts.length !== parts || this.#parts[part] !== undefined) return false;
    this.#parts[part] = bytes;
    if (this.#parts.includes(undefined)) return true;
    const all = this.#parts as Uint8Array[];
    this.result = new Uint8Array(all.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const one of all) {
      this.result.set(one, at);
      at += one.length;
    }
    this.#parts = [];
    return true;
  }
}
