/**
 * The server's say over proposed pivots: how many, how far zoomed, and how wide a group. Which places a client may look from at all is the
 * server's own rule (`mayPivot`); this file holds what is left within the grant.
 *
 * Claim: around every pivot that is left, each zone reaches no farther than the zone of the same number around a granted pivot: one that
 * lies on the same object or point or, for a group, within `groups` of a member, zoomed by no more than `scale × (1 + groups ÷ r)`, where r is
 * the view's innermost radius.
 */

import type { ClampWords } from "./clamp-words.ts";
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
}

type GroupPivot = Extract<Pivot, { group: unknown }>;

/**
 * The pivots as the limits allow.
 *
 * @param indices where each stood in the proposal, for the words.
 * @param sets of the view that is centred on them, clamped already.
 */
export function clampPivots(
  pivots: readonly Pivot[],
  sets: readonly ObjectSetSettings[],
  limits: PivotLimits,
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
    return "group" in zoomed ? clampGroup(zoomed, at, sets, limits.groups, words) : zoomed;
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
  granted: number | undefined,
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
  const clamped = coefficients.map((coefficient, ring) => {
    const reaching = sets.filter(({ radii = [] }) => radii.length > ring + 1);
    const largest = Math.min(...reaching.map(({ radii }) => radii![ring + 1]! / radii![0]!));
    if (!(coefficient > largest)) return coefficient;
    words.say(`${at}.coefficients[${ring}]`, `${coefficient} is more than ${largest}`);
    return largest;
  });
  const within = Math.min(spread, granted);
  const covered = within < Number.POSITIVE_INFINITY ? { spread: within } : {};
  return { group, margin: Math.min(margin, inner), coefficients: clamped, ...covered, ...zoom };
}
