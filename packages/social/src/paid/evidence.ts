/**
 * What a member of a paid fight can prove, as it travels when the server demands it: its newest final state at a checkpoint, what that is worth, what an observer missed, and
 * all signed inputs.
 *
 *   state · digest · worth · omissions · signed log
 */

import { decodeLog, encodeLog, type Outcome, type Report, type SignedLog } from "@nearfield/rollback/trust";
import { BitReader, BitWriter, WireError } from "@nearfield/schema/internal";
import { DIGEST_BYTES, MOST_SLOTS, WORTH_BYTES } from "../spaces/messages.ts";

export type LogForm = Parameters<typeof decodeLog>[0];

export interface Evidence {
  readonly outcome: Outcome;
  readonly omissions: NonNullable<Report["omissions"]>;
  readonly log: SignedLog;
}

export function encodeEvidence(form: LogForm, { outcome, omissions, log }: Evidence): Uint8Array {
  const writer = new BitWriter(4096);
  writer.writeVar(outcome.state);
  writer.writeBytes(outcome.digest);
  writer.writeVar(outcome.result.length);
  writer.writeBytes(outcome.result);
  const told = omissions.slice(0, MOST_SLOTS);
  writer.writeVar(told.length);
  for (const { player, step } of told) {
    writer.writeBits(player, 8);
    writer.writeVar(step);
  }
  const bytes = encodeLog(form, log);
  writer.writeVar(bytes.length);
  writer.writeBytes(bytes);
  return writer.finish();
}

/** Throws `WireError` on anything that the writer would not have written. Nothing of it is believed here. */
export function decodeEvidence(form: LogForm, bytes: Uint8Array): Evidence {
  const reader = new BitReader(bytes);
  const state = reader.readVar();
  const digest = reader.readBytes(DIGEST_BYTES);
  const result = reader.readBytes(atMost(reader.readVar(), WORTH_BYTES, "bytes of worth"));
  const count = atMost(reader.readVar(), MOST_SLOTS, "omissions");
  const omissions = Array.from({ length: count }, () => {
    const player = atMost(reader.readBits(8), form.players - 1, "as a player's number");
    return { player, step: reader.readVar() };
  });
  const log = decodeLog(form, reader.readBytes(atMost(reader.readVar(), bytes.length, "bytes of a log")));
  reader.end();
  return { outcome: { state, digest, result }, omissions, log };
}

function atMost(value: number, most: number, what: string): number {
  if (value > most) throw new WireError("range", `${value} ${what}, ${most} at most`);
  return value;
}
