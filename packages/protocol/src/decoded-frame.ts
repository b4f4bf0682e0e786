/**
 * A packet as it was read: columns by record, in one object that is reused for many packets. Reading has two stages. The header can be read
 * alone. The records need the states that this client keeps, because deltas build on them. A packet is read and checked completely before
 * anything of it is applied.
 */

import type { EventType, ObjectType, Protocol } from "@nearfield/schema";
import {
  BitReader,
  emptyPast,
  IS_DEVELOPMENT,
  MAX_SLOTS,
  type Past,
  type PlainSink,
  readGamma,
  readMask,
  readRecord,
  type TrackedFields,
  type Wire,
  WireError,
} from "@nearfield/schema/internal";
import type { Arrivals } from "./arrivals.ts";
import {
  type FrameHeader,
  GENERATION_BITS,
  GENERATION_CHECK_BITS,
  MOST_BEHIND,
  RecordKind,
  readFrameHeader,
  readKind,
  readWay,
} from "./frame.ts";
import type { KeptStates } from "./kept-states.ts";
import { readFlag } from "./primitives.ts";

export interface FrameEvent {
  readonly type: EventType;
  readonly values: Readonly<Record<string, unknown>>;
}

const NO_HEADER: FrameHeader = {
  packet: 0,
  round: 0,
  heard: 0,
  pivots: -1,
  commands: 0,
  again: false,
  behind: 1,
  step: 0,
};

/** The fields of one record: their mask, tracked fields as a row of numbers, plain fields one after another (see `TrackedFields`). */
export interface RecordFields {
  mask: number;
  numbers: Int32Array;
  numbersAt: number;
  wires: readonly Wire[];
  wiresAt: number;
  /** The object rests here. Its motion model does not move it on. */
  settled: boolean;
}

/** No object, or no state. */
const NONE = -1;
// Constants of this module are inlined; imported ones would be looked up at every use.
const DELTA: typeof RecordKind.delta = RecordKind.delta;
const SETTLE: typeof RecordKind.settle = RecordKind.settle;

export class DecodedFrame implements PlainSink {
  header: FrameHeader = NO_HEADER;
  count = 0;
  /** The newest missing packet that early deltas of this packet build on; those deltas were left out. −1: none is missing. */
  missingBase: number = NONE;
  /** Whether it brought anything, so that the server waits for its ack. Valid after `read`. */
  get carries(): boolean {
    return this.count > 0 || this.events.length > 0 || this.missingBase >= 0;
  }

  /** Columns by record: a `RecordKind`. */
  kinds: Uint8Array = new Uint8Array(0);
  slots: Int32Array = new Int32Array(0);
  /** The generation: complete, or only its low bits in a record of some fields, or 0 in a delta. */
  generations: Uint16Array = new Uint16Array(0);
  typeIndices: Int16Array = new Int16Array(0);
  owners: Float64Array = new Float64Array(0);
  masks: Uint32Array = new Uint32Array(0);
  settled: Uint8Array = new Uint8Array(0);
  /** The state that holds the tracked fields, or −1; and where the plain fields begin in `wires`. */
  states: Int32Array = new Int32Array(0);
  wiresAt: Int32Array = new Int32Array(0);
  readonly wires: Wire[] = [];
  readonly events: FrameEvent[] = [];
  readonly #protocol: Protocol;
  readonly #past: Past = emptyPast();
  #reader: BitReader = new BitReader(new Uint8Array(0));
  /** Slot of the record read last, −1 before the first. */
  #slot: number = NONE;

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
    this.#grow();
  }

  /** Reads the header; the rest stays in the reader until `read`. */
  open(r: BitReader): void {
    this.count = 0;
    this.wires.length = 0;
    this.events.length = 0;
    this.header = readFrameHeader(r);
    this.#reader = r;
  }

  /**
   * Reads the rest up to the last bit, or throws `WireError`. Returns false if a delta builds on a state that is not kept any more: then
   * the packet is so late that nobody needs it. If it returns true, the caller owns every state of the records and must keep or drop it.
   *
   * @param packet, round the complete numbers; the header has their low bits.
   * @param arrivals says which packets early deltas can build on.
   */
  read(states: KeptStates, packet: number, round: number, arrivals: Pick<Arrivals, "counts">): boolean {
    let isComplete = false;
    this.missingBase = NONE;
    try {
      isComplete = this.#readRecords(states, packet, round, arrivals);
      if (isComplete) this.#readEvents();
      return isComplete;
    } catch (error) {
      isComplete = false;
      throw error;
    } finally {
      if (!isComplete) this.#dropAll(states);
    }
  }

  /** Points `fields` to the fields of record i. */
  fieldsOf(i: number, states: KeptStates, fields: RecordFields): void {
    const typeIndex = this.typeIndices[i]!;
    fields.mask = this.masks[i]!;
    fields.settled = this.settled[i] === 1;
    if (this.states[i] === NONE) return;
    const pool = states.poolOf(typeIndex);
    fields.numbers = pool.values;
    fields.numbersAt = pool.rowOf(this.states[i]!);
    fields.wires = this.wires;
    fields.wiresAt = this.wiresAt[i]!;
  }

  putPlain(_fieldIndex: number, wire: Wire): void {
    this.wires.push(wire);
  }

  // ── records ────────────────────────────────────────────────────────────────────────────────────────────────────

  #readRecords(states: KeptStates, packet: number, round: number, arrivals: Pick<Arrivals, "counts">): boolean {
    const r = this.#reader;
    const { behind } = this.header;
    const horizon = behind < MOST_BEHIND ? packet - behind : NONE;
    this.#slot = NONE;
    for (;;) {
      const kind = readKind(r);
      if (kind === RecordKind.end) return true;
      if (kind === RecordKind.early) {
        if (!this.#readEarly(states, packet, round, arrivals)) return false;
      } else if (kind === RecordKind.delta || kind === RecordKind.settle) {
        if (!this.#readDeltas(states, kind, round, horizon, false)) return false;
      } else {
        this.#slot = slotIn(Math.max(0, this.#slot) + readWay(r, this.header.step), 1);
        this.#readOther(r, states, this.#slot, kind, round);
      }
    }
  }

  /**
   * Reads a block of deltas that build on one packet. If that packet is missing, the block is left out; the server learns from the acks
   * that both are missing. Returns false if the packet is here but one of its states is not kept any more.
   */
  #readEarly(states: KeptStates, packet: number, round: number, arrivals: Pick<Arrivals, "counts">): boolean {
    const r = this.#reader;
    const base = packet - readGamma(r);
    if (base < 0) throw new WireError("range", IS_DEVELOPMENT && "frame: builds on what was before the first packet");
    const bits = r.readVar();
    if (bits === 0) throw new WireError("range", IS_DEVELOPMENT && "frame: an empty block");
    if (!arrivals.counts(base)) {
      r.skipBits(bits);
      this.missingBase = Math.max(this.missingBase, base);
      return true;
    }
    const end = r.bitsLeft - bits;
    const slotBefore = this.#slot;
    this.#slot = NONE;
    while (r.bitsLeft > end) {
      const kind = readKind(r);
      if (kind !== RecordKind.delta && kind !== RecordKind.settle) {
        throw new WireError("range", IS_DEVELOPMENT && `frame: record ${kind} among early deltas`);
      }
      if (!this.#readDeltas(states, kind, round, base, true)) return false;
    }
    if (r.bitsLeft < end) throw new WireError("length", IS_DEVELOPMENT && "frame: a block that is longer than it says");
    this.#slot = slotBefore;
    return true;
  }

  /** Reads a run of deltas, or a settle. They build on states that came in packet `horizon` or before; early ones on that packet itself. */
  #readDeltas(states: KeptStates, kind: RecordKind, round: number, horizon: number, isEarly: boolean): boolean {
    const r = this.#reader;
    const isRun = kind === DELTA;
    const way = readWay(r, this.header.step);
    const length = isRun ? readGamma(r) : 1;
    const first = slotIn((isRun ? this.#slot + 1 : Math.max(0, this.#slot)) + way, length);
    this.#slot = first + length - 1;
    for (let slot = first; slot < first + length; slot++) {
      const base = horizon === NONE ? NONE : isEarly ? states.stateOf(slot, horizon) : states.baseAt(slot, horizon);
      if (base === NONE || !this.#readDelta(r, states, slot, kind, base, round)) return false;
    }
    return true;
  }

  #readEvents(): void {
    const r = this.#reader;
    while (readFlag(r)) {
      const type = this.#protocol.readEventType(r);
      this.events.push({ type, values: readRecord(r, type) });
    }
    r.end();
  }

  #readDelta(r: BitReader, states: KeptStates, slot: number, kind: RecordKind, base: number, round: number): boolean {
    const typeIndex = states.typeOf(slot);
    const pool = states.poolOf(typeIndex);
    const rounds = round - pool.round[base]!;
    if (rounds < 1) return false;
    const i = this.#begin(kind, slot, 0, typeIndex);
    const state = pool.take(round);
    this.states[i] = state;
    if (kind === SETTLE) this.settled[i] = 1;
    pool.recall(base, this.#past);
    const { reader } = pool;
    const plain = reader.read(r, this.#past, pool.values, pool.rowOf(state), rounds, this);
    this.masks[i] = reader.fields.trackedMask | plain;
    if (kind === DELTA) pool.follow(state, base);
    return true;
  }

  #readOther(r: BitReader, states: KeptStates, slot: number, kind: RecordKind, round: number): void {
    const generation = r.readBits(kind === RecordKind.some ? GENERATION_CHECK_BITS : GENERATION_BITS);
    if (kind === RecordKind.leave || kind === RecordKind.destroy) {
      this.#begin(kind, slot, generation, NONE);
      return;
    }
    const type = this.#protocol.readObjectType(r);
    const typeIndex = this.#protocol.typeIndex(type);
    const i = this.#begin(kind, slot, generation, typeIndex);
    this.owners[i] = kind === RecordKind.whole ? r.readVar() : 0;
    this.settled[i] = r.readBits(1);
    const mask = kind === RecordKind.whole ? type.allMask : readMask(r, type);
    if (mask === 0) throw new WireError("range", IS_DEVELOPMENT && `frame: a change of ${type.name} without fields`);
    this.masks[i] = mask;
    const pool = states.poolOf(typeIndex);
    const state = pool.take(round);
    this.states[i] = state;
    this.#readFields(r, type, mask, pool.reader.fields, pool.values, pool.rowOf(state));
  }

  #readFields(
    r: BitReader,
    { fields }: ObjectType,
    mask: number,
    { tracked, least }: TrackedFields,
    values: Int32Array,
    at: number,
  ): void {
    let i = 0;
    for (let index = 0; index < fields.length; index++) {
      const isTracked = tracked[i] === index;
      if (((mask >>> index) & 1) === 1) {
        const wire = fields[index]!.field.readWire(r);
        if (isTracked) values[at + i] = (wire as number) - least[i]!;
        else this.wires.push(wire);
      }
      if (isTracked) i += 1;
    }
  }

  #begin(kind: RecordKind, slot: number, generation: number, typeIndex: number): number {
    const i = this.count++;
    if (i === this.kinds.length) this.#grow();
    this.kinds[i] = kind;
    this.slots[i] = slot;
    this.generations[i] = generation;
    this.typeIndices[i] = typeIndex;
    this.owners[i] = 0;
    this.masks[i] = 0;
    this.settled[i] = 0;
    this.states[i] = NONE;
    this.wiresAt[i] = this.wires.length;
    return i;
  }

  #dropAll(states: KeptStates): void {
    for (let i = 0; i < this.count; i++) {
      if (this.states[i] !== NONE) states.drop(this.typeIndices[i]!, this.states[i]!);
    }
    this.count = 0;
  }

  #grow(): void {
    const length = Math.max(64, this.kinds.length * 2);
    const grow = <T extends Uint8Array | Uint16Array | Int16Array | Int32Array | Uint32Array | Float64Array>(
      larger: T,
      from: T,
    ): T => {
      larger.set(from);
      return larger;
    };
    this.kinds = grow(new Uint8Array(length), this.kinds);
    this.slots = grow(new Int32Array(length), this.slots);
    this.generations = grow(new Uint16Array(length), this.generations);
    this.typeIndices = grow(new Int16Array(length), this.typeIndices);
    this.owners = grow(new Float64Array(length), this.owners);
    this.masks = grow(new Uint32Array(length), this.masks);
    this.settled = grow(new Uint8Array(length), this.settled);
    this.states = grow(new Int32Array(length), this.states);
    this.wiresAt = grow(new Int32Array(length), this.wiresAt);
  }
}

/** Returns the slot; throws if it, or a slot of the run after it, does not exist. */
function slotIn(slot: number, length: number): number {
  if (slot + length > MAX_SLOTS) {
    throw new WireError("range", IS_DEVELOPMENT && `frame: slot ${slot + length - 1}, at most ${MAX_SLOTS - 1}`);
  }
  return slot;
}
