/**
 * The layout of a frame packet, and its decoder. A frame is what one client is sent in one round; it may span several
 * packets, each of which stands alone: no packet needs another to be read.
 *
 *     packet 16 | round 16 | heard 16 | pivots 1+8 | { 1, record }* 0 | { 1, event }* 0 | padding
 *     record: slot − previous slot (var) | kind 1–3 | generation | changed, whole: type | changed: mask | whole: owner | fields
 *
 * Slots never descend within a packet; one comes twice where an old generation is removed and a new one created.
 * `changed` is only sent against a state that the client acknowledged, so its generation is known already and four bits
 * of it suffice as a check. Type and mask cost one bit each where they repeat those of the record before. The decoder
 * needs no replica: what a packet says is known, checked and complete before anything is applied.
 */

import { GENERATIONS, MAX_SLOTS } from "@nearfield/core";
import {
  type BitReader,
  type BitWriter,
  type EventType,
  type ObjectType,
  type Protocol,
  readFields,
  readMask,
  readRecord,
  type Wire,
  WireError,
  writeMask,
} from "@nearfield/schema";
import { readFlag, writeFlag } from "./primitives.ts";
import { short } from "./sequence.ts";

/** What a record says of its object. */
export const RecordKind = { changed: 0, whole: 1, leave: 2, destroy: 3 } as const;
export type RecordKind = (typeof RecordKind)[keyof typeof RecordKind];

const GENERATION_BITS = 12;
/** The part of a generation that a `changed` record carries. */
export const GENERATION_CHECK_BITS = 4;
const PIVOTS_BITS = 8;

/**
 * What a record without its fields, and the end of the packet, take at most: slot, kind, generation, type, mask, owner.
 */
export const RECORD_HEAD_BITS: number = 31 + 3 + GENERATION_BITS + 9 + 34 + 70 + 2;

export interface FrameHeader {
  readonly packet: number;
  readonly round: number;
  /**
   * Number of the last reliable message of this client that the round includes. In every packet, not only when it
   * changed: packets come in any order, and whether *this* one knows of a client's write decides whether it may
   * overwrite it.
   */
  readonly heard: number;
  /** Number of the client's last pivots that the round obeys, modulo 256; −1: as told before. */
  readonly pivots: number;
}

export function writeFrameHeader(w: BitWriter, header: FrameHeader): void {
  w.writeBits(short(header.packet), 16);
  w.writeBits(short(header.round), 16);
  w.writeBits(short(header.heard), 16);
  writeFlag(w, header.pivots >= 0);
  if (header.pivots >= 0) w.writeBits(header.pivots % (1 << PIVOTS_BITS), PIVOTS_BITS);
}

/** Writes the heads of a packet's records; the fields themselves come from the encode cache. */
export class RecordHeads {
  readonly #protocol: Protocol;
  readonly #typeBits: number;
  #previousSlot = 0;
  #previousType = -1;
  readonly #previousMask: number[] = [];

  constructor(protocol: Protocol) {
    this.#protocol = protocol;
    this.#typeBits = protocol.measureType("object");
  }

  /** Forgets the packet before. */
  reset(): void {
    this.#previousSlot = 0;
    this.#previousType = -1;
    this.#previousMask.length = 0;
  }

  changed(w: BitWriter, slot: number, generation: number, typeIndex: number, mask: number): void {
    this.#slot(w, slot);
    w.writeBits(0, 1);
    w.writeBits(generation % (1 << GENERATION_CHECK_BITS), GENERATION_CHECK_BITS);
    this.#type(w, typeIndex);
    const repeated = this.#previousMask[typeIndex] === mask;
    writeFlag(w, repeated);
    if (!repeated) writeMask(w, this.#protocol.objects[typeIndex]!, mask);
    this.#previousMask[typeIndex] = mask;
  }

  whole(w: BitWriter, slot: number, generation: number, typeIndex: number, owner: number): void {
    this.#slot(w, slot);
    w.writeBits(0b01, 2);
    w.writeBits(generation, GENERATION_BITS);
    this.#type(w, typeIndex);
    w.writeVar(owner);
  }

  removed(w: BitWriter, slot: number, generation: number, kind: RecordKind): void {
    this.#slot(w, slot);
    w.writeBits(kind === RecordKind.leave ? 0b011 : 0b111, 3);
    w.writeBits(generation, GENERATION_BITS);
  }

  #slot(w: BitWriter, slot: number): void {
    w.writeBits(1, 1);
    w.writeVar(slot - this.#previousSlot);
    this.#previousSlot = slot;
  }

  #type(w: BitWriter, typeIndex: number): void {
    if (this.#typeBits === 0) return;
    const repeated = typeIndex === this.#previousType;
    writeFlag(w, repeated);
    if (!repeated) w.writeBits(typeIndex, this.#typeBits);
    this.#previousType = typeIndex;
  }
}

export interface FrameEvent {
  readonly type: EventType;
  readonly values: Readonly<Record<string, unknown>>;
}

/** A packet as it was read: columns by record, fields one after another. One object is reused for many packets. */
export class DecodedFrame {
  packet = 0;
  round = 0;
  heard = 0;
  pivots = -1;
  count = 0;
  readonly kinds: RecordKind[] = [];
  readonly slots: number[] = [];
  /** Whole, or its low bits in a `changed` record. */
  readonly generations: number[] = [];
  readonly typeIndices: number[] = [];
  readonly masks: number[] = [];
  readonly owners: number[] = [];
  /** Where the record's fields begin in `wires`. */
  readonly starts: number[] = [];
  readonly wires: Wire[] = [];
  readonly events: FrameEvent[] = [];
  readonly #previousMask: number[] = [];
  readonly #put = (_: number, wire: Wire): void => {
    this.wires.push(wire);
  };

  /** Reads a whole packet up to its last bit, or throws `WireError`. */
  read(r: BitReader, protocol: Protocol): void {
    this.#clear();
    this.packet = r.readBits(16);
    this.round = r.readBits(16);
    this.heard = r.readBits(16);
    this.pivots = readFlag(r) ? r.readBits(PIVOTS_BITS) : -1;
    let slot = 0;
    let typeIndex = -1;
    while (readFlag(r)) {
      slot += r.readVar();
      if (slot >= MAX_SLOTS) throw new WireError("range", `frame: slot ${slot}, at most ${MAX_SLOTS - 1}`);
      typeIndex = this.#readRecord(r, protocol, slot, typeIndex);
    }
    while (readFlag(r)) {
      const type = protocol.readEventType(r);
      this.events.push({ type, values: readRecord(r, type) });
    }
  }

  #readRecord(r: BitReader, protocol: Protocol, slot: number, previousType: number): number {
    const kind = readKind(r);
    const generation = r.readBits(kind === RecordKind.changed ? GENERATION_CHECK_BITS : GENERATION_BITS);
    let typeIndex = previousType;
    let mask = 0;
    let owner = 0;
    const start = this.wires.length;
    if (kind === RecordKind.changed || kind === RecordKind.whole) {
      typeIndex = readTypeIndex(r, protocol, previousType);
      const type = protocol.objects[typeIndex]!;
      mask = kind === RecordKind.whole ? type.allMask : this.#readMask(r, type, typeIndex);
      if (kind === RecordKind.whole) owner = r.readVar();
      readFields(r, type, mask, this.#put);
    }
    this.count += 1;
    this.kinds.push(kind);
    this.slots.push(slot);
    this.generations.push(generation);
    this.typeIndices.push(typeIndex);
    this.masks.push(mask);
    this.owners.push(owner);
    this.starts.push(start);
    return typeIndex;
  }

  #readMask(r: BitReader, type: ObjectType, typeIndex: number): number {
    const previous = this.#previousMask[typeIndex];
    if (!readFlag(r)) {
      const mask = readMask(r, type);
      if (mask === 0) throw new WireError("range", `frame: a change of ${type.name} without fields`);
      if (mask === previous) throw new WireError("range", `frame: a repeated mask of ${type.name} in its long form`);
      this.#previousMask[typeIndex] = mask;
      return mask;
    }
    if (previous === undefined) throw new WireError("range", `frame: no mask of ${type.name} to repeat`);
    return previous;
  }

  #clear(): void {
    this.count = 0;
    this.kinds.length = 0;
    this.slots.length = 0;
    this.generations.length = 0;
    this.typeIndices.length = 0;
    this.masks.length = 0;
    this.owners.length = 0;
    this.starts.length = 0;
    this.wires.length = 0;
    this.events.length = 0;
    this.#previousMask.length = 0;
  }
}

function readKind(r: BitReader): RecordKind {
  if (!readFlag(r)) return RecordKind.changed;
  if (!readFlag(r)) return RecordKind.whole;
  return readFlag(r) ? RecordKind.destroy : RecordKind.leave;
}

function readTypeIndex(r: BitReader, protocol: Protocol, previous: number): number {
  const bits = protocol.measureType("object");
  if (bits === 0) {
    if (protocol.objects.length === 0) throw new WireError("unknown", "frame: the protocol has no objects");
    return 0;
  }
  if (readFlag(r)) {
    if (previous < 0) throw new WireError("range", "frame: no type to repeat");
    return previous;
  }
  const index = r.readBits(bits);
  if (index >= protocol.objects.length) throw new WireError("unknown", `there is no object type ${index}`);
  if (index === previous) throw new WireError("range", "frame: a repeated type in its long form");
  return index;
}

/** Whether generation `a` of a slot comes after `b`; right while less than half of all generations lie between them. */
export function isNewerGeneration(a: number, b: number): boolean {
  const ahead = (a - b + GENERATIONS) % GENERATIONS;
  return ahead !== 0 && ahead < GENERATIONS / 2;
}
