/** What whoever opens an action space says of it, and what it is told at the end. */

import type { Player } from "@nearfield/server";

export interface OpenSpaceOptions {
  /** The players, each of whom gets the slot of its place here. At least one. */
  readonly players: readonly Player[];
  /** Players that the fight has room for, 32 at most. Default: as many as `players`. Who comes later takes a slot that is free. */
  readonly slots?: number;
  /** Length of a step, ms. */
  readonly stepMs: number;
  /** Ms from now until the fight begins: time to load and to connect. Default 2,000. Who comes later is waited for, and then voted out. */
  readonly startInMs?: number;
  /** For the fight's dice, 32 bits. */
  readonly seed: number;
  /** What the game calls this kind of fight, up to 64 bytes. Default "". */
  readonly kind?: string;
  /**
   * The players' public keys, by slot, 32 bytes each, for fights whose inputs are signed. Default: what each player told with `tellKey`; empty where it told
   * none. Who comes later, or comes back with another key, tells its own.
   */
  readonly keys?: readonly Uint8Array[];
  /** 16 bytes that name this fight and no other, ever. Default: made of the space's number, the time and the `salt` of `ActionSpaces`. */
  readonly name?: Uint8Array;
  /** Whatever else members must know, up to 1,024 bytes. Default: nothing. */
  readonly data?: Uint8Array;
  /** Told once, when the space has ended. */
  readonly onEnd?: (outcome: SpaceOutcome) => void;
}

export interface SpaceTimes {
  /** Ms after which the server settles a vote that the players could not. Default 4,000. */
  readonly settleMs: number;
  /** Ms that a sponsor may take to let somebody in before another is named. Default 6,000. */
  readonly sponsorMs: number;
  /** Ms from the first result until the space ends without those that are missing. Default 10,000. */
  readonly resultMs: number;
  /** Ms without anybody in the fight after which the space ends. Default 10,000. */
  readonly emptyMs: number;
  /** Ms after which a space ends whatever its members do. Default one hour. */
  readonly longestMs: number;
}

export const DEFAULT_SPACE_TIMES: SpaceTimes = Object.freeze({
  settleMs: 4000,
  sponsorMs: 6000,
  resultMs: 10_000,
  emptyMs: 10_000,
  longestMs: 3_600_000,
});

/** `done`: all who fought have handed in. `results`: some have, and the time for the others is over. `empty`: nobody fights any more. */
export type SpaceEndReason = "done" | "results" | "empty" | "too-long" | "closed";

export interface SpaceOutcome {
  readonly space: number;
  readonly why: SpaceEndReason;
  readonly seats: readonly {
    readonly address: number;
    readonly player: Player | undefined;
    readonly isSpectator: boolean;
    /** Whether it was in the fight at the end. */
    readonly wasIn: boolean;
    /** What its player signs with; empty where it told none. */
    readonly key: Uint8Array;
    /** What it handed in; undefined: nothing, or not all of it. */
    readonly result: Uint8Array | undefined;
  }[];
}
