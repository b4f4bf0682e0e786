/**
 * Final inputs of all players, for those who only watch. What is final at one peer is final at all, so a spectator needs one peer and no vote.
 *
 *   for each player: rows from the same step on
 */

import { BitReader, BitWriter, WireError } from "@nearfield/schema/internal";
import type { Timeline } from "../timeline/timeline.ts";
import { type MessageForm, MOST_ROWS, type Rows, readRows, writeRows } from "./peer-message.ts";

export function encodeFinalRows(timeline: Timeline, first: number, hasLags: boolean): Uint8Array {
  const writer = new BitWriter(64);
  const end = Math.min(timeline.tail, first + MOST_ROWS);
  for (let player = 0; player < timeline.settings.players; player++) {
    const rows: Uint8Array[] = [];
    for (let step = first; step < end; step++) rows.push(timeline.finalRowOf(player, step, hasLags));
    writeRows(writer, { player, first, rows });
  }
  return writer.finish();
}

/** Throws `WireError` on anything else. */
export function decodeFinalRows(form: MessageForm, bytes: Uint8Array): Rows[] {
  const reader = new BitReader(bytes);
  const all: Rows[] = [];
  for (let player = 0; player < form.players; player++) {
    const rows = readRows(reader, form, player);
    if (rows.rows.length !== (all[0] ?? rows).rows.length) throw new WireError("length", "players with unequal rows");
    all.push(rows);
  }
  reader.end();
  return all;
}
