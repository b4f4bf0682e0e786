/**
 * How an avatar moves: the step function that the owner's client runs at once and the server when the command has arrived. It knows the avatar's
 * fields, the command and the level's walls, and nothing else; no sine or cosine, which differ between machines in their last bits.
 */

import type { Values } from "@nearfield/schema";
import type { Act, Avatar } from "./shared.ts";
import { ACCELERATION, AVATAR_RADIUS, FULL_STICK, RUN_SPEED, ZOOM_SPEED } from "./state.ts";
import type { Terrain } from "./terrain.ts";

export type AvatarState = Values<typeof Avatar.shape>;
export type ActValues = Values<typeof Act.shape>;
export type ArenaStep = (avatar: AvatarState, act: ActValues, dtMs: number) => void;

/** The command of a player who stands still and does nothing. */
export const IDLE: Readonly<ActValues> = {
  moveX: 0,
  moveY: 0,
  heading: 0,
  fires: false,
  zooms: false,
  weapon: "rifle",
  target: 0,
  seenQuarters: 0,
  appliedQuarters: 0,
  roundLag: 0,
};

/** @param ground the level that is played now; undefined while it is not loaded: then nothing moves. */
export function stepOn(ground: () => Terrain | undefined): ArenaStep {
  return (avatar, act, dtMs) => {
    const terrain = ground();
    if (terrain !== undefined && avatar.condition !== "dead") step(terrain, avatar, act, dtMs / 1000);
  };
}

function step(terrain: Terrain, avatar: AvatarState, act: ActValues, seconds: number): void {
  avatar.heading = act.heading;
  avatar.zoomed = act.zooms;
  avatar.weapon = act.weapon === "rocket" && avatar.rockets > 0 ? "rocket" : "rifle";
  const length = Math.max(FULL_STICK, Math.sqrt(act.moveX * act.moveX + act.moveY * act.moveY));
  const most = (act.zooms ? ZOOM_SPEED : RUN_SPEED) / length;
  accelerate(avatar, act.moveX * most, act.moveY * most, ACCELERATION * seconds);
  const { x, y } = avatar;
  terrain.slide(avatar, avatar.vx * seconds, avatar.vy * seconds, AVATAR_RADIUS);
  // A wall takes the speed into it, or the avatar would be shown running on, and would be slow to turn away.
  avatar.vx = slowed(avatar.vx, (avatar.x - x) / seconds);
  avatar.vy = slowed(avatar.vy, (avatar.y - y) / seconds);
}

/** Towards the wanted velocity, by no more than `most`. */
function accelerate(avatar: AvatarState, vx: number, vy: number, most: number): void {
  const dx = vx - avatar.vx;
  const dy = vy - avatar.vy;
  const distance = Math.sqrt(dx * dx + dy * dy);
  const share = distance <= most ? 1 : most / distance;
  avatar.vx += dx * share;
  avatar.vy += dy * share;
}

/** Never faster than before, and not back. */
function slowed(before: number, now: number): number {
  if (before * now <= 0) return 0;
  return Math.abs(now) < Math.abs(before) ? now : before;
}
