/**
 * Applies frames to a client's replicas. Mirror of `frame-writer.ts`; on the path it stands between `receive` and
 * `apply`.
 *
 * Packets may come late, twice or never. Per slot the reader remembers the generation and the round of the last record
 * it applied — creation, change or removal — and an older record never overwrites a newer one. A packet that is
 * acknowledged was applied, or held nothing newer than what is there already, so what the server believes of this
 * client is never more than the truth: a record skips a round only if a newer one, which says at least as much, was
 * applied before.
 * Why so: docs/decisions/0002-acknowledged-baselines.md.
 */

import { MAX_SLOTS, type ObjectId, objectId } from "@nearfield/core";
import type { Wire } from "@nearfield/schema";
import { Arrivals } from "./arrivals.ts";
import { type DecodedFrame, GENERATION_CHECK_BITS, isNewerGeneration, RecordKind } from "./frame.ts";
import { unwrap } from "./sequence.ts";

/**
 * Packets this many rounds behind the newest are dropped unread and never acknowledged. Within so few rounds a slot
 * does not run through half of its generations, so the newer of two generations can be told.
 */
export const LATEST_ROUNDS = 256;

/** What a frame is applied to. `wires` from `start` on are the fields of the mask, in order. */
export interface Replica {
  /** Before the first record of a packet. `heard`: this side's last reliable message that the round includes. */
  begin(round: number, heard: number): void;
  create(id: ObjectId, typeIndex: number, owner: number, wires: readonly Wire[], start: number): void;
  update(id: ObjectId, mask: number, wires: readonly Wire[], start: number): void;
  setOwner(id: ObjectId, owner: number): void;
  /** The object left the view, or is no more. */
  remove(id: ObjectId, destroyed: boolean): void;
}

export type FrameOutcome = "applied" | "duplicate" | "late";

export class FrameReader {
  readonly arrivals: Arrivals = new Arrivals();
  /** Records that were older than what is here, and changes of objects that are not here. */
  outdated = 0;
  unknown = 0;
  readonly #replica: Replica;
  #newestRound: number;
  #heard = 0;
  #pivots = 0;
  /** Columns by slot: round of the last record (−1: none yet), its generation, and the type held (−1: none). */
  #round: Float64Array = new Float64Array(64).fill(-1);
  #generation: Uint16Array = new Uint16Array(64);
  #held: Int16Array = new Int16Array(64).fill(-1);

  /** @param round of the server at the moment of joining. */
  constructor(replica: Replica, round: number) {
    this.#replica = replica;
    this.#newestRound = round;
  }

  /** Newest round of which anything arrived. */
  get newestRound(): number {
    return this.#newestRound;
  }

  /** Last reliable message of this side, and last pivots, that the server is known to have taken in. */
  get heard(): number {
    return this.#heard;
  }

  get pivots(): number {
    return this.#pivots;
  }

  /** Where the server's rounds stand after a reconnect. */
  resume(round: number): void {
    this.#newestRound = Math.max(this.#newestRound, round);
  }

  apply(frame: DecodedFrame): FrameOutcome {
    const round = unwrap(frame.round, this.#newestRound);
    if (round < 0 || round <= this.#newestRound - LATEST_ROUNDS) return "late";
    const packet = unwrap(frame.packet, Math.max(0, this.arrivals.newest));
    if (!this.arrivals.admit(packet)) return "duplicate";
    if (round > this.#newestRound) this.#newestRound = round;
    const heard = unwrap(frame.heard, this.#heard);
    if (heard > this.#heard) this.#heard = heard;
    if (frame.pivots >= 0) this.#pivots += aheadOf(frame.pivots, this.#pivots);
    this.#replica.begin(round, heard);
    for (let i = 0; i < frame.count; i++) this.#record(frame, i, round);
    return "applied";
  }

  /**
   * Takes the state of one object from elsewhere (the grant of a lock) as if a record of that round had brought it.
   * False where the object is not held or newer state is here.
   */
  overwrite(id: ObjectId, round: number): boolean {
    const slot = id % MAX_SLOTS;
    if (slot >= this.#held.length || this.#held[slot]! < 0 || objectId(slot, this.#generation[slot]!) !== id)
      return false;
    if (round <= this.#round[slot]!) return false;
    this.#round[slot] = round;
    return true;
  }

  #record(frame: DecodedFrame, i: number, round: number): void {
    const slot = frame.slots[i]!;
    const generation = frame.generations[i]!;
    if (slot >= this.#round.length) this.#grow(slot);
    switch (frame.kinds[i]!) {
      case RecordKind.changed:
        this.#changed(frame, i, slot, generation, round);
        return;
      case RecordKind.whole:
        this.#whole(frame, i, slot, generation, round);
        return;
      case RecordKind.leave:
        this.#removed(slot, generation, round, false);
        return;
      default:
        this.#removed(slot, generation, round, true);
    }
  }

  #changed(frame: DecodedFrame, i: number, slot: number, generationCheck: number, round: number): void {
    if (round <= this.#round[slot]!) {
      this.outdated += 1;
      return;
    }
    const held = this.#generation[slot]!;
    if (this.#held[slot] !== frame.typeIndices[i]! || held % (1 << GENERATION_CHECK_BITS) !== generationCheck) {
      this.unknown += 1;
      return;
    }
    this.#round[slot] = round;
    this.#replica.update(objectId(slot, held), frame.masks[i]!, frame.wires, frame.starts[i]!);
  }

  #whole(frame: DecodedFrame, i: number, slot: number, generation: number, round: number): void {
    if (!this.#supersedes(slot, generation, round)) {
      this.outdated += 1;
      return;
    }
    const id = objectId(slot, generation);
    const typeIndex = frame.typeIndices[i]!;
    const held = this.#held[slot]!;
    if (held === typeIndex && this.#generation[slot] === generation) {
      this.#replica.setOwner(id, frame.owners[i]!);
      this.#replica.update(id, frame.masks[i]!, frame.wires, frame.starts[i]!);
    } else {
      if (held >= 0) this.#replica.remove(objectId(slot, this.#generation[slot]!), true);
      this.#replica.create(id, typeIndex, frame.owners[i]!, frame.wires, frame.starts[i]!);
    }
    this.#round[slot] = round;
    this.#generation[slot] = generation;
    this.#held[slot] = typeIndex;
  }

  #removed(slot: number, generation: number, round: number, destroyed: boolean): void {
    if (!this.#supersedes(slot, generation, round)) {
      this.outdated += 1;
      return;
    }
    if (this.#held[slot]! >= 0) {
      const held = this.#generation[slot]!;
      this.#replica.remove(objectId(slot, held), destroyed || held !== generation);
    }
    this.#round[slot] = round;
    this.#generation[slot] = generation;
    this.#held[slot] = -1;
  }

  /** Whether a record is news: of a newer generation, or of the same one in a later round. */
  #supersedes(slot: number, generation: number, round: number): boolean {
    const known = this.#round[slot]!;
    if (known < 0) return true;
    if (generation === this.#generation[slot]) return round > known;
    return Math.abs(round - known) < LATEST_ROUNDS
      ? isNewerGeneration(generation, this.#generation[slot]!)
      : round > known;
  }

  #grow(slot: number): void {
    const capacity = Math.max(slot + 1, this.#round.length * 2);
    const round = new Float64Array(capacity).fill(-1);
    round.set(this.#round);
    this.#round = round;
    const generation = new Uint16Array(capacity);
    generation.set(this.#generation);
    this.#generation = generation;
    const held = new Int16Array(capacity).fill(-1);
    held.set(this.#held);
    this.#held = held;
  }
}

/** How far 8-bit number `low` is ahead of the count `known`; 0 where it is behind. */
function aheadOf(low: number, known: number): number {
  const ahead = (low - known) & 0xff;
  return ahead < 0x80 ? ahead : 0;
}
