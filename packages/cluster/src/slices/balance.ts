/**
 * Where slices are cut, and when. A server cuts only slices of its own, since nobody else knows what lies in them: where the load halves, not
 * the area. Pure: the caller proposes the map that comes out.
 */

import type { Slice, SliceMap } from "./slice-map.ts";

/** Something that makes work at a place. */
export interface Load {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly weight: number;
}

/** A server is relieved when its load is above this share of the mean. Nearer to 1 evens out more, and moves more objects. */
const FAR_ABOVE_MEAN = 1.2;
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
  /** What lies in the slices of this server. */
  readonly own: readonly Load[];
}

/** The next map that this server should propose; undefined: all is well. */
export function nextMap(map: SliceMap, { me, loads, own }: Balance): SliceMap | undefined {
  return cutForOthers(map, me, loads, own) ?? mended(map, me);
}

/** The busiest server cuts a slice for one that has none, or for the idlest one while it is far above the mean. */
function cutForOthers(
  map: SliceMap,
  me: number,
  loads: ReadonlyMap<number, number>,
  own: readonly Load[],
): SliceMap | undefined {
  const owners = [...loads].filter(([server]) => map.ofOwner(server).length > 0);
  const busiest = mostOf(owners, (a, b) => b - a);
  if (busiest !== me) return undefined;
  const idle = [...loads.keys()].filter((server) => map.ofOwner(server).length === 0).sort((a, b) => a - b)[0];
  const mine = loads.get(me) ?? 0;
  const sum = [...loads.values()].reduce((total, load) => total + load, 0);
  const isFarAbove = sum >= LEAST_LOAD && mine > (FAR_ABOVE_MEAN * sum) / loads.size;
  const other =
    idle ??
    (isFarAbove
      ? mostOf(
          [...loads].filter(([server]) => server !== me),
          (a, b) => a - b,
        )
      : undefined);
  if (other === undefined) return undefined;
  const slice = largest(map, me, own);
  if (slice === undefined) return undefined;
  const inside = own.filter(({ x, y, z }) => map.at(x, y, z) === slice);
  // So much goes that both have the same afterwards, or half of the slice where that is less.
  const total = inside.reduce((weight, load) => weight + load.weight, 0);
  const gives = Math.min(total / 2, (mine - (loads.get(other) ?? 0)) / 2);
  const cut = total > 0 ? cutOf(inside, 1 - gives / total) : undefined;
  if (cut !== undefined) return map.split(slice.id, cut.axis, cut.at, other);
  return idle === undefined ? undefined : cutEmpty(map, slice, idle);
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

/** Two sides of a cut that this server owns become one slice again. */
function mended(map: SliceMap, me: number): SliceMap | undefined {
  const mine = new Set(map.ofOwner(me).map(({ id }) => id));
  for (const id of mine) {
    const parent = id.slice(0, -1);
    if (id.endsWith("0") && mine.has(`${parent}1`)) return map.merge(parent, me);
  }
  return undefined;
}

/** Gives away what servers own that are gone, each slice to the server with the fewest. */
export function withoutServers(map: SliceMap, gone: (server: number) => boolean, alive: readonly number[]): SliceMap {
  let next = map;
  for (const { id, owner } of map.slices) {
    if (!gone(owner)) continue;
    const heir = mostOf(
      alive.map((server) => [server, next.ofOwner(server).length] as const),
      (a, b) => a - b,
    );
    if (heir !== undefined) next = next.assign(id, heir);
  }
  return next;
}

function largest(map: SliceMap, me: number, own: readonly Load[]): Slice | undefined {
  const weights = new Map<Slice, number>(map.ofOwner(me).map((slice) => [slice, 0]));
  for (const { x, y, z, weight } of own) {
    const slice = map.at(x, y, z);
    if (slice.owner === me) weights.set(slice, weights.get(slice)! + weight);
  }
  return [...weights].sort((a, b) => b[1] - a[1])[0]?.[0];
}

/** The first by the order of loads; ties by server number. */
function mostOf(
  servers: readonly (readonly [number, number])[],
  order: (a: number, b: number) => number,
): number | undefined {
  return [...servers].sort((a, b) => order(a[1], b[1]) || a[0] - b[0])[0]?.[0];
}
