/** What the page remembers of each avatar between two frames: how far it walked, when it fired and was hit, when it was last sent. */

import type { Figure } from "./figure.ts";

/** How long a weapon kicks and a hit flashes, ms. */
const KICK_MS = 120;
const FLASH_MS = 160;
/** A longer way in one frame is a new life elsewhere. */
const JUMP = 40;

export class Track {
  /** The number of its player. */
  readonly number: number;
  x: number;
  y: number;
  path = 0;
  firedMs: number = Number.NEGATIVE_INFINITY;
  hitMs: number = Number.NEGATIVE_INFINITY;
  /** Round of the replica, and when it came. */
  round = 0;
  sentMs: number = Number.NEGATIVE_INFINITY;
  seenMs = 0;
  /** How the avatar stands in the frame in which it was last seen: written anew in each. */
  figure: Figure | undefined;

  constructor(number: number, x: number, y: number) {
    this.number = number;
    this.x = x;
    this.y = y;
  }

  kick(nowMs: number): number {
    return Math.max(0, 1 - (nowMs - this.firedMs) / KICK_MS);
  }

  flash(nowMs: number): number {
    return Math.max(0, 1 - (nowMs - this.hitMs) / FLASH_MS);
  }
}

export class Tracks {
  readonly #tracks = new Map<number, Track>();
  /** Updates of avatars since the beginning. */
  updates = 0;

  /** Brings the track of an avatar to this frame. */
  follow(number: number, x: number, y: number, round: number, nowMs: number): Track {
    let track = this.#tracks.get(number);
    if (!track) {
      track = new Track(number, x, y);
      this.#tracks.set(number, track);
    }
    const dx = x - track.x;
    const dy = y - track.y;
    const step = Math.sqrt(dx * dx + dy * dy);
    if (step < JUMP) track.path += step;
    track.x = x;
    track.y = y;
    track.seenMs = nowMs;
    if (round !== track.round) {
      track.round = round;
      track.sentMs = nowMs;
      this.updates++;
    }
    return track;
  }

  /** By the number of its player. */
  get(number: number): Track | undefined {
    return this.#tracks.get(number);
  }

  /** Forgets those that were not followed in this frame. */
  forget(nowMs: number): void {
    for (const { number, seenMs } of this.#tracks.values()) if (seenMs !== nowMs) this.#tracks.delete(number);
  }
}
