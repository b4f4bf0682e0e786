/**
 * The auditor's own memory of the world. For every object it keeps the last states: the round at whose end the state stood, its version, and the sample that each
 * metric would have taken of it. The log observes the world by itself and asks no model.
 *
 * With it, the round of a send is enough to know what was sent: a client that was sent an object in round R has the newest state here that is not
 * younger than R. An object keeps 32, 16 or 8 states (`STATES`), by its slot. A client whose state is older than all of them gets the benefit of the
 * doubt: it is taken to have missed the updates that are here, the first of them in the oldest round that is here, and its value is not judged.
 * Memory: 17 bytes for a state, and as a rule 48 for every metric in use, 96 where its picture moves on by itself. Growth copies nothing.
 */

import { grown, roomFor } from "@nearfield/schema/internal";
import { LARGEST_SAMPLE, type Metric, SAMPLE_SIZE } from "../metrics.ts";
import type { World, WorldObserver } from "../world.ts";

/** Slots in a chunk: what is allocated at once. */
const CHUNK_BITS = 8;
const CHUNK = 1 << CHUNK_BITS;
/** States of an object, by the number of its chunk: the first 1,024 slots, those up to 4,096, and the others. */
const STATES: readonly (readonly [belowChunk: number, states: number])[] = [
  [4, 32],
  [16, 16],
  [Number.POSITIVE_INFINITY, 8],
];

/** Who wrote the updates of a round: a session, the server, several of them, or nobody, where it only moved. */
const SERVER = 0;
const SEVERAL = -1;
const NOBODY = -2;

/** Whether what a metric remembers of a state is known; `beforeDrift`: of sends in rounds before it drifted. */
const Sampled = { no: 0, yes: 1, beforeDrift: 2 } as const;

/** `find`: every state that is kept is younger. */
export const TOO_OLD = -1;

class Chunk {
  readonly states: number;
  /** By slot of the chunk: how many states are held, and the newest of them. */
  readonly count: Uint8Array = new Uint8Array(CHUNK);
  readonly newest: Uint8Array = new Uint8Array(CHUNK);
  /** By state, `slot × states + place`. */
  readonly round: Int32Array;
  readonly version: Uint32Array;
  readonly writer: Int32Array;
  readonly moved: Uint8Array;
  /** Round in which a metric first remembered something else of the state, though it is the same in wire form; 0: never. */
  readonly drifted: Int32Array;
  /** By the auditor's number of a metric. */
  readonly samples: (Float64Array | undefined)[] = [];
  readonly isSampled: (Uint8Array | undefined)[] = [];

  constructor(states: number) {
    this.states = states;
    this.round = new Int32Array(CHUNK * states);
    this.version = new Uint32Array(CHUNK * states);
    this.writer = new Int32Array(CHUNK * states);
    this.moved = new Uint8Array(CHUNK * states);
    this.drifted = new Int32Array(CHUNK * states);
  }
}

export class ObjectLog implements WorldObserver {
  readonly #world: World;
  readonly #onError: (error: unknown, where: string) => void;
  readonly #onDestroyed: (slot: number, hasChanged: boolean) => void;
  readonly #chunks: (Chunk | undefined)[] = [];
  readonly #metrics: (Metric | undefined)[] = [];
  /** Slots that were updated since the last round, and who wrote to each. */
  #touched: Int32Array = new Int32Array(64);
  #touchedCount = 0;
  #isTouched: Uint8Array = new Uint8Array(64);
  #writer: Int32Array = new Int32Array(64);
  #round = 0;
  readonly #scratch = new Float64Array(LARGEST_SAMPLE);

  /**
   * @param onError told of what a metric of the game throws.
   * @param onDestroyed told of objects that go, while they can still be read, and whether they changed since the last round.
   */
  constructor(
    world: World,
    round: number,
    onError: (error: unknown, where: string) => void,
    onDestroyed: (slot: number, hasChanged: boolean) => void,
  ) {
    this.#onDestroyed = onDestroyed;
    this.#world = world;
    this.#onError = onError;
    this.#round = round;
    world.observe(this);
    for (let slot = 0; slot < world.store.slotHigh; slot++) if (world.store.isLive(slot)) this.spawned(slot);
  }

  dispose(): void {
    this.#world.unobserve(this);
  }

  /** Objects as they are now, and from now on, are sampled for this metric; of older states its value is not known. Called after `begin`. */
  heed(metric: Metric, metricId: number): void {
    if (metric.memoryless !== true || this.#metrics[metricId] !== undefined) return;
    this.#metrics[metricId] = metric;
    const { store } = this.#world;
    for (let slot = 0; slot < store.slotHigh; slot++) {
      if (!store.isLive(slot)) continue;
      const chunk = this.#chunkOf(slot);
      const at = slot & (CHUNK - 1);
      if (chunk.count[at]! > 0) this.#sampleState(chunk, at * chunk.states + chunk.newest[at]!, slot, metric, metricId);
    }
  }

  // ── what the world tells ───────────────────────────────────────────────────────────────────────────────────────

  spawned(slot: number): void {
    const number = slot >> CHUNK_BITS;
    this.#chunks[number] ??= new Chunk(STATES.find(([below]) => number < below)![1]);
    this.#chunks[number].count[slot & (CHUNK - 1)] = 0;
    this.#touch(slot, SERVER);
  }

  updated(slot: number, writer: number): void {
    this.#touch(slot, writer);
  }

  /** A path grows also where nothing shows in wire form. */
  moved(slot: number): void {
    this.#touch(slot, NOBODY);
  }

  destroyed(slot: number): void {
    this.#onDestroyed(slot, slot < this.#isTouched.length && this.#isTouched[slot] === 1);
  }

  #touch(slot: number, writer: number): void {
    if (slot >= this.#isTouched.length) this.#grow(slot);
    if (this.#isTouched[slot] === 1) {
      const before = this.#writer[slot];
      if (before === NOBODY) this.#writer[slot] = writer;
      else if (writer !== NOBODY && before !== writer) this.#writer[slot] = SEVERAL;
      return;
    }
    if (this.#touchedCount === this.#touched.length) this.#touched = longer(this.#touched);
    this.#touched[this.#touchedCount++] = slot;
    this.#isTouched[slot] = 1;
    this.#writer[slot] = writer;
  }

  // ── states ─────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The game's step of this round is done: what was updated since the last round stands as it will be sent. */
  begin(round: number): void {
    this.#round = round;
    const { store } = this.#world;
    for (let i = 0; i < this.#touchedCount; i++) {
      const slot = this.#touched[i]!;
      this.#isTouched[slot] = 0;
      if (!store.isLive(slot)) continue;
      if (this.#writer[slot] === NOBODY) this.#drift(slot);
      else this.#note(slot);
    }
    this.#touchedCount = 0;
  }

  /** The newest state that stood at the end of `round`, for the questions below; `TOO_OLD` where it is no longer kept. */
  find(slot: number, round: number): number {
    const { count, newest, states, round: rounds } = this.#chunkOf(slot);
    const at = slot & (CHUNK - 1);
    const first = at * states;
    let place = newest[at]!;
    for (let left = count[at]!; left > 0; left--) {
      if (rounds[first + place]! <= round) return place;
      place = place === 0 ? states - 1 : place - 1;
    }
    return TOO_OLD;
  }

  /** The next younger state, or for `TOO_OLD` the oldest; `TOO_OLD` after the newest. */
  after(slot: number, place: number): number {
    const { states, count, newest } = this.#chunkOf(slot);
    const at = slot & (CHUNK - 1);
    if (place === newest[at]) return TOO_OLD;
    if (place !== TOO_OLD) return place + 1 === states ? 0 : place + 1;
    return (newest[at]! - count[at]! + 1 + states) % states;
  }

  roundOf(slot: number, place: number): number {
    const chunk = this.#chunkOf(slot);
    return chunk.round[(slot & (CHUNK - 1)) * chunk.states + place]!;
  }

  versionOf(slot: number, place: number): number {
    const chunk = this.#chunkOf(slot);
    return chunk.version[(slot & (CHUNK - 1)) * chunk.states + place]!;
  }

  /** Whether this session alone made the state out of the one before. */
  isWork(slot: number, place: number, session: number): boolean {
    const chunk = this.#chunkOf(slot);
    return session > 0 && chunk.writer[(slot & (CHUNK - 1)) * chunk.states + place] === session;
  }

  /** Whether this session may have had a part in it. */
  mayBeWork(slot: number, place: number, session: number): boolean {
    const chunk = this.#chunkOf(slot);
    return this.isWork(slot, place, session) || chunk.writer[(slot & (CHUNK - 1)) * chunk.states + place] === SEVERAL;
  }

  /**
   * Writes what a metric remembers of the object as sent in `round` into `out`; false where that is not known.
   *
   * @param place what `find` found for that round.
   */
  sample(slot: number, place: number, round: number, metricId: number, out: Float64Array): boolean {
    if (place === TOO_OLD) return false;
    const chunk = this.#chunkOf(slot);
    const state = (slot & (CHUNK - 1)) * chunk.states + place;
    const sampled = chunk.isSampled[metricId]?.[state] ?? Sampled.no;
    if (sampled === Sampled.no || (sampled === Sampled.beforeDrift && round >= chunk.drifted[state]!)) return false;
    const samples = chunk.samples[metricId]!;
    const metric = this.#metrics[metricId]!;
    const size = sampleSize(metric);
    // An object that did not move in the round it was sent in comes to rest with the send.
    const isMoving = chunk.round[state] === round && chunk.moved[state] === 1;
    const from = state * stride(metric) + (metric.carriesOn !== undefined && !isMoving ? size : 0);
    for (let i = 0; i < size; i++) out[i] = samples[from + i]!;
    return true;
  }

  #note(slot: number): void {
    const { version, movedVersion } = this.#world;
    const chunk = this.#chunkOf(slot);
    const at = slot & (CHUNK - 1);
    const isFirst = chunk.count[at] === 0;
    const last = at * chunk.states + chunk.newest[at]!;
    const hasMoved = isFirst || movedVersion[slot]! > chunk.version[last]!;
    const place = isFirst ? 0 : (chunk.newest[at]! + 1) % chunk.states;
    chunk.newest[at] = place;
    if (chunk.count[at]! < chunk.states) chunk.count[at]! += 1;
    const state = at * chunk.states + place;
    chunk.round[state] = this.#round;
    chunk.version[state] = version[slot]!;
    chunk.writer[state] = this.#writer[slot]!;
    chunk.moved[state] = hasMoved ? 1 : 0;
    chunk.drifted[state] = 0;
    for (let metricId = 0; metricId < this.#metrics.length; metricId++) {
      const metric = this.#metrics[metricId];
      if (metric !== undefined) this.#sampleState(chunk, state, slot, metric, metricId);
    }
  }

  #sampleState(chunk: Chunk, state: number, slot: number, metric: Metric, metricId: number): void {
    const from = state * stride(metric);
    const end = from + stride(metric);
    chunk.isSampled[metricId] ??= new Uint8Array(CHUNK * chunk.states);
    chunk.samples[metricId] ??= new Float64Array(CHUNK * chunk.states * stride(metric));
    const isSampled = chunk.isSampled[metricId];
    const samples = chunk.samples[metricId];
    isSampled[state] = Sampled.no;
    try {
      for (let at = from; at < end; at++) samples[at] = 0;
      metric.sample(this.#world, slot, samples, from, 0, false);
      if (metric.carriesOn !== undefined) metric.sample(this.#world, slot, samples, from + sampleSize(metric), 0, true);
      isSampled[state] = Sampled.yes;
    } catch (error) {
      this.#onError(error, `metric ${metric.name}`);
    }
  }

  /** It moved and stayed the same in wire form. What a metric remembers of it may be something else now. */
  #drift(slot: number): void {
    const chunk = this.#chunkOf(slot);
    const at = slot & (CHUNK - 1);
    const state = at * chunk.states + chunk.newest[at]!;
    for (let metricId = 0; metricId < this.#metrics.length; metricId++) {
      const metric = this.#metrics[metricId];
      if (metric === undefined || chunk.isSampled[metricId]?.[state] !== Sampled.yes) continue;
      if (this.#isSampledAlike(chunk.samples[metricId]!, state * stride(metric), slot, metric)) continue;
      chunk.isSampled[metricId]![state] = Sampled.beforeDrift;
      if (chunk.drifted[state] === 0) chunk.drifted[state] = this.#round;
    }
  }

  #isSampledAlike(samples: Float64Array, from: number, slot: number, metric: Metric): boolean {
    const scratch = this.#scratch.fill(0);
    try {
      metric.sample(this.#world, slot, scratch, 0, 0, false);
    } catch (error) {
      this.#onError(error, `metric ${metric.name}`);
      return false;
    }
    for (let i = 0; i < sampleSize(metric); i++) if (samples[from + i] !== scratch[i]) return false;
    return true;
  }

  #chunkOf(slot: number): Chunk {
    return this.#chunks[slot >> CHUNK_BITS]!;
  }

  #grow(slot: number): void {
    const room = roomFor(slot + 1, this.#isTouched.length);
    this.#isTouched = grown(this.#isTouched, room);
    this.#writer = grown(this.#writer, room);
  }
}

function sampleSize(metric: Metric): number {
  return metric.sampleSize ?? SAMPLE_SIZE;
}

/** Numbers of a state: two samples where the picture goes on by itself, as it moves, and as it is put to rest. */
function stride(metric: Metric): number {
  return metric.carriesOn === undefined ? sampleSize(metric) : 2 * sampleSize(metric);
}

function longer(column: Int32Array): Int32Array {
  const larger = new Int32Array(column.length * 2);
  larger.set(column);
  return larger;
}
