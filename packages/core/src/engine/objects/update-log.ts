/**
 * The rounds in which an object's versions were made. The `firstMiss` clock asks for the round of the first update that a client was not sent. The log
 * reaches back as far as a pair can go without a look. It is kept as runs, since moving objects are updated in round after round: a run
 * is a version and its round, and each version after it was made one round later.
 */

import { MAX_SLOTS } from "@nearfield/schema/internal";
import { MOST_ROUNDS_OUT } from "../../model.ts";
import { Chunks } from "../memory/chunks.ts";
import { FARTHEST_PLAN, LOG, LOG_COUNT, LOG_RUNS, RUN as RUN_BYTES } from "../memory/layout.ts";
import { type ColumnSource, enlarged } from "../memory/memory.ts";

/** Numbers per run: first version, its round. */
const RUN: number = RUN_BYTES / 4;
/** Numbers per log, for the kernel: address of its runs and how many there are. */
const ENTRY: number = LOG / 4;
const RUNS: number = LOG_RUNS / 4;
const COUNT: number = LOG_COUNT / 4;
const FIRST_SIZE = 2;

export class UpdateLog {
  /** By slot, two each: address of the runs and how many there are. */
  entries: Int32Array;
  /** Columns by slot: the runs, and the last version and round noted. */
  #chunk: Int32Array;
  #sizes: Uint8Array;
  #version: Int32Array;
  #round: Int32Array;
  readonly #columns: ColumnSource;
  readonly #chunks: Chunks;

  constructor(columns: ColumnSource) {
    this.#columns = columns;
    this.#chunks = new Chunks(columns);
    this.entries = columns.ints(64 * ENTRY);
    this.#chunk = columns.ints(64);
    this.#sizes = columns.bytes(64);
    this.#version = columns.ints(64);
    this.#round = columns.ints(64);
  }

  clear(slot: number): void {
    while (slot >= this.#chunk.length) this.#grow();
    if (this.#sizes[slot]! > 0) this.#chunks.release(this.#chunk[slot]!, this.#sizes[slot]!);
    this.#sizes[slot] = 0;
    this.#setCount(slot, 0);
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
    let run = this.#countOf(slot) - 1;
    while (run > 0 && memory[start + run * RUN]! > version) run--;
    return memory[start + run * RUN + 1]! + version - memory[start + run * RUN]!;
  }

  #begin(slot: number, version: number, round: number): void {
    const size = this.#sizes[slot]!;
    if (size === 0) {
      this.#move(slot, this.#chunks.take(FIRST_SIZE), FIRST_SIZE);
    } else if (this.#countOf(slot) * RUN === 1 << size) {
      this.#forgetOld(slot, round - FARTHEST_PLAN - MOST_ROUNDS_OUT - 1);
      if (this.#countOf(slot) * RUN > 1 << (size - 1)) this.#enlarge(slot);
    }
    const chunk = this.#chunk[slot]!;
    const page = this.#chunks.page(chunk);
    const at = this.#chunks.offset(chunk) + this.#countOf(slot) * RUN;
    page[at] = version;
    page[at + 1] = round;
    this.#setCount(slot, this.#countOf(slot) + 1);
  }

  /** A run is of use until the next one begins before `since`. */
  #forgetOld(slot: number, since: number): void {
    const chunk = this.#chunk[slot]!;
    const memory = this.#chunks.page(chunk);
    const start = this.#chunks.offset(chunk);
    const count = this.#countOf(slot);
    let old = 0;
    while (old + 1 < count && memory[start + (old + 1) * RUN + 1]! < since) old++;
    memory.copyWithin(start, start + old * RUN, start + count * RUN);
    this.#setCount(slot, count - old);
  }

  #enlarge(slot: number): void {
    const size = this.#sizes[slot]!;
    this.#move(slot, this.#chunks.enlarge(this.#chunk[slot]!, size, this.#countOf(slot) * RUN), size + 1);
  }

  #move(slot: number, chunk: number, size: number): void {
    this.#chunk[slot] = chunk;
    this.#sizes[slot] = size;
    this.entries[slot * ENTRY + RUNS] = this.#chunks.address(chunk);
  }

  #countOf(slot: number): number {
    return this.entries[slot * ENTRY + COUNT]!;
  }

  #setCount(slot: number, count: number): void {
    this.entries[slot * ENTRY + COUNT] = count;
  }

  #grow(): void {
    const columns = this.#columns;
    const length = this.#chunk.length * 2;
    this.entries = enlarged(columns, this.entries, length * ENTRY, MAX_SLOTS * ENTRY);
    this.#chunk = enlarged(columns, this.#chunk, length, MAX_SLOTS);
    this.#sizes = enlarged(columns, this.#sizes, length, MAX_SLOTS);
    this.#version = enlarged(columns, this.#version, length, MAX_SLOTS);
    this.#round = enlarged(columns, this.#round, length, MAX_SLOTS);
  }
}
