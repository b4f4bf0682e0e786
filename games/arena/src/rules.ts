/**
 * The rules, pure: what a birth, a hit, a blast and an item do to an avatar and who stands where at first. The host applies them
 * to the objects of a world; anything with an avatar's fields will do.
 */

import type { Dice } from "@nearfield/kit";
import type { AvatarState } from "./movement.ts";
import {
  ARMOUR_SHARE,
  AVATAR_RADIUS,
  BULLETS_AT_BIRTH,
  FULL_ARMOUR,
  FULL_HEALTH,
  ITEM_RADIUS,
  ITEMS,
  type ItemKind,
  MOST_BULLETS,
  MOST_ROCKETS,
  RIFLE,
  ROCKET,
  type Spot,
  type Weapon,
} from "./state.ts";

/** Places tried for a birth. */
const BIRTH_TRIES = 8;
/** Best distance to the nearest other, world units, and what a unit beyond it counts against one below it. */
const BIRTH_DISTANCE = 220;
const LONELINESS = 0.3;
const FARTHEST = 1e4;

export type Fighting = Pick<AvatarState, "condition" | "health" | "armour" | "bullets" | "rockets" | "weapon">;

/** A new life: rifle in hand, nothing harms it yet. */
export function bear(avatar: AvatarState, { x, y }: Spot): void {
  Object.assign(avatar, { x, y, vx: 0, vy: 0, zoomed: false, weapon: "rifle", condition: "safe" });
  Object.assign(avatar, { health: FULL_HEALTH, armour: 0, bullets: BULLETS_AT_BIRTH, rockets: 0 });
}

/** What armour takes of a hit, and what is left for the flesh. Whole numbers. */
export function absorb(armour: number, damage: number): { readonly absorbed: number; readonly hurt: number } {
  const absorbed = Math.min(armour, Math.round(damage * ARMOUR_SHARE));
  return { absorbed, hurt: Math.round(damage) - absorbed };
}

/** What a blast takes at a distance from its centre, of the one who fired (`own`) half. */
export function blastDamage(distance: number, own: boolean): number {
  const near = Math.max(0, distance - AVATAR_RADIUS);
  if (near >= ROCKET.blast) return 0;
  return Math.round(ROCKET.damage * (1 - near / ROCKET.blast) * (own ? 0.5 : 1));
}

/** Whether an avatar that touches an item has use for it. */
export function needs(avatar: Fighting, kind: ItemKind): boolean {
  if (avatar.condition === "dead") return false;
  switch (kind) {
    case "health":
      return avatar.health < FULL_HEALTH;
    case "armour":
      return avatar.armour < FULL_ARMOUR;
    case "ammo":
      return avatar.bullets < MOST_BULLETS;
    case "launcher":
      return avatar.rockets < MOST_ROCKETS;
  }
}

/** Gives the avatar armour, bullets or rockets. Health is kept by the life cycle. */
export function load(avatar: Fighting, kind: ItemKind): void {
  const { amount } = ITEMS[kind];
  if (kind === "armour") avatar.armour = Math.min(FULL_ARMOUR, avatar.armour + amount);
  if (kind === "ammo") avatar.bullets = Math.min(MOST_BULLETS, avatar.bullets + amount);
  if (kind === "launcher") avatar.rockets = Math.min(MOST_ROCKETS, avatar.rockets + amount);
}

export function touches(avatar: Spot, item: Spot): boolean {
  return distanceBetween(avatar, item) <= AVATAR_RADIUS + ITEM_RADIUS;
}

/** Takes a shot out of the magazine; false where it is empty. */
export function spend(avatar: Fighting): boolean {
  if (avatar.weapon === "rocket") {
    if (avatar.rockets === 0) return false;
    avatar.rockets -= 1;
  } else {
    if (avatar.bullets === 0) return false;
    avatar.bullets -= 1;
  }
  return true;
}

export function reloadMs(weapon: Weapon): number {
  return weapon === "rocket" ? ROCKET.reloadMs : RIFLE.reloadMs;
}

/** Chooses a place to spawn: not too near to others and not too far from them. Of a few places it takes the one where the distance to the nearest other is best. */
export function chooseBirth(spawns: readonly Spot[], others: Iterable<Spot>, dice: Dice): Spot {
  const standing = [...others];
  let best = dice.pick(spawns);
  let bestWorth = Number.NEGATIVE_INFINITY;
  for (let attempt = 0; attempt < BIRTH_TRIES; attempt++) {
    const spot = dice.pick(spawns);
    const away = standing.reduce((least, other) => Math.min(least, distanceBetween(spot, other)), FARTHEST);
    const worth = Math.min(away, BIRTH_DISTANCE) - LONELINESS * Math.max(0, away - BIRTH_DISTANCE);
    if (worth <= bestWorth) continue;
    best = spot;
    bestWorth = worth;
  }
  return best;
}

export function distanceBetween(a: Spot, b: Spot): number {
  return Math.sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
}

/** Where on its way from (x, y) along a unit vector something first touches a circle; `Infinity` where it does not. */
export function entryInto(circle: Spot, radius: number, x: number, y: number, dx: number, dy: number): number {
  const [toX, toY] = [circle.x - x, circle.y - y];
  const along = toX * dx + toY * dy;
  const outside = toX * toX + toY * toY - radius * radius;
  if (outside <= 0) return 0;
  const inside = along * along - outside;
  return along < 0 || inside < 0 ? Number.POSITIVE_INFINITY : along - Math.sqrt(inside);
}
