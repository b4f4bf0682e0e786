/**
 * Keeps a session to scrub through: frames of the map and a few rates, as compact columns. Bounded in bytes and in time; when either is
 * reached the oldest frames go. What was recorded stays after `stop`, until the next start.
 */

import type { MapTell } from "./feed/map.ts";
import type { FramesTell, RecordedFrame, RecordingState } from "./feed/recording.ts";

export const MOST_FRAMES_AT_ONCE = 50;
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_SECONDS = 3600;
const LEAST_EVERY_MS = 50;
/** What a frame takes beside its columns, and a drawn view: generous, so that the bound holds. */
const FRAME_BYTES = 512;
const VIEW_BYTES = 512;

type Rates = Omit<RecordedFrame, "number" | "map">;

interface Kept {
  readonly rates: Rates;
  /** The map without its columns. */
  readonly head: MapTell;
  readonly ids: Uint32Array;
  readonly types: Uint16Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly z: Float64Array | undefined;
  /** −1000: none. */
  readonly headings: Int16Array;
  readonly owners: Uint32Array;
  readonly bytes: number;
}

export interface RecorderOptions {
  readonly everyMs?: number | undefined;
  readonly seconds?: number | undefined;
  /** Default 32 MiB. */
  readonly mostBytes?: number | undefined;
}

export class Recorder {
  readonly everyMs: number;
  readonly #seconds: number;
  readonly #mostBytes: number;
  readonly #frames: (Kept | undefined)[] = [];
  /** Number of the oldest frame kept, and where it stands. */
  #first = 0;
  #head = 0;
  #bytes = 0;
  #nextMs = Number.NEGATIVE_INFINITY;
  #isOn = true;

  constructor({ everyMs = 100, seconds = 600, mostBytes = MOST_BYTES }: RecorderOptions = {}) {
    this.everyMs = Math.max(LEAST_EVERY_MS, everyMs);
    this.#seconds = Math.min(MOST_SECONDS, Math.max(1, seconds));
    this.#mostBytes = mostBytes;
  }

  get isOn(): boolean {
    return this.#isOn;
  }

  stop(): void {
    this.#isOn = false;
  }

  /** Whether a frame is to be kept at this server time. */
  isDue(timeMs: number): boolean {
    return this.#isOn && timeMs >= this.#nextMs;
  }

  keep(map: MapTell, rates: Rates): void {
    const late = map.timeMs - this.#nextMs > this.everyMs;
    this.#nextMs = (late ? map.timeMs : this.#nextMs) + this.everyMs;
    const kept = compact(map, rates);
    this.#frames.push(kept);
    this.#bytes += kept.bytes;
    while (this.#count > 1 && this.#isOverfull(map.timeMs)) this.#dropOldest();
  }

  state(): RecordingState {
    const oldest = this.#frames[this.#head];
    return {
      on: this.#isOn,
      everyMs: this.everyMs,
      first: this.#first,
      count: this.#count,
      fromMs: oldest?.head.timeMs ?? 0,
      toMs: this.#frames.at(-1)?.head.timeMs ?? 0,
      bytes: this.#bytes,
      mostBytes: this.#mostBytes,
      mostSeconds: this.#seconds,
    };
  }

  frames(room: string, from: number, count: number): FramesTell {
    const first = Math.max(this.#first, from);
    const end = Math.min(this.#first + this.#count, first + Math.min(count, MOST_FRAMES_AT_ONCE));
    const frames: RecordedFrame[] = [];
    for (let number = first; number < end; number++) {
      const kept = this.#frames[this.#head + number - this.#first]!;
      frames.push({ number, map: spread(kept), ...kept.rates });
    }
    const next = Math.max(first, end);
    return { tell: "frames", room, frames, next: next < this.#first + this.#count ? next : null };
  }

  get #count(): number {
    return this.#frames.length - this.#head;
  }

  #isOverfull(nowMs: number): boolean {
    return this.#bytes > this.#mostBytes || nowMs - this.#frames[this.#head]!.head.timeMs > this.#seconds * 1000;
  }

  #dropOldest(): void {
    this.#bytes -= this.#frames[this.#head]!.bytes;
    this.#frames[this.#head] = undefined;
    this.#head += 1;
    this.#first += 1;
    if (this.#head < 1024) return;
    this.#frames.splice(0, this.#head);
    this.#head = 0;
  }
}

const NO_HEADING = -1000;

function compact(map: MapTell, rates: Rates): Kept {
  const { ids, types, x, y, z, headings, owners, ...rest } = map;
  const head: MapTell = { ...rest, ids: [], types: [], x: [], y: [], headings: [], owners: [] };
  const perObject = 4 + 2 + 8 + 8 + 2 + 4 + (z === undefined ? 0 : 8);
  return {
    rates,
    head,
    ids: Uint32Array.from(ids),
    types: Uint16Array.from(types),
    x: Float64Array.from(x),
    y: Float64Array.from(y),
    z: z === undefined ? undefined : Float64Array.from(z),
    headings: Int16Array.from(headings, (heading) => heading ?? NO_HEADING),
    owners: Uint32Array.from(owners),
    bytes: FRAME_BYTES + ids.length * perObject + map.views.length * VIEW_BYTES,
  };
}

function spread({ head, ids, types, x, y, z, headings, owners }: Kept): MapTell {
  return {
    ...head,
    ids: [...ids],
    types: [...types],
    x: [...x],
    y: [...y],
    ...(z !== undefined && { z: [...z] }),
    headings: Array.from(headings, (heading) => (heading === NO_HEADING ? null : heading)),
    owners: [...owners],
  };
}
