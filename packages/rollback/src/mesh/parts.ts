/**
 * Puts messages together that came in parts. Bound: one message at a time. The first part of another message takes the place of one that is not whole yet:
 * what a peer tells next holds all that the lost message held.
 */

import { type Frame, PART_BYTES, type Topic } from "./frame.ts";

type Part = Extract<Frame, { readonly kind: "part" }>;

export class Parts {
  #bytes: Uint8Array = new Uint8Array(0);
  #seen: Uint8Array = new Uint8Array(0);
  #missing = 0;
  #length = 0;
  #topic: Topic | undefined;
  #number = -1;

  /** The whole message, if this part was its last; undefined otherwise. */
  take({ topic, number, index, count, bytes }: Part): Uint8Array | undefined {
    if (topic !== this.#topic || number !== this.#number || count !== this.#seen.length) {
      this.#topic = topic;
      this.#number = number;
      this.#seen = new Uint8Array(count);
      this.#bytes = new Uint8Array(count * PART_BYTES);
      this.#missing = count;
      this.#length = 0;
    }
    if (this.#seen[index]) return undefined;
    this.#seen[index] = 1;
    this.#bytes.set(bytes, index * PART_BYTES);
    this.#length += bytes.length;
    this.#missing--;
    return this.#missing === 0 ? this.#bytes.slice(0, this.#length) : undefined;
  }
}
