/**
 * Random grants and random proposals for the property that clamping holds: every dimension of a view's settings, and of its pivots. Half of the
 * proposals are the grant itself with a few settings changed, since those come nearest to asking for just too much.
 */

import { hold } from "@nearfield/presentation";
import type { ObjectId } from "@nearfield/schema";
import type { Bound, Metric, Pivot, ViewLimits } from "../src/index.ts";
import type { Match, ObjectSetSettings, PivotLimits } from "../src/internal/index.ts";
import { type Digits, Ship } from "./scenario.ts";

const hullIndex = Ship.fieldIndex("hull");

/** Of a game: points that the hull lost or won. Objects without a hull at that place never diverge by it. */
export const hull: Metric = {
  name: "hull",
  sample(world, slot, out, at) {
    out[at] = world.store.typeIndex[slot] === 0 ? world.wireNumberAt(slot, hullIndex) : 0;
  },
  divergence: (world, slot, sent, at) =>
    world.store.typeIndex[slot] === 0 ? Math.abs(world.numberAt(slot, hullIndex) - sent[at]!) : 0,
  growth: () => Number.POSITIVE_INFINITY,
};
/** The same, for a game that says that nothing but fields counts. */
export const hullAlone: Metric = { ...hull, name: "hullAlone", byFields: true };
export const METRICS: readonly Metric[] = [hull, hullAlone];

const METRIC_NAMES = [
  "displacement",
  "path",
  "relative:hull",
  "predicted",
  "predicted:linear",
  `predicted:${hold.name}`,
  "predicted:fading",
  "hull",
  "hullAlone",
] as const;
const MATCHES: readonly Match[] = [
  { tag: "vip" },
  { tag: "slow" },
  { predicate: "weak" },
  { type: "ship" },
  { type: "drone" },
];
const TIMES = [0, 50, 60, 100, 150, 200, 500, 1000, Number.POSITIVE_INFINITY];
const SEQUENCES = [0, 1, 2, 3, 5, 10, Number.POSITIVE_INFINITY];
const VALUES = [0, 0.2, 0.5, 1, 3, 10, 25, Number.POSITIVE_INFINITY];
const RADII = [3, 6, 10, 16, 25, 40, 60];
const ANGLES = [40, 60, 90, 140, 200, 300];

function someOf<T>(dice: Digits, items: readonly T[], most: number): T[] {
  const share = Math.min(1, most / items.length) * dice.next();
  return items.filter(() => dice.next() < share).slice(0, most);
}

function someBounds(dice: Digits, zones: number, sectors: number): ObjectSetSettings["bounds"] {
  const ladder = (rungs: readonly number[]): ((step: number) => number) => {
    const start = dice.next() < 0.3 ? rungs.length - 1 : dice.below(rungs.length);
    const pace = dice.below(3);
    return (step) => rungs[Math.min(rungs.length - 1, start + step * pace)]!;
  };
  const [time, sequence, value] = [ladder(TIMES), ladder(SEQUENCES), ladder(VALUES)];
  const letsNothingWait = dice.next() < 0.25 ? 1 : 0;
  const strongest = dice.pick<Bound>([{ sequence: 1 }, { time: 0 }, { value: 0 }, { sequence: 1, time: 500 }]);
  const rows = Array.from({ length: zones }, (_, z) =>
    Array.from({ length: sectors }, (_, s): Bound => {
      if (z < letsNothingWait) return strongest;
      return { time: time(z + s), sequence: sequence(z + s), value: value(z + s) };
    }),
  );
  return sectors === 1 && dice.next() < 0.5 ? rows.map(([bound]) => bound!) : rows;
}

function someSet(dice: Digits, match: Match): ObjectSetSettings {
  const radii = someOf(dice, RADII, dice.next() < 0.1 ? 7 : 3).map((radius) => radius + dice.pick([0, 0, 0.5]));
  const sectors = dice.next() < 0.5 ? someOf(dice, ANGLES, dice.next() < 0.1 ? 6 : 2) : [];
  return {
    match,
    radii,
    sectors,
    bounds: someBounds(dice, radii.length + 1, sectors.length + 1),
    ...(dice.next() < 0.4 ? { shape: dice.pick(["round", "square"] as const) } : {}),
    ...(dice.next() < 0.6 ? { clock: dice.pick(["refresh", "firstMiss"] as const) } : {}),
    ...(dice.next() < 0.4 ? { strict: dice.next() < 0.5 } : {}),
    ...(dice.next() < 0.4 ? { own: dice.pick(["changes", "bounds"] as const) } : {}),
    ...(dice.next() < 0.6 ? { metric: dice.pick(METRIC_NAMES) } : {}),
    ...(dice.next() < 0.4 ? { range: 8 + dice.below(50) } : {}),
    ...(dice.next() < 0.2 ? { pivots: someOf(dice, [0, 1, 2], 3) } : {}),
  };
}

function someSets(dice: Digits): ObjectSetSettings[] {
  const matches = someOf(dice, MATCHES, 3);
  if (dice.next() < 0.3) matches.reverse();
  return [...matches, "everything" as const].map((match) => someSet(dice, match));
}

/** What a room grants. */
export function someLimits(dice: Digits): ViewLimits {
  const pivots: PivotLimits = {
    ...(dice.next() < 0.5 ? { scale: dice.pick([1, 2]) } : {}),
    ...(dice.next() < 0.7 ? { pivots: 1 + dice.below(3) } : {}),
    ...(dice.next() < 0.5 ? { groups: dice.pick([0, 4, 20]) } : {}),
    ...(dice.next() < 0.5 ? { cameras: dice.pick([0.5, 2, 30]) } : {}),
  };
  if (dice.next() < 0.8) return { sets: someSets(dice), ...pivots };
  const { match: _match, pivots: _indices, ...all } = someSet(dice, "everything");
  return { ...all, ...pivots };
}

/** What a client asks for. */
export function someProposal(dice: Digits, granted: readonly ObjectSetSettings[]): ObjectSetSettings[] {
  if (dice.next() < 0.4) return someSets(dice);
  const sets = granted.map((set) => (dice.next() < 0.6 ? altered(dice, set) : set));
  const kind = dice.below(5);
  if (kind === 0) return [...sets.slice(0, -1).reverse(), sets.at(-1)!];
  if (kind === 1) return [someSet(dice, dice.pick(MATCHES)), ...sets];
  if (kind === 2) return [{ ...sets[0]!, match: "everything" }];
  if (kind === 3) return [...sets, { ...sets.at(-1)! }];
  return sets;
}

/** One setting of the set as another set has it. */
function altered(dice: Digits, set: ObjectSetSettings): ObjectSetSettings {
  const other = someSet(dice, set.match);
  const { bounds, radii, sectors, ...rest } = set;
  const grid = { bounds, ...(radii && { radii }), ...(sectors && { sectors }) };
  switch (dice.below(9)) {
    case 0:
      return { ...set, shape: "square" };
    case 1:
      return { ...set, strict: true };
    case 2:
      return { ...set, metric: dice.pick(METRIC_NAMES) };
    case 3:
      return { ...set, clock: "refresh" };
    case 4: {
      const flat = bounds.map((entry: Bound | readonly Bound[]) => (Array.isArray(entry) ? entry[0] : entry) as Bound);
      return { ...rest, bounds: flat, ...(radii && { radii }) };
    }
    case 5:
      return { ...rest, bounds: [(Array.isArray(bounds[0]) ? bounds[0][0] : bounds[0]) as Bound] };
    case 6:
      return { ...rest, ...grid, radii: (radii ?? []).map((radius) => radius * dice.pick([0.5, 1.5])) };
    case 7: {
      const { range: _range, pivots: _pivots, ...everywhere } = set;
      return everywhere;
    }
    default:
      return { ...rest, bounds: other.bounds, radii: other.radii!, sectors: other.sectors! };
  }
}

/** Pivots on objects of the client's own, points, groups and cameras. */
export function somePivots(dice: Digits, own: readonly ObjectId[]): Pivot[] {
  return Array.from({ length: dice.pick([0, 1, 1, 1, 2, 4]) }, (): Pivot => {
    const zoom = dice.next() < 0.5 ? { scale: dice.pick([0.5, 1, 1.5, 8]) } : {};
    const kind = dice.below(5);
    if (kind === 4) {
      return {
        camera: [dice.next() * 80 - 40, dice.next() * 80 - 40],
        size: [dice.pick([2, 30, 500]), dice.pick([1, 20, 300])],
        rotation: dice.next() * 7,
        coefficients: someOf(dice, [1.5, 3, 5, 90], 4),
        ...zoom,
      };
    }
    if (kind === 0) {
      const point = [dice.next() * 80 - 40, dice.next() * 80 - 40];
      return { point, ...(dice.next() < 0.5 ? { orientation: [dice.next() - 0.5, dice.next() - 0.5] } : {}), ...zoom };
    }
    if (kind === 1) {
      const group = Array.from({ length: 1 + dice.below(4) }, () => dice.pick(own));
      return { group, margin: dice.pick([0, 2, 500]), coefficients: someOf(dice, [1.5, 3, 5, 90], 4), ...zoom };
    }
    return { object: dice.pick(own), ...zoom };
  });
}
