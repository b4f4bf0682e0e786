/**
 * Errands: where a bot wants to go. Like people, bots go where they find what they need, where they hear a fight, and to points of interest of the
 * level. They stay there for a while, and then go elsewhere. An errand has a place, a way to it, and an end.
 */

import type { Dice } from "@nearfield/kit";
import { type ItemKind, RUN_SPEED, type Spot } from "../state.ts";
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

/** A way may take this many times as long as running it would: there are fights on it. And no less than this, ms. */
const PATIENCE = 2.5;
const LEAST_MS = 10_000;
/** How long to go after somebody who was seen, and to a fight that was heard, ms. */
const CHASE_MS = 4000;
const SEEK_MS = 10_000;
/** A place is taken if somebody is nearer to it than this, world units. */
const TAKEN_WAY = 50;
/** A place that lies this share of the level away counts half as much. */
const HALF_SHARE = 0.2;

/** The item that the bot needs urgently, if any; it then goes for nothing else. */
export function need({ own }: Senses): ItemKind | undefined {
  if (own.health < 40) return "health";
  if (own.bullets < 12 && own.rockets === 0) return "ammo";
  return undefined;
}

/** Somewhere to go next. Undefined only on a level without places. */
export function chooseErrand(senses: Senses, traits: Traits, dice: Dice): Errand | undefined {
  const wanted = need(senses);
  if (wanted !== undefined) {
    const errand = toItem(senses, (kind) => (kind === wanted ? 1 : 0));
    if (errand !== undefined) return errand;
  }
  const { own } = senses;
  if (dice.chance(traits.greed)) {
    const errand = toItem(senses, (kind) => {
      if (kind === "health") return own.health < 80 ? 1 : 0;
      if (kind === "armour") return own.armour < 60 ? 1.5 : 0;
      if (kind === "ammo") return own.bullets < 60 ? 1 : 0.1;
      return own.rockets < 6 ? 2 : 0.2;
    });
    if (errand !== undefined) return errand;
  }
  return toInterest(senses, traits, dice);
}

/** To where somebody was last seen. */
export function hunt({ navigation, nowMs }: Senses, spot: Spot, ms: number = CHASE_MS): Errand | undefined {
  const field = navigation.fieldNear(spot);
  return field && { kind: "hunt", x: spot.x, y: spot.y, field, untilMs: nowMs + ms, stayMs: 0 };
}

/** The item that is worth most for the way it costs: people know where things lie. */
function toItem(senses: Senses, worth: (kind: ItemKind) => number): Errand | undefined {
  const { own, navigation } = senses;
  const half = halfDistance(navigation);
  const best = pickBest(senses.items(), (item) => (item.ready ? worth(item.kind) * nearness(own, item, half) : 0));
  return best && errandTo("item", best, senses, 0);
}

/** Goes to the fight that the bot hears. A bold bot does so more often, and so does a bot that is near. */
export function joinFight(senses: Senses, traits: Traits, dice: Dice): Errand | undefined {
  const fight = senses.fight();
  if (fight === undefined) return undefined;
  const draw = traits.boldness * nearness(senses.own, fight, halfDistance(senses.navigation));
  return dice.chance(draw) ? hunt(senses, fight, SEEK_MS) : undefined;
}

/** Points of interest: the more it weighs and the nearer it is, the likelier. */
function toInterest(senses: Senses, traits: Traits, dice: Dice): Errand | undefined {
  const { own, navigation } = senses;
  const half = halfDistance(navigation);
  const best = pickByWeight(
    navigation.terrain.interests,
    dice,
    (spot) => (spot.weight * nearness(own, spot, half)) / (1 + takers(senses, spot)),
  );
  const stayMs = 3000 + 7000 * traits.patience * dice.next() + 2000 * dice.next();
  return best && errandTo("interest", best, senses, stayMs);
}

/** How many others are at a place, as far as it knows: what is taken is worth less. */
function takers({ own, avatars }: Senses, { x, y }: Spot): number {
  let count = 0;
  for (const avatar of avatars()) {
    if (avatar.number === own.number || avatar.condition === "dead") continue;
    if (Math.abs(avatar.x - x) < TAKEN_WAY && Math.abs(avatar.y - y) < TAKEN_WAY) count += 1;
  }
  return count;
}

function errandTo(
  kind: "item" | "interest",
  { x, y }: Spot,
  { own, navigation, nowMs }: Senses,
  stayMs: number,
): Errand | undefined {
  const field = navigation.fieldTo({ x, y });
  if (field === undefined) return undefined;
  const runMs = (navigation.wayLeft(field, own.x, own.y) / RUN_SPEED) * 1000;
  return { kind, x, y, field, untilMs: nowMs + Math.max(LEAST_MS, PATIENCE * runMs) + stayMs, stayMs };
}

function halfDistance({ terrain }: Navigation): number {
  return (HALF_SHARE * (terrain.width + terrain.height)) / 2;
}

function nearness(a: Spot, b: Spot, half: number): number {
  const distance = Math.sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
  const far = distance / half;
  return 1 / (1 + far * far);
}

function pickBest<T>(list: Iterable<T>, weigh: (entry: T) => number): T | undefined {
  let most = 0;
  let best: T | undefined;
  for (const entry of list) {
    const weight = weigh(entry);
    if (weight <= most) continue;
    most = weight;
    best = entry;
  }
  return best;
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
