/**
 * A network in one direction, on the clock it is given: the Pipe that carries a MemoryLink's packets through given `Conditions`.
 * A packet goes `push → wait for bandwidth → onWire: lost, or under way → arrive`.
 *
 * - Unreliable: may be lost, held back, doubled. Jitter alone keeps the order (a queue in a router does not let one
 *   overtake another); packets overtake only those that `reorder` holds back, and second copies.
 * - Reliable: a loss costs `retransmitMs`, then the packet goes again, through the same bandwidth and luck. The
 *   receiving side holds what came out of order. Nothing of this delays the other channels.
 *
 * Loss, delay, reordering and doubling each have dice of their own, which are rolled for every packet, used or not. So on the unreliable
 * channels a change of one share does not change the other effects.
 */

import type { Packet, Pipe } from "@nearfield/transport/internal";
import { Bottleneck } from "./bottleneck.ts";
import { type Conditions, type ResolvedConditions, resolveConditions } from "./conditions.ts";
import type { Dice } from "./dice.ts";
import { LossModel } from "./loss-model.ts";
import type { Clock } from "./virtual-clock.ts";

export interface PipeCounters {
  /** Packets pushed. */
  readonly offered: number;
  /** Arrivals, second copies included. */
  readonly delivered: number;
  /** Unreliable packets that bad luck or a cut took. */
  readonly lost: number;
  /** Transmissions that `dropNext` took, of any channel. */
  readonly dropped: number;
  /** Unreliable packets that found the queue full. */
  readonly tailDropped: number;
  /** Unreliable packets above `mtuBytes`. */
  readonly oversized: number;
  readonly reordered: number;
  readonly duplicated: number;
  /** Transmissions of reliable packets beyond the first. */
  readonly retransmitted: number;
}

export type PacketPredicate = (packet: Pick<Packet, "channel" | "bytes" | "frameBytes">) => boolean;

/** A standing order to drop chosen packets. */
export interface Drop {
  /** How many it has taken. */
  readonly taken: number;
  /** Takes no more. */
  cancel(): void;
}

interface DropOrder extends Drop {
  taken: number;
  left: number;
  readonly matches: PacketPredicate;
}

/** A packet of the reliable channel and its place in the order. */
interface Reliable {
  readonly packet: Packet;
  readonly place: number;
}

export class ConditionedPipe implements Pipe {
  readonly #clock: Clock;
  readonly #delayDice: Dice;
  readonly #reorderDice: Dice;
  readonly #duplicateDice: Dice;
  readonly #traceDice: Dice;
  readonly #loss: LossModel;
  readonly #bottleneck: Bottleneck;
  readonly #counters: { -readonly [Name in keyof PipeCounters]: number };
  #conditions: ResolvedConditions;
  #cut = false;
  #drops: DropOrder[] = [];

  /** The latest arrival of a packet that keeps the order. */
  #lastArrivalMs = 0;

  #nextPlace = 0;
  #expectedPlace = 0;
  /** Reliable packets that arrived before one they must follow. */
  readonly #held: Map<number, Packet> = new Map();
  #heldBytes = 0;
  /** Reliable packets that were lost and wait to be sent again. */
  #stalledBytes = 0;

  constructor(clock: Clock, dice: Dice, conditions: Conditions = {}) {
    this.#clock = clock;
    this.#conditions = resolveConditions(conditions);
    this.#bottleneck = new Bottleneck(clock, this.#conditions);
    this.#delayDice = dice.fork("delay");
    this.#reorderDice = dice.fork("reorder");
    this.#duplicateDice = dice.fork("duplicate");
    this.#traceDice = dice.fork("trace");
    this.#loss = new LossModel(this.#conditions.loss, dice.fork("loss"));
    this.#counters = {
      offered: 0,
      delivered: 0,
      lost: 0,
      dropped: 0,
      tailDropped: 0,
      oversized: 0,
      reordered: 0,
      duplicated: 0,
      retransmitted: 0,
    };
  }

  get counters(): PipeCounters {
    return this.#counters;
  }

  /**
   * What waits for bandwidth, and what the reliable channel cannot get across: a real sender's window would be full of
   * it. The link's limits hold against this sum, so a path that lets nothing through ends in "overflow" and not in
   * endless memory.
   */
  get backlogBytes(): number {
    return this.#bottleneck.queuedBytes + this.#stalledBytes + this.#heldBytes;
  }

  /** The clock delivers; there is nothing to flush. */
  flush(): number {
    return 0;
  }

  /** Other conditions from now on; packets under way keep their fate, those that wait for bandwidth get what there is now. */
  change(conditions: Conditions): void {
    this.#conditions = resolveConditions(conditions);
    this.#loss.change(this.#conditions.loss);
    this.#bottleneck.change(this.#conditions);
  }

  /**
   * From now on nothing gets through: unreliable packets are lost, reliable ones are tried again and again. What is
   * under way arrives.
   */
  cut(): void {
    this.#cut = true;
  }

  mend(): void {
    this.#cut = false;
  }

  /**
   * Drops the next `count` transmissions that the predicate names; a reliable packet is then sent again, and may be
   * named again.
   */
  dropNext(matches: PacketPredicate, count = 1): Drop {
    const order: DropOrder = {
      taken: 0,
      left: count,
      matches,
      cancel: () => {
        this.#drops = this.#drops.filter((other) => other !== order);
      },
    };
    this.#drops.push(order);
    return order;
  }

  push(packet: Packet): void {
    this.#counters.offered += 1;
    if (packet.channel === "reliable") {
      const reliable: Reliable = { packet, place: this.#nextPlace };
      this.#nextPlace += 1;
      this.#bottleneck.take(packet.frameBytes, () => this.#reliableOnWire(reliable));
      return;
    }
    if (packet.frameBytes > this.#conditions.mtuBytes) {
      this.#counters.oversized += 1;
      return;
    }
    const { isBusy, queuedBytes } = this.#bottleneck;
    if (isBusy && queuedBytes + packet.frameBytes > this.#conditions.queueBytes) {
      this.#counters.tailDropped += 1;
      return;
    }
    this.#bottleneck.take(packet.frameBytes, () => this.#unreliableOnWire(packet));
  }

  #unreliableOnWire(packet: Packet): void {
    const { nowMs } = this.#clock;
    const { reorder, reorderMs, duplicate } = this.#conditions;
    const isLost = this.#isLost(packet);
    const delayMs = this.#rollDelay();
    const isReordered = this.#reorderDice.chance(reorder);
    const heldBackMs = this.#reorderDice.next() * reorderMs;
    const isDuplicated = this.#duplicateDice.chance(duplicate);
    const copyDelayMs = this.#rollDelay();
    if (isLost) return;

    const arrivalMs = isReordered ? nowMs + delayMs + heldBackMs : this.#inOrder(nowMs + delayMs);
    if (isReordered) this.#counters.reordered += 1;
    this.#arriveAt(arrivalMs, packet);
    if (isDuplicated) {
      this.#counters.duplicated += 1;
      this.#arriveAt(Math.max(arrivalMs, nowMs + copyDelayMs), packet);
    }
  }

  #arriveAt(arrivalMs: number, packet: Packet): void {
    this.#clock.at(arrivalMs, () => this.#deliver(packet));
  }

  #reliableOnWire(reliable: Reliable): void {
    const { packet } = reliable;
    const isLost = this.#isLost(packet);
    const delayMs = this.#rollDelay();
    if (!isLost) {
      this.#clock.at(this.#inOrder(this.#clock.nowMs + delayMs), () => this.#reliableArrived(reliable));
      return;
    }
    this.#stalledBytes += packet.frameBytes;
    this.#clock.after(this.#conditions.retransmitMs, () => {
      this.#stalledBytes -= packet.frameBytes;
      this.#counters.retransmitted += 1;
      this.#bottleneck.take(packet.frameBytes, () => this.#reliableOnWire(reliable));
    });
  }

  #reliableArrived({ packet, place }: Reliable): void {
    this.#held.set(place, packet);
    this.#heldBytes += packet.frameBytes;
    for (;;) {
      const next = this.#held.get(this.#expectedPlace);
      if (next === undefined) return;
      this.#held.delete(this.#expectedPlace);
      this.#heldBytes -= next.frameBytes;
      this.#expectedPlace += 1;
      this.#deliver(next);
    }
  }

  #deliver(packet: Packet): void {
    this.#counters.delivered += 1;
    packet.deliver();
  }

  /** Not before any packet that keeps the order and left earlier. */
  #inOrder(arrivalMs: number): number {
    this.#lastArrivalMs = Math.max(this.#lastArrivalMs, arrivalMs);
    return this.#lastArrivalMs;
  }

  #isLost(packet: Packet): boolean {
    const isUnlucky = this.#rollLoss();
    const order = this.#drops.find((candidate) => candidate.matches(packet));
    if (order !== undefined) {
      order.taken += 1;
      order.left -= 1;
      if (order.left === 0) order.cancel();
      this.#counters.dropped += 1;
      return true;
    }
    if (!isUnlucky && !this.#cut) return false;
    if (packet.channel !== "reliable") this.#counters.lost += 1;
    return true;
  }

  #rollLoss(): boolean {
    const { trace, traceStartMs } = this.#conditions;
    const isUnlucky = this.#loss.next();
    if (!trace?.tellsLoss) return isUnlucky;
    return this.#traceDice.chance(trace.lossAt(this.#clock.nowMs + traceStartMs));
  }

  #rollDelay(): number {
    const { latencyMs, jitterMs, jitterShape, trace, traceStartMs } = this.#conditions;
    const spread = jitterShape === "normal" ? this.#delayDice.normal() : this.#delayDice.range(-1, 1);
    if (trace?.tellsDelay) return trace.delayMsAt(this.#clock.nowMs + traceStartMs);
    return Math.max(0, latencyMs + spread * jitterMs);
  }
}
