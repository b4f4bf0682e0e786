/**
 * In which round an object's versions were made, for as long as a pair can go without being looked at: the `firstMiss` clock asks when the
 * first update came that a client was not sent. Kept as runs, since things that move do so round after round: a run is a version and its
 * round, and the versions after it are of the rounds after it.
 */

import { grown } from "../object-store.ts";
import { Chunks } from "./chunks.ts";
import { FARTHEST_PLAN } from "./pair-table.ts";

/** Numbers per run: first version, its round. */
const RUN = 2;
const FIRST_SIZE = 2;

export class UpdateLog {
  /** Columns by slot: the runs, and the last version and round noted. */
  #chunk: Int32Array = new Int32Array(64);
  #count: Int32Array = new Int32Array(64);
  #sizes: Uint8Array = new Uint8Array(64);
  #version: Int32Array = new Int32Array(64);
  #round: Int32Array = new Int32Array(64);
  readonly #chunks = new Chunks();

  clear(slot: number): void {
    while (slot >= this.#count.length) this.#grow();
    if (this.#sizes[slot]! > 0) this.#chunks.release(this.#chunk[slot]!, this.#sizes[slot]!);
    this.#sizes[slot] = 0;
    this.#count[slot] = 0;
    this.#version[slot] = 0;
  }

  note(slot: number, version: number, round: number): void {
    const continues = version === this.#version[slot]! + 1 && round === this.#round[slot]! + 1;
    this.#version[slot] = version;
    this.#round[slot] = round;
    if (!continues) this.#begin(slot, version, round);
  }

  /** The round of a version that is no older than the plans reach. */
  roundOf(slot: number, version: number): number {
    const chunk = this.#chunk[slot]!;
    const memory = this.#chunks.page(chunk);
    const start = this.#chunks.offset(chunk);
    let run = this.#count[slot]! - 1;
    while (run > 0 && memory[start + run * RUN]! > version) run--;
    return memory[start + run * RUN + 1]! + version - memory[start + run * RUN]!;
  }

  #begin(slot: number, version: number, round: number): void {
    const size = this.#sizes[slot]!;
    if (size === 0) {
      this.#chunk[slot] = this.#chunks.take(FIRST_SIZE);
      this.#sizes[slot] = FIRST_SIZE;
    } else if (this.#count[slot]! * RUN === 1 << size) {
      this.#forgetOld(slot, round - FARTHEST_PLAN - 1);
      if (this.#count[slot]! * RUN > 1 << (size - 1)) this.#enlarge(slot);
    }
    const chunk = this.#chunk[slot]!;
    const page = this.#chunks.page(chunk);
    const at = this.#chunks.offset(chunk) + this.#count[slot]! * RUN;
    page[at] = version;
    page[at + 1] = round;
    this.#count[slot] = this.#count[slot]! + 1;
  }

  /** A run is of use until the next one begins before `since`. */
  #forgetOld(slot: number, since: number): void {
    const chunk = this.#chunk[slot]!;
    const memory = this.#chunks.page(chunk);
    const start = this.#chunks.offset(chunk);
    const count = this.#count[slot]!;
    let old = 0;
    while (old + 1 < count && memory[start + (old + 1) * RUN + 1]! < since) old++;
    memory.copyWithin(start, start + old * RUN, start + count * RUN);
    this.#count[slot] = count - old;
  }

  #enlarge(slot: number): void {
    const size = this.#sizes[slot]!;
    this.#chunk[slot] = this.#chunks.enlarge(this.#chunk[slot]!, size, this.#count[slot]! * RUN);
    this.#sizes[slot] = size + 1;
  }

  #grow(): void {
    const length = this.#count.length * 2;
    this.#chunk = grown(new Int32Array(length), this.#chunk);
    this.#count = grown(new Int32Array(length), this.#count);
    this.#sizes = grown(new Uint8Array(length), this.#sizes);
    this.#version = grown(new Int32Array(length), this.#version);
    this.#round = grown(new Int32Array(length), this.#round);
  }
}
