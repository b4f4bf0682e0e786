/**
 * Turns one view's decisions of one round into packets, and keeps the ledger of what became of them. There is one per client, on the
 * server, between `findDue` and `send`.
 *
 * `record-choice.ts` chooses what is said of each object; here it is laid out: packets, segments of records, blocks of early deltas, events.
 * A loss needs no repair: the next record closes the gap. Early deltas name the packet with the whole object, and are lost if that packet is
 * lost. Invariant: every decision is in the ledger under the packet that carries it, or was reported lost.
 * Why so: docs/decisions/0002-acknowledged-baselines.md.
 */

import type { World } from "@nearfield/core";
import type { ConsistencyModel, Decisions, ViewId } from "@nearfield/core/internal";
import { type ObjectId, slotOf } from "@nearfield/schema";
import { appendBits, type BitWriter, generationOf, MAX_SLOTS, writeGamma, writeMask } from "@nearfield/schema/internal";
import type { PacketAck } from "./arrivals.ts";
import { Bases } from "./bases.ts";
import type { ClientNames } from "./client-names.ts";
import type { EncodeCache } from "./encode-cache.ts";
import {
  EARLY_HEAD_BITS,
  GENERATION_BITS,
  GENERATION_CHECK_BITS,
  MOST_BEHIND,
  PACKET_END_BITS,
  RecordKind,
  SEGMENT_HEAD_BITS,
  WHOLE_HEAD_BITS,
  writeFrameHeader,
  writeKind,
  writeRunHead,
  writeWay,
} from "./frame.ts";
import type { FrameScratch } from "./frame-scratch.ts";
import { writeServerKind } from "./from-server.ts";
import { NO_STATE, NOTHING_TOLD, PacketLedger, REMOVAL } from "./ledger.ts";
import { NO_GAPS } from "./lineage.ts";
import { writeFlag } from "./primitives.ts";
import { Receipts } from "./receipts.ts";
import { RecordChoice, SILENT } from "./record-choice.ts";
import { type HeldBackListener, ViewFates } from "./view-fates.ts";

/** The bits of an event that travels in frames: type and record. Encoded once for all clients. */
export type EncodedEvent = BitWriter;

/** The part of a consistency model that a frame writer uses. */
export type SendModel = Pick<
  ConsistencyModel,
  "decisions" | "baseVersion" | "acknowledgeAll" | "lose" | "withholdAll"
> & {
  /** The send of that round builds on packet `base`, which is lost, so the client leaves it out. `lose` is called next. */
  orphan?(view: ViewId, id: ObjectId, round: number, base: number): void;
};

export interface FrameWriterOptions {
  readonly world: World;
  readonly model: SendModel;
  readonly view: ViewId;
  /** Session number of the client. Its own writes are not sent back to it. */
  readonly session: number;
  readonly cache: EncodeCache;
  /** Version of an object at which its owner last changed. A client that has an older version is sent the whole object. */
  readonly ownerVersion: (slot: number) => number;
  /** Ids of objects that are this client's own. Default: those of the world. */
  readonly names?: ClientNames | undefined;
  /** Is told of sends that bring nothing. */
  readonly listener?: HeldBackListener | undefined;
}

export interface FrameInput {
  readonly round: number;
  /** Numbers of the client's last reliable message and of its last pivots that this round includes. */
  readonly heard: number;
  readonly pivots: number;
  /** Number of the client's last stepped command that this round includes. Default −1: it never sent one. */
  readonly commands?: number;
  /** Commands after that one are missing. Default false. */
  readonly again?: boolean;
  readonly events: readonly EncodedEvent[];
  /** Whether a packet leaves even if there is nothing to say. Default true. */
  readonly evenEmpty?: boolean;
  /** The most bytes of a packet. A record that is longer goes alone, in a packet that is marked so. */
  readonly maxBytes: number;
  /**
   * The most bits of the frame, headers and events included. The most urgent decisions go, and the model withholds the others. The last one
   * may exceed the limit; its bytes are owed. Default: no limit.
   */
  readonly budgetBits?: number;
  /** The limit if the extra bits are for zone 0. Default: the budget. */
  readonly urgentBits?: number;
  /** The limit if the extra bits are for what never waits: own and non-spatial objects, removals, demands. Default: that of zone 0. */
  readonly firstBits?: number;
}

export interface FramePacket {
  readonly bytes: Uint8Array;
  /** Longer than `maxBytes`: only the reliable channel takes it. */
  readonly tooLong: boolean;
}

/** Takes the packets of a frame, one after another. */
export interface PacketSink {
  /**
   * `bytes` are valid during the call. `tooLong`: longer than `maxBytes`, so only the reliable channel takes it. Returns false if the
   * packet did not leave, because the link is full or gone.
   */
  packet(bytes: Uint8Array, tooLong: boolean): boolean;
}

/** If more packets than this are unacknowledged, a frame has no deltas. So deltas in a frame of many packets still reach their base. */
const DELTAS_BEHIND: number = MOST_BEHIND / 2;

// Constants of this module are inlined; imported ones would be looked up at every use.
const SLOT_MASK: number = MAX_SLOTS - 1;
const DELTA: typeof RecordKind.delta = RecordKind.delta;
const EARLY: typeof RecordKind.early = RecordKind.early;

export class FrameWriter {
  readonly ledger: PacketLedger;
  /** Totals: records by kind, and sends that needed no record because the client wrote the change itself. */
  readonly written: { changed: number; whole: number; removed: number; silent: number } = {
    changed: 0,
    whole: 0,
    removed: 0,
    silent: 0,
  };
  /** The part of the records that tells of the client's own objects, and their bits: fields, heads, and the least that a record's place in the frame takes. */
  readonly own: { records: number; bits: number } = { records: 0, bits: 0 };
  /** Bytes of the last frame. */
  frameBytes = 0;
  readonly #world: World;
  readonly #model: SendModel;
  readonly #view: ViewId;
  readonly #session: number;
  readonly #cache: EncodeCache;
  readonly #names: ClientNames | undefined;
  readonly #fates: ViewFates;
  readonly #bases: Bases = new Bases((marks) => this.ledger.markRows(marks));
  readonly #choice: RecordChoice;
  readonly #scratch: FrameScratch;
  readonly #out: BitWriter;
  #slot = -1;
  #isBegun = false;
  #inEvents = false;
  /** Whether later deltas can build on states of the current packet. */
  #isBuildable = false;

  constructor(options: FrameWriterOptions) {
    const { model, view } = options;
    this.#world = options.world;
    this.#model = model;
    this.#view = view;
    this.#session = options.session;
    this.#cache = options.cache;
    this.#names = options.names;
    this.#scratch = options.cache.frames;
    this.#out = options.cache.frames.out;
    this.#fates = new ViewFates(model, view, options.listener);
    this.ledger = new PacketLedger(this.#fates, this.#bases, this.#scratch.settling);
    this.ledger.onRemoved = options.names?.release;
    this.#choice = new RecordChoice(options, this.#bases, this.ledger, this.#fates);
  }

  /** From now on, keeps what arrives, for an auditor. */
  keepReceipts(): void {
    this.ledger.receipts = new Receipts(this.#bases);
  }

  /** @param waitedMs how long the ack waited at the client. */
  acknowledge(ack: PacketAck, now: number, waitedMs = 0): void {
    this.ledger.acknowledge(ack, now, waitedMs);
  }

  /** Writes the frame of one round. Unless `evenEmpty` is false it has at least one packet, if the ledger is not full. */
  write(input: FrameInput): readonly FramePacket[] {
    const packets: FramePacket[] = [];
    this.writeTo(input, { packet: (bytes, tooLong) => packets.push({ bytes: bytes.slice(), tooLong }) > 0 });
    return packets;
  }

  /** The same without a copy: each packet is handed to the sink as soon as it is complete. */
  writeTo(input: FrameInput, sink: PacketSink): void {
    const decisions = this.#model.decisions(this.#view);
    this.ledger.trust();
    const total = this.#choice.prepare(decisions, input, this.#behind < DELTAS_BEHIND);
    const count = total - this.#choice.earlyCount;
    this.#countOwn(decisions, total);
    this.frameBytes = 0;
    const isEmpty = total === this.#choice.silentCount && input.events.length === 0;
    if (isEmpty && input.evenEmpty === false) {
      for (let place = 0; place < total; place++) this.#spare(decisions, place, input.round);
      return;
    }
    const maxBits = input.maxBytes * 8 - PACKET_END_BITS;
    let open = this.#open(input);
    for (let next = 0; next < count; ) {
      if (this.#scratch.kinds[this.#decisionAt(next)] === SILENT) {
        this.#spare(decisions, next++, input.round);
        continue;
      }
      const isPossible = open && this.#isPossible(next);
      const length = isPossible ? this.#lengthOfRun(next, count, maxBits) : 1;
      if (length === 0) {
        this.#close(input, sink);
        open = this.#open(input);
        continue;
      }
      if (isPossible) this.#segment(decisions, next, length);
      else this.#fates.lose(decisions.ids[this.#decisionAt(next)]! as ObjectId, input.round);
      next += length;
    }
    if (count < total) open = this.#writeEarly(decisions, count, total, input, sink, open);
    if (open) {
      this.#events(input, maxBits, sink);
      this.#close(input, sink);
    }
    // The frame is complete, and the rows of its objects are still in the processor's cache.
    this.ledger.trust();
  }

  #countOwn({ ids }: Decisions, total: number): void {
    const { sequence, kinds } = this.#scratch;
    const { owner } = this.#world.store;
    const session = this.#session;
    if (session === 0) return;
    for (let place = 0; place < total; place++) {
      const i = sequence[place]!;
      if (owner[ids[i]! & SLOT_MASK] !== session || kinds[i] === SILENT) continue;
      this.own.records += 1;
      this.own.bits += this.#choice.usualBitsOf(i);
    }
  }

  // ── one packet ─────────────────────────────────────────────────────────────────────────────────────────────────

  get #behind(): number {
    return this.ledger.nextPacket - this.ledger.newestKnown;
  }

  /** Begins the next packet; false if the ledger is full. */
  #open({ round, heard, pivots, commands = -1, again = false }: FrameInput): boolean {
    if (this.ledger.isFull) return false;
    const behind = this.#behind;
    const { known } = this.ledger;
    const base = behind < MOST_BEHIND && known.packet >= 0 ? known : NOTHING_TOLD;
    const packet = this.ledger.open(round, pivots, heard, commands + 1);
    this.#out.reset();
    this.#slot = -1;
    this.#isBegun = false;
    this.#inEvents = false;
    this.#isBuildable = behind < MOST_BEHIND;
    writeServerKind(this.#out, "frame");
    const toldPivots = pivots > this.ledger.toldPivots ? pivots : -1;
    writeFrameHeader(this.#out, {
      packet,
      round: round - base.round,
      heard: heard - base.heard,
      pivots: toldPivots,
      commands: commands + 1 - base.commands,
      again,
      behind,
      step: this.#choice.step,
    });
    return true;
  }

  #close({ maxBytes }: FrameInput, sink: PacketSink): void {
    if (!this.#inEvents) writeKind(this.#out, RecordKind.end);
    this.#out.writeBits(0, 1);
    const bytes = this.#out.view();
    this.frameBytes += bytes.length;
    if (sink.packet(bytes, bytes.length > maxBytes)) this.ledger.left();
  }

  /** Events follow the records. Events that do not fit go into packets of their own, as long as the ledger has room. */
  #events(input: FrameInput, maxBits: number, sink: PacketSink): void {
    for (const event of input.events) {
      const begun = this.#isBegun || this.#inEvents;
      if (begun && this.#out.bitLength + event.bitLength + 1 > maxBits) {
        if (this.ledger.isFull) return;
        this.#close(input, sink);
        this.#open(input);
      }
      if (!this.#inEvents) writeKind(this.#out, RecordKind.end);
      this.#inEvents = true;
      this.ledger.addEvents();
      this.#out.writeBits(1, 1);
      appendBits(this.#out, event);
    }
  }

  // ── one segment: a run of deltas, or another record ────────────────────────────────────────────────────────────

  /** Whether this packet can hold the record. A packet that is too far ahead of the acks holds no deltas. */
  #isPossible(next: number): boolean {
    const kind = this.#scratch.kinds[this.#decisionAt(next)];
    return this.#isBuildable || (kind !== RecordKind.delta && kind !== RecordKind.settle);
  }

  /** How many of the next decisions go into one segment of this packet; 0 if not even one fits. */
  #lengthOfRun(next: number, count: number, maxBits: number): number {
    const { kinds, entries, sequence } = this.#scratch;
    const { names } = this.#choice;
    const first = sequence[next]!;
    const kind = kinds[first]!;
    let bits = this.#out.bitLength + SEGMENT_HEAD_BITS + this.#bitsOf(first);
    if (bits > maxBits && this.#isBegun) return 0;
    if (kind !== DELTA) return 1;
    let length = 1;
    let slot = names[first]! & SLOT_MASK;
    while (next + length < count) {
      const i = sequence[next + length]!;
      if (kinds[i] !== DELTA || (names[i]! & SLOT_MASK) !== slot + 1) break;
      bits += this.#cache.bitsOf(entries[i]!);
      if (bits > maxBits) break;
      length += 1;
      slot += 1;
    }
    return length;
  }

  /** An upper limit for the bits after the head of a segment. */
  #bitsOf(i: number): number {
    switch (this.#scratch.kinds[i]) {
      case RecordKind.leave:
      case RecordKind.destroy:
        return GENERATION_BITS;
      case RecordKind.delta:
      case RecordKind.settle:
        return this.#cache.bitsOf(this.#scratch.entries[i]!);
      default:
        return WHOLE_HEAD_BITS + 34 + this.#cache.bitsOf(this.#scratch.entries[i]!);
    }
  }

  #segment(decisions: Decisions, next: number, length: number): void {
    const first = this.#decisionAt(next);
    const kind = this.#scratch.kinds[first]! as RecordKind;
    const slot = this.#choice.names[first]! & SLOT_MASK;
    const before = this.#slot;
    this.#slot = slot + length - 1;
    this.#isBegun = true;
    if (kind === DELTA) {
      writeRunHead(this.#out, slot - before - 1, this.#choice.step, length);
      this.#deltas(decisions, next, length);
      return;
    }
    writeKind(this.#out, kind);
    writeWay(this.#out, slot - Math.max(0, before), this.#choice.step);
    this.#other(decisions.ids[first]! as ObjectId, kind, first, decisions.settled[first] === 1);
  }

  #deltas({ ids }: Decisions, next: number, length: number): void {
    const { sequence, entries, gaps, rows } = this.#scratch;
    for (let place = next; place < next + length; place++) {
      const i = sequence[place]!;
      this.#cache.append(this.#out, entries[i]!);
      this.ledger.add(ids[i]! as ObjectId, rows[i]!, gaps[i]!);
    }
    this.written.changed += length;
  }

  /** The client wrote the change itself, so it has it already, and nothing is sent. */
  #spare(decisions: Decisions, place: number, round: number): void {
    const id = decisions.ids[this.#decisionAt(place)]! as ObjectId;
    this.ledger.spare(id, this.#bases.rowFor(id, this.ledger.nextPacket), round);
    this.written.silent += 1;
  }

  /** Notes a record of an object that may have no row yet. Returns the row. */
  #note(id: ObjectId, gaps: number): number {
    const row = this.#bases.rowFor(id, this.ledger.nextPacket - 1);
    this.ledger.add(id, row, gaps);
    return row;
  }

  #other(id: ObjectId, kind: RecordKind, i: number, settled: boolean): void {
    const world = this.#world;
    const slot = slotOf(id);
    const out = this.#out;
    const packet = this.ledger.nextPacket - 1;
    const generation = generationOf(this.#choice.names[i]! as ObjectId);
    switch (kind) {
      case RecordKind.settle:
        this.#note(id, NO_GAPS);
        this.written.changed += 1;
        break;
      case RecordKind.some:
        this.#note(id, NO_STATE);
        out.writeBits(generation % (1 << GENERATION_CHECK_BITS), GENERATION_CHECK_BITS);
        world.protocol.writeType(out, world.store.tableAt(slot).type);
        writeFlag(out, settled);
        writeMask(out, world.store.tableAt(slot).type, this.#scratch.masks[i]!);
        this.written.changed += 1;
        break;
      case RecordKind.whole:
        if (this.#isBuildable) this.ledger.add(id, this.#bases.claim(id, packet), NO_GAPS);
        else this.#note(id, NO_STATE);
        this.#names?.told(id);
        out.writeBits(generation, GENERATION_BITS);
        world.protocol.writeType(out, world.store.tableAt(slot).type);
        out.writeVar(world.store.owner[slot]!);
        writeFlag(out, settled);
        this.written.whole += 1;
        break;
      default:
        this.#bases.unsure(this.#note(id, REMOVAL), id, packet);
        this.#names?.removed(id, packet);
        out.writeBits(generation, GENERATION_BITS);
        this.written.removed += 1;
        return;
    }
    this.#cache.append(out, this.#scratch.entries[i]!);
  }

  // ── early deltas ───────────────────────────────────────────────────────────────────────────────────────────────

  /** Writes the decisions from place `next` on in blocks; each block builds on one packet. Returns whether a packet is open. */
  #writeEarly(
    decisions: Decisions,
    next: number,
    end: number,
    input: FrameInput,
    sink: PacketSink,
    isOpen: boolean,
  ): boolean {
    const maxBits = input.maxBytes * 8 - PACKET_END_BITS - EARLY_HEAD_BITS;
    let place = next;
    let open = isOpen;
    while (place < end && open) {
      const length = this.#block(decisions, place, end, maxBits);
      place += length;
      if (length > 0) continue;
      this.#close(input, sink);
      open = this.#open(input);
    }
    for (; place < end; place++) this.#fates.lose(decisions.ids[this.#decisionAt(place)]! as ObjectId, input.round);
    return open;
  }

  /** Writes the next block, as far as the packet has room. Returns the number of its decisions; 0 if not even one fits. */
  #block(decisions: Decisions, next: number, end: number, maxBits: number): number {
    const { block, bases } = this.#scratch;
    const base = bases[this.#decisionAt(next)]!;
    block.reset();
    let slot = -1;
    let place = next;
    while (place < end && bases[this.#decisionAt(place)] === base) {
      const used = this.#out.bitLength + block.bitLength;
      const length = this.#lengthOfEarlyRun(place, end, maxBits - used, !this.#isBegun);
      if (length === 0) break;
      slot = this.#earlyRun(decisions, place, length, slot);
      this.#isBegun = true;
      place += length;
    }
    if (place === next) return 0;
    writeKind(this.#out, EARLY);
    writeGamma(this.#out, this.ledger.nextPacket - 1 - base);
    this.#out.writeVar(block.bitLength);
    appendBits(this.#out, block);
    return place - next;
  }

  /** How many of the next early deltas have consecutive slots, build on the same packet and fit. A settle stands alone. */
  #lengthOfEarlyRun(next: number, end: number, room: number, isFirst: boolean): number {
    const { kinds, entries, bases, sequence } = this.#scratch;
    const { names } = this.#choice;
    const first = sequence[next]!;
    let bits = SEGMENT_HEAD_BITS + this.#cache.bitsOf(entries[first]!);
    if (bits > room && !isFirst) return 0;
    if (kinds[first] !== EARLY) return 1;
    let length = 1;
    for (; next + length < end; length++) {
      const i = sequence[next + length]!;
      const follows = (names[i]! & SLOT_MASK) === (names[first]! & SLOT_MASK) + length;
      if (kinds[i] !== EARLY || bases[i] !== bases[first] || !follows) break;
      bits += this.#cache.bitsOf(entries[i]!);
      if (bits > room) break;
    }
    return length;
  }

  /** Writes a run, or a settle, to the block after `slot`; returns its last slot. */
  #earlyRun(decisions: Decisions, next: number, length: number, slot: number): number {
    const { block, kinds, entries, gaps, bases, rows } = this.#scratch;
    const first = this.#decisionAt(next);
    const firstSlot = this.#choice.names[first]! & SLOT_MASK;
    const isRun = kinds[first] === EARLY;
    writeKind(block, isRun ? DELTA : RecordKind.settle);
    writeWay(block, firstSlot - (isRun ? slot + 1 : Math.max(0, slot)), this.#choice.step);
    if (isRun) writeGamma(block, length);
    for (let place = next; place < next + length; place++) {
      const i = this.#decisionAt(place);
      this.#cache.append(block, entries[i]!);
      const state = this.#isBuildable ? (isRun ? gaps[i]! : NO_GAPS) : NO_STATE;
      this.ledger.addEarly(decisions.ids[i]! as ObjectId, rows[i]!, state, bases[i]!);
    }
    this.written.changed += length;
    return firstSlot + length - 1;
  }

  /** Which decision stands at a place of the order. */
  #decisionAt(place: number): number {
    return this.#scratch.sequence[place]!;
  }
}
