/**
 * Brings one snapshot to a member that comes later, over ways that lose. Who needs it asks again and again for the first chunk that it lacks; who has it
 * answers with the next few. So the giver keeps no timers and no windows, and it makes no difference whether the way is direct or over the server.
 *
 *   want:  round (one more for each snapshot that is asked for) · id of the snapshot, 0: not known yet · first chunk that is missing
 *   chunk: id · index · count · bytes
 */

import { BitReader, BitWriter, WireError } from "@nearfield/schema/internal";

export const CHUNK_BYTES = 1000;
/** Chunks that answer one want. */
export const CHUNKS_AT_ONCE = 4;
/** Bytes of the rows in a snapshot, beside the state; more is refused before it is kept. */
const MOST_ROWS_BYTES = 512 * 1024;
/** Bytes of a chunk's message before its own, at most. */
const HEAD_BYTES = 24;

export function readWant(bytes: Uint8Array): { readonly round: number; readonly id: number; readonly missing: number } {
  const reader = new BitReader(bytes);
  const [round, id, missing] = [reader.readVar(), reader.readVar(), reader.readVar()];
  reader.end();
  return { round, id, missing };
}

/** The giver's side. */
export class Sending {
  readonly #id: number;
  readonly #bytes: Uint8Array;

  /** @param id another one for each snapshot, above 0 */
  constructor(id: number, bytes: Uint8Array) {
    this.#id = id;
    this.#bytes = bytes;
  }

  /** The next few chunks for somebody who knows the snapshot by `id`, and lacks the chunk `missing`. */
  chunks(id: number, missing: number): Uint8Array[] {
    const count = Math.max(1, Math.ceil(this.#bytes.length / CHUNK_BYTES));
    const first = id === this.#id ? missing : 0;
    const messages: Uint8Array[] = [];
    for (let index = first; index < Math.min(count, first + CHUNKS_AT_ONCE); index++) {
      const writer = new BitWriter(CHUNK_BYTES + HEAD_BYTES);
      writer.writeVar(this.#id);
      writer.writeVar(index);
      writer.writeVar(count);
      writer.writeBytes(this.#bytes.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES));
      messages.push(writer.finish());
    }
    return messages;
  }
}

/** The side that needs it. */
export class Receiving {
  readonly #mostBytes: number;
  readonly #round: number;
  #chunks: (Uint8Array | undefined)[] = [];
  #id = 0;
  #missing = 0;

  /** @param stateBytes of the fight @param round counts the snapshots that this member has asked for */
  constructor(stateBytes: number, round: number) {
    this.#mostBytes = stateBytes + MOST_ROWS_BYTES;
    this.#round = round;
  }

  /** What to ask for now. */
  want(): Uint8Array {
    const writer = new BitWriter(16);
    writer.writeVar(this.#round);
    writer.writeVar(this.#id);
    writer.writeVar(this.#missing);
    return writer.finish();
  }

  /** The snapshot, if this chunk was its last; undefined otherwise. Throws `WireError` if it is no chunk, or one of a snapshot that is too long. */
  take(message: Uint8Array): Uint8Array | undefined {
    if (message.length > CHUNK_BYTES + HEAD_BYTES) throw new WireError("length", `a chunk of ${message.length} bytes`);
    const reader = new BitReader(message);
    const [id, index, count] = [reader.readVar(), reader.readVar(), reader.readVar()];
    if (id === 0 || index >= count || (count - 1) * CHUNK_BYTES > this.#mostBytes)
      throw new WireError("range", `chunk ${index} of ${count}`);
    const bytes = reader.readBytes(Math.min(CHUNK_BYTES, Math.floor(reader.bitsLeft / 8)));
    reader.end();
    if (id !== this.#id || count !== this.#chunks.length) {
      this.#id = id;
      this.#chunks = Array.from({ length: count }, () => undefined);
    }
    this.#chunks[index] ??= bytes;
    const missing = this.#chunks.indexOf(undefined);
    this.#missing = missing < 0 ? count : missing;
    return missing < 0 ? joined(this.#chunks as Uint8Array[]) : undefined;
  }
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

/** What a spectator tells: the step from which it needs more. */
export function encodeNeeds(step: number): Uint8Array {
  const writer = new BitWriter(8);
  writer.writeVar(step);
  return writer.finish();
}

/** Throws `WireError` if it is none. */
export function decodeNeeds(bytes: Uint8Array): number {
  const reader = new BitReader(bytes);
  const step = reader.readVar();
  reader.end();
  return step;
}
