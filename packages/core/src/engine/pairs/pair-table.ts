/**
 * The pairs of one view, by number and by slot. A pair keeps its number as long as it lives and lies at `start + number` of the region; then the
 * number is used again. One byte per pair says in which round to look at it next, so finding the due pairs is a scan of bytes.
 */

import { SAMPLE_SIZE } from "../../metrics.ts";
import {
  ABSENT,
  CYCLE,
  ENDS,
  ENTRY as ENTRY_BYTES,
  FREE,
  HASH,
  HASH_SHIFT,
  INLINE,
  LISTED,
  METRIC_MASK,
  METRIC_SHIFT,
  MORE,
  PAIR,
  ROUGH,
  SET_MASK,
  SET_SHIFT,
  SLOT_MASK,
  UNSAMPLED,
  UNSEEN,
  VIEW,
  VIEW_ENDS,
  VIEW_FIRST_MISS,
  VIEW_FOLLOWS,
  VIEW_FREE,
  VIEW_HIGH,
  VIEW_INDEX,
  VIEW_INDEX_MASK,
  VIEW_LEEWAYS,
  VIEW_LEFT,
  VIEW_MORE,
  VIEW_NEXT,
  VIEW_PAIRS,
  VIEW_ROOM,
  VIEW_USED,
  VIEW_WAITS,
  WAITING,
  WAITING_CELL,
  WAITING_COUNTED,
  WAITING_ROW,
  WAITING_SINCE,
  WAITING_SPELL,
  WAITING_UNTIL,
} from "../memory/layout.ts";
import { EXTRA, HOT, Hot, type PairPage, type PairPages, type Region, WAITS } from "./pair-pages.ts";

export function planByte(round: number): number {
  return 1 + (round % CYCLE);
}

const NONE = -1;
/** Numbers per entry of the index. */
const ENTRY: number = ENTRY_BYTES / 4;
const FIRST_SIZE = 4;
const FIRST_INDEX = 64;
// Places in the sheet. A constant of the module itself compiles to a number; an import is looked up at every use.
const [HIGH, FREED, USED, FOLLOWS] = [VIEW_HIGH / 4, VIEW_FREE / 4, VIEW_USED / 4, VIEW_FOLLOWS / 4];
const [SINCE, UNTIL, SPELL, CELL] = [WAITING_SINCE / 4, WAITING_UNTIL / 4, WAITING_SPELL / 4, WAITING_CELL / 4];
const [ROW, COUNTED] = [WAITING_ROW / 4, WAITING_COUNTED / 4];

export class PairTable {
  page: PairPage;
  start: number;
  /** Open-addressed, see `layout.ts`. */
  #index: Int32Array;
  #isDeep = false;
  #isWide = false;
  #keepsWaits = false;
  #keepsLeeways = false;
  readonly #pages: PairPages;
  #region: Region;
  readonly #lossy: boolean;
  readonly #sheet: Int32Array;
  readonly #grown: (room: number) => void;

  /**
   * @param lossy sends are followed until their fate is known.
   * @param sheet of the view: tells the kernel where everything lies.
   * @param grown is told for how many pairs there is room.
   */
  constructor(
    pages: PairPages,
    lossy: boolean,
    sheet: Int32Array = new Int32Array(VIEW / 4),
    grown: (room: number) => void = () => {},
  ) {
    this.#grown = grown;
    this.#pages = pages;
    this.#lossy = lossy;
    this.#sheet = sheet;
    this.#index = pages.columns.ints(FIRST_INDEX);
    this.#region = pages.take(FIRST_SIZE);
    this.page = this.#region.page;
    this.start = this.#region.start;
    if (lossy) this.page.follow();
    sheet[FOLLOWS] = lossy ? 1 : 0;
    sheet[FREED] = NONE;
    this.#publish();
  }

  /** Gives its memory back. */
  dispose(): void {
    this.#pages.release(this.#region);
    this.#pages.columns.release(this.#index);
  }

  /** Samples have more than two numbers from now on. */
  deepen(): void {
    this.#isDeep = true;
    this.page.deepen();
    this.#publish();
  }

  /** Samples may have more than `SAMPLE_SIZE` numbers from now on. */
  widen(): void {
    this.deepen();
    this.#isWide = true;
    this.page.widen();
  }

  /** Its pairs may have to wait from now on. */
  keepWaits(): void {
    if (this.#keepsWaits) return;
    this.#keepsWaits = true;
    this.page.keepWaits();
    this.#publish();
  }

  /** It is kept from now on how far pivots may come until a pair is looked at. */
  keepLeeways(): void {
    if (this.#keepsLeeways) return;
    this.#keepsLeeways = true;
    this.page.keepLeeways();
    this.#publish();
  }

  get keepsLeeways(): boolean {
    return this.#keepsLeeways;
  }

  #publish(): void {
    const { page, start } = this;
    const sheet = this.#sheet;
    sheet[VIEW_PAIRS / 4] = page.hot.byteOffset + start * PAIR;
    sheet[VIEW_NEXT / 4] = page.next.byteOffset + start;
    sheet[VIEW_FIRST_MISS / 4] = page.firstMiss.byteOffset + start * 4;
    sheet[VIEW_LEFT / 4] = page.left.byteOffset + start * 4;
    sheet[VIEW_MORE / 4] = this.#isDeep ? page.more.byteOffset + start * MORE * 8 : 0;
    sheet[VIEW_ENDS / 4] = page.flights.byteOffset + start * ENDS;
    sheet[VIEW_WAITS / 4] = this.#keepsWaits ? page.waits.byteOffset + start * WAITING : 0;
    sheet[VIEW_LEEWAYS / 4] = this.#keepsLeeways ? page.leeways.byteOffset + start * 8 : 0;
    sheet[VIEW_ROOM / 4] = 1 << this.#region.size;
    sheet[VIEW_INDEX / 4] = this.#index.byteOffset;
    sheet[VIEW_INDEX_MASK / 4] = this.#index.byteLength - ENTRY_BYTES;
  }

  get isDeep(): boolean {
    return this.#isDeep;
  }

  get isWide(): boolean {
    return this.#isWide;
  }

  get count(): number {
    return this.#sheet[USED]!;
  }

  /** One past the highest number in use. */
  get high(): number {
    return this.#sheet[HIGH]!;
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
    const sheet = this.#sheet;
    let pair = sheet[FREED]!;
    if (pair === NONE) {
      pair = sheet[HIGH]!;
      sheet[HIGH] = pair + 1;
      if (pair === 1 << this.#region.size) this.#enlarge();
    } else {
      sheet[FREED] = this.heldOf(pair);
    }
    const { page } = this;
    const at = this.start + pair;
    page.hot[at * HOT + Hot.tag] = slot | (set << SET_SHIFT);
    page.hot[at * HOT + Hot.base] = this.#lossy ? NONE : 0;
    if (this.#lossy) {
      page.flights[at * 2] = NONE;
      page.flights[at * 2 + 1] = NONE;
    }
    this.forgetSends(pair);
    page.next[at] = 0;
    sheet[USED] = this.count + 1;
    if (this.count * 2 * ENTRY > this.#index.length) this.#rehash(this.#index.length * 2);
    else this.#enter(slot, pair);
    return pair;
  }

  free(pair: number): void {
    this.#unindex(this.slotOf(pair));
    const at = this.start + pair;
    this.page.next[at] = 0;
    if (this.#keepsWaits) this.page.waits[at * WAITS + UNTIL] = 0;
    this.page.hot[at * HOT + Hot.tag] = FREE;
    this.page.hot[at * HOT + Hot.held] = this.#sheet[FREED]!;
    this.#sheet[FREED] = pair;
    this.#sheet[USED] = this.count - 1;
  }

  isLive(pair: number): boolean {
    return this.page.hot[(this.start + pair) * HOT] !== FREE;
  }

  /** Looks at the pair in that round, or before, wherever pivots go. */
  plan(pair: number, round: number): void {
    this.page.next[this.start + pair] = planByte(round);
    if (this.#keepsLeeways) this.page.leeways[this.start + pair] = 0;
  }

  unplan(pair: number): void {
    this.page.next[this.start + pair] = 0;
  }

  /** First round with an update after the last send, if it was noted; else −1. */
  firstMissOf(pair: number): number {
    const noted = this.page.firstMiss[this.start + pair]!;
    return noted > this.lastSendOf(pair) ? noted : NONE;
  }

  /** Rounds in a row, up to this one, in which the pair was over its bound and not sent. */
  waitedOf(pair: number, round: number): number {
    const { waits } = this.page;
    const at = (this.start + pair) * WAITS;
    return this.#keepsWaits && waits[at + UNTIL] === round ? round - waits[at + SINCE]! : 0;
  }

  /** The last round in which the pair was over its bound and not sent; −1 = it never was. Not told of one that waits unseen. */
  lastWaitOf(pair: number): number {
    return this.#keepsWaits ? this.page.waits[(this.start + pair) * WAITS + UNTIL]! - 1 : NONE;
  }

  /** In this round the pair is over its bound and not sent, and is counted in this cell of the account. */
  noteWait(pair: number, round: number, cell: number): void {
    this.keepWaits();
    const { waits } = this.page;
    const at = (this.start + pair) * WAITS;
    if (waits[at + UNTIL]! < round) waits[at + SINCE] = round;
    waits[at + UNTIL] = round + 1;
    waits[at + COUNTED] = cell;
  }

  /** Whether nobody looks at it while it waits, and so counts it (`kernel/waits.ts`). */
  isUnseen(pair: number): boolean {
    return this.#keepsWaits && this.page.waits[(this.start + pair) * WAITS + UNTIL] === UNSEEN;
  }

  /** The cell of the account in which it was counted last, or is counted while it waits unseen. */
  countedCellOf(pair: number): number {
    return this.page.waits[(this.start + pair) * WAITS + COUNTED]!;
  }

  /** It has waited until before this round. */
  waitUntil(pair: number, round: number): void {
    this.page.waits[(this.start + pair) * WAITS + UNTIL] = round;
  }

  /** Its row among the decisions, if it is one of those that are not recorded yet. */
  rowOf(pair: number): number {
    return this.page.waits[(this.start + pair) * WAITS + ROW]!;
  }

  /** The spell of the account in which it waits: the round in which that began, and the cell. */
  spellOf(pair: number): number {
    return this.page.waits[(this.start + pair) * WAITS + SPELL]!;
  }

  spellCellOf(pair: number): number {
    return this.page.waits[(this.start + pair) * WAITS + CELL]!;
  }

  setSpell(pair: number, round: number, cell: number): void {
    const at = (this.start + pair) * WAITS;
    this.page.waits[at + SPELL] = round;
    this.page.waits[at + CELL] = cell;
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
    this.page.readSample(at, out, to);
    for (let i = 0; i < MORE; i++) out[to + INLINE + i] = this.#isDeep ? this.page.more[at * MORE + i]! : 0;
    if (!this.#isWide) return;
    for (let i = 0; i < EXTRA; i++) out[to + SAMPLE_SIZE + i] = this.page.extra[at * EXTRA + i]!;
  }

  /** Its sample is being written, by that metric. */
  noteSample(pair: number, metric: number): void {
    this.#setTag(pair, (this.tagOf(pair) & UNSAMPLED) | (metric << METRIC_SHIFT) | ROUGH);
  }

  writeSample(pair: number, metric: number, from: Float64Array, first: number): void {
    const at = this.start + pair;
    this.noteSample(pair, metric);
    this.page.writeSample(at, from, first);
    if (this.#isDeep) for (let i = 0; i < MORE; i++) this.page.more[at * MORE + i] = from[first + INLINE + i]!;
    if (this.#isWide) for (let i = 0; i < EXTRA; i++) this.page.extra[at * EXTRA + i] = from[first + SAMPLE_SIZE + i]!;
  }

  /** Collects the pairs that are planned for one of these rounds, or all; returns how many. `out` has room for all. */
  gather(since: number, round: number, everything: boolean, out: Int32Array): number {
    const { next } = this.page;
    const earliest = planByte(since);
    let count = 0;
    for (let pair = 0; pair < this.high; pair++) {
      const byte = next[this.start + pair]!;
      const isPlanned = byte !== 0 && (byte - earliest + CYCLE) % CYCLE <= round - since;
      if (everything ? this.isLive(pair) : isPlanned) out[count++] = pair;
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
    this.#pages.columns.release(this.#index);
    this.#index = this.#pages.columns.ints(length);
    this.#publish();
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
    if (this.#isWide) this.page.widen();
    if (this.#keepsWaits) this.page.keepWaits();
    if (this.#keepsLeeways) this.page.keepLeeways();
    this.#publish();
    this.#grown(1 << after.size);
  }
}

/** As the kernel reckons it, in numbers instead of bytes. */
function hash(slot: number): number {
  return (Math.imul(slot, HASH) >>> (HASH_SHIFT + 2)) & -ENTRY;
}
