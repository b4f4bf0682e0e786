/**
 * The server's say over proposed pivots: how many, how far zoomed, how wide a group, and how large a camera. Which places a client may look from at all is the
 * server's own rule (`mayPivot`); this file holds what is left within the grant.
 *
 * Claim: around every pivot that is left, each zone reaches no farther than the zone of the same number around a granted pivot: one that
 * lies on the same object or point or, for a group, within `groups` of a member, zoomed by no more than `scale × (1 + groups ÷ r)`, where r is
 * the view's innermost radius. A camera stands for a granted pivot on its point, zoomed by `scale × cameras × √2`: the square around a rectangle reaches so much farther at its corners.
 * Where the room itself states the coefficients of groups or cameras (`ClientPivots`), these count in place of the radii's proportion.
 */

import { isSameList } from "./clamp-bounds.ts";
import type { ClampWords } from "./clamp-words.ts";
import type { ClientPivots } from "./client-pivots.ts";
import type { ObjectSetSettings, Pivot } from "./view.ts";

export interface PivotLimits {
  /** Largest zoom of a pivot: what is granted at a distance is granted so many times farther out, too. Default 1. */
  readonly scale?: number;
  /** How many pivots a client may have. Default 1; the cost of a view grows with them. */
  readonly pivots?: number;
  /**
   * How far from its centre the members of a group may widen its zones, world units; a member farther out is not covered. Default: groups
   * are not granted, and one becomes a pivot on its first member. A group has no orientation: it looks all round.
   */
  readonly groups?: number;
  /**
   * How far a camera's rectangle may reach to each side, in innermost radii of the view. Default: cameras are not granted, and one becomes a pivot on its point. A
   * camera has no orientation: it looks all round.
   */
  readonly cameras?: number;
}

type GroupPivot = Extract<Pivot, { group: unknown }>;
type CameraPivot = Extract<Pivot, { camera: unknown }>;

/**
 * The pivots as the limits allow.
 *
 * @param indices where each stood in the proposal, for the words.
 * @param sets of the view that is centred on them, clamped already.
 */
export function clampPivots(
  pivots: readonly Pivot[],
  sets: readonly ObjectSetSettings[],
  limits: PivotLimits & ClientPivots,
  words: ClampWords,
  indices: readonly number[] = pivots.map((_, index) => index),
): readonly Pivot[] {
  const most = limits.pivots ?? 1;
  for (const index of indices.slice(most)) {
    words.say(`pivots[${index}]`, `is one more than the ${most} that ${most === 1 ? "is" : "are"} granted`);
  }
  return pivots.slice(0, most).map((pivot, nth) => {
    const at = `pivots[${indices[nth]}]`;
    const zoomed = clampScale(pivot, at, limits.scale ?? 1, words);
    if ("camera" in zoomed) return clampCamera(zoomed, at, sets, limits, words);
    return "group" in zoomed ? clampGroup(zoomed, at, sets, limits, words) : zoomed;
  });
}

function clampScale(pivot: Pivot, at: string, most: number, words: ClampWords): Pivot {
  if ((pivot.scale ?? 1) <= most) return pivot;
  words.say(`${at}.scale`, `${pivot.scale} is more than ${most}`);
  return { ...pivot, scale: most };
}

/** A group brings radii of its own: they may be no larger, beside its members' spread, than those of the view's sets. */
function clampGroup(
  pivot: GroupPivot,
  at: string,
  sets: readonly ObjectSetSettings[],
  { groups: granted, groupCoefficients }: PivotLimits & ClientPivots,
  words: ClampWords,
): Pivot {
  const { group, margin, coefficients, spread = Number.POSITIVE_INFINITY, ...zoom } = pivot;
  if (granted === undefined) {
    words.say(`${at}.group`, "groups are not granted; it is centred on its first member");
    return { object: group[0]!, ...zoom };
  }
  if (!(spread <= granted)) words.say(`${at}.group`, `members farther than ${granted} from its centre are not covered`);
  const inner = Math.min(...sets.map(({ radii }) => radii?.[0] ?? Number.POSITIVE_INFINITY));
  if (margin > inner) words.say(`${at}.margin`, `${margin} is more than ${inner}`);
  const clamped = clampCoefficients(coefficients, at, sets, groupCoefficients, words);
  const within = Math.min(spread, granted);
  const covered = within < Number.POSITIVE_INFINITY ? { spread: within } : {};
  return { group, margin: Math.min(margin, inner), coefficients: clamped, ...covered, ...zoom };
}

/** The longer side decides: a rectangle that is too long is made smaller in proportion. */
function clampCamera(
  { camera, size, rotation = 0, coefficients, ...zoom }: CameraPivot,
  at: string,
  sets: readonly ObjectSetSettings[],
  { cameras: granted, cameraCoefficients }: PivotLimits & ClientPivots,
  words: ClampWords,
): Pivot {
  if (granted === undefined) {
    words.say(`${at}.camera`, "cameras are not granted; it is centred on its point");
    return { point: camera, ...zoom };
  }
  const longest = Math.max(...size);
  const most = 2 * granted * Math.min(...sets.map(({ radii }) => radii?.[0] ?? Number.POSITIVE_INFINITY));
  if (longest > most) words.say(`${at}.size`, `${longest} is more than ${most}`);
  const [width, height] = size.map((side) => (longest > most ? Math.min(most, side * (most / longest)) : side));
  const clamped = clampCoefficients(coefficients, at, sets, cameraCoefficients, words);
  return { camera, size: [width!, height!], rotation, coefficients: clamped, ...zoom };
}

/**
 * Zones around a pivot with radii of its own grow as the room states. If it states nothing, they are in no larger proportion to the innermost one than those of the
 * view's sets.
 */
function clampCoefficients(
  coefficients: readonly number[],
  at: string,
  sets: readonly ObjectSetSettings[],
  stated: readonly number[] | undefined,
  words: ClampWords,
): readonly number[] {
  if (stated !== undefined) {
    if (!isSameList(stated, coefficients)) words.say(`${at}.coefficients`, `are [${stated.join(", ")}] in this room`);
    return stated;
  }
  return coefficients.map((coefficient, ring) => {
    const reaching = sets.filter(({ radii = [] }) => radii.length > ring + 1);
    const largest = Math.min(...reaching.map(({ radii }) => radii![ring + 1]! / radii![0]!));
    if (!(coefficient > largest)) return coefficient;
    words.say(`${at}.coefficients[${ring}]`, `${coefficient} is more than ${largest}`);
    return largest;
  });
}
