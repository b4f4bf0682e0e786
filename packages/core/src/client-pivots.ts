/**
 * What a room says of the pivots that clients ask for: by which factors the outer zones of their groups and cameras grow, and how far a pivot
 * moves before a client tells of it (R §3.2.1). The server tells its clients. Plain data, so that a file can hold it.
 */

import { ViewError } from "./errors.ts";
import type { Pivot } from "./view.ts";
import { VIEW_CAPACITY } from "./view-rules.ts";

export interface ClientPivots {
  /**
   * The radius of zone k of a client's group is that of zone 0 times `groupCoefficients[k − 1]`, whatever the client states. Default: what it states, in no
   * larger proportion than the radii of the view's sets.
   */
  readonly groupCoefficients?: readonly number[];
  /** The same for the rectangles of a client's camera. */
  readonly cameraCoefficients?: readonly number[];
  /**
   * A client tells of its camera once a corner has moved by this share of the shorter side. Default 0.02; 0: of every movement. With a larger share fewer messages
   * leave, and the server's rectangle is behind what the screen shows by up to that much.
   */
  readonly cameraMoved?: number;
  /** A client tells of a point once the point has moved this many world units. Default 0: of every movement. */
  readonly pointMoved?: number;
  /** A client tells of smaller movements when its pivots have rested for so long, ms. Default 500; at most a minute. */
  readonly restMs?: number;
}

export interface ResolvedClientPivots extends Required<Omit<ClientPivots, "groupCoefficients" | "cameraCoefficients">> {
  readonly groupCoefficients: readonly number[] | undefined;
  readonly cameraCoefficients: readonly number[] | undefined;
}

/** What counts where a room says nothing. */
export const USUAL_CLIENT_PIVOTS: ResolvedClientPivots = {
  groupCoefficients: undefined,
  cameraCoefficients: undefined,
  cameraMoved: 0.02,
  pointMoved: 0,
  restMs: 500,
};

const LONGEST_REST_MS = 60_000;
const MOST_COEFFICIENTS: number = VIEW_CAPACITY.zones - 2;

/** Checks the settings and fills in the defaults. Throws `ViewError`. */
export function resolveClientPivots(settings: ClientPivots | undefined): ResolvedClientPivots {
  if (settings === undefined) return USUAL_CLIENT_PIVOTS;
  const resolved = { ...USUAL_CLIENT_PIVOTS, ...settings };
  const { groupCoefficients, cameraCoefficients, cameraMoved, pointMoved, restMs } = resolved;
  if (groupCoefficients !== undefined) checkCoefficients(groupCoefficients, "groupCoefficients");
  if (cameraCoefficients !== undefined) checkCoefficients(cameraCoefficients, "cameraCoefficients");
  check(cameraMoved >= 0 && cameraMoved <= 1, "cameraMoved", "must lie between 0 and 1", cameraMoved);
  check(pointMoved >= 0 && pointMoved < Number.POSITIVE_INFINITY, "pointMoved", "must be 0 or more", pointMoved);
  check(restMs >= 0 && restMs <= LONGEST_REST_MS, "restMs", `must lie between 0 and ${LONGEST_REST_MS}`, restMs);
  return resolved;
}

/** Whether a room can state these rules. Clients ask: it is the check of `resolveClientPivots` without the texts, which a page need not load. */
export function areClientPivots(rules: ResolvedClientPivots): boolean {
  const { groupCoefficients = [], cameraCoefficients = [], cameraMoved, pointMoved, restMs } = rules;
  const ascend = (factors: readonly number[]): boolean =>
    factors.length <= MOST_COEFFICIENTS &&
    factors.every((factor, index) => factor > (factors[index - 1] ?? 1) && factor < Number.POSITIVE_INFINITY);
  return (
    ascend(groupCoefficients) &&
    ascend(cameraCoefficients) &&
    cameraMoved >= 0 &&
    cameraMoved <= 1 &&
    pointMoved >= 0 &&
    pointMoved < Number.POSITIVE_INFINITY &&
    restMs >= 0 &&
    restMs <= LONGEST_REST_MS
  );
}

/** The pivot with the room's coefficients in place of its own, where the room states any. */
export function withCoefficientsOf(rules: ClientPivots | ResolvedClientPivots, pivot: Pivot): Pivot {
  const coefficients =
    "group" in pivot ? rules.groupCoefficients : "camera" in pivot ? rules.cameraCoefficients : undefined;
  return coefficients === undefined ? pivot : ({ ...pivot, coefficients } as Pivot);
}

function checkCoefficients(coefficients: readonly number[], key: string): void {
  const isShort = coefficients.length <= MOST_COEFFICIENTS;
  check(isShort, key, `must be at most ${MOST_COEFFICIENTS} numbers`, coefficients.length);
  for (const [index, coefficient] of coefficients.entries()) {
    const before = index === 0 ? 1 : coefficients[index - 1]!;
    const holds = coefficient > before && coefficient < Number.POSITIVE_INFINITY;
    check(holds, `${key}[${index}]`, `must be above ${before}`, coefficient);
  }
}

function check(holds: boolean, key: string, text: string, value: number): void {
  if (!holds) throw new ViewError("bad-number", `clientPivots.${key}`, `${text}, is ${value}`);
}
