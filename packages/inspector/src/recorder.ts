/**
 * Keeps a session to look at later: frames of the map, what was sent in between, and reports, in compact columns. Bounded in bytes and in
 * time; beyond either bound the oldest frames are dropped. A recording stays after `stop`, until the next start.
 */

import type { DrawnView, LevelTell, MapTell } from "./feed/map.ts";
import type { FramesTell, RecordedFrame, RecordedReport, RecordingState } from "./feed/recording.ts";
import type { ClientRow } from "./feed/report.ts";
import { type Packed, Packer } from "./packer.ts";
import { bytesOfSends, type KeptSends, spreadSends } from "./send-log.ts";

const MOST_FRAMES_AT_ONCE = 50;
/** An answer is made at once, on the game's own thread. So it ends with the frame that is estimated to reach this many characters. */
const MOST_ANSWER_LENGTH = 200_000;
const MOST_BYTES = 32 * 1024 * 1024;
const MOST_SECONDS = 3600;
const LEAST_EVERY_MS = 50;
/** Bytes of a frame besides its columns: estimated from above, so that the bound holds. */
const FRAME_BYTES = 1024;
/** Characters of an object, a view, a send, a client's row and the rest of a report in an answer: estimated from above. */
const LENGTHS = { object: 45, view: 250, send: 16, client: 900, report: 6000 } as const;

type Rates = Pick<RecordedFrame, "bytesOutPerSecond" | "bytesInPerSecond" | "sendsPerSecond" | "roundMs" | "players">;

/** One moment, as it is handed over to be kept. */
export interface Moment extends Rates {
  readonly map: MapTell;
  readonly versions: Uint32Array;
  readonly members: (Uint8Array | null)[];
  readonly sends: KeptSends | undefined;
  readonly level: LevelTell | undefined;
  /** Only if there is a new one. */
  readonly report: Omit<RecordedReport, "clients"> | undefined;
  readonly clients: readonly ClientRow[] | undefined;
}

interface Kept {
  readonly rates: Rates;
  /** The map without its columns and views. */
  readonly head: MapTell;
  readonly ids: Uint32Array;
  readonly types: Uint16Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly z: Float64Array | undefined;
  /** −1000: no heading. */
  readonly headings: Int16Array;
  readonly owners: Uint32Array;
  readonly versions: Uint32Array;
  readonly members: (Uint8Array | null)[];
  readonly sends: KeptSends | undefined;
  readonly level: LevelTell | undefined;
  readonly views: Packed;
  readonly report: Packed | undefined;
  readonly clients: Packed | undefined;
  readonly bytes: number;
  /** Estimated characters in an answer. */
  readonly length: number;
}

type Likes = Partial<Record<"views" | "report" | "clients", Packed | undefined>>;

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
  readonly #packer = new Packer();
  readonly #frames: (Kept | undefined)[] = [];
  /** Number of the oldest kept frame, and its index. */
  #first = 0;
  #head = 0;
  #bytes = 0;
  #nextMs = Number.NEGATIVE_INFINITY;
  #isOn = true;
  /** The newest packed value of each kind: the next one probably has the same shape. */
  #like: Likes = {};

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

  keep(moment: Moment): void {
    const { timeMs } = moment.map;
    const late = timeMs - this.#nextMs > this.everyMs;
    this.#nextMs = (late ? timeMs : this.#nextMs) + this.everyMs;
    const kept = compact(moment, this.#packer, this.#like);
    this.#like = {
      views: kept.views,
      report: kept.report ?? this.#like.report,
      clients: kept.clients ?? this.#like.clients,
    };
    this.#frames.push(kept);
    this.#bytes += kept.bytes;
    while (this.#count > 1 && this.#isOverfull(timeMs)) this.#dropOldest();
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
      bytes: this.#bytes + this.#packer.bytes,
      mostBytes: this.#mostBytes,
      mostSeconds: this.#seconds,
    };
  }

  frames(room: string, from: number, count: number): FramesTell {
    const first = Math.max(this.#first, from);
    const end = Math.min(this.#first + this.#count, first + Math.min(count, MOST_FRAMES_AT_ONCE));
    const frames: RecordedFrame[] = [];
    const levels: LevelTell[] = [];
    let level = this.#at(first - 1)?.level;
    let next = first;
    for (let length = 0; next < end && length < MOST_ANSWER_LENGTH; next++) {
      const kept = this.#at(next)!;
      length += kept.length;
      frames.push(spread(kept, next, this.#packer));
      if (kept.level !== level && kept.level !== undefined) levels.push(kept.level);
      level = kept.level;
    }
    return { tell: "frames", room, frames, levels, next: next < this.#first + this.#count ? next : null };
  }

  #at(number: number): Kept | undefined {
    return number < this.#first ? undefined : this.#frames[this.#head + number - this.#first];
  }

  get #count(): number {
    return this.#frames.length - this.#head;
  }

  #isOverfull(nowMs: number): boolean {
    const isLong = nowMs - this.#frames[this.#head]!.head.timeMs > this.#seconds * 1000;
    return isLong || this.#bytes + this.#packer.bytes > this.#mostBytes;
  }

  #dropOldest(): void {
    const oldest = this.#frames[this.#head]!;
    this.#bytes -= oldest.bytes;
    for (const packed of [oldest.views, oldest.report, oldest.clients]) {
      if (packed !== undefined) this.#packer.forget(packed);
    }
    this.#frames[this.#head] = undefined;
    this.#head += 1;
    this.#first += 1;
    if (this.#head < 1024) return;
    this.#frames.splice(0, this.#head);
    this.#head = 0;
  }
}

const NO_HEADING = -1000;

function compact(moment: Moment, packer: Packer, like: Likes): Kept {
  const { map, versions, members, sends, level, report, clients, ...rates } = moment;
  const { ids, types, x, y, z, headings, owners, views, ...rest } = map;
  const head: MapTell = { ...rest, ids: [], types: [], x: [], y: [], headings: [], owners: [], views: [] };
  const perObject =
    4 + 2 + 8 + 8 + 2 + 4 + 4 + (z === undefined ? 0 : 8) + members.filter((one) => one !== null).length;
  const sent = sends?.ids.length ?? 0;
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
    versions,
    members,
    sends,
    level,
    views: packer.pack(views, like.views),
    report: report === undefined ? undefined : packer.pack(report, like.report),
    clients: clients === undefined ? undefined : packer.pack(clients, like.clients),
    bytes: FRAME_BYTES + ids.length * perObject + (sends === undefined ? 0 : bytesOfSends(sends)),
    length:
      ids.length * LENGTHS.object +
      views.length * LENGTHS.view +
      sent * LENGTHS.send +
      (report === undefined ? 0 : LENGTHS.report) +
      (clients?.length ?? 0) * LENGTHS.client,
  };
}

function spread(kept: Kept, number: number, packer: Packer): RecordedFrame {
  const { head, ids, types, x, y, z, headings, owners, versions, members, sends, views, rates } = kept;
  const map: MapTell = {
    ...head,
    ids: [...ids],
    types: [...types],
    x: [...x],
    y: [...y],
    ...(z !== undefined && { z: [...z] }),
    headings: Array.from(headings, (heading) => (heading === NO_HEADING ? null : heading)),
    owners: [...owners],
    views: packer.unpack(views) as DrawnView[],
  };
  return {
    number,
    map,
    ...rates,
    versions: [...versions],
    members: members.map((sets) => (sets === null ? null : [...sets])),
    ...(sends !== undefined && { sends: spreadSends(sends) }),
    ...(kept.report !== undefined && { report: reportOf(kept.report, kept.clients, packer) }),
  };
}

function reportOf(report: Packed, clients: Packed | undefined, packer: Packer): RecordedReport {
  const figures = packer.unpack(report) as RecordedReport;
  return clients === undefined ? figures : { ...figures, clients: packer.unpack(clients) as ClientRow[] };
}
