/**
 * Turns one view's decisions of one round into packets, and keeps the ledger of what became of them. One per client, on
 * the server, between `find due` and `send`.
 *
 * What is written of an object depends on what its client is known to have: nothing (the whole object), or an
 * acknowledged version (the fields that are newer, minus those the client wrote itself). Never on what was merely sent,
 * so a loss needs no repair of its own: the next record closes the gap. Invariant: every decision is in the ledger
 * under the packet that carries it, or was reported lost.
 * Why so: docs/decisions/0002-acknowledged-baselines.md.
 */

import {
  type ConsistencyModel,
  DecisionKind,
  type Decisions,
  generationOf,
  INNER_FIRST,
  type ObjectId,
  slotOf,
  type ViewId,
  type World,
} from "@nearfield/core";
import { BitWriter, writeGamma, writeMask } from "@nearfield/schema";
import type { PacketAck } from "./arrivals.ts";
import { Bases } from "./bases.ts";
import type { EncodeCache } from "./encode-cache.ts";
import {
  GENERATION_BITS,
  GENERATION_CHECK_BITS,
  MOST_BEHIND,
  PACKET_END_BITS,
  RecordKind,
  SEGMENT_HEAD_BITS,
  stepFor,
  WHOLE_HEAD_BITS,
  writeFrameHeader,
  writeKind,
  writeWay,
} from "./frame.ts";
import { writeServerKind } from "./from-server.ts";
import { type FateListener, NO_STATE, PacketLedger } from "./ledger.ts";
import { gapsAfter, NO_GAPS } from "./lineage.ts";
import { writeFlag } from "./primitives.ts";

/** An event that rides on frames, in bits: type and record. Encoded once for all clients. */
export type EncodedEvent = BitWriter;

export interface FrameWriterOptions {
  readonly world: World;
  readonly model: ConsistencyModel;
  readonly view: ViewId;
  /** Session number of the client: the writer whose own changes are not echoed. */
  readonly session: number;
  readonly cache: EncodeCache;
  /** Version of an object at which its owner last changed; a client that has less is sent the whole object. */
  readonly ownerVersion: (slot: number) => number;
}

export interface FrameInput {
  readonly round: number;
  /** Number of the client's last reliable message, and of its last pivots, that this round includes. */
  readonly heard: number;
  readonly pivots: number;
  readonly events: readonly EncodedEvent[];
  /** Bytes that a packet may have. A record that is longer by itself goes alone, in a packet that is marked so. */
  readonly maxBytes: number;
  /**
   * Bits that the frame may have, headers and events included: of the decisions the most pressing go, and the model withholds the
   * others. The last one may go over it; its bytes are owed. Default: as many as it takes.
   */
  readonly budgetBits?: number;
  /** Bits that it may have for the sake of what must not wait: zone 0, removals, own objects. Default: the budget. */
  readonly urgentBits?: number;
}

export interface FramePacket {
  readonly bytes: Uint8Array;
  /** Longer than `maxBytes`: only the reliable channel takes it. */
  readonly tooLong: boolean;
}

/** With more packets than this unacknowledged no deltas are begun, so that those of a frame of many packets still reach back. */
const DELTAS_BEHIND: number = MOST_BEHIND / 2;

/** What a frame takes without any record, and a record's place in it at least; for a budget. */
const FRAME_HEAD_BITS = 72;
const LEAST_SEGMENT_BITS = 3;
const USUAL_HEAD_BITS: number = GENERATION_BITS + 9;

/** A send that needs no record: the client wrote the change itself. */
const SILENT = -1;

export class FrameWriter {
  readonly ledger: PacketLedger;
  /** Totals: records by kind, and sends that needed no record because the client wrote the change itself. */
  readonly written: { changed: number; whole: number; removed: number; silent: number } = {
    changed: 0,
    whole: 0,
    removed: 0,
    silent: 0,
  };
  /** Bytes of the last frame. */
  frameBytes = 0;
  readonly #options: FrameWriterOptions;
  readonly #fates: FateListener;
  readonly #bases: Bases = new Bases();
  readonly #out: BitWriter = new BitWriter(1536);
  /** By place in the packet: decision, what kind of record it gets, its bits in the cache, their number, mask, and gaps to note. */
  #order: Float64Array = new Float64Array(64);
  #sequence: Int32Array = new Int32Array(64);
  #kinds: Int8Array = new Int8Array(64);
  #entries: Int32Array = new Int32Array(64);
  #masks: Uint32Array = new Uint32Array(64);
  #gaps: Int32Array = new Int32Array(64);
  #step = 0;
  #slot = -1;
  #isBegun = false;
  #inEvents = false;
  /** Whether states of the packet at hand can be built on. */
  #isBuildable = false;

  constructor(options: FrameWriterOptions) {
    const { model, view } = options;
    this.#options = options;
    this.#fates = {
      acknowledge: (id, round) => model.acknowledge(view, id, round),
      lose: (id, round) => model.lose(view, id, round),
    };
    this.ledger = new PacketLedger(this.#fates, {
      has: (id, packet, round, gaps) => this.#bases.set(id, packet, round, gaps),
      unsure: (id, packet) => this.#bases.clear(id, packet),
    });
  }

  acknowledge(ack: PacketAck, now: number): void {
    this.ledger.acknowledge(ack, now);
  }

  /** Writes the frame of one round: at least one packet, unless the ledger is full. */
  write(input: FrameInput): readonly FramePacket[] {
    const packets: FramePacket[] = [];
    const decisions = this.#options.model.decisions(this.#options.view);
    const count = this.#prepare(decisions, input);
    this.frameBytes = 0;
    const maxBits = input.maxBytes * 8 - PACKET_END_BITS;
    let open = this.#open(input);
    for (let next = 0; next < count; ) {
      const length = open && this.#isPossible(next) ? this.#lengthOfRun(decisions, next, count, maxBits) : 1;
      if (length === 0) {
        packets.push(this.#close(input));
        open = this.#open(input);
        continue;
      }
      if (open && this.#isPossible(next)) this.#segment(decisions, next, length);
      else this.#fates.lose(decisions.ids[this.#decisionAt(next)]! as ObjectId, input.round);
      next += length;
    }
    if (!open) return packets;
    this.#events(input, maxBits, packets);
    packets.push(this.#close(input));
    return packets;
  }

  // ── what is said of each object ────────────────────────────────────────────────────────────────────────────────

  /**
   * Decides for each decision what record it gets and encodes its fields, within the budget the most pressing first; then puts them in
   * the order of their slots. Returns how many go.
   */
  #prepare(decisions: Decisions, input: FrameInput): number {
    if (decisions.count > this.#kinds.length) this.#grow(decisions.count);
    const { budgetBits = Infinity } = input;
    const count = budgetBits === Infinity ? decisions.count : this.#pick(decisions, input, budgetBits);
    if (budgetBits === Infinity) for (let i = 0; i < count; i++) this.#place(decisions, i, i, input.round);
    let ascending = true;
    for (let place = 1; place < count && ascending; place++) ascending = this.#order[place]! > this.#order[place - 1]!;
    if (!ascending) {
      this.#order.subarray(0, count).sort();
      for (let place = 0; place < count; place++) this.#sequence[place] = this.#order[place]! % ORDER_SPAN;
    }
    this.#step = this.#stepOf(decisions, count);
    return count;
  }

  /** Chooses the record of decision i and gives it a place: by slot; of one slot the delta goes first. */
  #place(decisions: Decisions, i: number, place: number, round: number): void {
    const id = decisions.ids[i]! as ObjectId;
    const kind = this.#choose(id, decisions.kinds[i]! as DecisionKind, decisions.settled[i] === 1, round, i);
    this.#kinds[i] = kind;
    this.#order[place] = (slotOf(id) * 2 + (kind === RecordKind.delta ? 0 : 1)) * ORDER_SPAN + i;
    this.#sequence[place] = i;
  }

  /** Places as many as the budget has bits for, and has the model withhold the others. */
  #pick(decisions: Decisions, { round, urgentBits, events }: FrameInput, budgetBits: number): number {
    const { count, ids, kinds, urgencies } = decisions;
    const most = Math.max(budgetBits, urgentBits ?? 0);
    const pressing = Array.from({ length: count }, (_, i) => i).sort((i, j) => {
      const difference = urgencies[i] === urgencies[j] ? 0 : urgencies[j]! - urgencies[i]!;
      return difference || Number(isRemoval(kinds[j]!)) - Number(isRemoval(kinds[i]!)) || ids[i]! - ids[j]!;
    });
    let used = events.reduce((sum, event) => sum + event.bitLength + 1, FRAME_HEAD_BITS);
    let going = 0;
    for (; going < count; going++) {
      const i = pressing[going]!;
      if (used >= (urgencies[i]! >= INNER_FIRST ? most : budgetBits)) break;
      this.#place(decisions, i, going, round);
      used += this.#usualBitsOf(i);
    }
    const { model, view } = this.#options;
    for (let n = going; n < count; n++) model.withhold(view, ids[pressing[n]!]! as ObjectId);
    return going;
  }

  /** The step that suits the ways between segments. */
  #stepOf(decisions: Decisions, count: number): number {
    let segments = 0;
    let last = -1;
    for (let place = 0; place < count; place++) {
      const i = this.#decisionAt(place);
      const slot = slotOf(decisions.ids[i]! as ObjectId);
      if (this.#kinds[i] !== RecordKind.delta || slot !== last + 1) segments += 1;
      last = slot;
    }
    return stepFor(segments === 0 ? 0 : (last + 1 - count) / segments);
  }

  #choose(
    id: ObjectId,
    decision: DecisionKind,
    settled: boolean,
    round: number,
    i: number,
  ): RecordKind | typeof SILENT {
    if (decision === DecisionKind.leave) return RecordKind.leave;
    if (decision === DecisionKind.destroy) return RecordKind.destroy;
    const { world, model, view, session, cache, ownerVersion } = this.#options;
    const slot = slotOf(id);
    this.#gaps[i] = NO_GAPS;
    if (decision === DecisionKind.update && this.#bases.find(id) && this.#behind < DELTAS_BEHIND) {
      const { round: base, gaps } = this.#bases;
      const entry = cache.delta(slot, round, base, gaps);
      if (entry >= 0 && ownerVersion(slot) <= cache.baseVersionOf(entry)) {
        if (!this.#isOwnWork(slot, cache.baseVersionOf(entry))) {
          this.#entries[i] = entry;
          if (settled) return RecordKind.settle;
          this.#gaps[i] = gapsAfter(round - base, gaps);
          return RecordKind.delta;
        }
      }
    }
    const base = decision === DecisionKind.update ? model.baseVersion(view, id) : 0;
    if (base > 0 && ownerVersion(slot) <= base && this.#isOwnWork(slot, base)) {
      const mask = world.changedSince(slot, base, session);
      this.#masks[i] = mask;
      if (mask === 0) return SILENT;
      this.#entries[i] = cache.fields(slot, mask);
      return RecordKind.some;
    }
    this.#entries[i] = cache.whole(slot, round);
    return RecordKind.whole;
  }

  /** What a record is likely to take, its place in the frame included. */
  #usualBitsOf(i: number): number {
    const kind = this.#kinds[i];
    if (kind === SILENT) return 0;
    const place = this.#step + LEAST_SEGMENT_BITS;
    if (kind === RecordKind.leave || kind === RecordKind.destroy) return place + GENERATION_BITS;
    const fields = this.#options.cache.bitsOf(this.#entries[i]!);
    return place + fields + (kind === RecordKind.whole || kind === RecordKind.some ? USUAL_HEAD_BITS : 0);
  }

  /** Whether the client itself wrote some of what is newer than that version; it is not told what it wrote. */
  #isOwnWork(slot: number, version: number): boolean {
    const { world, session } = this.#options;
    if (session === 0 || world.store.tableAt(slot).type.write === "server") return false;
    return world.changedSince(slot, version, session) !== world.changedSince(slot, version, 0);
  }

  // ── one packet ─────────────────────────────────────────────────────────────────────────────────────────────────

  get #behind(): number {
    return this.ledger.nextPacket - this.ledger.newestAcked;
  }

  /** Begins the next packet; false where the ledger is full. */
  #open({ round, heard, pivots }: FrameInput): boolean {
    if (this.ledger.isFull) return false;
    const behind = this.#behind;
    const packet = this.ledger.open(round, pivots);
    this.#out.reset();
    this.#slot = -1;
    this.#isBegun = false;
    this.#inEvents = false;
    this.#isBuildable = behind < MOST_BEHIND;
    writeServerKind(this.#out, "frame");
    const toldPivots = pivots > this.ledger.toldPivots ? pivots : -1;
    writeFrameHeader(this.#out, { packet, round, heard, pivots: toldPivots, behind, step: this.#step });
    return true;
  }

  #close({ maxBytes }: FrameInput): FramePacket {
    if (!this.#inEvents) writeKind(this.#out, RecordKind.end);
    this.#out.writeBits(0, 1);
    const bytes = this.#out.finish();
    this.frameBytes += bytes.length;
    return { bytes, tooLong: bytes.length > maxBytes };
  }

  /**
   * Events follow the records; those that do not fit go on in packets of their own, as long as the ledger takes them.
   */
  #events(input: FrameInput, maxBits: number, packets: FramePacket[]): void {
    for (const event of input.events) {
      const begun = this.#isBegun || this.#inEvents;
      if (begun && this.#out.bitLength + event.bitLength + 1 > maxBits) {
        if (this.ledger.isFull) return;
        packets.push(this.#close(input));
        this.#open(input);
      }
      if (!this.#inEvents) writeKind(this.#out, RecordKind.end);
      this.#inEvents = true;
      this.#out.writeBits(1, 1);
      this.#out.writeBitsFrom(event);
    }
  }

  // ── one segment: a run of deltas, or another record ────────────────────────────────────────────────────────────

  /** Whether this packet can hold the record: one that is too far ahead of the acks holds no deltas. */
  #isPossible(next: number): boolean {
    const kind = this.#kinds[this.#decisionAt(next)];
    return this.#isBuildable || (kind !== RecordKind.delta && kind !== RecordKind.settle);
  }

  /** How many of the next decisions go into one segment of this packet; 0 where not even one fits. */
  #lengthOfRun(decisions: Decisions, next: number, count: number, maxBits: number): number {
    const first = this.#decisionAt(next);
    const kind = this.#kinds[first]!;
    if (kind === SILENT) return 1;
    let bits = this.#out.bitLength + SEGMENT_HEAD_BITS + this.#bitsOf(first);
    if (bits > maxBits && this.#isBegun) return 0;
    if (kind !== RecordKind.delta) return 1;
    let length = 1;
    let slot = slotOf(decisions.ids[first]! as ObjectId);
    while (next + length < count) {
      const i = this.#decisionAt(next + length);
      if (this.#kinds[i] !== RecordKind.delta || slotOf(decisions.ids[i]! as ObjectId) !== slot + 1) break;
      bits += this.#options.cache.bitsOf(this.#entries[i]!);
      if (bits > maxBits) break;
      length += 1;
      slot += 1;
    }
    return length;
  }

  /** An upper limit for what follows the head of a segment. */
  #bitsOf(i: number): number {
    switch (this.#kinds[i]) {
      case RecordKind.leave:
      case RecordKind.destroy:
        return GENERATION_BITS;
      case RecordKind.delta:
      case RecordKind.settle:
        return this.#options.cache.bitsOf(this.#entries[i]!);
      case SILENT:
        return 0;
      default:
        return WHOLE_HEAD_BITS + 34 + this.#options.cache.bitsOf(this.#entries[i]!);
    }
  }

  #segment(decisions: Decisions, next: number, length: number): void {
    const first = this.#decisionAt(next);
    const id = decisions.ids[first]! as ObjectId;
    const kind = this.#kinds[first]! as RecordKind | typeof SILENT;
    if (kind === SILENT) {
      this.ledger.add(id);
      this.written.silent += 1;
      return;
    }
    const slot = slotOf(id);
    writeKind(this.#out, kind);
    writeWay(this.#out, slot - (kind === RecordKind.delta ? this.#slot + 1 : Math.max(0, this.#slot)), this.#step);
    this.#slot = slot + length - 1;
    this.#isBegun = true;
    if (kind !== RecordKind.delta) {
      this.#other(id, kind, first, decisions.settled[first] === 1);
      return;
    }
    writeGamma(this.#out, length);
    for (let n = 0; n < length; n++) {
      const i = this.#decisionAt(next + n);
      this.#options.cache.append(this.#out, this.#entries[i]!);
      this.ledger.add(decisions.ids[i]! as ObjectId, this.#gaps[i]!);
    }
    this.written.changed += length;
  }

  #other(id: ObjectId, kind: RecordKind, i: number, settled: boolean): void {
    const { world, cache } = this.#options;
    const slot = slotOf(id);
    const out = this.#out;
    const packet = this.ledger.nextPacket - 1;
    switch (kind) {
      case RecordKind.settle:
        this.ledger.add(id, NO_GAPS);
        this.written.changed += 1;
        break;
      case RecordKind.some:
        this.ledger.add(id);
        out.writeBits(generationOf(id) % (1 << GENERATION_CHECK_BITS), GENERATION_CHECK_BITS);
        world.protocol.writeType(out, world.store.tableAt(slot).type);
        writeFlag(out, settled);
        writeMask(out, world.store.tableAt(slot).type, this.#masks[i]!);
        this.written.changed += 1;
        break;
      case RecordKind.whole:
        this.#bases.claim(id, packet);
        this.ledger.add(id, this.#isBuildable ? NO_GAPS : NO_STATE);
        out.writeBits(generationOf(id), GENERATION_BITS);
        world.protocol.writeType(out, world.store.tableAt(slot).type);
        out.writeVar(world.store.owner[slot]!);
        writeFlag(out, settled);
        this.written.whole += 1;
        break;
      default:
        this.#bases.clear(id, packet);
        this.ledger.add(id);
        out.writeBits(generationOf(id), GENERATION_BITS);
        this.written.removed += 1;
        return;
    }
    cache.append(out, this.#entries[i]!);
  }

  /** Which decision stands at a place of the order. */
  #decisionAt(place: number): number {
    return this.#sequence[place]!;
  }

  #grow(count: number): void {
    const length = Math.max(count, this.#kinds.length * 2);
    this.#order = new Float64Array(length);
    this.#sequence = new Int32Array(length);
    this.#kinds = new Int8Array(length);
    this.#entries = new Int32Array(length);
    this.#masks = new Uint32Array(length);
    this.#gaps = new Int32Array(length);
  }
}

function isRemoval(kind: number): boolean {
  return kind === DecisionKind.leave || kind === DecisionKind.destroy;
}

/** Above the number of decisions of one round: one for each slot, and their removals. */
const ORDER_SPAN = 2 ** 22;
