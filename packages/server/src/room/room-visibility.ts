/**
 * Who may know of what in a room: the game's rule, as the model asks it of views and as the auditor asks it of players. The auditor asks anew and looks at
 * every unit, so it shares no answer with the model. If the game's code throws, the exception is reported, and the answer is the one that shows less.
 */

import type { Entity, World } from "@nearfield/core";
import {
  isTeam,
  PlainVisibility,
  TEAM_OF_NO_VIEWER,
  type TeamVisionSettings,
  type ViewId,
  type Visibility,
} from "@nearfield/core/internal";
import type { Player } from "../session/player.ts";

/** What a room has in place of a player where nobody looks. */
type Viewer = Player | undefined;

export class RoomVisibility {
  readonly #rule: Visibility<Viewer>;
  readonly #plain: PlainVisibility<Viewer>;

  constructor(visibility: Visibility<Player>, world: World, failed: (error: unknown, where: string) => void) {
    this.#rule = guarded(visibility, failed);
    this.#plain = new PlainVisibility(world, this.#rule, true);
  }

  /** @param round in which it is asked. */
  isVisible(player: Player, entity: Entity, round: number): boolean {
    return this.#plain.isVisible(player, entity, round);
  }

  /** What the game says of the object of a slot can be different from now on. */
  objectChanged(slot: number): void {
    this.#plain.objectChanged(slot);
  }

  /** The same rule for a model, which knows views. */
  forViews(playerOf: (view: ViewId) => Viewer): Visibility<ViewId> {
    const rule = this.#rule;
    if (typeof rule === "function") return (view, entity) => rule(playerOf(view), entity);
    if ("whenChanged" in rule) return { whenChanged: (view, entity) => rule.whenChanged(playerOf(view), entity) };
    const { teams } = rule;
    return { teams: { ...teams, teamOf: (view) => teams.teamOf(playerOf(view)) } };
  }
}

function guarded(visibility: Visibility<Player>, failed: (error: unknown, where: string) => void): Visibility<Viewer> {
  const guard = <T>(where: string, run: () => T, instead: T): T => {
    try {
      return run();
    } catch (error) {
      failed(error, where);
      return instead;
    }
  };
  const may =
    (visible: (player: Player, entity: Entity) => boolean) =>
    (viewer: Viewer, entity: Entity): boolean =>
      viewer !== undefined && guard("visible", () => visible(viewer, entity), false);
  if (typeof visibility === "function") return may(visibility);
  if ("whenChanged" in visibility) return { whenChanged: may(visibility.whenChanged) };
  const team = <T>(answer: T): T => {
    if (answer === undefined || answer === "everything" || isTeam(answer)) return answer;
    throw new Error(`team ${answer} is none: teams are whole numbers from 0 to ${TEAM_OF_NO_VIEWER - 1}`);
  };
  const { teamOf, teamOfObject, sight } = visibility.teams;
  const teams: TeamVisionSettings<Viewer> = {
    ...visibility.teams,
    teamOf: (viewer) =>
      viewer === undefined ? undefined : guard("visible: teamOf", () => team(teamOf(viewer)), undefined),
    teamOfObject: (entity) => guard("visible: teamOfObject", () => team(teamOfObject(entity)), TEAM_OF_NO_VIEWER),
    sight: (entity) => guard("visible: sight", () => sight(entity), 0),
  };
  return { teams };
}
