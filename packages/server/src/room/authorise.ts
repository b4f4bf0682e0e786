/**
 * The server's say over what a client wants to see: the client proposes, the server authorises and clamps, pivots
 * included. Limits loosen what asks for too much; pivots the client may not use are left out; the game has the last
 * word. Settings that no honest client sends throw `ViewError`.
 */

import {
  checkPivots,
  clampPivot,
  clampView,
  MetricRegistry,
  type ObjectId,
  type Pivot,
  resolveView,
  type ViewSettings,
} from "@nearfield/core";
import type { Player } from "../session/player.ts";
import type { RoomCore } from "./room-core.ts";

export interface AuthorisedView {
  readonly view: ViewSettings;
  /** What was changed, in words. */
  readonly clamped: readonly string[];
}

export function authoriseView(room: RoomCore, player: Player, settings: ViewSettings): AuthorisedView {
  resolveView(settings, room.world, new MetricRegistry(room.options.metrics));
  const { view, clamped } = clampView({ ...settings, pivots: [] }, room.viewLimits);
  const { pivots, clamped: clampedPivots } = authorisePivots(room, player, settings.pivots);
  const authorised = { ...view, pivots };
  return { view: room.options.authorise?.(player, authorised) ?? authorised, clamped: [...clamped, ...clampedPivots] };
}

export interface AuthorisedPivots {
  readonly pivots: readonly Pivot[];
  readonly clamped: readonly string[];
}

export function authorisePivots(room: RoomCore, player: Player, proposed: readonly Pivot[]): AuthorisedPivots {
  checkPivots(proposed);
  const clamped: string[] = [];
  const may = room.options.mayPivot ?? mayPivotByDefault;
  const pivots = proposed.flatMap((pivot, index) => {
    if (room.guard("mayPivot", () => may(player, pivot)) !== true) {
      clamped.push(`pivots[${index}]: this view may not be centred there`);
      return [];
    }
    return [clampPivot(pivot, `pivots[${index}]`, room.viewLimits, clamped)];
  });
  return { pivots, clamped };
}

/** A player looks out of its own objects; a spectator from anywhere. */
function mayPivotByDefault(player: Player, pivot: Pivot): boolean {
  if (player.role === "spectator") return true;
  const owns = (id: ObjectId): boolean => player.owned().some((entity) => entity.id === id);
  if ("object" in pivot) return owns(pivot.object);
  return "group" in pivot && pivot.group.every(owns);
}
