/**
 * The sends of one view whose fate is not known yet, and for each pair the last send that arrived (its *base*). A send counts until it is known to be
 * lost. Then the pair falls back to the newest send that still counts. Records lie by flight number (`layout.ts`). The flights of a pair are a
 * linked list, oldest first. Why so: docs/decisions/0002-acknowledged-baselines.md.
 */

import { LARGEST_SAMPLE, SAMPLE_SIZE } from "../../metrics.ts";
import { Cause } from "../../model.ts";
import {
  FLIGHT,
  FLIGHT_CAUSE,
  FLIGHT_FIRST_MISS,
  FLIGHT_FRESH,
  FLIGHT_METRIC,
  FLIGHT_NEXT,
  FLIGHT_ROUND,
  FLIGHT_SAMPLE,
  FLIGHT_SETTLED,
  FLIGHT_VERSION,
  FLIGHT_ZONE,
  INLINE,
  MORE,
  NOTHING_HELD,
  VIEW,
  VIEW_FLIGHTS,
  VIEW_FLIGHTS_FREE,
  VIEW_FLIGHTS_HIGH,
  VIEW_FLIGHTS_MORE,
  VIEW_FLIGHTS_ROOM,
} from "../memory/layout.ts";
import { type ColumnSource, enlarged } from "../memory/memory.ts";
import { EXTRA } from "../pairs/pair-pages.ts";
import type { PairTable } from "../pairs/pair-table.ts";

const NONE = -1;
/** Numbers of a pair in `PairPage.flights`: its oldest flight and its newest. */
const ENDS = 2;
const NEWEST = 1;
const FIRST_LENGTH = 16;
const [HIGH, FREED] = [VIEW_FLIGHTS_HIGH / 4, VIEW_FLIGHTS_FREE / 4];
const REALS = FLIGHT / 8;
const INTS = FLIGHT / 4;
const [ROUND, VERSION, NEXT] = [FLIGHT_ROUND / 4, FLIGHT_VERSION / 4, FLIGHT_NEXT / 4];
const FIRST_MISS = FLIGHT_FIRST_MISS / 4;
const SAMPLE = FLIGHT_SAMPLE / 8;

export class Flights {
  /** The records as reals, integers and bytes; and the rest of their samples, as far as pairs have it. */
  reals: Float64Array;
  more: Float64Array = new Float64Array(0);
  extra: Float64Array = new Float64Array(0);
  #ints: Int32Array;
  #bytes: Uint8Array;
  readonly #sample: Float64Array = new Float64Array(LARGEST_SAMPLE);
  readonly #columns: ColumnSource;
  readonly #pairs: PairTable;
  /** Of the view: how many were ever used, and the first of those that are free; the kernel takes and frees some too. */
  readonly #sheet: Int32Array;

  /** @param sheet of the view: tells the kernel where everything lies. */
  constructor(columns: ColumnSource, pairs: PairTable, sheet: Int32Array = new Int32Array(VIEW / 4)) {
    this.#columns = columns;
    this.#pairs = pairs;
    this.#sheet = sheet;
    sheet[FREED] = NONE;
    this.reals = columns.reals(FIRST_LENGTH * REALS);
    this.#ints = asInts(this.reals);
    this.#bytes = asBytes(this.reals);
    this.#publish();
  }

  #publish(): void {
    this.#sheet[VIEW_FLIGHTS / 4] = this.reals.byteOffset;
    this.#sheet[VIEW_FLIGHTS_MORE / 4] = this.more.length === 0 ? 0 : this.more.byteOffset;
    this.#sheet[VIEW_FLIGHTS_ROOM / 4] = this.capacity;
  }

  /** Gives its memory back. */
  dispose(): void {
    this.#columns.release(this.reals);
    this.#columns.release(this.more);
    this.#columns.release(this.extra);
  }

  /** How many there is room for. */
  get capacity(): number {
    return this.reals.length / REALS;
  }

  /** Makes room before the last of it is used: sends for which the kernel finds none are left to the general judge, hundreds in a row. */
  makeRoom(): void {
    if (this.#sheet[HIGH]! * 8 > this.capacity * 7) this.#grow();
  }

  /** Samples have more than two numbers from now on. */
  deepen(): void {
    if (this.more.length > 0) return;
    this.more = this.#columns.reals(this.capacity * MORE);
    this.#publish();
  }

  /** Samples may have more than `SAMPLE_SIZE` numbers from now on. */
  widen(): void {
    this.deepen();
    if (this.extra.length === 0) this.extra = this.#columns.reals(this.capacity * EXTRA);
  }

  roundOf(flight: number): number {
    return this.#ints[flight * INTS + ROUND]!;
  }

  versionOf(flight: number): number {
    return this.#ints[flight * INTS + VERSION]!;
  }

  zoneOf(flight: number): number {
    return this.#bytes[flight * FLIGHT + FLIGHT_ZONE]!;
  }

  causeOf(flight: number): Cause {
    return this.#bytes[flight * FLIGHT + FLIGHT_CAUSE]! as Cause;
  }

  metricOf(flight: number): number {
    return this.#bytes[flight * FLIGHT + FLIGHT_METRIC]!;
  }

  hasSettled(flight: number): boolean {
    return this.#bytes[flight * FLIGHT + FLIGHT_SETTLED] === 1;
  }

  /** Whether the client had nothing of the object before, and was not being told to remove it. */
  isFresh(flight: number): boolean {
    return this.#bytes[flight * FLIGHT + FLIGHT_FRESH] === 1;
  }

  setFresh(flight: number, isFresh: boolean): void {
    this.#bytes[flight * FLIGHT + FLIGHT_FRESH] = isFresh ? 1 : 0;
  }

  /** The pair was just sent: its sent state is recorded as a new flight, which it returns. */
  depart(pair: number, zone: number, cause: Cause, settles = false): number {
    const flight = this.#take();
    this.#record(flight, pair);
    this.#bytes[flight * FLIGHT + FLIGHT_ZONE] = zone;
    this.#bytes[flight * FLIGHT + FLIGHT_CAUSE] = cause;
    this.#bytes[flight * FLIGHT + FLIGHT_SETTLED] = settles ? 1 : 0;
    this.setFresh(flight, false);
    const { page, start } = this.#pairs;
    const tail = page.flights[(start + pair) * ENDS + NEWEST]!;
    if (tail === NONE) page.flights[(start + pair) * ENDS] = flight;
    else this.#setNext(tail, flight);
    page.flights[(start + pair) * ENDS + NEWEST] = flight;
    return flight;
  }

  /** The pair's flight of that round, or −1. */
  find(pair: number, round: number): number {
    let flight = this.#first(pair);
    while (flight !== NONE && this.roundOf(flight) !== round) flight = this.nextOf(flight);
    return flight;
  }

  /** The flight arrived: it becomes the pair's base unless a later one is already. */
  arrive(pair: number, flight: number): void {
    this.#detach(pair, flight);
    const base = this.#pairs.baseOf(pair);
    if (base !== NONE && this.roundOf(base) > this.roundOf(flight)) {
      this.#release(flight);
      return;
    }
    if (base !== NONE) this.#release(base);
    this.#pairs.setBase(pair, flight);
  }

  /** The flight is lost. Where it was what the pair stood on, the pair falls back; true if it did. */
  lose(pair: number, flight: number): boolean {
    this.#detach(pair, flight);
    const stoodOnIt = this.#pairs.lastSendOf(pair) === this.roundOf(flight);
    this.#release(flight);
    if (!stoodOnIt) return false;
    const ground = this.ground(pair);
    if (ground === NONE) this.#pairs.setHeld(pair, NOTHING_HELD);
    else this.#restore(ground, pair);
    return true;
  }

  /** The pair stands on the newest send that counts, whatever its client is known to have written since; false if it did before. */
  fallBack(pair: number): boolean {
    const ground = this.ground(pair);
    if (ground === NONE) {
      this.#pairs.setHeld(pair, NOTHING_HELD);
      return true;
    }
    if (this.versionOf(ground) === this.#pairs.heldOf(pair) && this.roundOf(ground) === this.#pairs.lastSendOf(pair)) {
      return false;
    }
    this.#restore(ground, pair);
    return true;
  }

  /** Room for so many more. */
  reserve(count: number): void {
    while (this.#sheet[HIGH]! + count > this.capacity) this.#grow();
  }

  /**
   * A send of that round met a demand and is lost. A later send says all that it said, so one that is on its way meets the demand now, and one
   * that arrived has met it. True where there is neither: the demand stands again.
   */
  passDemand(pair: number, round: number): boolean {
    const base = this.#pairs.baseOf(pair);
    if (base !== NONE && this.roundOf(base) > round) return false;
    let flight = this.#first(pair);
    while (flight !== NONE && this.roundOf(flight) < round) flight = this.nextOf(flight);
    if (flight === NONE) return true;
    this.#bytes[flight * FLIGHT + FLIGHT_CAUSE] = Cause.demand;
    return false;
  }

  /** What the pair stands on has become older than the object: remember since when. */
  missSince(pair: number, round: number): void {
    const ground = this.ground(pair);
    if (ground === NONE || this.#ints[ground * INTS + FIRST_MISS] !== 0) return;
    this.#ints[ground * INTS + FIRST_MISS] = round;
  }

  /** Tells of each send of the pair that is on its way, oldest first. */
  eachInFlight(pair: number, tell: (round: number, zone: number, cause: Cause) => void): void {
    for (let flight = this.#first(pair); flight !== NONE; flight = this.nextOf(flight)) {
      tell(this.roundOf(flight), this.zoneOf(flight), this.causeOf(flight));
    }
  }

  forget(pair: number): void {
    const { page, start } = this.#pairs;
    const at = start + pair;
    let flight = this.#first(pair);
    while (flight !== NONE) {
      const next = this.nextOf(flight);
      this.#release(flight);
      flight = next;
    }
    if (this.#pairs.baseOf(pair) !== NONE) this.#release(this.#pairs.baseOf(pair));
    page.flights[at * ENDS] = NONE;
    page.flights[at * ENDS + NEWEST] = NONE;
    this.#pairs.setBase(pair, NONE);
  }

  /** The pair's next newer flight, or −1. */
  nextOf(flight: number): number {
    return this.#ints[flight * INTS + NEXT]!;
  }

  /** The oldest of the pair's flights that is newer than its base, or −1: the next that can reach the client in order. */
  firstAfterBase(pair: number): number {
    const base = this.#pairs.baseOf(pair);
    let flight = this.#first(pair);
    while (flight !== NONE && base !== NONE && this.roundOf(flight) < this.roundOf(base)) flight = this.nextOf(flight);
    return flight;
  }

  /** The newest send that counts: one in flight, or the base where none in flight is newer; −1 if there is neither. */
  ground(pair: number): number {
    const { page, start } = this.#pairs;
    const base = this.#pairs.baseOf(pair);
    const newest = page.flights[(start + pair) * ENDS + NEWEST]!;
    return newest !== NONE && (base === NONE || this.roundOf(newest) > this.roundOf(base)) ? newest : base;
  }

  readSample(flight: number, out: Float64Array): void {
    for (let i = 0; i < INLINE; i++) out[i] = this.reals[flight * REALS + SAMPLE + i]!;
    for (let i = 0; i < MORE; i++) out[INLINE + i] = this.#pairs.isDeep ? this.more[flight * MORE + i]! : 0;
    if (!this.#pairs.isWide) return;
    for (let i = 0; i < EXTRA; i++) out[SAMPLE_SIZE + i] = this.extra[flight * EXTRA + i]!;
  }

  writeSample(flight: number, from: Float64Array): void {
    for (let i = 0; i < INLINE; i++) this.reals[flight * REALS + SAMPLE + i] = from[i]!;
    if (!this.#pairs.isDeep) return;
    this.deepen();
    for (let i = 0; i < MORE; i++) this.more[flight * MORE + i] = from[INLINE + i]!;
    if (!this.#pairs.isWide) return;
    this.widen();
    for (let i = 0; i < EXTRA; i++) this.extra[flight * EXTRA + i] = from[SAMPLE_SIZE + i]!;
  }

  #first(pair: number): number {
    const { page, start } = this.#pairs;
    return page.flights[(start + pair) * ENDS]!;
  }

  #setNext(flight: number, next: number): void {
    this.#ints[flight * INTS + NEXT] = next;
  }

  #record(flight: number, pair: number): void {
    this.#ints[flight * INTS + ROUND] = this.#pairs.lastSendOf(pair);
    this.#ints[flight * INTS + VERSION] = this.#pairs.heldOf(pair);
    this.#ints[flight * INTS + FIRST_MISS] = 0;
    this.#bytes[flight * FLIGHT + FLIGHT_METRIC] = this.#pairs.metricOf(pair);
    this.#pairs.readSample(pair, this.#sample, 0);
    this.writeSample(flight, this.#sample);
  }

  #restore(flight: number, pair: number): void {
    this.#pairs.setLastSend(pair, this.roundOf(flight));
    this.#pairs.setHeld(pair, this.versionOf(flight));
    this.#pairs.setFirstMiss(pair, this.#ints[flight * INTS + FIRST_MISS]! || NONE);
    this.giveSample(flight, pair);
  }

  /** The pair stands on what the flight left with. */
  giveSample(flight: number, pair: number): void {
    this.readSample(flight, this.#sample);
    this.#pairs.writeSample(pair, this.metricOf(flight), this.#sample, 0);
  }

  #detach(pair: number, flight: number): void {
    const { page, start } = this.#pairs;
    let before = NONE;
    for (let at = this.#first(pair); at !== flight; at = this.nextOf(at)) before = at;
    const after = this.nextOf(flight);
    if (before === NONE) page.flights[(start + pair) * ENDS] = after;
    else this.#setNext(before, after);
    if (after === NONE) page.flights[(start + pair) * ENDS + NEWEST] = before;
    this.#setNext(flight, NONE);
  }

  #take(): number {
    const sheet = this.#sheet;
    const flight = sheet[FREED]!;
    if (flight === NONE) {
      const high = sheet[HIGH]!;
      if (high === this.capacity) this.#grow();
      this.#setNext(high, NONE);
      sheet[HIGH] = high + 1;
      return high;
    }
    sheet[FREED] = this.nextOf(flight);
    this.#setNext(flight, NONE);
    return flight;
  }

  #release(flight: number): void {
    this.#setNext(flight, this.#sheet[FREED]!);
    this.#sheet[FREED] = flight;
  }

  #grow(): void {
    const length = this.capacity * 2;
    this.reals = enlarged(this.#columns, this.reals, length * REALS);
    this.#ints = asInts(this.reals);
    this.#bytes = asBytes(this.reals);
    if (this.more.length > 0) this.more = enlarged(this.#columns, this.more, length * MORE);
    if (this.extra.length > 0) this.extra = enlarged(this.#columns, this.extra, length * EXTRA);
    this.#publish();
  }
}

function asInts({ buffer, byteOffset, byteLength }: Float64Array): Int32Array {
  return new Int32Array(buffer, byteOffset, byteLength / 4);
}

function asBytes({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength);
}
