/**
 * A seal is a player's signature under all its inputs of a fight so far, and under what it knows of the others' and of the state. Every player makes one every few steps
 * (`SEAL_STEPS`), so a signature costs little for each step.
 *
 * Inputs are signed by a hash chain: the head after a batch of steps is the hash of the head before and the batch. The chain begins with the space and the player,
 * so that inputs of another fight do not fit. The head itself does not travel: who verifies a seal computes it from the rows that arrived. A seal covers all
 * steps before it, so the next makes up for one that was lost.
 */

import { type BitReader, type BitWriter, WireError } from "@nearfield/schema/internal";
import { SIGNATURE_BYTES } from "./keys.ts";
import { HASH_BYTES, sha256 } from "./sha256.ts";

/** Steps between two seals: 400 ms with steps of 50 ms. More cost fewer bytes, and a forger is found later. */
export const SEAL_STEPS = 8;
/** Bytes of a space's name. */
export const SPACE_BYTES = 16;
/** Of hashes that nobody has to compute from a wish, the first half is enough. */
export const DIGEST_BYTES = 16;

const START = textBytes("nearfield chain1");
const SEAL = textBytes("nearfield seal 1");

export interface Seal {
  readonly player: number;
  /** All inputs of the player before this step are signed. */
  readonly through: number;
  /** A final state that the player vouches for; 0: none yet. */
  readonly state: number;
  /** Of that state. */
  readonly digest: Uint8Array;
  /** Of all players' inputs before that state: which of them the player has received. */
  readonly inputs: Uint8Array;
  readonly signature: Uint8Array;
}

/** Before a player's first input. */
export function firstHead(space: Uint8Array, player: number): Uint8Array {
  const bytes = new Uint8Array(START.length + SPACE_BYTES + 1);
  bytes.set(START);
  bytes.set(space, START.length);
  bytes[START.length + SPACE_BYTES] = player;
  return sha256(bytes);
}

/** After another batch of steps. */
export function nextHead(head: Uint8Array, rows: readonly Uint8Array[]): Uint8Array {
  const size = rows[0]!.length;
  const bytes = new Uint8Array(HASH_BYTES + rows.length * size);
  bytes.set(head);
  rows.forEach((row, at) => {
    bytes.set(row, HASH_BYTES + at * size);
  });
  return sha256(bytes);
}

/** After several batches. */
export function headAfter(head: Uint8Array, rows: readonly Uint8Array[], sealSteps: number = SEAL_STEPS): Uint8Array {
  let last = head;
  for (let at = 0; at < rows.length; at += sealSteps) last = nextHead(last, rows.slice(at, at + sealSteps));
  return last;
}

/** Of all players' heads at one state. */
export function inputsDigest(heads: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(heads.length * HASH_BYTES);
  heads.forEach((head, player) => {
    bytes.set(head, player * HASH_BYTES);
  });
  return sha256(bytes).subarray(0, DIGEST_BYTES);
}

export function stateDigest(saved: Uint8Array): Uint8Array {
  return sha256(saved).subarray(0, DIGEST_BYTES);
}

/** What is signed. */
export function statementOf(space: Uint8Array, seal: Omit<Seal, "signature">, head: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(SEAL.length + SPACE_BYTES + 1 + 16 + HASH_BYTES + 2 * DIGEST_BYTES);
  const view = new DataView(bytes.buffer);
  bytes.set(SEAL);
  let at = SEAL.length;
  bytes.set(space, at);
  at += SPACE_BYTES;
  bytes[at] = seal.player;
  view.setFloat64(at + 1, seal.through);
  view.setFloat64(at + 9, seal.state);
  at += 17;
  bytes.set(head, at);
  bytes.set(seal.digest, at + HASH_BYTES);
  bytes.set(seal.inputs, at + HASH_BYTES + DIGEST_BYTES);
  return bytes;
}

export function writeSeal(writer: BitWriter, { through, state, digest, inputs, signature }: Seal): void {
  writer.writeVar(through);
  writer.writeVar(state);
  for (const part of [digest, inputs, signature]) for (const byte of part) writer.writeBits(byte, 8);
}

export function readSeal(reader: BitReader, player: number): Seal {
  const through = reader.readVar();
  const state = reader.readVar();
  if (state > through) throw new WireError("range", `a seal under inputs to ${through} and state ${state}`);
  const digest = reader.readBytes(DIGEST_BYTES);
  const inputs = reader.readBytes(DIGEST_BYTES);
  return { player, through, state, digest, inputs, signature: reader.readBytes(SIGNATURE_BYTES) };
}

export function isSameBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

function textBytes(text: string): Uint8Array {
  return Uint8Array.from(text, (letter) => letter.charCodeAt(0));
}
