/**
 * The lists of work that the kernel is given in one go: the pivots of a round, the crossings, and then the views. It works alone, or with a crew of
 * threads on the same memory. The result is the same either way, since no two threads work on the same view.
 */

import type { Account } from "../../account.ts";
import { type Crew, checkCrew } from "../../crew.ts";
import type { UnseenWaits } from "../pairs/unseen-waits.ts";
import { type Kernel, kernelOn, type SharedKernel, sharedKernelOn, sharedModule } from "./kernel.ts";
import {
  ASPECT,
  CROSS,
  CROSSING,
  FOLLOW,
  FOUND,
  JUDGE,
  MOST_SETS,
  TALLY,
  TALLY_CELLS,
  TALLY_LONGEST,
  TALLY_ROUNDS,
  TALLY_SPELLS,
  TALLY_UNSEEN,
  THREAD,
  THREAD_ASPECTS,
  THREAD_DONE,
  THREAD_FOUND,
  THREAD_FOUND_COUNT,
  THREAD_FOUND_ROOM,
  THREAD_LOOKS,
  THREAD_RUNS,
  THREAD_SHORT,
  THREAD_SLOTS,
  THREAD_TALLY,
  VERDICT,
} from "./layout.ts";
import { enlarged, type Memory } from "./memory.ts";

const FIRST_ROOM = 256;
/** Numbers per entry of a batch, and per object found. */
const FOLLOW_INTS: number = FOLLOW / 4;
const CROSSING_INTS: number = CROSSING / 4;
const VERDICT_INTS: number = VERDICT / 4;
const FOUND_INTS: number = FOUND / 4;
const TALLY_INTS: number = TALLY / 4;

/** What one thread needs of its own. */
class Thread {
  readonly sheet: Int32Array;
  found: Int32Array;
  #slots: Int32Array;
  readonly #tally: Int32Array;
  readonly #memory: Memory;

  constructor(memory: Memory, runs: number) {
    this.#memory = memory;
    this.sheet = memory.ints(THREAD / 4);
    this.sheet[THREAD_RUNS / 4] = memory.ints(runs * 2).byteOffset;
    this.found = memory.ints(FIRST_ROOM * FOUND_INTS);
    this.#slots = memory.ints(FIRST_ROOM);
    this.#tally = memory.ints(TALLY_CELLS * TALLY_INTS);
    this.sheet[THREAD_TALLY / 4] = this.#tally.byteOffset;
    this.sheet[THREAD_ASPECTS / 4] = memory.ints((MOST_SETS * ASPECT) / 4).byteOffset;
  }

  get done(): number {
    return this.sheet[THREAD_DONE / 4]!;
  }

  get foundCount(): number {
    return this.sheet[THREAD_FOUND_COUNT / 4]!;
  }

  /** Pairs looked at since the last call. */
  takeLooks(): number {
    const looks = this.sheet[THREAD_LOOKS / 4]!;
    this.sheet[THREAD_LOOKS / 4] = 0;
    return looks;
  }

  /** Tells what it counted of pairs over their stated bound since the last call. */
  tellShortfalls(account: Account, unseen: UnseenWaits): void {
    if (this.sheet[THREAD_SHORT / 4] === 0) return;
    this.sheet[THREAD_SHORT / 4] = 0;
    const tally = this.#tally;
    for (let cell = 0; cell < TALLY_CELLS; cell++) {
      const at = cell * TALLY_INTS;
      const longest = tally[at + TALLY_LONGEST / 4]!;
      account.count(cell, tally[at + TALLY_SPELLS / 4]!, tally[at + TALLY_ROUNDS / 4]!);
      if (longest > 0) account.last(cell, longest);
      unseen.add(cell, tally[at + TALLY_UNSEEN / 4]!);
    }
    tally.fill(0);
  }

  /** @param slots that one crossing can find, at most. */
  begin(slots: number): void {
    if (slots > this.#slots.length) {
      this.#memory.release(this.#slots);
      this.#slots = this.#memory.ints(slots * 2);
    }
    this.sheet[THREAD_SLOTS / 4] = this.#slots.byteOffset;
    this.sheet[THREAD_FOUND_COUNT / 4] = 0;
    this.#publish();
  }

  /** Whether all that was found could be written; if not, there is room for it now. */
  isComplete(): boolean {
    const needed = this.foundCount * FOUND_INTS;
    if (needed <= this.found.length) return true;
    this.sheet[THREAD_FOUND_COUNT / 4] = this.found.length / FOUND_INTS;
    this.found = enlarged(this.#memory, this.found, needed * 2);
    this.#publish();
    return false;
  }

  #publish(): void {
    this.sheet[THREAD_FOUND / 4] = this.found.byteOffset;
    this.sheet[THREAD_FOUND_ROOM / 4] = this.found.length / FOUND_INTS;
  }
}

export class Batches {
  readonly kernel: Kernel;
  readonly #shared: SharedKernel | undefined;
  readonly #crew: Crew | undefined;
  readonly #threads: readonly Thread[];
  readonly #memory: Memory;
  #crossings: Int32Array;
  #crossingCount = 0;
  #views: Int32Array;
  #viewCount = 0;
  #pivots: Int32Array;
  #pivotCount = 0;

  /** @param runs of places in a snapshot that one border can have. */
  constructor(memory: Memory, runs: number, crew: Crew | undefined) {
    if (crew !== undefined) checkCrew(crew, memory.isShared);
    this.#memory = memory;
    this.#crew = crew;
    this.#crossings = memory.ints(FIRST_ROOM * CROSSING_INTS);
    this.#views = memory.ints(FIRST_ROOM * VERDICT_INTS);
    this.#pivots = memory.ints(FIRST_ROOM * FOLLOW_INTS);
    this.#threads = Array.from({ length: 1 + (crew?.size ?? 0) }, () => new Thread(memory, runs));
    this.kernel = kernelOn(memory);
    if (crew === undefined) return;
    this.#shared = sharedKernelOn(memory);
    const threads = this.#threads.slice(1).map(({ sheet }) => sheet.byteOffset);
    crew.join({ memory: memory.linear, module: sharedModule(), threads });
  }

  dispose(): void {
    this.#crew?.leave();
  }

  /** Crossings and views that the crew has worked on so far, by thread. */
  get doneByCrew(): number[] {
    return this.#threads.slice(1).map(({ done }) => done);
  }

  // ── pivots ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Adds one to the batch; returns its number. */
  addPivot(watch: number): number {
    const number = this.#pivotCount++;
    const at = number * FOLLOW_INTS;
    if (at === this.#pivots.length) this.#pivots = enlarged(this.#memory, this.#pivots, at * 2);
    this.#pivots[at] = watch;
    return number;
  }

  /** Has all of the batch follow their objects. */
  follow(): void {
    this.kernel.follow(this.#pivots.byteOffset, this.#pivotCount);
    this.#pivotCount = 0;
  }

  /** Whether a pivot of the batch that followed last stood, moved or leapt. */
  wayOf(number: number): number {
    return this.#pivots[number * FOLLOW_INTS + 1]!;
  }

  // ── crossings ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** Adds one to the batch; returns its number. */
  addCrossing(view: number, watch: number, snapshot: number): number {
    const number = this.#crossingCount++;
    const at = number * CROSSING_INTS;
    if (at === this.#crossings.length) this.#crossings = enlarged(this.#memory, this.#crossings, at * 2);
    this.#crossings[at] = view;
    this.#crossings[at + 1] = watch;
    this.#crossings[at + 2] = snapshot;
    return number;
  }

  /**
   * Marks the pairs that crossed, and makes and lists pairs with others that did; tells of those with which it could not do all of that, in
   * no particular order and of some perhaps twice.
   *
   * @param most that one crossing can find.
   */
  cross(most: number, tell: (crossing: number, slot: number, pair: number) => void): void {
    const count = this.#crossingCount;
    this.#crossingCount = 0;
    for (const thread of this.#threads) thread.begin(most);
    let isComplete = false;
    while (!isComplete) {
      this.#run(CROSS, this.#crossings, count);
      isComplete = true;
      for (const thread of this.#threads) if (!thread.isComplete()) isComplete = false;
    }
    for (const { found, foundCount } of this.#threads) {
      const left = this.kernel.enlist(found.byteOffset, foundCount, this.#crossings.byteOffset);
      for (let at = 0; at < left * FOUND_INTS; at += FOUND_INTS) tell(found[at]!, found[at + 1]!, found[at + 2]!);
    }
  }

  // ── views ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Adds one to the batch; returns its number. */
  addView(sheet: number): number {
    const number = this.#viewCount++;
    const at = number * VERDICT_INTS;
    if (at === this.#views.length) this.#views = enlarged(this.#memory, this.#views, at * 2);
    this.#views[at] = sheet;
    return number;
  }

  /** Judges all of the batch; returns how many pairs were looked at. */
  judge(): number {
    const count = this.#viewCount;
    this.#viewCount = 0;
    this.#run(JUDGE, this.#views, count);
    let looks = 0;
    for (const thread of this.#threads) looks += thread.takeLooks();
    return looks;
  }

  /** Records as sent what was decided for a view that deferred it, save what was withheld. */
  recordSends(sheet: number): void {
    this.kernel.recordSends(sheet, this.#threads[0]!.sheet.byteOffset);
  }

  /** Tells what was counted of pairs over their stated bound in the batch that was judged last. */
  tellShortfalls(account: Account, unseen: UnseenWaits): void {
    for (const thread of this.#threads) thread.tellShortfalls(account, unseen);
  }

  /** Whether there is anything left to be done with a view of the batch that was judged last. */
  hasLeft(number: number): boolean {
    return this.#views[number * VERDICT_INTS + 1]! > 0;
  }

  #run(kind: number, batch: Int32Array, count: number): void {
    const thread = this.#threads[0]!.sheet.byteOffset;
    if (this.#shared !== undefined) {
      this.#shared.post(kind, batch.byteOffset, count);
      this.#shared.finish(thread);
    } else if (kind === CROSS) this.kernel.crossSome(batch.byteOffset, 0, count, thread);
    else this.kernel.judgeSome(batch.byteOffset, 0, count, thread);
  }
}
