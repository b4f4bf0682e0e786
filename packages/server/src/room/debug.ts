/**
 * Explanations on request. For each object that a client asked about: its zone, bound and divergence in that client's view, and why it was last sent. The overlay of
 * the games draws them. They travel in a message of their own, at most one packet per round, and are not counted as the game's traffic.
 */

import { CAUSE_NAMES } from "@nearfield/core";
import { EXPLANATION_BYTES, MAX_EXPLANATIONS, type ToldExplanation } from "@nearfield/protocol/internal";
import type { ObjectId } from "@nearfield/schema";
import type { Session } from "../session/session.ts";
import type { RoomCore } from "./room-core.ts";

export function explainTo(room: RoomCore, session: Session, round: number): void {
  const { debug } = session;
  if (debug === undefined || session.link === undefined || round % debug.everyRounds !== 0) return;
  const { model } = room;
  const { view } = session.player;
  const most = Math.min(MAX_EXPLANATIONS, Math.floor(session.link.maxUnreliableBytes / EXPLANATION_BYTES) - 1);
  const list: ToldExplanation[] = [];
  for (const id of debug.ids.length > 0 ? debug.ids : nextObjects(room, session, most)) {
    const explanation = model.explain(view, id);
    const cause = CAUSE_NAMES[model.lastCause(view, id) ?? -1];
    if (explanation?.present === true) list.push({ ...explanation, cause });
    if (list.length === most) break;
  }
  if (list.length > 0) session.sendDebug({ kind: "explanations", round, list });
}

/** The next objects in turn, as many as one message holds. */
function nextObjects(room: RoomCore, session: Session, most: number): ObjectId[] {
  const { store } = room.world;
  const ids: ObjectId[] = [];
  for (let step = 0; step < store.slotHigh && ids.length < most; step++) {
    session.debugCursor = (session.debugCursor + 1) % store.slotHigh;
    if (store.isLive(session.debugCursor)) ids.push(store.idAt(session.debugCursor));
  }
  return ids;
}
