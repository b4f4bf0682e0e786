/**
 * Applies frames to a client's replicas. It mirrors `frame-writer.ts` and stands between `receive` and `apply`.
 *
 * Packets may come late, twice or never. Per slot the reader remembers the generation and the round of the last applied record (creation,
 * change or removal). An older record never overwrites a newer one. A packet is acknowledged only if it was applied or held nothing newer
 * than what is here. So the server never believes that a client has more than it has. A record is skipped only if a newer one, which says
 * at least as much, was applied before.
 * Why so: docs/decisions/0002-acknowledged-baselines.md.
 */

import { type ObjectId, type Protocol, slotOf } from "@nearfield/schema";
import { IS_DEVELOPMENT, objectId, WireError } from "@nearfield/schema/internal";
import { ACK_WINDOW, Arrivals } from "./arrivals.ts";
import type { DecodedFrame, RecordFields } from "./decoded-frame.ts";
import { GENERATION_CHECK_BITS, isNewerGeneration, MOST_BEHIND, RecordKind } from "./frame.ts";
import { KeptStates } from "./kept-states.ts";
import type { Overwrites } from "./overwrites.ts";
import { unwrap } from "./sequence.ts";

/**
 * Packets this many rounds behind the newest are dropped unread and never acknowledged. In so few rounds a slot does not go through half of
 * its generations, so it is always clear which of two generations is newer.
 */
export const LATEST_ROUNDS = 256;

/** A server that is this many rounds ahead of what it said last is none of ours. */
const MOST_ROUNDS_AHEAD = 65_536;

/** What a frame is applied to. A record's fields are valid during the call. */
export interface Replica {
  /** Called before the first record of a packet. `heard`: this side's last reliable message that the round includes. */
  begin(round: number, heard: number): void;
  create(id: ObjectId, typeIndex: number, owner: number, fields: RecordFields): void;
  update(id: ObjectId, fields: RecordFields): void;
  setOwner(id: ObjectId, owner: number): void;
  /** The object left the view, or was destroyed. */
  remove(id: ObjectId, destroyed: boolean): void;
}

/** `late`: the packet came too late to be of use. */
export type FrameOutcome = "applied" | "duplicate" | "late";

export class FrameReader {
  readonly arrivals: Arrivals = new Arrivals();
  /** Records that were older than what is here; and changes of objects that are not here. */
  outdated = 0;
  unknown = 0;
  readonly #replica: Replica;
  readonly #states: KeptStates;
  readonly #fields: RecordFields = {
    mask: 0,
    numbers: new Int32Array(0),
    numbersAt: 0,
    wires: [],
    wiresAt: 0,
    settled: false,
  };
  #newestRound: number;
  #heard = 0;
  #pivots = 0;
  /** What the packets told that arrived, by number modulo `ACK_WINDOW`. Later packets tell only what is ahead of one of them. */
  readonly #toldRound: Float64Array = new Float64Array(ACK_WINDOW);
  readonly #toldHeard: Float64Array = new Float64Array(ACK_WINDOW);
  readonly #toldCommands: Float64Array = new Float64Array(ACK_WINDOW);
  #frameRound = 0;
  #frameCommands = 0;
  #commands = 0;
  /** Columns by slot: round of the last record (−1: none yet), its generation, and the type held (−1: none). */
  #round: Float64Array = new Float64Array(64).fill(-1);
  #generation: Uint16Array = new Uint16Array(64);
  #held: Int16Array = new Int16Array(64).fill(-1);
  /** Fields that came outside a frame. Undefined until there are some (`overwrite`). */
  overwrites: Overwrites | undefined;

  /** @param round of the server at the moment of joining. */
  constructor(protocol: Protocol, replica: Replica, round: number) {
    this.#states = new KeptStates(protocol);
    this.#replica = replica;
    this.#newestRound = round;
  }

  /** Newest round of which anything arrived. */
  get newestRound(): number {
    return this.#newestRound;
  }

  /** The last reliable message and the last pivots of this side that the server is known to have taken in. */
  get heard(): number {
    return this.#heard;
  }

  get pivots(): number {
    return this.#pivots;
  }

  /** Last stepped command of this side that the server is known to have applied. */
  get commands(): number {
    return this.#commands;
  }

  /** Of the last applied packet: its round, and the last stepped command that its states include. */
  get frameRound(): number {
    return this.#frameRound;
  }

  get frameCommands(): number {
    return this.#frameCommands;
  }

  /** Sets the server's round after a reconnect. */
  resume(round: number): void {
    this.#newestRound = Math.max(this.#newestRound, round);
  }

  /** Reads the rest of a packet whose header was read, and applies it. If it throws `WireError`, nothing has changed. */
  apply(frame: DecodedFrame): FrameOutcome {
    const { header } = frame;
    const packet = unwrap(header.packet, Math.max(0, this.arrivals.newest));
    if (this.arrivals.has(packet)) return "duplicate";
    const known = packet - header.behind;
    if (!this.#agrees(known, header.behind)) {
      this.unknown += 1;
      return "late";
    }
    const at = header.behind < MOST_BEHIND && known >= 0 ? known % ACK_WINDOW : -1;
    const round = header.round + (at < 0 ? 0 : this.#toldRound[at]!);
    if (round > this.#newestRound + MOST_ROUNDS_AHEAD)
      throw new WireError("range", IS_DEVELOPMENT && `frame: round ${round}, long after ${this.#newestRound}`);
    if (round <= this.#newestRound - LATEST_ROUNDS) return "late";
    if (!frame.read(this.#states, packet, round, this.arrivals)) {
      this.unknown += 1;
      return "late";
    }
    const inTime = this.arrivals.admit(packet);
    this.arrivals.passOver(frame.missingBase);
    if (round > this.#newestRound) this.#newestRound = round;
    const heard = header.heard + (at < 0 ? 0 : this.#toldHeard[at]!);
    const commands = header.commands + (at < 0 ? 0 : this.#toldCommands[at]!);
    this.#toldRound[packet % ACK_WINDOW] = round;
    this.#toldHeard[packet % ACK_WINDOW] = heard;
    this.#toldCommands[packet % ACK_WINDOW] = commands;
    if (heard > this.#heard) this.#heard = heard;
    if (header.pivots >= 0) this.#pivots += aheadOf(header.pivots, this.#pivots);
    this.#frameRound = round;
    this.#frameCommands = Math.max(0, commands - 1);
    this.#commands = Math.max(this.#commands, this.#frameCommands);
    const isKept = inTime && header.behind < MOST_BEHIND;
    if (isKept) this.#states.advance(packet - header.behind);
    this.#replica.begin(round, heard);
    for (let i = 0; i < frame.count; i++) this.#record(frame, i, isKept ? packet : -1, round);
    return "applied";
  }

  /** Whether the packet is here up to which, the server says, both sides know the same. If not, deltas would be applied to wrong states. */
  #agrees(packet: number, behind: number): boolean {
    return behind >= MOST_BEHIND || packet < 0 || this.arrivals.counts(packet);
  }

  /** Round of the last record of the object; ∞ if the object is not here. */
  roundOf(id: ObjectId): number {
    const slot = slotOf(id);
    const isHere = this.#held[slot]! >= 0 && objectId(slot, this.#generation[slot]!) === id;
    return isHere ? this.#round[slot]! : Number.POSITIVE_INFINITY;
  }

  /** @param packet the packet, if it is acknowledged, so that its states are kept; −1 if it is not. */
  #record(frame: DecodedFrame, i: number, packet: number, round: number): void {
    const slot = frame.slots[i]!;
    if (slot >= this.#round.length) this.#grow(slot);
    frame.fieldsOf(i, this.#states, this.#fields);
    switch (frame.kinds[i]!) {
      case RecordKind.delta:
      case RecordKind.settle:
        this.#delta(frame, i, slot, packet, round);
        return;
      case RecordKind.some:
        this.#some(frame, i, slot, round);
        this.#states.drop(frame.typeIndices[i]!, frame.states[i]!);
        return;
      case RecordKind.whole:
        this.#whole(frame, i, slot, packet, round);
        return;
      case RecordKind.leave:
        this.#removed(slot, frame.generations[i]!, round, false);
        return;
      default:
        this.#removed(slot, frame.generations[i]!, round, true);
    }
  }

  #delta(frame: DecodedFrame, i: number, slot: number, packet: number, round: number): void {
    if (round > this.#round[slot]! && this.#held[slot] === frame.typeIndices[i]) {
      this.#round[slot] = round;
      this.#update(objectId(slot, this.#generation[slot]!), slot, round);
    } else {
      this.outdated += 1;
    }
    this.#keep(frame, i, slot, packet);
  }

  #some(frame: DecodedFrame, i: number, slot: number, round: number): void {
    if (round <= this.#round[slot]!) {
      this.outdated += 1;
      return;
    }
    const held = this.#generation[slot]!;
    if (this.#held[slot] !== frame.typeIndices[i]! || held % (1 << GENERATION_CHECK_BITS) !== frame.generations[i]!) {
      this.unknown += 1;
      return;
    }
    this.#round[slot] = round;
    this.#update(objectId(slot, held), slot, round);
  }

  #update(id: ObjectId, slot: number, round: number): void {
    if (this.overwrites?.hides(slot, round)) this.outdated += 1;
    else this.#replica.update(id, this.#fields);
  }

  #whole(frame: DecodedFrame, i: number, slot: number, packet: number, round: number): void {
    const generation = frame.generations[i]!;
    const typeIndex = frame.typeIndices[i]!;
    const held = this.#held[slot]!;
    const isSame = held === typeIndex && this.#generation[slot] === generation;
    if (!this.#supersedes(slot, generation, round)) {
      this.#keep(frame, i, slot, isSame ? packet : -1);
      this.outdated += 1;
      return;
    }
    const id = objectId(slot, generation);
    if (isSame) {
      this.#replica.setOwner(id, frame.owners[i]!);
      this.#update(id, slot, round);
    } else {
      this.#states.forget(slot);
      this.overwrites?.forget(slot);
      if (held >= 0) this.#replica.remove(objectId(slot, this.#generation[slot]!), true);
      this.#replica.create(id, typeIndex, frame.owners[i]!, this.#fields);
    }
    this.#keep(frame, i, slot, packet);
    this.#round[slot] = round;
    this.#generation[slot] = generation;
    this.#held[slot] = typeIndex;
  }

  #removed(slot: number, generation: number, round: number, destroyed: boolean): void {
    if (!this.#supersedes(slot, generation, round)) {
      this.outdated += 1;
      return;
    }
    this.#states.forget(slot);
    this.overwrites?.forget(slot);
    if (this.#held[slot]! >= 0) {
      const held = this.#generation[slot]!;
      this.#replica.remove(objectId(slot, held), destroyed || held !== generation);
    }
    this.#round[slot] = round;
    this.#generation[slot] = generation;
    this.#held[slot] = -1;
  }

  /** Keeps the state that a record brought, if its packet is acknowledged. */
  #keep(frame: DecodedFrame, i: number, slot: number, packet: number): void {
    if (packet >= 0) this.#states.keep(slot, frame.typeIndices[i]!, frame.states[i]!, packet);
    else this.#states.drop(frame.typeIndices[i]!, frame.states[i]!);
  }

  /** Whether a record is news: of a newer generation, or of the same generation in a later round. */
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

/** How far the 8-bit number `low` is ahead of the count `known`; 0 if it is behind. */
function aheadOf(low: number, known: number): number {
  const ahead = (low - known) & 0xff;
  return ahead < 0x80 ? ahead : 0;
}
