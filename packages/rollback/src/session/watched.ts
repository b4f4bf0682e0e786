/**
 * What a player shows to those who check the fight: its own signed inputs, and who was voted out as far as it knows.
 *
 *   rows · seal · gone
 */

import { BitReader, BitWriter } from "@nearfield/schema/internal";
import {
  type MessageForm,
  readGone,
  readSignedRows,
  type SignedRows,
  writeGone,
  writeSignedRows,
} from "./peer-message.ts";

export interface Watched {
  readonly own: SignedRows;
  readonly gone: ReadonlyMap<number, number>;
}

export function encodeWatched(form: MessageForm, { own, gone }: Watched): Uint8Array {
  const writer = new BitWriter(128);
  writeSignedRows(writer, form, own);
  writeGone(writer, gone);
  return writer.finish();
}

/** Throws `WireError` on anything that the writer would not have written. */
export function decodeWatched(form: MessageForm, player: number, bytes: Uint8Array): Watched {
  const reader = new BitReader(bytes);
  const own = readSignedRows(reader, form, player);
  const gone = readGone(reader, form);
  reader.end();
  return { own, gone };
}
