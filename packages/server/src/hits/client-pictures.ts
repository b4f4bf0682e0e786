/**
 * What one client saw of the objects that may be aimed at, as far as the server can know. It knows what it sent (`TargetLog`), which
 * packets arrived and when (`PacketFates`), and how long the way is (`PathTiming`). From these it tells which render times a claim can
 * mean.
 *
 * A client renders by the server's clock, which it estimates as the middle of each round trip. So a frame takes effect half a trip after it
 * left, and a command that arrives at time A left at render time A − half a trip. This holds even if one way takes longer than the other,
 * because the client's estimate is wrong by the same amount.
 * A claim may be earlier than that by three fifths of a round: a player shoots at the picture of the frame before, a lost command comes
 * with the next message, a delayed one comes late. It may be later by two fifths: the command came sooner than usual, or clocks are a
 * little wrong. That is one round in all, so a client that lies about its time gains one round at most.
 */

import type { World } from "@nearfield/core";
import { DecisionKind, type Decisions } from "@nearfield/core/internal";
import type { Presentation } from "@nearfield/presentation/internal";
import type { PacketAck, SendModel } from "@nearfield/protocol/internal";
import { type ObjectId, slotOf } from "@nearfield/schema";
import { FateTap, type SendListener } from "./fate-tap.ts";
import { PacketFate, PacketFates } from "./packet-fates.ts";
import { PathTiming } from "./path-timing.ts";
import { MOTION_NUMBERS } from "./send-rows.ts";
import { TargetLog } from "./target-log.ts";

export interface ClientPicturesOptions {
  readonly world: World;
  /** Whether objects of a type may be aimed at, by its index. */
  readonly isTarget: readonly boolean[];
  readonly presentation: Presentation;
  /** How far clients render behind the server's time, ms. */
  readonly renderLagMs: number;
  readonly roundMs: number;
  readonly capMs: number;
  readonly maxSends: number;
  /** Session number of the client. Its own objects are never targets for it. */
  readonly session: number;
  /** Time bound of the zone of the object in that slot, as the client computes it, ms. Undefined: the client does not use one. */
  readonly timeBound?: ((slot: number) => number) | undefined;
}

/** Frames whose packets are remembered: as many as may be in flight. */
const FRAMES = 1024;
/** Share of a round by which a claim may be earlier than the likely time. It may be later by the rest of a round. */
const LATE_SHARE = 0.6;

export class ClientPictures implements SendListener {
  readonly log: TargetLog;
  readonly path: PathTiming = new PathTiming();
  /** Arrival time of the command that is being carried out, ms. */
  commandMs = 0;
  readonly #options: ClientPicturesOptions;
  readonly #fates: PacketFates = new PacketFates();
  readonly #motion: Float64Array = new Float64Array(MOTION_NUMBERS);
  /** By round, modulo `FRAMES`: the first packet of its frame, and the number of its packets. */
  readonly #firstPacket: Int32Array = new Int32Array(FRAMES);
  readonly #packets: Int32Array = new Int32Array(FRAMES);
  #sentMs = 0;
  #isWriting = false;

  constructor(options: ClientPicturesOptions) {
    const { presentation, capMs, maxSends, roundMs } = options;
    this.#options = options;
    // A picture may be as old as the cap, and depends on sends that took effect before it.
    this.log = new TargetLog({ presentation, fates: this.#fates, keepMs: capMs + 4 * roundMs, maxSends });
  }

  /** Wraps the model for the writer of this client's frames, so that this object hears what becomes of each send. */
  watch(model: SendModel): SendModel {
    return new FateTap(model, this);
  }

  /** How much earlier a claim may be than its command makes likely, ms. `earlyMs` is how much later. */
  get lateMs(): number {
    return this.#options.roundMs * LATE_SHARE;
  }

  get earlyMs(): number {
    return this.#options.roundMs * (1 - LATE_SHARE);
  }

  /** The render time at which a message that arrives here at `arrivedMs` left the client. */
  renderMsOf(arrivedMs: number): number {
    return arrivedMs - this.#lagMs;
  }

  /** The lowest render time that can still be granted to a command that arrives at `arrivedMs` or later. */
  earliestMs(arrivedMs: number): number {
    return this.path.isKnown ? this.renderMsOf(arrivedMs) - this.lateMs : Number.NEGATIVE_INFINITY;
  }

  /** How long after its own time a frame usually takes effect, in ms of render time. Used for frames that no ack has told of. */
  get usualAgeMs(): number {
    return this.path.ageMs - this.#options.renderLagMs;
  }

  /**
   * The moment up to which the client believed to have received everything when it sent a message that arrives here at `arrivedMs`. A
   * client interpolates by this moment.
   * It lies one whole round trip ago, whichever way is longer and whatever the client's clock says.
   */
  playoutMsOf(arrivedMs: number): number {
    const { tripMs, ageSpreadMs } = this.path;
    return Math.min(this.renderMsOf(arrivedMs), arrivedMs - tripMs - 2 * ageSpreadMs);
  }

  get #lagMs(): number {
    return this.#options.renderLagMs + this.path.upMs;
  }

  // ── out ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** The frame of this round is about to be written. Its first packet has this number. */
  sending(round: number, packet: number, { count, ids, kinds, settled }: Decisions): void {
    this.#sentMs = round * this.#options.roundMs;
    this.#isWriting = true;
    this.#packets[round % FRAMES] = 0;
    for (let i = 0; i < count; i++) {
      const id = ids[i]! as ObjectId;
      const kind = kinds[i];
      if (kind === DecisionKind.leave || kind === DecisionKind.destroy) this.log.removed(id, this.#sentMs, packet);
      else if (this.#isTarget(slotOf(id))) this.#note(id, packet, settled[i] === 1);
    }
  }

  /**
   * The frame is written, in the packets from `packet` to `end` − 1. If there are several, it is not known yet which one carried an object;
   * that shows when the object's send arrives or is lost. Until then the first packet counts.
   */
  sent(packet: number, end: number): void {
    this.#isWriting = false;
    const frame = (this.#sentMs / this.#options.roundMs) % FRAMES;
    this.#firstPacket[frame] = packet;
    this.#packets[frame] = end - packet;
    for (let next = packet; next < end; next++) this.#fates.sent(next, this.#sentMs);
  }

  #isTarget(slot: number): boolean {
    const { world, isTarget, session } = this.#options;
    return isTarget[world.store.typeIndex[slot]!] === true && world.store.owner[slot] !== session;
  }

  #note(id: ObjectId, packet: number, settles: boolean): void {
    const { world, timeBound } = this.#options;
    world.readMotion(slotOf(id), this.#motion);
    this.log.sent(id, this.#sentMs, packet, this.#motion, settles, timeBound?.(slotOf(id)));
  }

  withheld(id: ObjectId): void {
    this.log.withheld(id, this.#sentMs);
  }

  lost(id: ObjectId, round: number): void {
    if (this.#isWriting) this.withheld(id);
    else this.#carried(id, round, PacketFate.missing);
  }

  /** The client has this send if it has the packet `base` that the send builds on, whatever became of the send's own packet. */
  orphaned(id: ObjectId, round: number, base: number): void {
    this.log.carriedBy(id, round * this.#options.roundMs, base);
  }

  arrived(ids: Uint32Array, count: number, round: number): void {
    if (this.#packets[round % FRAMES]! < 2) return;
    for (let i = 0; i < count; i++) this.#carried(ids[i]! as ObjectId, round, PacketFate.arrived);
  }

  /** Used for frames of several packets: the object was in a packet with this fate. */
  #carried(id: ObjectId, round: number, fate: PacketFate): void {
    const first = this.#firstPacket[round % FRAMES]!;
    const count = this.#packets[round % FRAMES]!;
    for (let packet = first; count > 1 && packet < first + count; packet++) {
      if (this.#fates.fateOf(packet) === fate) return this.log.carriedBy(id, round * this.#options.roundMs, packet);
    }
  }

  // ── in ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** @param waitedMs how long the ack waited at the client after its newest packet was read. */
  acked(ack: PacketAck, arrivedMs: number, waitedMs = 0): void {
    const sentMs = this.#fates.newsOf(ack);
    if (Number.isNaN(sentMs)) return;
    const tripMs = Math.max(0, arrivedMs - sentMs - waitedMs);
    this.path.note(tripMs, arrivedMs);
    const appliedMs = arrivedMs - waitedMs - this.path.upMsOf(tripMs) - this.#options.renderLagMs;
    this.#fates.acked(ack, appliedMs, this.usualAgeMs);
  }
}
