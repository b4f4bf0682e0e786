/**
 * What a newcomer or a spectator begins with: a final state, all inputs that are known from there on, and who is gone. With seals, it tells of signed inputs only.
 *
 *   state number · admissions · bytes of the state · for each player: gone, or rows and whether it is gone after them
 *   · with seals: for each player the head of its chain at the last checkpoint, and its rows since
 */

import { BitReader, BitWriter, WireError } from "@nearfield/schema/internal";
import { KEPT_STEPS } from "../timeline/settings.ts";
import type { Timeline } from "../timeline/timeline.ts";
import type { ChainHeads } from "../trust/notary.ts";
import { SEAL_STEPS } from "../trust/seal.ts";
import { HASH_BYTES } from "../trust/sha256.ts";
import { type MessageForm, type Rows, readRows, rowBytes, writeRows } from "./peer-message.ts";

export interface Snapshot {
  readonly state: number;
  readonly admissions: number;
  /** The state, as `Columns.save` wrote it. */
  readonly saved: Uint8Array;
  /** Players who are gone for good, as far as is known. */
  readonly absent: readonly number[];
  readonly rows: readonly Rows[];
  /** Players who are gone after their last row. */
  readonly leaving: readonly number[];
  /** In a session with seals. */
  readonly chains?: ChainHeads | undefined;
}

/** As in the session's options; `stateBytes` is the length of the fight's state. */
export interface SnapshotOptions {
  readonly players: number;
  readonly inputBytes: number;
  readonly stateBytes: number;
  readonly hasLags?: boolean;
  readonly kept?: number;
  /** As in the session's `seals`; undefined in a session without them. */
  readonly seals?: { readonly sealSteps?: number };
}

export function snapshotOf(timeline: Timeline, form: MessageForm, admissions: number, saved: Uint8Array): Snapshot {
  const state = timeline.tail;
  const rows: Rows[] = [];
  const absent: number[] = [];
  const leaving: number[] = [];
  // Admissions that stand in the rows are counted again by whoever reads them.
  let before = admissions;
  for (let player = 0; player < form.players; player++) {
    const isGone = timeline.isGone(player);
    if (isGone && timeline.throughOf(player) <= state) absent.push(player);
    else {
      const told = rowsFrom(timeline, player, state, form.hasLags);
      rows.push({ player, first: state, rows: told });
      if (isGone) leaving.push(player);
      before -= told.filter((row) => row[form.inputBytes]! > 0).length;
    }
  }
  return { state, admissions: before, saved, absent, rows, leaving };
}

function rowsFrom(timeline: Timeline, player: number, first: number, hasLags: boolean): Uint8Array[] {
  const rows: Uint8Array[] = [];
  const to = Math.min(timeline.throughOf(player), timeline.countedTo(player));
  for (let step = first; step < to; step++) rows.push(timeline.rowOf(player, step, hasLags)!);
  return rows;
}

export function encodeSnapshot(
  form: MessageForm,
  { state, admissions, saved, absent, rows, leaving, chains }: Snapshot,
): Uint8Array {
  const writer = new BitWriter(saved.length + 256);
  writer.writeVar(state);
  writer.writeVar(admissions);
  for (const byte of saved) writer.writeBits(byte, 8);
  for (let player = 0; player < form.players; player++) {
    const isAbsent = absent.includes(player);
    writer.writeBits(isAbsent ? 1 : 0, 1);
    if (isAbsent) continue;
    writeRows(writer, rows.find((row) => row.player === player)!);
    writer.writeBits(leaving.includes(player) ? 1 : 0, 1);
  }
  chains?.heads.forEach((head, player) => {
    for (const row of [head, ...chains.since[player]!]) for (const byte of row) writer.writeBits(byte, 8);
  });
  return writer.finish();
}

/** Reads what a peer sent as a snapshot. Throws `WireError` on anything else than a snapshot of this fight. */
export function readSnapshot(options: SnapshotOptions, bytes: Uint8Array): Snapshot {
  const { stateBytes, hasLags = false, kept = KEPT_STEPS, seals } = options;
  const form = { ...options, hasLags };
  const sealSteps = seals ? (seals.sealSteps ?? SEAL_STEPS) : 0;
  const perPlayer = 8 + kept * (rowBytes(form) + 1) + HASH_BYTES + sealSteps * rowBytes(form);
  if (bytes.length > stateBytes + 32 + form.players * perPlayer)
    throw new WireError("length", `a snapshot of ${bytes.length} bytes`);
  const reader = new BitReader(bytes);
  const state = reader.readVar();
  const admissions = reader.readVar();
  const saved = reader.readBytes(stateBytes);
  const absent: number[] = [];
  const rows: Rows[] = [];
  const leaving: number[] = [];
  for (let player = 0; player < form.players; player++) {
    if (reader.readBits(1)) absent.push(player);
    else {
      rows.push(readRows(reader, form, player, kept));
      if (reader.readBits(1)) leaving.push(player);
    }
  }
  const chains = seals ? readChains(reader, form, state, sealSteps) : undefined;
  reader.end();
  return { state, admissions, saved, absent, rows, leaving, chains };
}

function readChains(reader: BitReader, form: MessageForm, state: number, sealSteps: number): ChainHeads {
  const behind = state % sealSteps;
  const heads: Uint8Array[] = [];
  const since: Uint8Array[][] = [];
  for (let player = 0; player < form.players; player++) {
    heads.push(reader.readBytes(HASH_BYTES));
    since.push(Array.from({ length: behind }, () => reader.readBytes(rowBytes(form))));
  }
  return { state: state - behind, heads, since };
}
