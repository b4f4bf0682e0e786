/**
 * Changes players' views for an operator. An edit takes the same way as a client's proposal: it is checked, clamped to what the room
 * grants, and shown to the game's `authorise` last. With `unlimited` it is only checked, as if the game itself had set it. The player keeps
 * its pivots; an edit may set their zoom. The player is told.
 */

import type { Pivot, ViewSettings } from "@nearfield/core";
import { ClampWords, clampPivots, type ObjectSetSettings } from "@nearfield/core/internal";
import { type AuthorisedView, authoriseSets } from "../room/authorise.ts";
import { requireFits } from "../room/merge.ts";
import type { RoomCore } from "../room/room-core.ts";
import type { Player } from "../session/player.ts";

export interface ViewEdit {
  readonly sets: readonly ObjectSetSettings[];
  readonly scale?: number | undefined;
  readonly unlimited?: boolean | undefined;
}

/** What would become of an edit for this player. Throws `ViewError`, or what the game throws to refuse. */
export function authoriseEdit(room: RoomCore, player: Player, edit: ViewEdit): AuthorisedView {
  const settings: ViewSettings = { sets: edit.sets, pivots: rescaled(player.settings.pivots, edit.scale) };
  const words = new ClampWords();
  const sets = authoriseSets(room, settings, words);
  if (edit.unlimited === true) return { view: settings, clamped: [] };
  const zoom = {
    ...room.settings.clientPivots,
    scale: room.viewLimits.scale ?? 1,
    pivots: settings.pivots.length,
    groups: Number.POSITIVE_INFINITY,
    cameras: Number.POSITIVE_INFINITY,
  };
  const pivots = edit.scale === undefined ? settings.pivots : clampPivots(settings.pivots, sets, zoom, words);
  const authorised = { ...settings, sets, pivots };
  return { view: room.options.authorise?.(player, authorised) ?? authorised, clamped: words.all };
}

export function rescaled(pivots: readonly Pivot[], scale: number | undefined): readonly Pivot[] {
  return scale === undefined ? pivots : pivots.map((pivot) => ({ ...pivot, scale }));
}

/** What became of an edit for one player. */
export interface EditAnswer {
  readonly player: Player;
  readonly ok: boolean;
  /** The sets in force now. */
  readonly sets: readonly ObjectSetSettings[];
  /** What was changed of the settings that were asked for, in words. */
  readonly clamped: readonly string[];
  /** Why the edit was refused, in words; empty if it was not. */
  readonly detail: string;
}

/** Changes one player's view, from the next round on. */
export function setView(room: RoomCore, player: Player, edit: ViewEdit): EditAnswer {
  try {
    const { view, clamped } = authoriseEdit(room, player, edit);
    requireFits(view);
    player.setView(view);
    room.noteStated(player, "room");
    const session = room.sessions.get(player.id);
    if (session !== undefined) room.serve(session, "viewSet", () => session.tellView(0, clamped));
    return { player, ok: true, sets: view.sets, clamped, detail: "" };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { player, ok: false, sets: player.settings.sets, clamped: [], detail };
  }
}

/** Changes the view of everybody in the room, and of those who join later. */
export function setEverybodysView(room: RoomCore, edit: ViewEdit): EditAnswer[] {
  const answers = [...room.players.values()].map((player) => setView(room, player, edit));
  const settings: ViewSettings = { sets: edit.sets, pivots: room.joinView.pivots };
  if (answers.every(({ ok }) => ok)) {
    const sets = authoriseSets(room, settings, new ClampWords());
    room.joinView = edit.unlimited === true ? settings : { ...settings, sets };
  }
  return answers;
}
