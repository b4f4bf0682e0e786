/**
 * What a player shows to those who check the fight: its own signed inputs, who is gone as far as it knows, and the votes that it took part in. Votes are told also when those whom they
 * concern are back: who checks may have missed the time between.
 *
 *   rows · seal · gone · votes
 */

import { BitReader, BitWriter, readGamma, WireError, writeGamma } from "@nearfield/schema/internal";
import {
  type MessageForm,
  readGone,
  readList,
  readPlayer,
  readSignedRows,
  type SignedRows,
  writeGone,
  writeSignedRows,
} from "./peer-message.ts";

/** A player was voted out. */
export interface Vote {
  readonly player: number;
  /** The step from which it is gone. */
  readonly step: number;
  /** Who had no vote: the players who were suspected then, this one among them. */
  readonly without: readonly number[];
}

/** Votes that a player tells of: the newest. */
export const MOST_VOTES = 32;

export interface Watched {
  readonly own: SignedRows;
  readonly gone: ReadonlyMap<number, number>;
  readonly votes: readonly Vote[];
}

export function encodeWatched(form: MessageForm, { own, gone, votes }: Watched): Uint8Array {
  const writer = new BitWriter(128);
  writeSignedRows(writer, form, own);
  writeGone(writer, gone);
  writeGamma(writer, votes.length + 1);
  for (const { player, step, without } of votes) {
    writer.writeBits(player, 8);
    writer.writeVar(step);
    writeGamma(writer, without.length + 1);
    for (const other of without) writer.writeBits(other, 8);
  }
  return writer.finish();
}

/** Throws `WireError` on anything that the writer would not have written. */
export function decodeWatched(form: MessageForm, player: number, bytes: Uint8Array): Watched {
  const reader = new BitReader(bytes);
  const own = readSignedRows(reader, form, player);
  const gone = readGone(reader, form);
  const votes = readVotes(reader, form);
  reader.end();
  return { own, gone, votes };
}

function readVotes(reader: BitReader, form: MessageForm): Vote[] {
  const count = readGamma(reader) - 1;
  if (count > MOST_VOTES) throw new WireError("length", `${count} votes, ${MOST_VOTES} at most`);
  return Array.from({ length: count }, () => ({
    player: readPlayer(reader, form),
    step: reader.readVar(),
    without: readList(reader, form, () => readPlayer(reader, form)),
  }));
}
