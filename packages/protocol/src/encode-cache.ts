/**
 * Encode once (F §4.5): the fields of one object under one mask are put into bits once per round and copied to every
 * client that needs just them. Stands between the consistency model and the packets. Valid for one round: `beginRound`
 * forgets all, after the last commit.
 */

import type { World } from "@nearfield/core";
import { BitWriter, type Wire, writeFields } from "@nearfield/schema";

export class EncodeCache {
  /** How often bits were found ready, and how often they had to be made. */
  hits = 0;
  misses = 0;
  readonly #world: World;
  readonly #scratch: BitWriter = new BitWriter(256);
  /** Entries of this round hang on their slot as lists; an entry's bits begin at a whole word. */
  #firstEntry: Int32Array = new Int32Array(64);
  #touched: number[] = [];
  readonly #mask: number[] = [];
  readonly #next: number[] = [];
  readonly #start: number[] = [];
  readonly #bits: number[] = [];
  #count = 0;
  #words: Uint32Array = new Uint32Array(1024);
  #wordsUsed = 0;
  #slot = 0;
  readonly #wireAt = (fieldIndex: number): Wire => this.#world.wireAt(this.#slot, fieldIndex);

  constructor(world: World) {
    this.#world = world;
    this.#firstEntry.fill(-1);
  }

  beginRound(): void {
    for (const slot of this.#touched) this.#firstEntry[slot] = -1;
    this.#touched.length = 0;
    this.#count = 0;
    this.#wordsUsed = 0;
  }

  /** Makes sure that the fields are encoded; returns an entry for `bitsOf` and `append`, valid in this round. */
  entry(slot: number, mask: number): number {
    if (slot >= this.#firstEntry.length) this.#growSlots(slot);
    const first = this.#firstEntry[slot]!;
    for (let entry = first; entry >= 0; entry = this.#next[entry]!) {
      if (this.#mask[entry] === mask) {
        this.hits += 1;
        return entry;
      }
    }
    this.misses += 1;
    if (first < 0) this.#touched.push(slot);
    const entry = this.#count++;
    this.#mask[entry] = mask;
    this.#next[entry] = first;
    this.#firstEntry[slot] = entry;
    this.#encode(slot, mask, entry);
    return entry;
  }

  bitsOf(entry: number): number {
    return this.#bits[entry]!;
  }

  append(out: BitWriter, entry: number): void {
    let word = this.#start[entry]!;
    let bits = this.#bits[entry]!;
    for (; bits >= 32; bits -= 32) out.writeBits(this.#words[word++]!, 32);
    if (bits > 0) out.writeBits(this.#words[word]!, bits);
  }

  #encode(slot: number, mask: number, entry: number): void {
    this.#slot = slot;
    this.#scratch.reset();
    writeFields(this.#scratch, this.#world.store.tableAt(slot).type, mask, this.#wireAt);
    const bytes = this.#scratch.view();
    const words = Math.ceil(bytes.length / 4);
    if (this.#wordsUsed + words > this.#words.length) {
      const larger = new Uint32Array(Math.max(this.#wordsUsed + words, this.#words.length * 2));
      larger.set(this.#words);
      this.#words = larger;
    }
    for (let word = 0; word < words; word++) {
      const at = word * 4;
      this.#words[this.#wordsUsed + word] =
        bytes[at]! | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16) | ((bytes[at + 3] ?? 0) << 24);
    }
    this.#start[entry] = this.#wordsUsed;
    this.#bits[entry] = this.#scratch.bitLength;
    this.#wordsUsed += words;
  }

  #growSlots(slot: number): void {
    const larger = new Int32Array(Math.max(slot + 1, this.#firstEntry.length * 2)).fill(-1);
    larger.set(this.#firstEntry);
    this.#firstEntry = larger;
  }
}
