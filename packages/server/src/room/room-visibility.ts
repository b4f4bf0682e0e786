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
  // Thousands of questions are asked in a round, so none of them makes a function of its own.
  const may =
    (visible: (player: Player, entity: Entity) => boolean) =>
    (viewer: Viewer, entity: Entity): boolean => {
      try {
        return viewer !== undefined && visible(viewer, entity);
      } catch (error) {
        failed(error, "visible");
        return false;
      }
    };
  const guard =
    <Asked, T>(where: string, answer: (asked: Asked) => T, instead: T) =>
    (asked: Asked): T => {
      try {
        return answer(asked);
      } catch (error) {
        failed(error, where);
        return instead;
      }
    };
  if (typeof visibility === "function") return may(visibility);
  if ("whenChanged" in visibility) return { whenChanged: may(visibility.whenChanged) };
  const team = <T>(answer: T): T => {
    if (answer === undefined || answer === "everything" || isTeam(answer)) return answer;
    throw new Error(`team ${answer} is none: teams are whole numbers from 0 to ${TEAM_OF_NO_VIEWER - 1}`);
  };
  const { teamOf, teamOfObject, sight } = visibility.teams;
  const teams: TeamVisionSettings<Viewer> = {
    ...visibility.teams,
    teamOf: guard("visible: teamOf", (viewer) => (viewer === undefined ? undefined : team(teamOf(viewer))), undefined),
    teamOfObject: guard("visible: teamOfObject", (entity) => team(teamOfObject(entity)), TEAM_OF_NO_VIEWER),
    sight: guard("visible: sight", (entity) => sight(entity), 0),
  };
  return { teams };
}
