/**
 * The server's say over what a client wants to see: a client proposes, the server authorises and clamps, pivots included. Settings that no honest
 * client sends throw `ViewError`.
 */

import { checkPivots, type Entity, type ObjectId, type Pivot, type ViewSettings } from "@nearfield/core";
import type { Player } from "./player.ts";
import type { Room } from "./room.ts";

export interface AuthorisedView {
  readonly view: ViewSettings;
  /** What was changed, in words. */
  readonly clamped: readonly string[];
}

export function authoriseView(room: Room, player: Player, settings: ViewSettings): AuthorisedView {
  const { pivots, clamped } = authorisePivots(room, player, settings.pivots);
  const view = { ...settings, pivots };
  const authorised = room.options.authorise?.(player, view) ?? view;
  return { view: authorised, clamped };
}

export function authorisePivots(
  room: Room,
  player: Player,
  pivots: readonly Pivot[],
): { readonly pivots: readonly Pivot[]; readonly clamped: readonly string[] } {
  checkPivots(pivots);
  const clamped: string[] = [];
  const may = (id: ObjectId): boolean => mayPivotOn(room, player, id);
  const allowed = pivots.filter((pivot, index) => {
    const ids = "object" in pivot ? [pivot.object] : "group" in pivot ? pivot.group : [];
    const refused = ids.find((id) => !may(id));
    if (refused !== undefined) clamped.push(`pivots[${index}]: object ${refused} may not be a pivot of this view`);
    return refused === undefined;
  });
  return { pivots: allowed, clamped };
}

function mayPivotOn(room: Room, player: Player, id: ObjectId): boolean {
  const entity: Entity | undefined = room.world.get(id);
  if (entity === undefined) return false;
  const { mayPivotOn: rule } = room.options;
  if (rule !== undefined) return rule(player, entity);
  return player.role === "spectator" || entity.owner === player.id;
}
