/**
 * The pairs of one view, by number and by slot. Numbers are reused; a pair keeps its number as long as it lives, and lies in the region at
 * `start + number`. Finding what is due is a scan of bytes, four at a time.
 */

import { HOT, Hot, INLINE, MORE, type PairPage, type PairPages, type Region } from "./pair-pages.ts";

export const SLOT_MASK = 0xfffff;
export const SET_SHIFT = 20;
export const SET_MASK = 0xf;
export const METRIC_SHIFT = 24;
export const METRIC_MASK = 0x3f;
/** The sample was taken where the wire form is far from the primary, or for other bounds: only comparing with it tells how far it is. */
export const ROUGH: number = 1 << 30;
/** The pair waits in its object's list of those that rest. */
const LISTED: number = 1 << 31;
/** All of a tag that has nothing to do with the sample. */
export const UNSAMPLED: number = ~((METRIC_MASK << METRIC_SHIFT) | ROUGH);

export const ABSENT = 0;
export const NOTHING_HELD = -1;

/** Bytes of `next`: 0 = not planned; else 1 + round mod 255. */
export const CYCLE = 255;
/** How far ahead a plan may lie. */
export const FARTHEST_PLAN: number = CYCLE - 1;
export function planByte(round: number): number {
  return 1 + (round % CYCLE);
}

const NONE = -1;
const FREE = -1;
/** `HOT`, but a constant of this module: see `plain.ts`. */
const PAIR = HOT;
/** Numbers per entry of the index. */
const ENTRY = 2;
const FIRST_SIZE = 4;

export class PairTable {
  /** One past the highest number in use. */
  high = 0;
  page: PairPage;
  start: number;
  /** Open-addressed, two numbers each: slot + 1, pair. */
  #index: Int32Array = new Int32Array(64);
  #used = 0;
  #firstFree = NONE;
  #isDeep = false;
  readonly #pages: PairPages;
  #region: Region;
  readonly #lossy: boolean;

  /** @param lossy sends are followed until their fate is known. */
  constructor(pages: PairPages, lossy: boolean) {
    this.#pages = pages;
    this.#lossy = lossy;
    this.#region = pages.take(FIRST_SIZE);
    this.page = this.#region.page;
    this.start = this.#region.start;
    if (lossy) this.page.follow();
  }

  /** Gives its memory back. */
  dispose(): void {
    this.#pages.release(this.#region);
  }

  /** Samples have more than two numbers from now on. */
  deepen(): void {
    this.#isDeep = true;
    this.page.deepen();
  }

  get isDeep(): boolean {
    return this.#isDeep;
  }

  get count(): number {
    return this.#used;
  }

  slotOf(pair: number): number {
    return this.page.hot[(this.start + pair) * HOT]! & SLOT_MASK;
  }

  find(slot: number): number {
    const index = this.#index;
    const mask = index.length - ENTRY;
    for (let at = hash(slot) & mask; ; at = (at + ENTRY) & mask) {
      const key = index[at]!;
      if (key === slot + 1) return index[at + 1]!;
      if (key === 0) return NONE;
    }
  }

  /** A fresh pair; the caller knows there is none yet. */
  take(slot: number, set: number): number {
    let pair = this.#firstFree;
    if (pair === NONE) {
      pair = this.high++;
      if (pair === 1 << this.#region.size) this.#enlarge();
    } else {
      this.#firstFree = this.heldOf(pair);
    }
    const { page } = this;
    const at = this.start + pair;
    page.hot[at * HOT + Hot.tag] = slot | (set << SET_SHIFT);
    page.hot[at * HOT + Hot.base] = this.#lossy ? NONE : 0;
    if (this.#lossy) {
      page.flightHead[at] = NONE;
      page.flightTail[at] = NONE;
    }
    this.forgetSends(pair);
    page.next[at] = 0;
    this.#used++;
    if (this.#used * 2 * ENTRY > this.#index.length) this.#rehash(this.#index.length * 2);
    else this.#enter(slot, pair);
    return pair;
  }

  free(pair: number): void {
    this.#unindex(this.slotOf(pair));
    const at = this.start + pair;
    this.page.next[at] = 0;
    this.page.hot[at * HOT + Hot.tag] = FREE;
    this.page.hot[at * HOT + Hot.held] = this.#firstFree;
    this.#firstFree = pair;
    this.#used--;
  }

  isLive(pair: number): boolean {
    return this.page.hot[(this.start + pair) * HOT] !== FREE;
  }

  /** Looks at the pair in that round. */
  plan(pair: number, round: number): void {
    this.page.next[this.start + pair] = planByte(round);
  }

  unplan(pair: number): void {
    this.page.next[this.start + pair] = 0;
  }

  /** First round with an update after the last send, if it was noted; else −1. */
  firstMissOf(pair: number): number {
    const noted = this.page.firstMiss[this.start + pair]!;
    return noted > this.lastSendOf(pair) ? noted : NONE;
  }

  heldOf(pair: number): number {
    return this.page.hot[(this.start + pair) * HOT + Hot.held]!;
  }

  lastSendOf(pair: number): number {
    return this.page.hot[(this.start + pair) * HOT + Hot.lastSend]!;
  }

  baseOf(pair: number): number {
    return this.page.hot[(this.start + pair) * HOT + Hot.base]!;
  }

  setHeld(pair: number, version: number): void {
    this.page.hot[(this.start + pair) * HOT + Hot.held] = version;
  }

  setLastSend(pair: number, round: number): void {
    this.page.hot[(this.start + pair) * HOT + Hot.lastSend] = round;
  }

  setBase(pair: number, base: number): void {
    this.page.hot[(this.start + pair) * HOT + Hot.base] = base;
  }

  setFirstMiss(pair: number, round: number): void {
    this.page.firstMiss[this.start + pair] = round;
  }

  /** Back to "nothing was ever sent". */
  forgetSends(pair: number): void {
    this.#setTag(pair, this.tagOf(pair) & UNSAMPLED);
    this.setHeld(pair, ABSENT);
    this.setLastSend(pair, NONE);
    this.setFirstMiss(pair, NONE);
  }

  setSet(pair: number, set: number): void {
    this.#setTag(pair, (this.tagOf(pair) & ~(SET_MASK << SET_SHIFT)) | (set << SET_SHIFT));
  }

  /** Its sample was taken for other bounds. */
  roughen(pair: number): void {
    this.#setTag(pair, this.tagOf(pair) | ROUGH);
  }

  tagOf(pair: number): number {
    return this.page.hot[(this.start + pair) * HOT]!;
  }

  /** Whether it is in its object's list of those that rest. */
  isListed(pair: number): boolean {
    return (this.tagOf(pair) & LISTED) !== 0;
  }

  setListed(pair: number, listed: boolean): void {
    this.#setTag(pair, listed ? this.tagOf(pair) | LISTED : this.tagOf(pair) & ~LISTED);
  }

  #setTag(pair: number, tag: number): void {
    this.page.hot[(this.start + pair) * HOT] = tag;
  }

  setOf(pair: number): number {
    return (this.tagOf(pair) >>> SET_SHIFT) & SET_MASK;
  }

  metricOf(pair: number): number {
    return (this.tagOf(pair) >>> METRIC_SHIFT) & METRIC_MASK;
  }

  readSample(pair: number, out: Float64Array, to: number): void {
    const at = this.start + pair;
    for (let i = 0; i < INLINE; i++) out[to + i] = this.page.sample[at * INLINE + i]!;
    for (let i = 0; i < MORE; i++) out[to + INLINE + i] = this.#isDeep ? this.page.more[at * MORE + i]! : 0;
  }

  writeSample(pair: number, metric: number, from: Float64Array, first: number): void {
    const at = this.start + pair;
    this.#setTag(pair, (this.tagOf(pair) & UNSAMPLED) | (metric << METRIC_SHIFT) | ROUGH);
    for (let i = 0; i < INLINE; i++) this.page.sample[at * INLINE + i] = from[first + i]!;
    if (this.#isDeep) for (let i = 0; i < MORE; i++) this.page.more[at * MORE + i] = from[first + INLINE + i]!;
  }

  /**
   * Collects where in the page the pairs lie whose byte is `byte`; returns how many. `out` has room for all and three more. Which of four
   * bytes it is cannot be foreseen, so there is no branch on it: all four are written, and the count grows by the right ones.
   */
  gather(byte: number, out: Int32Array): number {
    const { words } = this.page;
    const pattern = (byte * 0x01010101) | 0;
    const first = this.start >> 2;
    const end = (this.start + this.high + 3) >> 2;
    let count = 0;
    for (let word = first; word < end; word++) {
      const differs = words[word]! ^ pattern;
      const equal = ~(((differs & 0x7f7f7f7f) + 0x7f7f7f7f) | differs | 0x7f7f7f7f);
      if (equal === 0) continue;
      const at = word << 2;
      out[count] = at;
      count += (equal >>> 7) & 1;
      out[count] = at + 1;
      count += (equal >>> 15) & 1;
      out[count] = at + 2;
      count += (equal >>> 23) & 1;
      out[count] = at + 3;
      count += equal >>> 31;
    }
    return count;
  }

  /** Collects where in the page all pairs lie; returns how many. */
  gatherAll(out: Int32Array): number {
    const { hot } = this.page;
    const end = this.start + this.high;
    let count = 0;
    for (let at = this.start; at < end; at++) {
      out[count] = at;
      if (hot[at * PAIR] !== FREE) count++;
    }
    return count;
  }

  // ── by slot ────────────────────────────────────────────────────────────────────────────────────────────────────

  #enter(slot: number, pair: number): void {
    const index = this.#index;
    const mask = index.length - ENTRY;
    let at = hash(slot) & mask;
    while (index[at] !== 0) at = (at + ENTRY) & mask;
    index[at] = slot + 1;
    index[at + 1] = pair;
  }

  /** Closes the gap, so that no search ends too early. */
  #unindex(slot: number): void {
    const index = this.#index;
    const mask = index.length - ENTRY;
    let hole = hash(slot) & mask;
    while (index[hole] !== slot + 1) hole = (hole + ENTRY) & mask;
    for (let at = (hole + ENTRY) & mask; index[at] !== 0; at = (at + ENTRY) & mask) {
      const home = hash(index[at]! - 1) & mask;
      if (((at - home) & mask) < ((at - hole) & mask)) continue;
      index[hole] = index[at]!;
      index[hole + 1] = index[at + 1]!;
      hole = at;
    }
    index[hole] = 0;
  }

  #rehash(length: number): void {
    this.#index = new Int32Array(length);
    for (let pair = 0; pair < this.high; pair++) if (this.isLive(pair)) this.#enter(this.slotOf(pair), pair);
  }

  #enlarge(): void {
    const before = this.#region;
    const after = this.#pages.take(before.size + 1);
    before.page.copy(before.start, 1 << before.size, after.page, after.start);
    this.#pages.release(before);
    this.#region = after;
    this.page = after.page;
    this.start = after.start;
    if (this.#lossy) this.page.follow();
    if (this.#isDeep) this.page.deepen();
  }
}

/** Spreads slots, which are often consecutive, over the index; a multiple of `ENTRY`. */
function hash(slot: number): number {
  return (Math.imul(slot, 0x9e3779b1) >>> 12) & -ENTRY;
}
