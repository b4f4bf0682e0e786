/**
 * What may join a room's round from outside this package: the inspector, a store of durable records, a cluster that spreads one world over
 * servers. A guest is called at the places below, in this order, in every round:
 *
 *     roundBegins → receive → merge → step → gameStepped → commit → committed → findDue → tell → send → audit → roundEnded
 *
 * All of them may be left out. What a guest reads and changes, it reads and changes through the `RoomSeam` that it was given.
 * What a guest throws is reported like an error of the game, and the round goes on.
 * Why so: docs/decisions/0022-the-seam.md.
 */

import type { RoomSeam } from "./room-seam.ts";

export interface Guest {
  /** For reports of what it throws. */
  readonly name: string;
  /**
   * Nothing has been received yet. The last round's decisions can be read for the last time. Objects of other servers enter here, so that
   * the game steps among them as they are now.
   */
  roundBegins?(round: number): void;
  /** The game has stepped, and nothing is committed: what the guest writes now is part of this round's updates. */
  gameStepped?(round: number): void;
  /**
   * The round's updates are made; nothing of the round has been confirmed to anybody. A guest that must make them safe first calls `hold` and
   * calls what it returns when they are safe; see `Holds`. A room with such a guest confirms nothing before this place.
   */
  committed?(round: number, hold: () => Release): void;
  /** All that is due has left. The round's decisions can be read until the next one. */
  roundEnded?(round: number): void;
  /** For those who hold a watch. */
  readonly stopwatch?: Stopwatch | undefined;
  /** The room closes, or the guest was shown out. Nothing else is called after this. */
  dismissed?(): void;
}

/** Told when the first stage of a round begins, and when each has ended, by its place in `STAGE_NAMES`. */
export interface Stopwatch {
  start(): void;
  lap(stage: number): void;
}

/** Makes a guest for a room: called once, when it is invited. */
export type Arrive<G extends Guest = Guest> = (seam: RoomSeam) => G;

/** A guest in a room, until it leaves. */
export interface Stay<G extends Guest> {
  readonly guest: G;
  /** Shows the guest out. A second call does nothing. */
  leave(): void;
}

/** Says that what a guest held back may leave. A second call does nothing. */
export type Release = () => void;
