/**
 * Chooses what is said of each object in one client's frame: one record for each decision of the round, within the budget, in the order in
 * which the packets hold them. There is one per client; `frame-writer.ts` writes what it chose.
 *
 * The choice follows from what the client is known to have. If it has nothing, the whole object is written. If it has an acknowledged
 * version, the newer fields are written, without those that the client wrote itself. While the whole object is still in flight, updates
 * are *early* deltas. The results stand in the shared `FrameScratch`, by decision: kind, cache entry, gaps, base, mask; and the order.
 * Why so: docs/decisions/0002-acknowledged-baselines.md.
 */

import type { World } from "@nearfield/core";
import { DecisionKind, type Decisions, INNER_FIRST, type ViewId } from "@nearfield/core/internal";
import { type ObjectId, slotOf } from "@nearfield/schema";
import { MAX_SLOTS } from "@nearfield/schema/internal";
import type { Bases } from "./bases.ts";
import type { ClientNames } from "./client-names.ts";
import type { EncodeCache } from "./encode-cache.ts";
import { GENERATION_BITS, RecordKind, stepFor } from "./frame.ts";
import type { FrameScratch } from "./frame-scratch.ts";
import type { FrameInput, FrameWriterOptions, SendModel } from "./frame-writer.ts";
import type { PacketLedger } from "./ledger.ts";
import { gapsAfter, NO_GAPS } from "./lineage.ts";
import type { ViewFates } from "./view-fates.ts";

/** Bits of a frame without records, and the least bits of a record's place in it. Used for the budget. */
const FRAME_HEAD_BITS = 40;
const LEAST_SEGMENT_BITS = 3;
const USUAL_HEAD_BITS: number = GENERATION_BITS + 9;

/** A send that needs no record: the client wrote the change itself. */
export const SILENT = -1;
/** A settle among early deltas. Early deltas themselves are `RecordKind.early`. */
const EARLY_SETTLE = 9;
type Kind = RecordKind | typeof SILENT | typeof EARLY_SETTLE;

// Constants of this module are inlined; imported ones would be looked up at every use.
const SLOT_MASK: number = MAX_SLOTS - 1;
const DELTA: typeof RecordKind.delta = RecordKind.delta;
const EARLY: typeof RecordKind.early = RecordKind.early;
const UPDATE: typeof DecisionKind.update = DecisionKind.update;

/** Up to this many decisions are sorted by insertion, which is faster than the library's sort. */
const MOST_INSERTED = 48;
/** More than the decisions of one round: one for each slot, and their removals. */
const ORDER_SPAN = 2 ** 22;
/** More than all places by slot. The remaining bits of a double's 53 distinguish the packets in flight. */
const BASE_SPAN: number = ORDER_SPAN * 2 * MAX_SLOTS;

export class RecordChoice {
  /** Number of early deltas in the current frame; they go last. */
  earlyCount = 0;
  /** Number of decisions in the current frame that need no record. */
  silentCount = 0;
  /** The step in which the current frame counts distances between segments. */
  step = 0;
  /** By decision: the id by which the client knows the object. */
  names: Uint32Array = new Uint32Array(0);
  readonly #clientNames: ClientNames | undefined;
  readonly #world: World;
  readonly #model: SendModel;
  readonly #view: ViewId;
  readonly #session: number;
  readonly #cache: EncodeCache;
  readonly #ownerVersion: (slot: number) => number;
  readonly #bases: Bases;
  readonly #ledger: PacketLedger;
  readonly #fates: ViewFates;
  readonly #scratch: FrameScratch;
  /** Whether the current frame may have deltas. */
  #mayDelta = false;

  constructor(options: FrameWriterOptions, bases: Bases, ledger: PacketLedger, fates: ViewFates) {
    this.#clientNames = options.names;
    this.#world = options.world;
    this.#model = options.model;
    this.#view = options.view;
    this.#session = options.session;
    this.#cache = options.cache;
    this.#ownerVersion = options.ownerVersion;
    this.#bases = bases;
    this.#ledger = ledger;
    this.#fates = fates;
    this.#scratch = options.cache.frames;
  }

  /**
   * Chooses a record for each decision and encodes its fields; within a budget, the most urgent first. Then sorts them by slot. Returns how
   * many go.
   */
  prepare(decisions: Decisions, input: FrameInput, mayDelta: boolean): number {
    this.#scratch.reserve(decisions.count);
    this.names = this.#clientNames?.namesOf(decisions.ids, decisions.count) ?? decisions.ids;
    this.#mayDelta = mayDelta;
    this.earlyCount = 0;
    this.silentCount = 0;
    this.#bases.reserve(decisions.count);
    this.#findRows(decisions);
    const { budgetBits = Infinity } = input;
    const count = budgetBits === Infinity ? decisions.count : this.#pick(decisions, input, budgetBits);
    if (budgetBits === Infinity) for (let i = 0; i < count; i++) this.#place(decisions, i, i, input.round);
    this.#order(count);
    this.step = this.#stepOf(count);
    return count;
  }

  /** Finds each object's row. This is a loop of its own, so the processor can load several rows at once. */
  #findRows({ ids, count }: Decisions): void {
    const { rows } = this.#scratch;
    const bases = this.#bases;
    for (let i = 0; i < count; i++) rows[i] = bases.find(ids[i]! & SLOT_MASK);
  }

  /** Chooses the record of decision i and gives it a place. */
  #place(decisions: Decisions, i: number, place: number, round: number): void {
    const id = decisions.ids[i]! as ObjectId;
    const kind = this.#choose(id, decisions.kinds[i]! as DecisionKind, decisions.settled[i] === 1, round, i);
    if (kind === EARLY || kind === EARLY_SETTLE) this.earlyCount += 1;
    else if (kind === SILENT) this.silentCount += 1;
    this.#scratch.kinds[i] = kind;
    this.#scratch.sequence[place] = i;
  }

  /** Whether slots ascend from place to place. They do if the model decided in that order. */
  #ascends(count: number): boolean {
    const { names } = this;
    const { sequence } = this.#scratch;
    let last = -1;
    for (let place = 0; place < count; place++) {
      const slot = names[sequence[place]!]! & SLOT_MASK;
      if (slot <= last) return false;
      last = slot;
    }
    return true;
  }

  /** Puts the places in the order in which the packets hold them. */
  #order(count: number): void {
    if (this.earlyCount === 0) {
      if (this.#ascends(count)) return;
      if (this.#scratch.slots.sort(this.names, this.#scratch.sequence, count)) return;
    }
    this.#sort(count);
  }

  /** Sorts the places by slot; within one slot the delta goes first. Early deltas go last, sorted by their base. */
  #sort(count: number): void {
    const { names } = this;
    const { order, sequence, kinds, bases } = this.#scratch;
    const { oldestPacket } = this.#ledger;
    for (let place = 0; place < count; place++) {
      const i = sequence[place]!;
      const kind = kinds[i];
      let key = ((names[i]! & SLOT_MASK) * 2 + (kind === DELTA ? 0 : 1)) * ORDER_SPAN + i;
      if (kind === EARLY || kind === EARLY_SETTLE) key += (1 + bases[i]! - oldestPacket) * BASE_SPAN;
      order[place] = key;
    }
    if (count > MOST_INSERTED) {
      order.subarray(0, count).sort();
    } else {
      for (let place = 1; place < count; place++) {
        const key = order[place]!;
        let to = place;
        for (; to > 0 && order[to - 1]! > key; to--) order[to] = order[to - 1]!;
        order[to] = key;
      }
    }
    for (let place = 0; place < count; place++) sequence[place] = order[place]! % ORDER_SPAN;
  }

  /** Places as many decisions as the budget has bits for. The model withholds the others. */
  #pick(decisions: Decisions, { round, urgentBits, firstBits, events }: FrameInput, budgetBits: number): number {
    const { urgencies } = decisions;
    const { pressing } = this.#scratch;
    const urgentMost = Math.max(budgetBits, urgentBits ?? 0);
    const firstMost = Math.max(urgentMost, firstBits ?? 0);
    let used = FRAME_HEAD_BITS;
    for (const event of events) used += event.bitLength + 1;
    let going = 0;
    pressing.begin(decisions, this.names);
    for (let i = pressing.first; i >= 0; i = pressing.first) {
      const urgency = urgencies[i]!;
      if (used >= (urgency === Infinity ? firstMost : urgency >= INNER_FIRST ? urgentMost : budgetBits)) break;
      this.#place(decisions, i, going++, round);
      used += this.usualBitsOf(i);
      pressing.shift();
    }
    this.#withholdRest();
    return going;
  }

  #withholdRest(): void {
    const { pressing, withheld } = this.#scratch;
    let count = 0;
    for (let i = pressing.pop(); i >= 0; i = pressing.pop()) withheld[count++] = i;
    if (count > 0) this.#fates.withhold(withheld, count);
  }

  /** The best step for the distances between this frame's segments. */
  #stepOf(count: number): number {
    const { kinds, sequence } = this.#scratch;
    const { names } = this;
    let segments = 0;
    let last = -1;
    let ways = 0;
    for (let place = 0; place < count; place++) {
      const i = sequence[place]!;
      const slot = names[i]! & SLOT_MASK;
      if ((kinds[i] !== DELTA && kinds[i] !== EARLY) || slot !== last + 1) segments += 1;
      // Each block of early deltas counts its slots anew.
      ways += slot < last ? slot : slot - last - 1;
      last = slot;
    }
    return stepFor(segments === 0 ? 0 : ways / segments);
  }

  #choose(id: ObjectId, decision: DecisionKind, settled: boolean, round: number, i: number): Kind {
    const slot = id & SLOT_MASK;
    if (decision !== UPDATE) return this.#chooseOther(id, decision, round, i);
    const bases = this.#bases;
    const row = this.#scratch.rows[i]!;
    if (this.#mayDelta && bases.isBase(row, id)) {
      const base = bases.roundOf(row);
      const gaps = bases.gapsOf(row);
      const entry = this.#cache.delta(slot, round, base, gaps);
      if (entry >= 0 && !this.#isMoreThanNews(slot, entry)) {
        this.#scratch.entries[i] = entry;
        if (settled) return RecordKind.settle;
        this.#scratch.gaps[i] = gapsAfter(round - base, gaps);
        return DELTA;
      }
    } else if (this.#isEarly(id, round, i)) {
      return settled ? EARLY_SETTLE : EARLY;
    }
    return this.#chooseOther(id, decision, round, i);
  }

  /** Whether the whole object is in flight to the client, and a delta against it tells everything since. */
  #isEarly(id: ObjectId, round: number, i: number): boolean {
    const packet = this.#bases.pending(this.#scratch.rows[i]!, id);
    const base = packet < 0 ? -1 : this.#ledger.roundOnItsWay(packet);
    if (base < 0 || base >= round) return false;
    const slot = id & SLOT_MASK;
    const entry = this.#cache.delta(slot, round, base, NO_GAPS);
    if (entry < 0 || this.#isMoreThanNews(slot, entry)) return false;
    this.#scratch.entries[i] = entry;
    this.#scratch.bases[i] = packet;
    this.#scratch.gaps[i] = gapsAfter(round - base, NO_GAPS);
    return true;
  }

  /** Whether a delta does not tell everything: the owner changed, or the client wrote a part of the change itself. */
  #isMoreThanNews(slot: number, entry: number): boolean {
    const version = this.#cache.baseVersionOf(entry);
    return this.#ownerVersion(slot) > version || (this.#cache.isClients(entry) && this.#isOwnWork(slot, version));
  }

  #chooseOther(id: ObjectId, decision: DecisionKind, round: number, i: number): Kind {
    if (decision === DecisionKind.leave) return RecordKind.leave;
    if (decision === DecisionKind.destroy) return RecordKind.destroy;
    const slot = slotOf(id);
    const base = decision === UPDATE && this.#mayWrite(slot) ? this.#model.baseVersion(this.#view, id) : 0;
    if (base > 0 && this.#ownerVersion(slot) <= base && this.#isOwnWork(slot, base)) {
      const mask = this.#world.changedSince(slot, base, this.#session);
      this.#scratch.masks[i] = mask;
      if (mask === 0) return SILENT;
      this.#scratch.entries[i] = this.#cache.fields(slot, mask);
      return RecordKind.some;
    }
    this.#scratch.entries[i] = this.#cache.whole(slot, round);
    return RecordKind.whole;
  }

  /** The likely bits of a record, its place in the frame included. */
  usualBitsOf(i: number): number {
    const kind = this.#scratch.kinds[i];
    if (kind === SILENT) return 0;
    const place = this.step + LEAST_SEGMENT_BITS;
    if (kind === RecordKind.leave || kind === RecordKind.destroy) return place + GENERATION_BITS;
    const fields = this.#cache.bitsOf(this.#scratch.entries[i]!);
    return place + fields + (kind === RecordKind.whole || kind === RecordKind.some ? USUAL_HEAD_BITS : 0);
  }

  /** Whether the client itself wrote a part of what is newer than that version. It is not told what it wrote. */
  #isOwnWork(slot: number, version: number): boolean {
    if (!this.#mayWrite(slot)) return false;
    const session = this.#session;
    const world = this.#world;
    return world.changedSince(slot, version, session) !== world.changedSince(slot, version, 0);
  }

  /** Whether clients write objects of this type, and this client may write this one. */
  #mayWrite(slot: number): boolean {
    return this.#session !== 0 && this.#world.store.tableAt(slot).type.write !== "server";
  }
}
