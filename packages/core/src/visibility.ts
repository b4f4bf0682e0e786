/**
 * What a viewer may know of. A room states it in one of three ways; the first costs most, since nothing is known about when its answers change:
 * a function that is asked of every object in reach, in every round; a function whose answers change only when the game says so; and the vision of
 * teams, which the engine works out itself. A viewer is a player to the game, and a view to a model.
 */

import type { ObjectId } from "@nearfield/schema";
import type { Entity } from "./entity.ts";
import { ViewError } from "./errors.ts";
import type { ViewId } from "./model.ts";

/** Within a round the same question must get the same answer. */
export type Visible<Viewer> = (viewer: Viewer, entity: Entity) => boolean;

/**
 * Teams see what their units see, cell by cell of a grid. A viewer sees an object of its own team, and any object in a cell that a unit of its
 * team sees. An object without a place is seen by its team, or by everybody if it has none.
 */
export interface TeamVisionSettings<Viewer> {
  /** Two corners of the grid, in world units. Whatever lies outside counts as in the nearest cell. */
  readonly area: { readonly min: readonly [number, number]; readonly max: readonly [number, number] };
  /** Edge of a cell, in world units. Smaller cells are more exact and cost more: a unit is looked at again whenever it comes into another cell. */
  readonly cell: number;
  /** The team of a viewer, 0 to 62; `"everything"` for who sees all; `undefined` for who has no team and sees no place. */
  readonly teamOf: (viewer: Viewer) => number | "everything" | undefined;
  /** The team of an object, 0 to 62; `undefined` for what is nobody's. Asked again when its tags or owner change, and when the game says so. */
  readonly teamOfObject: (entity: Entity) => number | undefined;
  /** How far an object of a team sees, in world units, from cell to cell; 0 = it sees nothing. Asked with its team. */
  readonly sight: (entity: Entity) => number;
  /** Whether nobody sees through the cell around this point: a wall. The cell itself can be seen. Asked once for each cell. Default: there are no walls. */
  readonly blocks?: (x: number, y: number) => boolean;
}

/**
 * `whenChanged` is the promise that the function answers as it did before, until the game says that something changed (`room.visibilityChanged`). Then
 * an object in reach costs nothing while its answer stays. A change that is not told is not seen, and is counted by the auditor as a fault.
 */
export type Visibility<Viewer> =
  | Visible<Viewer>
  | { readonly whenChanged: Visible<Viewer> }
  | { readonly teams: TeamVisionSettings<Viewer> };

/** What answers can have changed: all that concern an object, or all that concern a view. */
export type VisibilityChange = { readonly object: ObjectId } | { readonly view: ViewId };

/** The number of a team that no viewer belongs to: what is its is hidden from all, unless it is seen. */
export const TEAM_OF_NO_VIEWER = 63;
/** Whether a game's answer is the number of a team. */
export function isTeam(answer: unknown): boolean {
  return Number.isInteger(answer) && (answer as number) >= 0 && (answer as number) < TEAM_OF_NO_VIEWER;
}

/** Where a team stands in columns; −1 = in none. */
export function teamIndex(team: number | undefined, at: string): number {
  if (team === undefined) return -1;
  if (isTeam(team) || team === TEAM_OF_NO_VIEWER) return team;
  const text = `team ${team} is none: teams are whole numbers from 0 to ${TEAM_OF_NO_VIEWER - 1}`;
  throw new ViewError("bad-number", at, text);
}
