/**
 * Where a bot wants to go. People go where they need something, where others are, and where a level draws them; they stay there for a while, and
 * then go elsewhere. An errand has a place, a way to it, and an end.
 */

import type { Dice } from "@nearfield/kit";
import type { ItemKind, Spot } from "../state.ts";
import type { Field, Navigation } from "./navigation.ts";
import type { Senses } from "./senses.ts";
import type { Traits } from "./traits.ts";

export interface Errand extends Spot {
  readonly kind: "item" | "interest" | "hunt";
  readonly field: Field;
  /** Given up at this time, ms. */
  readonly untilMs: number;
  /** How long to stay at the place, ms. */
  readonly stayMs: number;
}

const LONGEST_MS = 25_000;
/** How long to go after somebody who was seen, or is only known to be about there, ms. */
const CHASE_MS = 4000;
const SEEK_MS = 10_000;
/** How often to seek others rather than a place. */
const COMPANY = 0.15;
/** A place that lies this share of the level away counts half as much. */
const HALF_SHARE = 0.2;

/** What is short: nothing else matters then. */
export function need({ own }: Senses): ItemKind | undefined {
  if (own.health < 40) return "health";
  if (own.bullets < 12 && own.rockets === 0) return "ammo";
  return undefined;
}

/** Somewhere to go next. Undefined only on a level without places. */
export function chooseErrand(senses: Senses, traits: Traits, dice: Dice): Errand | undefined {
  const wanted = need(senses);
  if (wanted !== undefined) {
    const errand = toItem(senses, dice, (kind) => (kind === wanted ? 1 : 0));
    if (errand !== undefined) return errand;
  }
  const { own } = senses;
  if (dice.chance(traits.greed)) {
    const errand = toItem(senses, dice, (kind) => {
      if (kind === "health") return own.health < 80 ? 1 : 0;
      if (kind === "armour") return own.armour < 60 ? 1.5 : 0;
      if (kind === "ammo") return own.bullets < 60 ? 1 : 0.1;
      return own.rockets < 6 ? 2 : 0.2;
    });
    if (errand !== undefined) return errand;
  }
  if (dice.chance(COMPANY)) {
    const errand = toSomebody(senses, dice);
    if (errand !== undefined) return errand;
  }
  return toInterest(senses, traits, dice);
}

/** To where somebody was last seen. */
export function hunt({ navigation, nowMs }: Senses, spot: Spot, ms: number = CHASE_MS): Errand | undefined {
  const field = navigation.fieldNear(spot);
  return field && { kind: "hunt", x: spot.x, y: spot.y, field, untilMs: nowMs + ms, stayMs: 0 };
}

function toItem(senses: Senses, dice: Dice, worth: (kind: ItemKind) => number): Errand | undefined {
  const { own, navigation, nowMs } = senses;
  const half = halfDistance(navigation);
  const best = pickByWeight(senses.items(), dice, (item) =>
    item.ready ? worth(item.kind) * nearness(own, item, half) : 0,
  );
  return best && errandTo("item", best, navigation, nowMs + LONGEST_MS, 0);
}

/** To about where somebody is, as far as the replica knows. */
function toSomebody(senses: Senses, dice: Dice): Errand | undefined {
  const { own, navigation } = senses;
  const half = halfDistance(navigation);
  const other = pickByWeight(senses.avatars(), dice, (avatar) =>
    avatar.number === own.number || avatar.condition === "dead" ? 0 : nearness(own, avatar, half),
  );
  return other && hunt(senses, other, SEEK_MS);
}

/** Points of interest: the more it weighs and the nearer it is, the likelier. */
function toInterest({ own, navigation, nowMs }: Senses, traits: Traits, dice: Dice): Errand | undefined {
  const half = halfDistance(navigation);
  const best = pickByWeight(navigation.terrain.interests, dice, (spot) => spot.weight * nearness(own, spot, half));
  const stayMs = 3000 + 7000 * traits.patience * dice.next() + 2000 * dice.next();
  return best && errandTo("interest", best, navigation, nowMs + LONGEST_MS, stayMs);
}

function errandTo(
  kind: "item" | "interest",
  { x, y }: Spot,
  navigation: Navigation,
  untilMs: number,
  stayMs: number,
): Errand | undefined {
  const field = navigation.fieldTo({ x, y });
  return field && { kind, x, y, field, untilMs, stayMs };
}

function halfDistance({ terrain }: Navigation): number {
  return (HALF_SHARE * (terrain.width + terrain.height)) / 2;
}

function nearness(a: Spot, b: Spot, half: number): number {
  const distance = Math.sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
  const far = distance / half;
  return 1 / (1 + far * far);
}

/** One of them, as likely as it weighs; undefined where none weighs anything. One pass, one throw each. */
function pickByWeight<T>(list: Iterable<T>, dice: Dice, weigh: (entry: T) => number): T | undefined {
  let total = 0;
  let picked: T | undefined;
  for (const entry of list) {
    const weight = weigh(entry);
    if (weight <= 0) continue;
    total += weight;
    if (dice.next() * total < weight) picked = entry;
  }
  return picked;
}
