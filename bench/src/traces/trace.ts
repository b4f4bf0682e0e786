/**
 * A movement trace as read: one track per entity, times from the trace's first row on, lengths in world units. Knows the kinds of the
 * traces; what a round makes of a track is for `track.ts` and `primaries.ts`.
 */

import type { Track } from "./track.ts";

/** What an entity is in a row: a player on foot or riding, a thing that merely moves, a projectile, dead; `any` in a trace without kinds. */
export const Kind = { any: 0, player: 1, rider: 2, thing: 3, projectile: 4, dead: 5 } as const;
export type Kind = (typeof Kind)[keyof typeof Kind];

/** The letters of the `kind` column, V for vehicles; others stand for things. */
export const KIND_LETTERS: Readonly<Record<string, Kind>> = {
  P: Kind.player,
  R: Kind.rider,
  V: Kind.thing,
  J: Kind.projectile,
  D: Kind.dead,
};

export interface Trace {
  readonly name: string;
  readonly tracks: readonly Track[];
  /** 2 or 3. */
  readonly dimensions: number;
  readonly hasHeading: boolean;
  /** Whether riders say whom they ride, by the column `parent`. */
  readonly hasRiders: boolean;
  /** Usual time between two rows of one entity, ms; 0 where no entity has two. */
  readonly spacingMs: number;
  /** From the first row to the last one read. */
  readonly durationMs: number;
  /** Smallest and largest coordinate of each axis. */
  readonly lowest: readonly number[];
  readonly highest: readonly number[];
}
