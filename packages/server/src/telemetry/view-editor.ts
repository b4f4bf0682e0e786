/**
 * An operator's hand on what players see. The settings go the way of a client's proposal — checked, clamped to what the room grants, the
 * game's `authorise` last — or, `unlimited`, with the game's own authority: checked only. Pivots stay the player's own; a zoom may be put on
 * them. Who is changed is told.
 */

import { ClampWords, clampPivots, type ObjectSetSettings, type Pivot, type ViewSettings } from "@nearfield/core";
import { type AuthorisedView, authoriseSets } from "../room/authorise.ts";
import { requireFits } from "../room/merge.ts";
import type { RoomCore } from "../room/room-core.ts";
import type { Player } from "../session/player.ts";
import type { ViewsSetTell } from "./feed/tells.ts";
import { jsonSets } from "./view-json.ts";

export interface Edit {
  readonly sets: readonly ObjectSetSettings[];
  readonly scale?: number | undefined;
  readonly unlimited?: boolean | undefined;
}

/** What would be made of an edit for this player. Throws `ViewError`, or what the game throws to refuse. */
export function authoriseEdit(core: RoomCore, player: Player, edit: Edit): AuthorisedView {
  const settings: ViewSettings = { sets: edit.sets, pivots: rescaled(player.settings.pivots, edit.scale) };
  const words = new ClampWords();
  const sets = authoriseSets(core, settings, words);
  if (edit.unlimited === true) return { view: settings, clamped: [] };
  const zoom = { scale: core.viewLimits.scale ?? 1, pivots: settings.pivots.length, groups: Number.POSITIVE_INFINITY };
  const pivots = edit.scale === undefined ? settings.pivots : clampPivots(settings.pivots, sets, zoom, words);
  const authorised = { ...settings, sets, pivots };
  return { view: core.options.authorise?.(player, authorised) ?? authorised, clamped: words.all };
}

export function rescaled(pivots: readonly Pivot[], scale: number | undefined): readonly Pivot[] {
  return scale === undefined ? pivots : pivots.map((pivot) => ({ ...pivot, scale }));
}

type Answer = ViewsSetTell["answers"][number];

/** Obeyed from the next round on. */
export function setView(core: RoomCore, player: Player, edit: Edit): Answer {
  try {
    const { view, clamped } = authoriseEdit(core, player, edit);
    requireFits(view);
    player.setView(view);
    const session = core.sessions.get(player.id);
    if (session !== undefined) core.serve(session, "viewSet", () => session.tellView(0, clamped));
    return { player: player.id, ok: true, sets: jsonSets(view.sets), clamped: [...clamped], detail: "" };
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { player: player.id, ok: false, sets: jsonSets(player.settings.sets), clamped: [], detail };
  }
}

/** Everybody in the room, and those who join later. */
export function setEverybodysView(core: RoomCore, edit: Edit): Answer[] {
  const answers = [...core.players.values()].map((player) => setView(core, player, edit));
  const settings: ViewSettings = { sets: edit.sets, pivots: core.joinView.pivots };
  if (answers.every(({ ok }) => ok)) {
    const sets = authoriseSets(core, settings, new ClampWords());
    core.joinView = edit.unlimited === true ? settings : { ...settings, sets };
  }
  return answers;
}
