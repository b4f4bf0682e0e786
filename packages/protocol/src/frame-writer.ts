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
  type ObjectId,
  slotOf,
  type ViewId,
  type World,
} from "@nearfield/core";
import { BitWriter } from "@nearfield/schema";
import type { PacketAck } from "./arrivals.ts";
import type { EncodeCache } from "./encode-cache.ts";
import { RECORD_HEAD_BITS, RecordHeads, RecordKind, writeFrameHeader } from "./frame.ts";
import { writeServerKind } from "./from-server.ts";
import { type FateListener, PacketLedger } from "./ledger.ts";

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
}

export interface FramePacket {
  readonly bytes: Uint8Array;
  /** Longer than `maxBytes`: only the reliable channel takes it. */
  readonly tooLong: boolean;
}

export class FrameWriter {
  readonly ledger: PacketLedger;
  /** Totals: records by kind, and sends that needed no record because the client wrote the change itself. */
  readonly written: { changed: number; whole: number; removed: number; silent: number } = {
    changed: 0,
    whole: 0,
    removed: 0,
    silent: 0,
  };
  readonly #options: FrameWriterOptions;
  readonly #fates: FateListener;
  readonly #out: BitWriter = new BitWriter(1536);
  readonly #heads: RecordHeads;
  #order: Float64Array = new Float64Array(64);
  #records = 0;
  #inEvents = false;
  /** What `#prepare` decided about the object at hand; kind −1: nothing needs to be said. */
  #kind: RecordKind | -1 = -1;
  #mask = 0;
  #entry = -1;

  constructor(options: FrameWriterOptions) {
    const { model, view } = options;
    this.#options = options;
    this.#fates = {
      acknowledge: (id, round) => model.acknowledge(view, id, round),
      lose: (id, round) => model.lose(view, id, round),
    };
    this.ledger = new PacketLedger(this.#fates);
    this.#heads = new RecordHeads(options.world.protocol);
  }

  acknowledge(ack: PacketAck, now: number): void {
    this.ledger.acknowledge(ack, now);
  }

  /** Writes the frame of one round: at least one packet, unless the ledger is full. */
  write(input: FrameInput): readonly FramePacket[] {
    const packets: FramePacket[] = [];
    const decisions = this.#options.model.decisions(this.#options.view);
    const order = this.#bySlot(decisions);
    const maxBits = input.maxBytes * 8;
    let open = this.#open(input);
    for (let i = 0; i < decisions.count; i++) {
      const at = order === undefined ? i : order[i]! % ORDER_SPAN;
      const id = decisions.ids[at]! as ObjectId;
      if (!open) {
        this.#fates.lose(id, input.round);
        continue;
      }
      const bits = this.#prepare(id, decisions.kinds[at]! as DecisionKind);
      if (this.#records > 0 && this.#out.bitLength + bits > maxBits) {
        packets.push(this.#close(input));
        open = this.#open(input);
      }
      if (open) this.#record(id);
      else this.#fates.lose(id, input.round);
    }
    if (!open) return packets;
    this.#events(input, maxBits, packets);
    packets.push(this.#close(input));
    return packets;
  }

  // ── one packet ─────────────────────────────────────────────────────────────────────────────────────────────────

  /** Begins the next packet; false where the ledger is full. */
  #open({ round, heard, pivots }: FrameInput): boolean {
    if (this.ledger.isFull) return false;
    const packet = this.ledger.open(round, pivots);
    this.#out.reset();
    this.#heads.reset();
    this.#records = 0;
    this.#inEvents = false;
    writeServerKind(this.#out, "frame");
    writeFrameHeader(this.#out, { packet, round, heard, pivots: pivots > this.ledger.toldPivots ? pivots : -1 });
    return true;
  }

  #close({ maxBytes }: FrameInput): FramePacket {
    if (!this.#inEvents) this.#out.writeBits(0, 1);
    this.#out.writeBits(0, 1);
    const bytes = this.#out.finish();
    return { bytes, tooLong: bytes.length > maxBytes };
  }

  /**
   * Events follow the records; those that do not fit go on in packets of their own, as long as the ledger takes them.
   */
  #events(input: FrameInput, maxBits: number, packets: FramePacket[]): void {
    for (const event of input.events) {
      const begun = this.#records > 0 || this.#inEvents;
      if (begun && this.#out.bitLength + event.bitLength + 3 > maxBits) {
        if (this.ledger.isFull) return;
        packets.push(this.#close(input));
        this.#open(input);
      }
      if (!this.#inEvents) this.#out.writeBits(0, 1);
      this.#inEvents = true;
      this.#out.writeBits(1, 1);
      this.#out.writeBitsFrom(event);
    }
  }

  // ── one record: first what it takes, then the bits ─────────────────────────────────────────────────────────────

  /** Decides what is said of an object; returns an upper limit of its bits, 0 where nothing needs to be said. */
  #prepare(id: ObjectId, decision: DecisionKind): number {
    if (decision === DecisionKind.leave || decision === DecisionKind.destroy) {
      this.#kind = decision === DecisionKind.leave ? RecordKind.leave : RecordKind.destroy;
      return RECORD_HEAD_BITS;
    }
    const { world, model, view, session, cache, ownerVersion } = this.#options;
    const slot = slotOf(id);
    const base = model.baseVersion(view, id);
    const whole = base === 0 || ownerVersion(slot) > base;
    this.#kind = whole ? RecordKind.whole : RecordKind.changed;
    this.#mask = whole ? world.store.tableAt(slot).type.allMask : world.changedSince(slot, base, session);
    if (!whole && this.#mask === 0) {
      this.#kind = -1;
      return 0;
    }
    this.#entry = cache.entry(slot, this.#mask);
    return RECORD_HEAD_BITS + cache.bitsOf(this.#entry);
  }

  #record(id: ObjectId): void {
    this.ledger.add(id);
    const slot = slotOf(id);
    switch (this.#kind) {
      case -1:
        this.written.silent += 1;
        return;
      case RecordKind.changed:
        this.#heads.changed(this.#out, slot, generationOf(id), this.#typeIndex(slot), this.#mask);
        this.#options.cache.append(this.#out, this.#entry);
        this.written.changed += 1;
        break;
      case RecordKind.whole:
        this.#heads.whole(
          this.#out,
          slot,
          generationOf(id),
          this.#typeIndex(slot),
          this.#options.world.store.owner[slot]!,
        );
        this.#options.cache.append(this.#out, this.#entry);
        this.written.whole += 1;
        break;
      default:
        this.#heads.removed(this.#out, slot, generationOf(id), this.#kind);
        this.written.removed += 1;
    }
    this.#records += 1;
  }

  #typeIndex(slot: number): number {
    return this.#options.world.store.typeIndex[slot]!;
  }

  /** The decisions by ascending slot, as slot × ORDER_SPAN + index; undefined where they ascend already. */
  #bySlot(decisions: Decisions): Float64Array | undefined {
    let ascending = true;
    for (let i = 1; i < decisions.count && ascending; i++) {
      ascending = slotOf(decisions.ids[i - 1]! as ObjectId) <= slotOf(decisions.ids[i]! as ObjectId);
    }
    if (ascending) return undefined;
    if (this.#order.length < decisions.count) this.#order = new Float64Array(decisions.count * 2);
    for (let i = 0; i < decisions.count; i++) this.#order[i] = slotOf(decisions.ids[i]! as ObjectId) * ORDER_SPAN + i;
    return this.#order.subarray(0, decisions.count).sort();
  }
}

/** Above the number of decisions of one round: one for each slot, and their removals. */
const ORDER_SPAN = 2 ** 22;
