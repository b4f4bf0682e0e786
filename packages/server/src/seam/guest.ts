/**
 * A guest is code outside this package that joins a room's rounds: the inspector, a store of durable records, a cluster that spreads one
 * world over several servers. In every round its methods are called at these places, in this order; the other names are stages of the
 * round:
 *
 *     roundBegins → receive → merge → step → gameStepped → commit → committed → findDue → tell → send → audit → roundEnded
 *
 * A guest leaves out the methods that it does not need. It reads and changes the room only through the `RoomSeam` that it was given. An
 * exception of a guest is reported like one of the game, and the round goes on.
 * Why so: docs/decisions/0022-the-seam.md.
 */

import type { RoomSeam } from "./room-seam.ts";

export interface Guest {
  /** Named in reports of exceptions. */
  readonly name: string;
  /**
   * Nothing has been received yet. The last round's decisions can still be read. A guest brings in objects of other servers here, so that
   * the game steps with their newest state.
   */
  roundBegins?(round: number): void;
  /** The game has stepped, and nothing is committed: what the guest writes now is part of this round's updates. */
  gameStepped?(round: number): void;
  /**
   * The round's updates are made; nothing of the round has been confirmed to anybody. A guest that must first make the updates safe calls
   * `hold`, and calls the returned function when they are safe; see `Holds`. A room with such a guest confirms nothing before this place.
   */
  committed?(round: number, hold: () => Release): void;
  /** Everything that is due has been sent. The round's decisions can be read until the next round. */
  roundEnded?(round: number): void;
  /** Measures the stages of a round. */
  readonly stopwatch?: Stopwatch | undefined;
  /** The room closes, or the guest was shown out. No method is called after this one. */
  dismissed?(): void;
}

/** `start` is called when the first stage of a round begins, `lap` when a stage has ended, with its index in `STAGE_NAMES`. */
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

/** Ends a hold: what the guest held back may leave. A second call does nothing. */
export type Release = () => void;
