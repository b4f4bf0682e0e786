/**
 * What is in flight to one client: for every packet that was sent, the objects it spoke of and the round it was decided
 * in. An ack settles packets; so does the news that one is lost, which is known when a frame of a later round was
 * acknowledged without it, or when no ack came for longer than the measured round trip explains. Each send therefore
 * has exactly one fate.
 *
 * Apart from its fate, a send is *known* once an ack has covered its packet: acks are final (`arrivals.ts`), so from then
 * on both sides agree on whether the state it brought can be built on. A send may be given up by a timeout long before.
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

/** Packets that wait for so many others to be known are no longer waited for: what they brought is not built on. */
const LONGEST_WAIT = ACK_WINDOW / 2;

/** Instead of gaps: the send brings no state that can be built on. */
export const NO_STATE = -1;

/** Who is told the fate of each send. */
export interface FateListener {
  acknowledge(id: ObjectId, round: number): void;
  lose(id: ObjectId, round: number): void;
}

/** Who is told what the client has, in the order of packets. */
export interface StateListener {
  /** The client has the state that the packet brought, with its gaps (`lineage.ts`). */
  has(id: ObjectId, packet: number, round: number, gaps: number): void;
  /** It is not known what the client has of this object. */
  unsure(id: ObjectId, packet: number): void;
}

interface PacketEntry {
  round: number;
  ids: ObjectId[];
  /** By id: the gaps of the state it was sent, or `NO_STATE`. */
  gaps: number[];
  settled: boolean;
  /** The pivots that the packet's header confirmed; see `FrameHeader`. */
  pivots: number;
}

export class PacketLedger {
  readonly #fates: FateListener;
  readonly #states: StateListener;
  /** Ring by packet number; entries `#oldest … #next − 1` are in use. Their arrays are reused. */
  readonly #entries: PacketEntry[] = [];
  /** What the ack at hand says of the packets from the newest downward. */
  readonly #told: boolean[] = [];
  #oldest = 0;
  #next = 0;
  #newestAcked = -1;
  /** Of packets up to this one it is known, or no longer asked, whether they arrived. */
  #known = -1;
  #smoothedRounds = -1;
  #varianceRounds = 0;
  /** Packets that arrived, and that are known to be lost. */
  arrived = 0;
  lost = 0;
  /** Newest pivots that the client knows to be confirmed. */
  toldPivots = 0;

  constructor(fates: FateListener, states: StateListener) {
    this.#fates = fates;
    this.#states = states;
  }

  /** The newest packet that was acknowledged, −1 before the first: of those up to it both sides know the same. */
  get newestAcked(): number {
    return this.#newestAcked;
  }

  /** The number that the next packet will have. */
  get nextPacket(): number {
    return this.#next;
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
      this.#entries[at] = { round, ids: [], gaps: [], settled: false, pivots };
    } else {
      entry.round = round;
      entry.ids.length = 0;
      entry.gaps.length = 0;
      entry.settled = false;
      entry.pivots = pivots;
    }
    return this.#next++;
  }

  /** Notes that the open packet speaks of `id`, and the gaps of the state it brings, or `NO_STATE`. */
  add(id: ObjectId, gaps: number = NO_STATE): void {
    const { ids, gaps: all } = this.#entries[(this.#next - 1) % ACK_WINDOW]!;
    ids.push(id);
    all.push(gaps);
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
    for (let packet = Math.max(this.#known + 1, this.#oldest); packet <= newest; packet++) {
      this.#learn(packet, told[newest - packet]);
    }
    this.#known = Math.max(this.#known, newest);
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
    while (this.#next - this.#known > LONGEST_WAIT && this.#known + 1 < this.#next) {
      if (this.#known + 1 >= this.#oldest && !this.#entry(this.#known + 1).settled) break;
      this.#known += 1;
      if (this.#known >= this.#oldest) this.#learn(this.#known, undefined);
    }
    this.#trim();
  }

  /** The link is gone: whatever is in flight is lost. */
  loseAll(): void {
    for (let packet = this.#oldest; packet < this.#next; packet++) this.#settle(packet, false);
    this.#trim();
  }

  /** An ack says whether the packet arrived; `undefined` where none will. */
  #learn(packet: number, arrived: boolean | undefined): void {
    if (arrived === false) return;
    const { round, ids, gaps } = this.#entry(packet);
    for (let i = 0; i < ids.length; i++) {
      if (arrived === undefined) this.#states.unsure(ids[i]!, packet);
      else if (gaps[i] !== NO_STATE) this.#states.has(ids[i]!, packet, round, gaps[i]!);
    }
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
    while (this.#oldest < this.#next && this.#oldest <= this.#known && this.#entry(this.#oldest).settled)
      this.#oldest++;
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
