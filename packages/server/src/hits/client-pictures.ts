/**
 * What one client sees of the objects that may be aimed at, as far as the server can know: what it was sent (`TargetLog`), what arrived and
 * when (`PacketFates`), how long the way to it is (`PathTiming`), and so which render times it can have meant.
 *
 * A client renders by the server's clock, as it estimates it from round trips. So a frame is there half a trip after it left, and a command
 * that arrives at time A left at render time A − half a trip, whatever share of the trip each way takes: the client's estimate stands
 * on the same halves. A claim may be earlier than that by three fifths of a round (a player shoots at the picture of the frame before, a
 * command that is lost comes with the next message, one that is held up comes late) and later by two fifths (it came sooner than usual, clocks
 * are a little wrong). That is a round in all, so a lie about its time gains a round at most.
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
  /** By how much clients render behind the server's time. */
  readonly renderLagMs: number;
  readonly roundMs: number;
  readonly capMs: number;
  readonly maxSends: number;
  /** Session number of the client: its own objects are no targets of its. */
  readonly session: number;
  /** Time bound of the zone of the object in that slot, as the client reckons it, ms; undefined: it does not. */
  readonly timeBound?: ((slot: number) => number) | undefined;
}

/** Frames whose packets are remembered: as many as may be in flight. */
const FRAMES = 1024;
/** Share of a round by which a claim may be earlier than likely; by the rest it may be later. */
const LATE_SHARE = 0.6;

export class ClientPictures implements SendListener {
  readonly log: TargetLog;
  readonly path: PathTiming = new PathTiming();
  /** When the command at hand arrived, ms. */
  commandMs = 0;
  readonly #options: ClientPicturesOptions;
  readonly #fates: PacketFates = new PacketFates();
  readonly #motion: Float64Array = new Float64Array(MOTION_NUMBERS);
  /** By round, modulo `FRAMES`: first packet of its frame, and how many it had. */
  readonly #firstPacket: Int32Array = new Int32Array(FRAMES);
  readonly #packets: Int32Array = new Int32Array(FRAMES);
  #sentMs = 0;
  #isWriting = false;

  constructor(options: ClientPicturesOptions) {
    const { presentation, capMs, maxSends, roundMs } = options;
    this.#options = options;
    // A picture may be asked for as old as the cap, and stands on sends that took effect before.
    this.log = new TargetLog({ presentation, fates: this.#fates, keepMs: capMs + 4 * roundMs, maxSends });
  }

  /** The model for the writer of this client's frames. */
  watch(model: SendModel): SendModel {
    return new FateTap(model, this);
  }

  /** By how much a claim may be earlier than its command makes likely, ms; and later. */
  get lateMs(): number {
    return this.#options.roundMs * LATE_SHARE;
  }

  get earlyMs(): number {
    return this.#options.roundMs * (1 - LATE_SHARE);
  }

  /** Render time at which what arrives here at `arrivedMs` left the client. */
  renderMsOf(arrivedMs: number): number {
    return arrivedMs - this.#lagMs;
  }

  /** The lowest render time that can still be granted to a command that arrives at `arrivedMs` or later. */
  earliestMs(arrivedMs: number): number {
    return this.path.isKnown ? this.renderMsOf(arrivedMs) - this.lateMs : Number.NEGATIVE_INFINITY;
  }

  /** When a frame takes effect, in ms of render time after its own: for those of which no ack has told. */
  get usualAgeMs(): number {
    return this.path.ageMs - this.#options.renderLagMs;
  }

  /**
   * The moment up to which a client that sent something that arrives here at `arrivedMs` had everything, as it reckons: what it interpolates by.
   * Whichever way is longer, and whatever its clock says, that moment is a whole trip ago.
   */
  playoutMsOf(arrivedMs: number): number {
    const { tripMs, ageSpreadMs } = this.path;
    return Math.min(this.renderMsOf(arrivedMs), arrivedMs - tripMs - 2 * ageSpreadMs);
  }

  get #lagMs(): number {
    return this.#options.renderLagMs + this.path.upMs;
  }

  // ── out ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Its frame of this round is about to be written, beginning with that packet. */
  sending(round: number, packet: number, { count, ids, kinds, settled }: Decisions): void {
    this.#sentMs = round * this.#options.roundMs;
    this.#isWriting = true;
    for (let i = 0; i < count; i++) {
      const id = ids[i]! as ObjectId;
      const kind = kinds[i];
      if (kind === DecisionKind.leave || kind === DecisionKind.destroy) this.log.removed(id, this.#sentMs, packet);
      else if (this.#isTarget(slotOf(id))) this.#note(id, packet, settled[i] === 1);
    }
  }

  /**
   * The frame is written, and had the packets from `packet` to `end` − 1. Which of several carried an object shows when it arrives or is lost;
   * until then it is taken to share the fate of the first.
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

  /** The client has it if it has the packet that it builds on, whatever became of its own. */
  orphaned(id: ObjectId, round: number, base: number): void {
    this.log.carriedBy(id, round * this.#options.roundMs, base);
  }

  arrived(ids: Uint32Array, count: number, round: number): void {
    if (this.#packets[round % FRAMES]! < 2) return;
    for (let i = 0; i < count; i++) this.#carried(ids[i]! as ObjectId, round, PacketFate.arrived);
  }

  /** Of a frame of several packets: the object was in one with that fate. */
  #carried(id: ObjectId, round: number, fate: PacketFate): void {
    const first = this.#firstPacket[round % FRAMES]!;
    const count = this.#packets[round % FRAMES]!;
    for (let packet = first; count > 1 && packet < first + count; packet++) {
      if (this.#fates.fateOf(packet) === fate) return this.log.carriedBy(id, round * this.#options.roundMs, packet);
    }
  }

  // ── in ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  acked(ack: PacketAck, arrivedMs: number): void {
    const sentMs = this.#fates.newsOf(ack);
    if (Number.isNaN(sentMs)) return;
    const tripMs = Math.max(0, arrivedMs - sentMs);
    this.path.note(tripMs);
    const appliedMs = arrivedMs - this.path.upMsOf(tripMs) - this.#options.renderLagMs;
    this.#fates.acked(ack, appliedMs, this.usualAgeMs);
  }
}
