/**
 * The server's say over what a client wants to see: the client proposes, the server authorises and clamps, pivots
 * included. Pivots the client may not use are left out; limits loosen what asks for too much; the game has the last
 * word. Settings that no honest client sends throw `ViewError`.
 */

import {
  ClampWords,
  checkPivots,
  clampPivots,
  clampSets,
  MetricRegistry,
  type ObjectId,
  type ObjectSetSettings,
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
  const words = new ClampWords();
  const sets = clampSets(settings.sets, room.viewLimits, words);
  const pivots = allowedPivots(room, player, settings.pivots, sets, words);
  const authorised = { ...settings, sets, pivots };
  return { view: room.options.authorise?.(player, authorised) ?? authorised, clamped: words.all };
}

export interface AuthorisedPivots {
  readonly pivots: readonly Pivot[];
  readonly clamped: readonly string[];
}

export function authorisePivots(room: RoomCore, player: Player, proposed: readonly Pivot[]): AuthorisedPivots {
  checkPivots(proposed);
  const words = new ClampWords();
  const pivots = allowedPivots(room, player, proposed, player.settings.sets, words);
  return { pivots, clamped: words.all };
}

function allowedPivots(
  room: RoomCore,
  player: Player,
  proposed: readonly Pivot[],
  sets: readonly ObjectSetSettings[],
  words: ClampWords,
): readonly Pivot[] {
  const may = room.options.mayPivot ?? mayPivotByDefault;
  const indices = [...proposed.keys()].filter((index) => {
    if (room.guard("mayPivot", () => may(player, proposed[index]!)) === true) return true;
    words.say(`pivots[${index}]`, "this view may not be centred there");
    return false;
  });
  const allowed = indices.map((index) => proposed[index]!);
  return clampPivots(allowed, sets, room.viewLimits, words, indices);
}

/** A player looks out of its own objects; a spectator from anywhere. */
function mayPivotByDefault(player: Player, pivot: Pivot): boolean {
  if (player.role === "spectator") return true;
  const owns = (id: ObjectId): boolean => player.owned().some((entity) => entity.id === id);
  if ("object" in pivot) return owns(pivot.object);
  return "group" in pivot && pivot.group.every(owns);
}
