/**
 * What a view is, as a game or a client states it: plain data, the papers' φ. An ordered list of object sets, each with zones,
 * sectors and bounds, and the pivots they are centred on. `resolve-view.ts` checks it and compiles it for the models;
 * `clamp-view.ts` is the server's say over what a client proposes.
 */

import type { Fields, ObjectId, ObjectType } from "@nearfield/schema";
import { refuseUnknownSetKeys } from "./view-keys.ts";

/** κ: how far a replica may diverge in one (zone, sector) cell. A missing dimension means no requirement; 0 is the strongest. */
export interface Bound {
  /** Milliseconds. */
  time?: number;
  /** Updates missed. */
  sequence?: number;
  /** In the units of the set's metric: world units for `displacement`, `path` and `predicted`, percent for `relative`. */
  value?: number;
}

/** Whether a bound lets no update wait: it is then as strict as can be, whatever its other dimensions say. */
export function isStrongest({ time, sequence, value }: Bound): boolean {
  return time === 0 || value === 0 || (sequence !== undefined && sequence <= 1);
}

/** Which objects a set holds. A predicate is one that the server registered under that name. */
export type Match = { type: string } | { tag: string } | { predicate: string } | "everything";

export type Shape = "round" | "square";
export type TimeClock = "refresh" | "firstMiss";
export type OwnRule = "changes" | "bounds";

export interface ObjectSetSettings {
  match: Match;
  /** Outer edge of each zone but the last, ascending, in world units. Default none: one zone, unbounded. */
  radii?: readonly number[];
  /** Full opening angle of each sector but the last, ascending, in degrees below 360. Default none: one sector all round. */
  sectors?: readonly number[];
  /** `[zone]`, the same in all sectors, or `[zone][sector]`. */
  bounds: readonly Bound[] | readonly (readonly Bound[])[];
  /** `round` (Euclid; default) or `square` (Chebyshev). */
  shape?: Shape;
  /** `refresh` (default): time since the last send; `firstMiss`: time since the first round with an update not sent. */
  clock?: TimeClock;
  /** Send one round early rather than ever pass a time bound. Default false. */
  strict?: boolean;
  /** `displacement` (default), `path`, `predicted` or `predicted:MODEL`, `relative:FIELD`, or a metric that the server registered. */
  metric?: string;
  /** Objects farther than this from the nearest pivot leave the replica. Default: none do. A finite range on every set lets the engine forget far pairs. */
  range?: number;
  /** Which of the view's pivots count, by index. Default all. */
  pivots?: readonly number[];
  /**
   * When the client is sent the objects that it owns. `changes` (default): whenever one changed, as a client that predicts them needs it. `bounds`: by zones and bounds, like
   * those of others; for armies, which nobody predicts.
   */
  own?: OwnRule;
}

export type Pivot =
  /** Centred on an object; stays where it was if that object is destroyed. */
  | { object: ObjectId; scale?: number }
  /** Centred on a point; `orientation` is a direction, of any length. */
  | { point: readonly number[]; orientation?: readonly number[]; scale?: number }
  /**
   * Centred on the mean of its members. Zone 0 reaches over the members plus `margin`; the radius of zone k is that times
   * `coefficients[k − 1]` (R §4.5). With `spread`, world units, members farther than that from the centre are not covered, and where no
   * member is so near, the group is centred on its first member; a server puts it on groups of clients. Default: none.
   */
  | {
      group: readonly ObjectId[];
      margin: number;
      coefficients: readonly number[];
      scale?: number;
      spread?: number;
    }
  /**
   * Centred on what a camera shows (R §3.1). Zone 0 is the rectangle of `size`, width and height, around the point `camera`, turned by `rotation` (radians,
   * counter-clockwise; default 0). Zone k is the same rectangle `coefficients[k − 1]` times as large. It lies on the ground: heights do not count.
   */
  | {
      camera: readonly [number, number];
      size: readonly [number, number];
      rotation?: number;
      coefficients: readonly number[];
      scale?: number;
    };

export interface ViewSettings {
  /** The first set that matches an object wins; the last must match everything. */
  sets: readonly ObjectSetSettings[];
  pivots: readonly Pivot[];
}

/**
 * The usual view in one call: these zones for `type`, and the same for everything else. Throws `ViewError("unknown-key")` for a key that no
 * set has.
 */
export function zones<F extends Fields>(type: ObjectType<F>, settings: Omit<ObjectSetSettings, "match">): ViewSettings {
  refuseUnknownSetKeys(settings, "sets[0]");
  return {
    sets: [
      { ...settings, match: { type: type.name } },
      { ...settings, match: "everything" },
    ],
    pivots: [],
  };
}
