/**
 * What is in flight to one client: for every packet that was sent, the objects it spoke of and the round it was decided
 * in. An ack settles packets; so does the news that one is lost, which is known when a frame of a later round was
 * acknowledged without it, or when no ack came for longer than the measured round trip explains. Each send therefore
 * has exactly one fate.
 *
 * Bound: `ACK_WINDOW` packets. A ledger that is full takes no packet; the writer then reports the sends lost at once,
 * so that they come up again in the next round, and nothing is silently dropped.
 * Why so: docs/decisions/0002-acknowledged-baselines.md.
 */

import type { ObjectId } from "@nearfield/core";
import { ACK_WINDOW, eachAcked, type PacketAck } from "./arrivals.ts";
import { ProtocolError } from "./reasons.ts";
import { unwrap } from "./sequence.ts";

/** Fewest rounds without an ack before a packet counts as lost. */
const LEAST_TIMEOUT_ROUNDS = 4;

/** Who is told the fate of each send. */
export interface FateListener {
  acknowledge(id: ObjectId, round: number): void;
  lose(id: ObjectId, round: number): void;
}

interface PacketEntry {
  round: number;
  ids: ObjectId[];
  settled: boolean;
  /** The pivots that the packet's header confirmed; see `FrameHeader`. */
  pivots: number;
}

export class PacketLedger {
  readonly #fates: FateListener;
  /** Ring by packet number; entries `#oldest … #next − 1` are in use. Their arrays are reused. */
  readonly #entries: PacketEntry[] = [];
  /** What the ack at hand says of the packets from the newest downward. */
  readonly #told: boolean[] = [];
  #oldest = 0;
  #next = 0;
  #newestAcked = -1;
  #smoothedRounds = -1;
  #varianceRounds = 0;
  /** Packets that arrived, and that are known to be lost. */
  arrived = 0;
  lost = 0;
  /** Newest pivots that the client knows to be confirmed. */
  toldPivots = 0;

  constructor(fates: FateListener) {
    this.#fates = fates;
  }

  get isFull(): boolean {
    return this.#next - this.#oldest >= ACK_WINDOW;
  }

  /** Whether an ack can be expected at all. */
  get isWaiting(): boolean {
    return this.#next > 0;
  }

  /** Smoothed round trip in rounds, ack delay included; −1 before the first ack. */
  get roundTripRounds(): number {
    return this.#smoothedRounds;
  }

  /**
   * Rounds without an ack after which a packet counts as lost: twice the round trip and four times its spread, at least
   * 4.
   */
  get timeoutRounds(): number {
    return Math.max(LEAST_TIMEOUT_ROUNDS, Math.ceil(2 * this.#smoothedRounds + 4 * this.#varianceRounds));
  }

  /** Opens the entry of the next packet and returns its number. */
  open(round: number, pivots: number): number {
    const at = this.#next % ACK_WINDOW;
    const entry = this.#entries[at];
    if (entry === undefined) {
      this.#entries[at] = { round, ids: [], settled: false, pivots };
    } else {
      entry.round = round;
      entry.ids.length = 0;
      entry.settled = false;
      entry.pivots = pivots;
    }
    return this.#next++;
  }

  /** Notes that the open packet speaks of `id`. */
  add(id: ObjectId): void {
    this.#entries[(this.#next - 1) % ACK_WINDOW]!.ids.push(id);
  }

  /** @param now the round about to be run. */
  acknowledge(ack: PacketAck, now: number): void {
    if (ack.runs.length === 0) return;
    const newest = unwrap(ack.newest, Math.max(0, this.#newestAcked));
    if (newest >= this.#next || newest < 0) {
      throw new ProtocolError("unexpected", `packet ${newest} is acknowledged, but only ${this.#next} were sent`);
    }
    if (newest > this.#newestAcked) {
      this.#newestAcked = newest;
      if (newest >= this.#oldest) this.#measure(now - this.#entry(newest).round);
    }
    if (newest < this.#oldest) return;
    const newestRound = this.#entry(newest).round;
    const told = this.#told;
    told.length = 0;
    eachAcked(newest, ack.runs, this.#oldest, (arrived) => told.push(arrived));
    // Oldest first, so that of two sends of one object the newer has the last word.
    for (let back = told.length - 1; back >= 0; back--) {
      const packet = newest - back;
      if (told[back]!) this.#settle(packet, true);
      else if (this.#entry(packet).round < newestRound) this.#settle(packet, false);
    }
    this.#trim();
  }

  /** Gives up on packets without an ack for too long. */
  expire(now: number): void {
    const limit = now - this.timeoutRounds;
    for (let packet = this.#oldest; packet < this.#next && this.#entry(packet).round < limit; packet++) {
      this.#settle(packet, false);
    }
    this.#trim();
  }

  /** The link is gone: whatever is in flight is lost. */
  loseAll(): void {
    for (let packet = this.#oldest; packet < this.#next; packet++) this.#settle(packet, false);
    this.#trim();
  }

  #settle(packet: number, arrived: boolean): void {
    const entry = this.#entry(packet);
    if (entry.settled) return;
    entry.settled = true;
    if (arrived) {
      this.arrived += 1;
      this.toldPivots = Math.max(this.toldPivots, entry.pivots);
    } else {
      this.lost += 1;
    }
    for (const id of entry.ids) {
      if (arrived) this.#fates.acknowledge(id, entry.round);
      else this.#fates.lose(id, entry.round);
    }
  }

  #trim(): void {
    while (this.#oldest < this.#next && this.#entry(this.#oldest).settled) this.#oldest++;
  }

  #entry(packet: number): PacketEntry {
    return this.#entries[packet % ACK_WINDOW]!;
  }

  /** As TCP does it (RFC 6298): an eighth of each sample, a quarter of its distance. */
  #measure(rounds: number): void {
    if (this.#smoothedRounds < 0) {
      this.#smoothedRounds = rounds;
      this.#varianceRounds = rounds / 2;
      return;
    }
    this.#varianceRounds += (Math.abs(rounds - this.#smoothedRounds) - this.#varianceRounds) / 4;
    this.#smoothedRounds += (rounds - this.#smoothedRounds) / 8;
  }
}
