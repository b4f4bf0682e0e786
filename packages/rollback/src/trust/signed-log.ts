/**
 * All signed inputs of a fight: what everybody keeps, and what the server replays when reports differ. Each player's rows reach as far as its newest seal.
 *
 *   space · for each player: rows, its seal · disputed seals · who was voted out, and from which step
 */

import { BitReader, BitWriter, WireError, writeGamma } from "@nearfield/schema/internal";
import {
  type MessageForm,
  readGone,
  readList,
  readPlayer,
  readSignedRows,
  rowBytes,
  type SignedRows,
  writeGone,
  writeSignedRows,
} from "../session/peer-message.ts";
import { readSeal, type Seal, SPACE_BYTES, writeSeal } from "./seal.ts";

/** Steps that are kept: an hour of 50 ms. The inputs of later steps are not kept, and a fight cannot be settled by them. */
export const LOG_STEPS = 72_000;

export interface SignedLog {
  readonly space: Uint8Array;
  /** By player. All begin at the same step: 0, or the checkpoint before the one who kept this came in. */
  readonly players: readonly SignedRows[];
  /** Seals that the one who kept this does not agree with: at most one of each player. */
  readonly disputed: readonly Seal[];
  /** Players who were voted out, and the step from which each is gone. */
  readonly gone: ReadonlyMap<number, number>;
}

export function encodeLog(form: MessageForm, { space, players, disputed, gone }: SignedLog): Uint8Array {
  const sealed = { ...form, isSealed: true };
  const writer = new BitWriter(4096);
  for (const byte of space) writer.writeBits(byte, 8);
  for (const rows of players) writeSignedRows(writer, sealed, rows);
  writeGamma(writer, disputed.length + 1);
  for (const seal of disputed) {
    writer.writeBits(seal.player, 8);
    writeSeal(writer, seal);
  }
  writeGone(writer, gone);
  return writer.finish();
}

/** Throws `WireError` on anything that the writer would not have written. Signatures are not judged here. */
export function decodeLog(form: MessageForm, bytes: Uint8Array): SignedLog {
  const most = SPACE_BYTES + form.players * (512 + LOG_STEPS * (rowBytes(form) + 1));
  if (bytes.length > most) throw new WireError("length", `a log of ${bytes.length} bytes, ${most} at most`);
  const sealed = { ...form, isSealed: true };
  const reader = new BitReader(bytes);
  const space = reader.readBytes(SPACE_BYTES);
  const players = Array.from({ length: form.players }, (_, player) =>
    readSignedRows(reader, sealed, player, LOG_STEPS),
  );
  const disputed = readList(reader, form, () => readSeal(reader, readPlayer(reader, form)));
  const gone = readGone(reader, form);
  reader.end();
  return { space, players, disputed, gone };
}
