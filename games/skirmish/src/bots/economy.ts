/** A bot's builders: they gather, there are enough of them, and they repair what is broken. */

import { HEALTH, KIND } from "../rules/kinds.ts";
import { ORDER } from "../rules/order-queues.ts";
import type { Spot } from "../terrain/layout.ts";
import { distance, type Eyes, nearest, type OwnPiece } from "./eyes.ts";
import type { Hands } from "./hands.ts";
import type { Traits } from "./strengths.ts";

/** Ore this near to a store belongs to it. */
const STORE_REACH = 260;
/** Builders go no farther from home for ore. */
const FAR_REACH = 600;
/** Buildings with less than this share of their health are repaired. */
const BROKEN = 0.7;

export function runEconomy(eyes: Eyes, hands: Hands, traits: Traits): void {
  const builders = eyes.ofKind(KIND.builder);
  const stores = [...eyes.ofKind(KIND.base), ...eyes.ofKind(KIND.refinery)].filter(({ built }) => built === 1);
  const workers = builders.filter(({ handle }) => eyes.orderOf(handle) !== ORDER.build);
  mend(eyes, hands, workers);
  for (const builder of builders) if (builder.isFree) sendToOre(eyes, hands, builder, stores);
  const wanted = Math.min(traits.buildersMost, traits.buildersPerStore * Math.max(1, stores.length));
  if (builders.length >= wanted) return;
  for (const base of eyes.ofKind(KIND.base)) {
    if (base.built < 1 || !base.isFree) continue;
    const patch = nearestOre(eyes, base);
    if (patch >= 0) hands.rally(base.handle, eyes.patches[patch]!);
    hands.train(base.handle, "builder", 1);
  }
}

function sendToOre(eyes: Eyes, hands: Hands, builder: OwnPiece, stores: readonly OwnPiece[]): void {
  const store = nearest(stores, builder);
  const near = store === undefined ? -1 : nearestOre(eyes, store, STORE_REACH);
  const patch = near >= 0 ? near : nearestOre(eyes, eyes.home, FAR_REACH);
  if (patch >= 0) hands.order({ units: [builder.handle], what: "gather", ...eyes.patches[patch]!, patch });
}

/** The number of the nearest patch that has ore, as far as the side knows; −1: none within reach. */
function nearestOre(eyes: Eyes, from: Spot, reach = Number.POSITIVE_INFINITY): number {
  let best = -1;
  let least = reach;
  eyes.patches.forEach((patch, number) => {
    const away = distance(patch, from);
    if (away >= least || !eyes.hasOre(number)) return;
    best = number;
    least = away;
  });
  return best;
}

/** One builder goes to each building that is broken, or begun and left. */
function mend(eyes: Eyes, hands: Hands, workers: readonly OwnPiece[]): void {
  for (const building of eyes.buildings) {
    const isBegun = building.built < 1;
    if (!isBegun && building.health > BROKEN * HEALTH[building.kind]!) continue;
    const busy = workers.some(
      ({ handle, ...at }) => eyes.orderOf(handle) === ORDER.repair && distance(at, building) < 200,
    );
    const helper = nearest(
      workers.filter(({ handle }) => eyes.orderOf(handle) !== ORDER.repair),
      building,
    );
    const isTended = isBegun && eyes.units.some(({ handle }) => eyes.orderOf(handle) === ORDER.build);
    if (busy || isTended || helper === undefined) continue;
    hands.order({ units: [helper.handle], what: "repair", x: building.x, y: building.y, target: building.handle });
  }
}
