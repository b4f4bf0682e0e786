/** What the page remembers of each avatar between two frames: how far it walked, when it fired and was hit, when it was last sent. */

import type { AvatarReplica } from "./network.ts";

/** How long a weapon kicks and a hit flashes, ms. */
const KICK_MS = 120;
const FLASH_MS = 160;
/** A longer way in one frame is a new life elsewhere. */
const JUMP = 40;

export class Track {
  x: number;
  y: number;
  path = 0;
  firedMs: number = Number.NEGATIVE_INFINITY;
  hitMs: number = Number.NEGATIVE_INFINITY;
  /** Round of the replica, and when it came. */
  round = 0;
  sentMs: number = Number.NEGATIVE_INFINITY;
  seenMs = 0;

  constructor(x: number, y: number) {
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
  follow(avatar: AvatarReplica, x: number, y: number, round: number, nowMs: number): Track {
    let track = this.#tracks.get(avatar.number);
    if (!track) {
      track = new Track(x, y);
      this.#tracks.set(avatar.number, track);
    }
    const step = Math.hypot(x - track.x, y - track.y);
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
    for (const [number, track] of this.#tracks) if (track.seenMs !== nowMs) this.#tracks.delete(number);
  }
}
