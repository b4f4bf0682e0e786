/**
 * Decides which view a client gets. The client proposes a view; the server checks and clamps it, pivots included. Pivots that the client
 * may not use are left out. Limits loosen a view that asks for too much. The game has the last word. Settings that no honest client sends
 * throw `ViewError`.
 */

import type { Pivot, ViewSettings } from "@nearfield/core";
import {
  ClampWords,
  checkPivots,
  clampPivots,
  clampSets,
  MetricRegistry,
  metricFits,
  type ObjectSetSettings,
  resolveView,
  VIEW_CAPACITY,
} from "@nearfield/core/internal";
import type { Player } from "../session/player.ts";
import type { RoomCore } from "./room-core.ts";

export interface AuthorisedView {
  readonly view: ViewSettings;
  /** What was changed, in words. */
  readonly clamped: readonly string[];
}

export function authoriseView(room: RoomCore, player: Player, settings: ViewSettings): AuthorisedView {
  const words = new ClampWords();
  const sets = authoriseSets(room, settings, words);
  const pivots = allowedPivots(room, player, settings.pivots, sets, words);
  const authorised = { ...settings, sets, pivots };
  return { view: room.options.authorise?.(player, authorised) ?? authorised, clamped: words.all };
}

/** The sets of a view, checked and clamped. */
export function authoriseSets(
  { metrics: offered, world, viewLimits }: RoomCore,
  settings: ViewSettings,
  words: ClampWords,
): readonly ObjectSetSettings[] {
  const metrics = new MetricRegistry(offered);
  resolveView(settings, world, metrics);
  return clampSets(settings.sets, viewLimits, words, (name, match) => metricFits(name, match, world.protocol, metrics));
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
  const { mayPivot } = room.options;
  const may = (pivot: Pivot): boolean =>
    mayPivot === undefined
      ? mayPivotByDefault(room, player, pivot)
      : room.guard("mayPivot", () => mayPivot(player, pivot)) === true;
  const most = Math.min(room.viewLimits.pivots ?? 1, room.units?.roomForOthers ?? VIEW_CAPACITY.pivots);
  const indices: number[] = [];
  for (const [index, pivot] of proposed.entries()) {
    // `mayPivot` is not called for more pivots than are granted.
    if (indices.length >= most || may(pivot)) indices.push(index);
    else words.say(`pivots[${index}]`, "this view may not be centred there");
  }
  const allowed = indices.map((index) => proposed[index]!);
  return clampPivots(
    allowed,
    sets,
    { ...room.viewLimits, ...room.settings.clientPivots, pivots: most },
    words,
    indices,
  );
}

/** A player may look from its own objects; a spectator from anywhere. */
function mayPivotByDefault(room: RoomCore, player: Player, pivot: Pivot): boolean {
  if (player.role === "spectator") return true;
  const owned = room.ownership.of(player.id);
  if ("object" in pivot) return owned.has(pivot.object);
  return "group" in pivot && pivot.group.every((id) => owned.has(id));
}
