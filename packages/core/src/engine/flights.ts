/**
 * Sends whose fate is not known yet, and per pair the last one that arrived (its *base*). A send counts until it is known to be lost;
 * then the pair falls back to the newest send that still counts. Columns by flight number; a pair's flights hang on it, oldest first.
 * Why so: docs/decisions/0002-acknowledged-baselines.md.
 */

import { SAMPLE_SIZE } from "../metrics.ts";
import type { Cause } from "../model.ts";
import { grown } from "../object-store.ts";
import type { PairPool } from "./pair-pool.ts";

const NONE = -1;

export class Flights {
  round: Int32Array = new Int32Array(0);
  version: Uint32Array = new Uint32Array(0);
  /** First round with an update newer than `version`; −1 while there is none. */
  firstMiss: Int32Array = new Int32Array(0);
  metric: Uint8Array = new Uint8Array(0);
  sample: Float64Array = new Float64Array(0);
  zone: Uint8Array = new Uint8Array(0);
  cause: Uint8Array = new Uint8Array(0);
  #next: Int32Array = new Int32Array(0);
  #high = 0;
  #firstFree = NONE;
  readonly #pairs: PairPool;

  constructor(pairs: PairPool) {
    this.#pairs = pairs;
    this.#grow(256);
  }

  /** The pair was just sent: its sent state is recorded as a new flight. */
  depart(pair: number, zone: number, cause: Cause): void {
    const flight = this.#take();
    this.#record(flight, pair);
    this.zone[flight] = zone;
    this.cause[flight] = cause;
    const tail = this.#pairs.flightTail[pair]!;
    if (tail === NONE) this.#pairs.flightHead[pair] = flight;
    else this.#next[tail] = flight;
    this.#pairs.flightTail[pair] = flight;
  }

  /** The pair's flight of that round, or −1. */
  find(pair: number, round: number): number {
    let flight = this.#pairs.flightHead[pair]!;
    while (flight !== NONE && this.round[flight] !== round) flight = this.#next[flight]!;
    return flight;
  }

  /** The flight arrived: it becomes the pair's base unless a later one is already. */
  arrive(pair: number, flight: number): void {
    this.#detach(pair, flight);
    const base = this.#pairs.base[pair]!;
    if (base !== NONE && this.round[base]! > this.round[flight]!) {
      this.#release(flight);
      return;
    }
    if (base !== NONE) this.#release(base);
    this.#pairs.base[pair] = flight;
  }

  /** The flight is lost. Where it was what the pair stood on, the pair falls back; true if it did. */
  lose(pair: number, flight: number): boolean {
    const pairs = this.#pairs;
    this.#detach(pair, flight);
    const stoodOnIt = pairs.lastSend[pair] === this.round[flight];
    this.#release(flight);
    if (!stoodOnIt) return false;
    const ground = this.#ground(pair);
    if (ground === NONE) pairs.sentVersion[pair] = 0;
    else this.#restore(ground, pair);
    return true;
  }

  /** What the pair stands on has become older than the object: remember since when. */
  missSince(pair: number, round: number): void {
    const ground = this.#ground(pair);
    if (ground !== NONE && this.firstMiss[ground] === NONE) this.firstMiss[ground] = round;
  }

  /** For a link that loses nothing: what the pair stood on until now has arrived. */
  settle(pair: number): void {
    let base = this.#pairs.base[pair]!;
    if (this.#pairs.sentVersion[pair] === 0) return;
    if (base === NONE) {
      base = this.#take();
      this.#pairs.base[pair] = base;
    }
    this.#record(base, pair);
  }

  /** Tells of each send of the pair that is on its way, oldest first. */
  eachInFlight(pair: number, tell: (round: number, zone: number, cause: Cause) => void): void {
    for (let flight = this.#pairs.flightHead[pair]!; flight !== NONE; flight = this.#next[flight]!) {
      tell(this.round[flight]!, this.zone[flight]!, this.cause[flight]! as Cause);
    }
  }

  forget(pair: number): void {
    let flight = this.#pairs.flightHead[pair]!;
    while (flight !== NONE) {
      const next = this.#next[flight]!;
      this.#release(flight);
      flight = next;
    }
    if (this.#pairs.base[pair] !== NONE) this.#release(this.#pairs.base[pair]!);
    this.#pairs.flightHead[pair] = NONE;
    this.#pairs.flightTail[pair] = NONE;
    this.#pairs.base[pair] = NONE;
  }

  /** The newest send that counts: one in flight, or the base where none in flight is newer; −1 if there is neither. */
  #ground(pair: number): number {
    const base = this.#pairs.base[pair]!;
    const newest = this.#pairs.flightTail[pair]!;
    return newest !== NONE && (base === NONE || this.round[newest]! > this.round[base]!) ? newest : base;
  }

  #record(flight: number, pair: number): void {
    const pairs = this.#pairs;
    this.round[flight] = pairs.lastSend[pair]!;
    this.version[flight] = pairs.sentVersion[pair]!;
    this.firstMiss[flight] = NONE;
    this.metric[flight] = pairs.metric[pair]!;
    copySample(pairs.sample, pair, this.sample, flight);
  }

  #restore(flight: number, pair: number): void {
    const pairs = this.#pairs;
    pairs.lastSend[pair] = this.round[flight]!;
    pairs.sentVersion[pair] = this.version[flight]!;
    pairs.firstMiss[pair] = this.firstMiss[flight]!;
    pairs.metric[pair] = this.metric[flight]!;
    copySample(this.sample, flight, pairs.sample, pair);
  }

  #detach(pair: number, flight: number): void {
    const pairs = this.#pairs;
    let before = NONE;
    for (let at = pairs.flightHead[pair]!; at !== flight; at = this.#next[at]!) before = at;
    const after = this.#next[flight]!;
    if (before === NONE) pairs.flightHead[pair] = after;
    else this.#next[before] = after;
    if (after === NONE) pairs.flightTail[pair] = before;
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
    this.version = grown(new Uint32Array(length), this.version);
    this.firstMiss = grown(new Int32Array(length), this.firstMiss);
    this.metric = grown(new Uint8Array(length), this.metric);
    this.sample = grown(new Float64Array(length * SAMPLE_SIZE), this.sample);
    this.zone = grown(new Uint8Array(length), this.zone);
    this.cause = grown(new Uint8Array(length), this.cause);
    this.#next = grown(new Int32Array(length), this.#next);
  }
}

function copySample(from: Float64Array, fromIndex: number, to: Float64Array, toIndex: number): void {
  for (let i = 0; i < SAMPLE_SIZE; i++) to[toIndex * SAMPLE_SIZE + i] = from[fromIndex * SAMPLE_SIZE + i]!;
}
