/** How a server groups each player's own objects into units (R §3.1), as a game states it. Plain data, so that a file can hold it. */

import { ViewError } from "../errors.ts";
import { VIEW_CAPACITY } from "../view-rules.ts";

export interface UnitSettings {
  /** Two groups whose nearest members are this near each other become one, if their headings agree. World units on the ground: heights do not count. */
  join: number;
  /** A member farther than this from every other member of its group leaves the group. At least `join`. */
  part: number;
  /** Two headings agree if they differ by at most this many degrees. Default 45. */
  turn?: number;
  /** A member whose heading differs from its group's by more than this many degrees leaves the group. At least `turn`, at most 180. Default 90. */
  partTurn?: number;
  /** A player has at most this many units; beyond that, the nearest ones count as one. Default 8. */
  most?: number;
  /** Zone 0 of a unit reaches over its members and this much farther, in world units. Default 0. */
  margin?: number;
  /** The radius of zone k is that of zone 0 times `coefficients[k − 1]`. Default none. */
  coefficients?: readonly number[];
  /** Names of the types that are grouped. Default: all types that have a place. */
  types?: readonly string[];
  /**
   * A player's units are made anew in one of so many rounds, and keep their places in between; players take turns. Default 1. Larger: less work for the server, and a pivot is
   * behind its unit by up to so many rounds, for which `margin` should make up.
   */
  every?: number;
}

export type ResolvedUnits = Required<Omit<UnitSettings, "types">> & { readonly types: readonly string[] | undefined };

/** Checks the settings and fills in the defaults. Throws `ViewError`. */
export function resolveUnits(settings: UnitSettings): ResolvedUnits {
  const { join, part, turn = 45, partTurn = 90, most = 8, margin = 0, coefficients = [], types, every = 1 } = settings;
  check(join > 0 && join < Number.POSITIVE_INFINITY, "join", "must be above 0", join);
  check(part >= join && part < Number.POSITIVE_INFINITY, "part", `must be at least join, ${join}`, part);
  check(turn >= 0 && turn <= 180, "turn", "must lie between 0 and 180", turn);
  check(partTurn >= turn && partTurn <= 180, "partTurn", `must lie between turn, ${turn}, and 180`, partTurn);
  const isMost = Number.isInteger(most) && most >= 1 && most <= VIEW_CAPACITY.pivots;
  check(isMost, "most", `must be a whole number from 1 to ${VIEW_CAPACITY.pivots}`, most);
  check(Number.isInteger(every) && every >= 1 && every <= 64, "every", "must be a whole number from 1 to 64", every);
  check(margin >= 0 && margin < Number.POSITIVE_INFINITY, "margin", "must be 0 or more", margin);
  const zones = VIEW_CAPACITY.zones - 2;
  check(coefficients.length <= zones, "coefficients", `must be at most ${zones} numbers`, coefficients.length);
  coefficients.forEach((coefficient, index) => {
    const before = index === 0 ? 1 : coefficients[index - 1]!;
    check(coefficient > before, `coefficients[${index}]`, `must be above ${before}`, coefficient);
  });
  return { join, part, turn, partTurn, most, margin, coefficients, types, every };
}

function check(holds: boolean, key: string, text: string, value: number): void {
  if (!holds) throw new ViewError("bad-number", `units.${key}`, `${text}, is ${value}`);
}
