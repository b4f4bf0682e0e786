/**
 * What one peer tells another in a tick, as one message that may be lost. Nothing in it is an event: it holds the newest state of what the sender knows, so
 * the next message makes up for a lost one.
 *
 *   ack · lost · own rows · checkpoint · gone · admissions · suspects · rows of suspects
 *
 * In a session with seals (`trust/seal.ts`), the own rows and those of suspects may each be followed by their player's newest seal, and the sender tells how many of the receiver's messages are
 * lost.
 *
 * A row is a player's input for one step, whom it lets in, and, where the session has them, its lags. Rows that repeat the row before cost one bit.
 */

import { BitReader, BitWriter, readGamma, WireError, writeGamma } from "@nearfield/schema/internal";
import { KEPT_STEPS } from "../timeline/settings.ts";
import { readSeal, type Seal, writeSeal } from "../trust/seal.ts";
import type { Suspicion } from "./suspects.ts";

/** Rows of one player in one message at most. */
export const MOST_ROWS = 64;
/** The same of a suspect: its seal can be verified only with all rows before it that the receiver lacks. */
export const MOST_RELAYED_ROWS: number = KEPT_STEPS;
const LOST_BITS = 4;

export interface MessageForm {
  readonly players: number;
  readonly inputBytes: number;
  readonly hasLags: boolean;
  readonly isSealed?: boolean;
}

export interface Rows {
  readonly player: number;
  readonly first: number;
  /** One after the other: `inputBytes`, the byte that lets somebody in, then the lags, if there are any. */
  readonly rows: readonly Uint8Array[];
}

export interface SignedRows extends Rows {
  /** Its player's signature under these rows and all before them. */
  readonly seal?: Seal | undefined;
}

export interface PeerMessage {
  /** The sender has all of the receiver's inputs before this step. */
  readonly ack: number;
  /** How many of the receiver's messages are lost on their way, as `Arrivals` counts; 0 without seals. */
  readonly lost: number;
  readonly own: SignedRows;
  readonly checkpoint: { readonly state: number; readonly sum: number } | undefined;
  /** Players who are gone, as the sender knows. */
  readonly gone: readonly number[];
  /** How many players have been let in, as far as the sender knows. A vote holds between two admissions. */
  readonly admissions: number;
  /** Whom the sender wants to leave, and before which step it has all of that player's inputs. */
  readonly suspects: readonly Suspicion[];
  readonly relayed: readonly SignedRows[];
}

export function rowBytes({ players, inputBytes, hasLags }: MessageForm): number {
  return inputBytes + 1 + (hasLags ? players : 0);
}

export function encodeMessage(form: MessageForm, message: PeerMessage): Uint8Array {
  const writer = new BitWriter(64);
  writer.writeVar(message.ack);
  if (form.isSealed) writer.writeBits(message.lost, LOST_BITS);
  writeSignedRows(writer, form, message.own);
  const { checkpoint, suspects, relayed } = message;
  writer.writeBits(checkpoint ? 1 : 0, 1);
  if (checkpoint) {
    writer.writeVar(checkpoint.state);
    writer.writeBits(checkpoint.sum, 32);
  }
  writeGamma(writer, message.gone.length + 1);
  for (const player of message.gone) writer.writeBits(player, 8);
  writeGamma(writer, message.admissions + 1);
  writeGamma(writer, suspects.length + 1);
  for (const { player, through } of suspects) {
    writer.writeBits(player, 8);
    writer.writeVar(through);
  }
  writeGamma(writer, relayed.length + 1);
  for (const rows of relayed) {
    writer.writeBits(rows.player, 8);
    writeSignedRows(writer, form, rows);
  }
  return writer.finish();
}

/** Throws `WireError` on anything that the writer would not have written. Steps are not judged here. */
export function decodeMessage(form: MessageForm, from: number, bytes: Uint8Array): PeerMessage {
  const reader = new BitReader(bytes);
  const ack = reader.readVar();
  const lost = form.isSealed ? reader.readBits(LOST_BITS) : 0;
  const own = readSignedRows(reader, form, from);
  const checkpoint = reader.readBits(1) ? { state: reader.readVar(), sum: reader.readBits(32) } : undefined;
  const gone = readList(reader, form, () => readPlayer(reader, form));
  const admissions = readGamma(reader) - 1;
  const suspects = readList(reader, form, () => ({ player: readPlayer(reader, form), through: reader.readVar() }));
  const relayed = readList(reader, form, () =>
    readSignedRows(reader, form, readPlayer(reader, form), MOST_RELAYED_ROWS),
  );
  reader.end();
  return { ack, lost, own, checkpoint, gone, admissions, suspects, relayed };
}

export function writeRows(writer: BitWriter, { first, rows }: Rows): void {
  writeGamma(writer, rows.length + 1);
  if (rows.length === 0) return;
  writer.writeVar(first);
  let before: Uint8Array | undefined;
  for (const row of rows) {
    const isSame = before !== undefined && row.every((byte, at) => byte === before![at]);
    if (before) writer.writeBits(isSame ? 1 : 0, 1);
    if (!isSame) for (const byte of row) writer.writeBits(byte, 8);
    before = row;
  }
}

export function readRows(reader: BitReader, form: MessageForm, player: number, most: number = MOST_ROWS): Rows {
  const count = readGamma(reader) - 1;
  if (count > most) throw new WireError("length", `${count} rows of one player, ${most} at most`);
  if (count === 0) return { player, first: 0, rows: [] };
  const first = reader.readVar();
  const rows: Uint8Array[] = [];
  for (let at = 0; at < count; at++) {
    const before = rows[at - 1];
    rows.push(before && reader.readBits(1) ? before : reader.readBytes(rowBytes(form)));
  }
  return { player, first, rows };
}

export function writeSignedRows(writer: BitWriter, { isSealed }: MessageForm, rows: SignedRows): void {
  writeRows(writer, rows);
  if (!isSealed) return;
  writer.writeBits(rows.seal ? 1 : 0, 1);
  if (rows.seal) writeSeal(writer, rows.seal);
}

export function readSignedRows(
  reader: BitReader,
  form: MessageForm,
  player: number,
  most: number = MOST_ROWS,
): SignedRows {
  const rows = readRows(reader, form, player, most);
  if (!form.isSealed || reader.readBits(1) === 0) return rows;
  return { ...rows, seal: readSeal(reader, player) };
}

/** Players and the step from which each is gone. */
export function writeGone(writer: BitWriter, gone: ReadonlyMap<number, number>): void {
  writeGamma(writer, gone.size + 1);
  for (const [player, step] of gone) {
    writer.writeBits(player, 8);
    writer.writeVar(step);
  }
}

export function readGone(reader: BitReader, form: MessageForm): Map<number, number> {
  return new Map(readList(reader, form, () => [readPlayer(reader, form), reader.readVar()] as const));
}

/** At most one entry for each player. */
export function readList<T>(reader: BitReader, { players }: MessageForm, read: () => T): T[] {
  const count = readGamma(reader) - 1;
  if (count > players) throw new WireError("length", `${count} entries for ${players} players`);
  return Array.from({ length: count }, read);
}

export function readPlayer(reader: BitReader, { players }: MessageForm): number {
  const player = reader.readBits(8);
  if (player >= players) throw new WireError("range", `player ${player} of ${players}`);
  return player;
}
