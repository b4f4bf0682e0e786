/**
 * What was sent to whom and why between two frames of a recording. Rounds are noted one by one. If there were too many sends, the frame has
 * no log at all: half a log would answer "when was it last sent?" wrongly.
 */

import type { World } from "@nearfield/core";
import type { Decisions } from "@nearfield/core/internal";
import { grown, MAX_SLOTS } from "@nearfield/schema/internal";
import type { RecordedSends } from "./feed/recording.ts";

/** The most sends between two frames. Beyond this the log is left out. */
const MOST_SENDS = 50_000;
const MOST_BEHIND = 0xffff;
const SLOT_MASK: number = MAX_SLOTS - 1;

/** What one player was sent in one round: this many of the next entries of the columns. */
interface Segment {
  readonly player: number;
  readonly round: number;
  readonly count: number;
}

export interface KeptSends {
  readonly round: number;
  readonly segments: readonly Segment[];
  readonly ids: Uint32Array;
  readonly causes: Uint8Array;
  readonly behind: Uint16Array;
}

export class SendLog {
  #segments: Segment[] = [];
  #ids: Uint32Array = new Uint32Array(256);
  #causes: Uint8Array = new Uint8Array(256);
  #versions: Float64Array = new Float64Array(256);
  #count = 0;
  #round = -1;
  #hasGap = false;

  /** Begins a round; its sends follow. */
  begin(round: number): void {
    this.#round = round;
  }

  /** @param isSent whether the decision at this index was carried out; `undefined`: all were */
  note(player: number, decisions: Decisions, world: World, isSent: ((index: number) => boolean) | undefined): void {
    const { count, ids, causes } = decisions;
    if (count === 0 || this.#hasGap) return;
    if (this.#count + count > MOST_SENDS) {
      this.#hasGap = true;
      return;
    }
    this.#reserve(this.#count + count);
    const from = this.#count;
    for (let i = 0; i < count; i++) {
      if (isSent?.(i) === false) continue;
      this.#ids[this.#count] = ids[i]!;
      this.#causes[this.#count] = causes[i]!;
      this.#versions[this.#count] = world.version[ids[i]! & SLOT_MASK]!;
      this.#count += 1;
    }
    if (this.#count > from) this.#segments.push({ player, round: this.#round, count: this.#count - from });
  }

  /** Returns what was noted and begins anew; `undefined` if something was missed. */
  take(world: World): KeptSends | undefined {
    const count = this.#count;
    const kept: KeptSends | undefined = this.#hasGap
      ? undefined
      : {
          round: this.#round,
          segments: this.#segments,
          ids: this.#ids.slice(0, count),
          causes: this.#causes.slice(0, count),
          behind: this.#behind(world, count),
        };
    this.#segments = [];
    this.#count = 0;
    this.#hasGap = false;
    return kept;
  }

  /** How many updates an object has had since it was sent; 0 for one that is gone. */
  #behind(world: World, count: number): Uint16Array {
    const behind = new Uint16Array(count);
    for (let i = 0; i < count; i++) {
      const slot = this.#ids[i]! & SLOT_MASK;
      if (world.store.isLive(slot) && world.store.idAt(slot) === this.#ids[i])
        behind[i] = Math.min(MOST_BEHIND, world.version[slot]! - this.#versions[i]!);
    }
    return behind;
  }

  #reserve(count: number): void {
    const { length } = this.#ids;
    if (count <= length) return;
    const more = Math.max(count, 2 * length);
    this.#ids = grown(this.#ids, more);
    this.#causes = grown(this.#causes, more);
    this.#versions = grown(this.#versions, more);
  }
}

/** Bytes that it takes to keep these. */
export function bytesOfSends({ segments, ids }: KeptSends): number {
  return 7 * ids.length + 64 * segments.length;
}

export function spreadSends({ round, segments, ids, causes, behind }: KeptSends): RecordedSends[] {
  const sends = new Map<number, RecordedSends>();
  let at = 0;
  for (const { player, round: sentIn, count } of segments) {
    const own = sends.get(player) ?? { player, ids: [], ago: [], causes: [], behind: [] };
    sends.set(player, own);
    for (const end = at + count; at < end; at++) {
      own.ids.push(ids[at]!);
      own.ago.push(round - sentIn);
      own.causes.push(causes[at]!);
      own.behind.push(behind[at]!);
    }
  }
  return [...sends.values()];
}
