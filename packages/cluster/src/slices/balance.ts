/**
 * Where slices are cut, and when. A server changes only slices of its own, since nobody else knows what lies in them. Pure: the caller
 * proposes the map that comes out.
 *
 * - A server whose load is far above the mean is *relieved*: it gives slices to the idlest servers, and cuts its fullest slice for them, by load and not
 *   by area. It gives to as many of them at once as its load is worth, so a crowd that came to one server is spread by one change of the map.
 * - All such servers act in the same second. Each reckons from the same loads who gives to whom, so no two give to the same server.
 * - A slice goes to the owner of the other side of its cut where both servers' loads stay even, and that owner makes one slice of both. So cuts that
 *   a crowd left behind vanish.
 */

import { DEEPEST, depthOf, type Slice, type SliceMap } from "./slice-map.ts";

/** Something that makes work at a place. */
export interface Load {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly weight: number;
}

/** A server is relieved when its load is above this share of the mean. Nearer to 1 evens out more, and moves more objects. */
const FAR_ABOVE_MEAN = 1.15;
/** What a server still wants after it got whole slices is cut for it only above this share of what it wanted. */
const LEAST_PART = 0.1;
/** Behind so few cuts an empty slice does no harm. */
const SHALLOW = 8;
/** Below this load, all in all, nothing is cut but for a server that has no slice. */
const LEAST_LOAD = 8;

/**
 * The plane that halves the load, across the axis along which it is spread out most; undefined where all of it lies in one place. `share`: how much
 * of it shall lie on the low side.
 */
export function cutOf(loads: readonly Load[], share = 0.5): { readonly axis: number; readonly at: number } | undefined {
  let best: { readonly axis: number; readonly at: number; readonly spread: number } | undefined;
  for (const [axis, name] of (["x", "y", "z"] as const).entries()) {
    const sorted = [...loads].sort((a, b) => a[name] - b[name]);
    const spread = (sorted.at(-1)?.[name] ?? 0) - (sorted[0]?.[name] ?? 0);
    if (!(spread > (best?.spread ?? 0))) continue;
    const at = placeOfShare(
      sorted.map((load) => [load[name], load.weight] as const),
      share,
    );
    if (at !== undefined) best = { axis, at, spread };
  }
  return best;
}

/** A place between two different loads, such that the weight below it is nearest to the share. */
function placeOfShare(sorted: readonly (readonly [number, number])[], share: number): number | undefined {
  const wanted = share * sorted.reduce((sum, [, weight]) => sum + weight, 0);
  let below = 0;
  let best: { readonly at: number; readonly off: number } | undefined;
  for (let i = 1; i < sorted.length; i++) {
    below += sorted[i - 1]![1];
    const [from, to] = [sorted[i - 1]![0], sorted[i]![0]];
    const at = from + (to - from) / 2;
    const off = Math.abs(below - wanted);
    if (from < at && at <= to && (best === undefined || off < best.off)) best = { at, off };
  }
  return best?.at;
}

export interface Balance {
  readonly me: number;
  /** Load of every server that lives, by number, this one included. */
  readonly loads: ReadonlyMap<number, number>;
  /** Whether a server's load was counted since its slices last changed: one that was just given something is given nothing more until it has told. */
  readonly hasCounted: (server: number) => boolean;
  /** What lies in the slices of this server. */
  readonly own: readonly Load[];
}

/** The next map that this server should propose; undefined: all is well. */
export function nextMap(map: SliceMap, balance: Balance): SliceMap | undefined {
  const { me } = balance;
  const even = relieved(map, balance) ?? tidied(map, balance) ?? map;
  const mend = mended(even, me) ?? even;
  const next = withoutEmpty(mend, balance) ?? mend;
  return next === map ? undefined : next;
}

// ── relief ───────────────────────────────────────────────────────────────────────────────────────────────────────

/** A server that gets a part, and how much it shall get. */
interface Part {
  readonly owner: number;
  readonly weight: number;
}

/** The map after this server gave to others what it has too much of: whole slices where they fit, and parts of its fullest one. Undefined: it has nobody to give to. */
function relieved(map: SliceMap, balance: Balance): SliceMap | undefined {
  const { me, own } = balance;
  const takers = takersOf(map, balance);
  if (takers.length === 0) return undefined;
  const weights = weightsOf(map, me, own);
  let next = map;
  const parts: Part[] = [];
  for (const { owner, weight } of takers) {
    let wanted = weight;
    for (const { slice, weight: gives } of byKinship(map, weights, owner)) {
      if (gives > wanted || weights.size === 1) continue;
      next = next.assign(slice.id, owner);
      weights.delete(slice);
      wanted -= gives;
    }
    if (wanted > LEAST_PART * weight) parts.push({ owner, weight: wanted });
  }
  const cut = cutFullest(next, me, own, weights, parts);
  if (cut !== undefined) return cut;
  if (next !== map) return next;
  const isNeedy = map.ofOwner(takers[0]!.owner).length === 0;
  return isNeedy ? cutEmpty(map, fullestOf(weights), takers[0]!.owner) : undefined;
}

/** Slices with what lies in them, fullest first; those whose other side the taker owns come before all others, since it makes one slice of both. */
function byKinship(
  map: SliceMap,
  weights: ReadonlyMap<Slice, number>,
  taker: number,
): readonly { readonly slice: Slice; readonly weight: number }[] {
  const isKin = ({ id }: Slice): number => (map.get(otherSide(id))?.owner === taker ? 1 : 0);
  return [...weights]
    .map(([slice, weight]) => ({ slice, weight, kin: isKin(slice) }))
    .sort((a, b) => b.kin - a.kin || b.weight - a.weight);
}

/** Cuts the fullest slice into a part for each taker and one that stays; undefined: nothing is to be cut, or nothing can be. */
function cutFullest(
  map: SliceMap,
  me: number,
  own: readonly Load[],
  weights: ReadonlyMap<Slice, number>,
  wanted: readonly Part[],
): SliceMap | undefined {
  const { id } = fullestOf(weights);
  const inside = own.filter(({ x, y, z }) => map.at(x, y, z).id === id);
  const parts: Part[] = [];
  let rest = weightOf(inside);
  for (const { owner, weight } of wanted) {
    // What stays is not smaller than any part that goes.
    const gives = Math.min(weight, rest / 2);
    if (!(gives > 0)) break;
    parts.push({ owner, weight: gives });
    rest -= gives;
  }
  return parts.length === 0 ? undefined : divided(map, id, inside, [{ owner: me, weight: rest }, ...parts]);
}

function fullestOf(weights: ReadonlyMap<Slice, number>): Slice {
  return [...weights].reduce((fullest, one) => (one[1] > fullest[1] ? one : fullest))[0];
}

/**
 * To whom this server gives, and how much: the idlest servers, up to the mean each. The busiest server chooses first, then the next one, so every
 * server finds the same. Servers without a slice come first; there must be somebody to give to them, however little there is.
 */
function takersOf(map: SliceMap, { me, loads, hasCounted }: Balance): Part[] {
  const sum = [...loads.values()].reduce((total, load) => total + load, 0);
  const mean = sum / loads.size;
  const hasSlice = (server: number): boolean => map.ofOwner(server).length > 0;
  const byLoad = [...loads].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  const owners = byLoad.filter(([server]) => hasSlice(server));
  const needy = byLoad.filter(([server]) => !hasSlice(server)).sort((a, b) => a[0] - b[0]);
  const idle = owners.filter(([, load]) => load < mean).reverse();
  const waiting = [...needy, ...idle.filter(([server]) => hasCounted(server))].map(
    ([owner, load]): Part => ({ owner, weight: mean - load }),
  );
  for (const [index, [giver, load]] of owners.entries()) {
    const isFarAbove = sum >= LEAST_LOAD && load > FAR_ABOVE_MEAN * mean;
    if (!isFarAbove && !(index === 0 && needy.length > 0)) return [];
    const takers: Part[] = [];
    let surplus = load - mean;
    do {
      const taker = waiting.shift();
      if (taker === undefined || taker.owner === giver) break;
      takers.push(taker.weight > 0 ? taker : { ...taker, weight: load / 2 });
      surplus -= taker.weight;
    } while (surplus > (FAR_ABOVE_MEAN - 1) * mean);
    if (giver === me) return takers;
  }
  return [];
}

/** Cuts a slice into parts of these weights, one for each owner; undefined where its load cannot be cut. */
function divided(map: SliceMap, id: string, inside: readonly Load[], parts: readonly Part[]): SliceMap | undefined {
  if (depthOf(id) >= DEEPEST - 1) return undefined;
  if (parts.length === 1) return map.get(id)!.owner === parts[0]!.owner ? map : map.assign(id, parts[0]!.owner);
  const half = Math.ceil(parts.length / 2);
  const [low, high] = [parts.slice(0, half), parts.slice(half)];
  const weight = (list: readonly Part[]): number => list.reduce((sum, part) => sum + part.weight, 0);
  const cut = cutOf(inside, weight(low) / weight(parts));
  if (cut === undefined) return undefined;
  const name = (["x", "y", "z"] as const)[cut.axis]!;
  const isHigh = (load: Load): boolean => load[name] >= cut.at;
  const halves = map.split(id, cut.axis, cut.at, high[0]!.owner);
  const below = inside.filter((load) => !isHigh(load));
  // Who lies too close together to be cut stays with the first owner of the part.
  const withLow = divided(halves, `${id}0`, below, low) ?? halves;
  return divided(withLow, `${id}1`, inside.filter(isHigh), high) ?? withLow;
}

/** Where there is nothing to weigh, space itself is cut: across the x axis, in the middle or near its end. */
function cutEmpty(map: SliceMap, { id, box }: Slice, owner: number): SliceMap | undefined {
  const [low, high] = [box.low[0]!, box.high[0]!];
  const at = Number.isFinite(low + high)
    ? (low + high) / 2
    : Number.isFinite(low)
      ? low + 1
      : Number.isFinite(high)
        ? high - 1
        : 0;
  return low < at && at < high ? map.split(id, 0, at, owner) : undefined;
}

// ── fewer slices ─────────────────────────────────────────────────────────────────────────────────────────────────

/** Wherever this server owns both sides of a cut, they become one slice again; undefined: nowhere. */
function mended(map: SliceMap, me: number): SliceMap | undefined {
  const pair = map.ofOwner(me).find(({ id }) => map.get(otherSide(id))?.owner === me);
  if (pair === undefined) return undefined;
  const next = map.merge(pair.id.slice(0, -1), me);
  return mended(next, me) ?? next;
}

/**
 * Gives slices to the owners of the other sides of their cuts, who make one of both, where neither server is busier or idler afterwards than a server
 * may be. The last slice of a server stays. While some server is far above the mean, relief comes first: who was given a slice must count anew before it
 * can be given load.
 */
function tidied(map: SliceMap, { me, loads, hasCounted, own }: Balance): SliceMap | undefined {
  // What lies in a slice that it was just given is still on its way.
  if (!hasCounted(me)) return undefined;
  const mean = [...loads.values()].reduce((total, load) => total + load, 0) / loads.size;
  if (Math.max(...loads.values()) > FAR_ABOVE_MEAN * mean) return undefined;
  let mine = weightOf(own);
  let next = map;
  for (const [{ id }, weight] of [...weightsOf(map, me, own)].sort((a, b) => a[1] - b[1])) {
    const other = next.get(otherSide(id));
    if (other === undefined || next.ofOwner(me).length < 2) continue;
    const theirs = loads.get(other.owner) ?? Number.POSITIVE_INFINITY;
    const isEvenAfter = mine - weight >= (2 - FAR_ABOVE_MEAN) * mean && theirs + weight <= FAR_ABOVE_MEAN * mean;
    if (weight > 0 && !isEvenAfter) continue;
    next = next.assign(id, other.owner);
    mine -= weight;
  }
  return next === map ? undefined : next;
}

/**
 * Takes the empty slices of this server away, the deepest first. A crowd that marches leaves a chain of such cuts behind. The slices on the other side of the
 * cut get new ids, so it is done where chains are long, not everywhere.
 */
function withoutEmpty(map: SliceMap, balance: Balance): SliceMap | undefined {
  const next = withoutDeepest(map, balance);
  return next === undefined ? undefined : (withoutEmpty(next, balance) ?? next);
}

function withoutDeepest(map: SliceMap, { me, hasCounted, own }: Balance): SliceMap | undefined {
  const weights = weightsOf(map, me, own);
  if (weights.size < 2 || !hasCounted(me)) return undefined;
  const empty = [...weights].filter(([{ id }, weight]) => weight === 0 && depthOf(id) > SHALLOW);
  const [deepest] = empty.map(([slice]) => slice).sort((a, b) => b.id.length - a.id.length || (a.id < b.id ? -1 : 1));
  return deepest === undefined ? undefined : map.without(deepest.id);
}

function otherSide(id: string): string {
  return id.slice(0, -1) + (id.endsWith("0") ? "1" : "0");
}

/** Gives away what servers own that are gone, each slice to the server with the fewest. */
export function withoutServers(map: SliceMap, gone: (server: number) => boolean, alive: readonly number[]): SliceMap {
  let next = map;
  for (const { id, owner } of map.slices) {
    if (!gone(owner)) continue;
    const counts = alive.map((server) => [server, next.ofOwner(server).length] as const);
    const heir = counts.sort((a, b) => a[1] - b[1] || a[0] - b[0])[0]?.[0];
    if (heir !== undefined) next = next.assign(id, heir);
  }
  return next;
}

/** What lies in each slice of a server. */
function weightsOf(map: SliceMap, me: number, own: readonly Load[]): Map<Slice, number> {
  const weights = new Map<Slice, number>(map.ofOwner(me).map((slice) => [slice, 0]));
  for (const { x, y, z, weight } of own) {
    const slice = map.at(x, y, z);
    if (slice.owner === me) weights.set(slice, weights.get(slice)! + weight);
  }
  return weights;
}

function weightOf(loads: readonly Load[]): number {
  return loads.reduce((sum, { weight }) => sum + weight, 0);
}
