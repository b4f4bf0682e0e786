/**
 * Sends of one view whose fate is not known yet, and per pair the last one that arrived (its *base*). A send counts until it is known to
 * be lost; then the pair falls back to the newest send that still counts. Columns by flight number; a pair's flights hang on it,
 * oldest first. Why so: docs/decisions/0002-acknowledged-baselines.md.
 */

import { SAMPLE_SIZE } from "../metrics.ts";
import type { Cause } from "../model.ts";
import { grown } from "../object-store.ts";
import { NOTHING_HELD, type PairTable } from "./pair-table.ts";

const NONE = -1;

export class Flights {
  round: Int32Array = new Int32Array(0);
  version: Int32Array = new Int32Array(0);
  zone: Uint8Array = new Uint8Array(0);
  cause: Uint8Array = new Uint8Array(0);
  /** First round with an update newer than `version`; 0 while there is none. */
  #firstMiss: Int32Array = new Int32Array(0);
  #metric: Uint8Array = new Uint8Array(0);
  #sample: Float64Array = new Float64Array(0);
  #next: Int32Array = new Int32Array(0);
  #high = 0;
  #firstFree = NONE;
  readonly #pairs: PairTable;

  constructor(pairs: PairTable) {
    this.#pairs = pairs;
    this.#grow(16);
  }

  /** The pair was just sent: its sent state is recorded as a new flight. */
  depart(pair: number, zone: number, cause: Cause): void {
    const flight = this.#take();
    this.#record(flight, pair);
    this.zone[flight] = zone;
    this.cause[flight] = cause;
    const { page, start } = this.#pairs;
    const tail = page.flightTail[start + pair]!;
    if (tail === NONE) page.flightHead[start + pair] = flight;
    else this.#next[tail] = flight;
    page.flightTail[start + pair] = flight;
  }

  /** The pair's flight of that round, or −1. */
  find(pair: number, round: number): number {
    let flight = this.#first(pair);
    while (flight !== NONE && this.round[flight] !== round) flight = this.#next[flight]!;
    return flight;
  }

  /** The flight arrived: it becomes the pair's base unless a later one is already. */
  arrive(pair: number, flight: number): void {
    this.#detach(pair, flight);
    const base = this.#pairs.baseOf(pair);
    if (base !== NONE && this.round[base]! > this.round[flight]!) {
      this.#release(flight);
      return;
    }
    if (base !== NONE) this.#release(base);
    this.#pairs.setBase(pair, flight);
  }

  /** The flight is lost. Where it was what the pair stood on, the pair falls back; true if it did. */
  lose(pair: number, flight: number): boolean {
    this.#detach(pair, flight);
    const stoodOnIt = this.#pairs.lastSendOf(pair) === this.round[flight];
    this.#release(flight);
    if (!stoodOnIt) return false;
    const ground = this.#ground(pair);
    if (ground === NONE) this.#pairs.setHeld(pair, NOTHING_HELD);
    else this.#restore(ground, pair);
    return true;
  }

  /** What the pair stands on has become older than the object: remember since when. */
  missSince(pair: number, round: number): void {
    const ground = this.#ground(pair);
    if (ground !== NONE && this.#firstMiss[ground] === 0) this.#firstMiss[ground] = round;
  }

  /** Tells of each send of the pair that is on its way, oldest first. */
  eachInFlight(pair: number, tell: (round: number, zone: number, cause: Cause) => void): void {
    for (let flight = this.#first(pair); flight !== NONE; flight = this.#next[flight]!) {
      tell(this.round[flight]!, this.zone[flight]!, this.cause[flight]! as Cause);
    }
  }

  forget(pair: number): void {
    const { page, start } = this.#pairs;
    const at = start + pair;
    let flight = this.#first(pair);
    while (flight !== NONE) {
      const next = this.#next[flight]!;
      this.#release(flight);
      flight = next;
    }
    if (this.#pairs.baseOf(pair) !== NONE) this.#release(this.#pairs.baseOf(pair));
    page.flightHead[at] = NONE;
    page.flightTail[at] = NONE;
    this.#pairs.setBase(pair, NONE);
  }

  #first(pair: number): number {
    const { page, start } = this.#pairs;
    return page.flightHead[start + pair]!;
  }

  /** The newest send that counts: one in flight, or the base where none in flight is newer; −1 if there is neither. */
  #ground(pair: number): number {
    const { page, start } = this.#pairs;
    const base = this.#pairs.baseOf(pair);
    const newest = page.flightTail[start + pair]!;
    return newest !== NONE && (base === NONE || this.round[newest]! > this.round[base]!) ? newest : base;
  }

  #record(flight: number, pair: number): void {
    this.round[flight] = this.#pairs.lastSendOf(pair);
    this.version[flight] = this.#pairs.heldOf(pair);
    this.#firstMiss[flight] = 0;
    this.#metric[flight] = this.#pairs.metricOf(pair);
    this.#pairs.readSample(pair, this.#sample, flight * SAMPLE_SIZE);
  }

  #restore(flight: number, pair: number): void {
    this.#pairs.setLastSend(pair, this.round[flight]!);
    this.#pairs.setHeld(pair, this.version[flight]!);
    this.#pairs.setFirstMiss(pair, this.#firstMiss[flight]! || NONE);
    this.#pairs.writeSample(pair, this.#metric[flight]!, this.#sample, flight * SAMPLE_SIZE);
  }

  #detach(pair: number, flight: number): void {
    const { page, start } = this.#pairs;
    let before = NONE;
    for (let at = this.#first(pair); at !== flight; at = this.#next[at]!) before = at;
    const after = this.#next[flight]!;
    if (before === NONE) page.flightHead[start + pair] = after;
    else this.#next[before] = after;
    if (after === NONE) page.flightTail[start + pair] = before;
    this.#next[flight] = NONE;
  }

  #take(): number {
    const flight = this.#firstFree;
    if (flight === NONE) {
      if (this.#high === this.round.length) this.#grow(this.round.length * 2);
      this.#next[this.#high] = NONE;
      return this.#high++;
    }
    this.#firstFree = this.#next[flight]!;
    this.#next[flight] = NONE;
    return flight;
  }

  #release(flight: number): void {
    this.#next[flight] = this.#firstFree;
    this.#firstFree = flight;
  }

  #grow(length: number): void {
    this.round = grown(new Int32Array(length), this.round);
    this.version = grown(new Int32Array(length), this.version);
    this.#firstMiss = grown(new Int32Array(length), this.#firstMiss);
    this.#metric = grown(new Uint8Array(length), this.#metric);
    this.#sample = grown(new Float64Array(length * SAMPLE_SIZE), this.#sample);
    this.zone = grown(new Uint8Array(length), this.zone);
    this.cause = grown(new Uint8Array(length), this.cause);
    this.#next = grown(new Int32Array(length), this.#next);
  }
}
