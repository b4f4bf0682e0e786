/** A player as the server keeps him: his objects in the world, and values that are never sent to others. */

import type { Entity } from "@nearfield/core";
import type { Player } from "@nearfield/server";
import type { Avatar, Score } from "./shared.ts";
import type { Weapon } from "./state.ts";

export type AvatarEntity = Entity<typeof Avatar.shape>;
type ScoreEntity = Entity<typeof Score.shape>;

export interface Fighter {
  readonly number: number;
  readonly player: Player;
  readonly avatar: AvatarEntity;
  readonly score: ScoreEntity;
  /** When its weapon is ready again, ms of the server's time. */
  readyMs: number;
  /** Until when nothing harms it. */
  safeUntilMs: number;
  /** When it is born again; `Infinity` while it lives. */
  backMs: number;
  /** What it last struck somebody with. */
  struckWith: Weapon;
}

export function isStanding({ avatar }: Fighter): boolean {
  return avatar.condition !== "dead";
}
