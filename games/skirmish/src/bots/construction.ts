/** What a bot builds, and where: first the list of its strength, then outposts at fields of ore farther out and, with ore to spare, more of what trains. */

import { KIND } from "../rules/kinds.ts";
import { ORDER } from "../rules/order-queues.ts";
import { BUILDINGS, type BuildingKind, TILE } from "../state.ts";
import type { Spot } from "../terrain/layout.ts";
import { distance, type Eyes, nearest } from "./eyes.ts";
import type { Hands } from "./hands.ts";
import type { Traits } from "./strengths.ts";

/** A field of ore with no own store within this distance is free for an outpost. */
const OUTPOST_REACH = 200;
/** Ore from which on a bot builds more than its plan, and buildings with which it is content. */
const PLENTY = 600;
const BUILDINGS_ENOUGH = 24;
const NEAREST_SITE = 5 * TILE;
const FARTHEST_SITE = 16 * TILE;

/** Begins the next building if there is ore for it. Gives the ore that must be kept for one that is wanted or about to be laid. */
export function runConstruction(eyes: Eyes, hands: Hands, traits: Traits): number {
  const builders = eyes.ofKind(KIND.builder);
  if (builders.length === 0 || eyes.buildings.some(({ built }) => built < 1)) return 0;
  const project = nextProject(eyes, traits);
  if (project === undefined) return 0;
  const { cost } = BUILDINGS[project.kind];
  const isUnderWay = builders.some(({ handle }) => eyes.orderOf(handle) === ORDER.build);
  if (isUnderWay || eyes.ore < cost) return cost;
  const site = findSite(eyes, hands, project.kind, project.near);
  const builder = site && nearest(builders, site);
  if (site === undefined || builder === undefined) return 0;
  hands.order({ units: [builder.handle], what: "build", building: project.kind, x: site.x, y: site.y });
  return cost;
}

interface Project {
  readonly kind: BuildingKind;
  readonly near: Spot;
}

function nextProject(eyes: Eyes, { plan, outposts }: Traits): Project | undefined {
  const base = eyes.ofKind(KIND.base)[0];
  if (base === undefined) return { kind: "base", near: eyes.buildings[0] ?? eyes.home };
  const had = new Map<number, number>();
  for (const { kind } of eyes.buildings) had.set(kind, (had.get(kind) ?? 0) + 1);
  for (const kind of plan) {
    const left = had.get(KIND[kind]) ?? 0;
    if (left === 0) return { kind, near: base };
    had.set(KIND[kind], left - 1);
  }
  const stores = [...eyes.ofKind(KIND.base), ...eyes.ofKind(KIND.refinery)];
  if (stores.length > outposts + 1) return more(eyes, base);
  const isFree = (patch: Spot) => stores.every((store) => distance(store, patch) > OUTPOST_REACH);
  // Fields that lie nearer to another side's start are that side's.
  const isOurs = (patch: Spot) =>
    distance(patch, eyes.home) < distance(patch, nearest(eyes.otherStarts, patch) ?? patch) + TILE;
  const field = nearest(
    eyes.patches.filter((patch, number) => eyes.hasOre(number) && isFree(patch) && isOurs(patch)),
    base,
  );
  if (field !== undefined) return { kind: "refinery", near: field };
  return more(eyes, base);
}

/** Who has more ore than its buildings can use builds more of them. */
function more(eyes: Eyes, near: Spot): Project | undefined {
  if (eyes.ore < PLENTY || eyes.buildings.length >= BUILDINGS_ENOUGH) return undefined;
  const fewest = (["factory", "barracks", "pad"] as const).reduce((best, kind) =>
    eyes.ofKind(KIND[kind]).length < eyes.ofKind(KIND[best]).length ? kind : best,
  );
  return { kind: fewest, near };
}

/** A place where the building fits, ring by ring around the spot; those towards the map's middle first. */
function findSite(eyes: Eyes, hands: Hands, kind: BuildingKind, near: Spot): Spot | undefined {
  const middle = { x: eyes.size / 2, y: eyes.size / 2 };
  const isOutpost = kind === "refinery";
  for (let ring = isOutpost ? 3 * TILE : NEAREST_SITE; ring <= FARTHEST_SITE; ring += 2 * TILE) {
    const found: Spot[] = [];
    for (let offset = -ring; offset <= ring; offset += 2 * TILE) {
      for (const [dx, dy] of [
        [offset, -ring],
        [offset, ring],
        [-ring, offset],
        [ring, offset],
      ] as const) {
        const spot = { x: near.x + dx, y: near.y + dy };
        if (hands.fits(kind, spot)) found.push(spot);
      }
    }
    const best = nearest(found, middle);
    if (best !== undefined) return best;
  }
  return undefined;
}
