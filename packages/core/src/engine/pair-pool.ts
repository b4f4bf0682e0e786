/**
 * The pairs an engine tracks, as columns by pair number, threaded on three kinds of lists: all pairs of a view, all pairs of an object
 * (slot), and the pairs of an object that rest (equal, waiting for its next update). Numbers are reused after `free`.
 */

import { SAMPLE_SIZE } from "../metrics.ts";
import { grown } from "../object-store.ts";
import { PairIndex } from "./pair-index.ts";

const NONE = -1;

export class PairPool {
  /** One past the highest number in use. */
  high = 0;
  /** −1 where a number is free. */
  view: Int32Array = new Int32Array(0);
  slot: Int32Array = new Int32Array(0);
  /** In the replica, as decided. With `sentVersion` 0 the client must be sent the whole object (again). */
  present: Uint8Array = new Uint8Array(0);
  resting: Uint8Array = new Uint8Array(0);
  demanded: Uint8Array = new Uint8Array(0);
  /** What the client is taken to hold: version, round of that send, first round with an update after it, the metric's sample. */
  sentVersion: Uint32Array = new Uint32Array(0);
  lastSend: Int32Array = new Int32Array(0);
  firstMiss: Int32Array = new Int32Array(0);
  metric: Uint8Array = new Uint8Array(0);
  sample: Float64Array = new Float64Array(0);
  /** Round of the next check; an entry of the wheel for another round is stale. */
  nextCheck: Int32Array = new Int32Array(0);
  /** Round of the last check. */
  checked: Int32Array = new Int32Array(0);
  /** In-flight sends, oldest and newest, and the last one acknowledged: numbers in `Flights`. */
  flightHead: Int32Array = new Int32Array(0);
  flightTail: Int32Array = new Int32Array(0);
  base: Int32Array = new Int32Array(0);

  #nextOfView: Int32Array = new Int32Array(0);
  #previousOfView: Int32Array = new Int32Array(0);
  #nextOfSlot: Int32Array = new Int32Array(0);
  #previousOfSlot: Int32Array = new Int32Array(0);
  #nextResting: Int32Array = new Int32Array(0);
  #previousResting: Int32Array = new Int32Array(0);
  #viewHeads: Int32Array = new Int32Array(16).fill(NONE);
  #slotHeads: Int32Array = new Int32Array(64).fill(NONE);
  #restingHeads: Int32Array = new Int32Array(64).fill(NONE);
  readonly #index = new PairIndex();
  #free: Int32Array = new Int32Array(64);
  #freeCount = 0;

  constructor() {
    this.#grow(256);
  }

  /** Pairs in use. */
  get count(): number {
    return this.high - this.#freeCount;
  }

  find(view: number, slot: number): number {
    return this.#index.get(view, slot);
  }

  /** A fresh pair; the caller knows there is none yet. */
  take(view: number, slot: number): number {
    const pair = this.#freeCount > 0 ? this.#free[--this.#freeCount]! : this.high++;
    if (pair >= this.view.length) this.#grow(this.view.length * 2);
    this.view[pair] = view;
    this.slot[pair] = slot;
    this.present[pair] = 0;
    this.resting[pair] = 0;
    this.nextCheck[pair] = NONE;
    this.checked[pair] = NONE;
    this.flightHead[pair] = NONE;
    this.flightTail[pair] = NONE;
    this.base[pair] = NONE;
    this.forgetSends(pair);
    this.#viewHeads = headsFor(this.#viewHeads, view);
    this.#slotHeads = headsFor(this.#slotHeads, slot);
    this.#restingHeads = headsFor(this.#restingHeads, slot);
    link(this.#viewHeads, view, this.#nextOfView, this.#previousOfView, pair);
    link(this.#slotHeads, slot, this.#nextOfSlot, this.#previousOfSlot, pair);
    this.#index.set(view, slot, pair);
    return pair;
  }

  free(pair: number): void {
    const view = this.view[pair]!;
    const slot = this.slot[pair]!;
    this.wake(pair);
    unlink(this.#viewHeads, view, this.#nextOfView, this.#previousOfView, pair);
    unlink(this.#slotHeads, slot, this.#nextOfSlot, this.#previousOfSlot, pair);
    this.#index.delete(view, slot);
    this.view[pair] = NONE;
    if (this.#freeCount === this.#free.length) this.#free = grown(new Int32Array(this.#free.length * 2), this.#free);
    this.#free[this.#freeCount++] = pair;
  }

  /** Back to "nothing was ever sent". */
  forgetSends(pair: number): void {
    this.sentVersion[pair] = 0;
    this.lastSend[pair] = NONE;
    this.firstMiss[pair] = NONE;
    this.metric[pair] = 0;
    this.demanded[pair] = 0;
  }

  /** Puts an equal pair to rest until its object's next update. */
  rest(pair: number): void {
    if (this.resting[pair] === 1) return;
    this.resting[pair] = 1;
    link(this.#restingHeads, this.slot[pair]!, this.#nextResting, this.#previousResting, pair);
  }

  wake(pair: number): void {
    if (this.resting[pair] === 0) return;
    this.resting[pair] = 0;
    unlink(this.#restingHeads, this.slot[pair]!, this.#nextResting, this.#previousResting, pair);
  }

  firstOfView(view: number): number {
    return this.#viewHeads[view] ?? NONE;
  }
  nextOfView(pair: number): number {
    return this.#nextOfView[pair]!;
  }
  firstOfSlot(slot: number): number {
    return this.#slotHeads[slot] ?? NONE;
  }
  nextOfSlot(pair: number): number {
    return this.#nextOfSlot[pair]!;
  }
  firstResting(slot: number): number {
    return this.#restingHeads[slot] ?? NONE;
  }
  nextResting(pair: number): number {
    return this.#nextResting[pair]!;
  }

  #grow(length: number): void {
    this.view = grown(new Int32Array(length), this.view);
    this.slot = grown(new Int32Array(length), this.slot);
    this.present = grown(new Uint8Array(length), this.present);
    this.resting = grown(new Uint8Array(length), this.resting);
    this.demanded = grown(new Uint8Array(length), this.demanded);
    this.sentVersion = grown(new Uint32Array(length), this.sentVersion);
    this.lastSend = grown(new Int32Array(length), this.lastSend);
    this.firstMiss = grown(new Int32Array(length), this.firstMiss);
    this.metric = grown(new Uint8Array(length), this.metric);
    this.sample = grown(new Float64Array(length * SAMPLE_SIZE), this.sample);
    this.nextCheck = grown(new Int32Array(length), this.nextCheck);
    this.checked = grown(new Int32Array(length), this.checked);
    this.flightHead = grown(new Int32Array(length), this.flightHead);
    this.flightTail = grown(new Int32Array(length), this.flightTail);
    this.base = grown(new Int32Array(length), this.base);
    this.#nextOfView = grown(new Int32Array(length), this.#nextOfView);
    this.#previousOfView = grown(new Int32Array(length), this.#previousOfView);
    this.#nextOfSlot = grown(new Int32Array(length), this.#nextOfSlot);
    this.#previousOfSlot = grown(new Int32Array(length), this.#previousOfSlot);
    this.#nextResting = grown(new Int32Array(length), this.#nextResting);
    this.#previousResting = grown(new Int32Array(length), this.#previousResting);
  }
}

function headsFor(heads: Int32Array, owner: number): Int32Array {
  if (owner < heads.length) return heads;
  let length = heads.length;
  while (length <= owner) length *= 2;
  return grown(new Int32Array(length).fill(NONE), heads);
}

function link(heads: Int32Array, owner: number, next: Int32Array, previous: Int32Array, pair: number): void {
  const head = heads[owner]!;
  next[pair] = head;
  previous[pair] = NONE;
  if (head !== NONE) previous[head] = pair;
  heads[owner] = pair;
}

function unlink(heads: Int32Array, owner: number, next: Int32Array, previous: Int32Array, pair: number): void {
  const after = next[pair]!;
  const before = previous[pair]!;
  if (before === NONE) heads[owner] = after;
  else next[before] = after;
  if (after !== NONE) previous[after] = before;
}
