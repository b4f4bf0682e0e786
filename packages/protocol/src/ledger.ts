/**
 * What is in flight to one client: for every sent packet, its objects and the round in which it was decided. Each send has exactly one
 * fate. An ack settles packets. A packet is lost if a frame of a later round was acknowledged without it, or if it carries something and no
 * ack came within the probe time, which follows from the measured round trip. A link that keeps order loses nothing while it stands, so there nothing is given
 * up.
 *
 * Apart from its fate, a send is *known* once an ack has covered its packet. Acks are final (`arrivals.ts`), so from then on both sides
 * agree whether deltas can build on its state. A timeout may settle the fate of a send long before. Over a link that keeps order a packet
 * is *trusted* as soon as it has left: either it arrives, or nothing after it does. If the link breaks, deltas no longer build on packets
 * that were trusted but not acknowledged.
 *
 * An *early* send builds on a packet that is in flight (`early-blocks.ts`). It arrives only if both packets do, so it is lost as soon as
 * that packet is.
 *
 * Bound: `ACK_WINDOW` packets. A full ledger takes no packet. The writer then reports its sends as lost at once, so they come up again in
 * the next round, and nothing is dropped silently.
 * Why so: docs/decisions/0002-acknowledged-baselines.md.
 */

import type { SentLog, SentWindow } from "@nearfield/core/internal";
import type { ObjectId } from "@nearfield/schema";
import { MAX_SLOTS } from "@nearfield/schema/internal";
import { ACK_WINDOW, type PacketAck } from "./arrivals.ts";
import { EarlyBlocks } from "./early-blocks.ts";
import { ProtocolError } from "./reasons.ts";
import type { Receipts } from "./receipts.ts";
import { RoundTrip, USUAL_ROUND_MS } from "./round-trip.ts";
import { unwrap } from "./sequence.ts";

/** If this many packets wait because the fate of an older one is unknown, the older one is no longer waited for: deltas do not build on it. */
const LONGEST_WAIT = ACK_WINDOW / 2;

/** In place of gaps: deltas cannot build on this send. */
export const NO_STATE = -1;
/** In place of gaps: the send removes the object. */
export const REMOVAL = -2;
/** In place of gaps: an early send whose base is lost. Its fate is already told. */
const BASELESS = -3;

/** Is told the fate of each send. */
export interface FateListener {
  /** The first `count` of `ids` were sent in that round, and have arrived. The list is used again, and may be reordered. */
  acknowledge(ids: Uint32Array, count: number, round: number): void;
  lose(id: ObjectId, round: number): void;
  /** The send of that round builds on packet `base`, which is lost, so the client leaves it out. `lose` is called next. */
  orphan?(id: ObjectId, round: number, base: number): void;
}

/** Is told what the client has, in the order of packets. */
export interface StateListener {
  /** The client has the state that the packet brought, with its gaps (`lineage.ts`). */
  has(row: number, id: ObjectId, packet: number, round: number, gaps: number): void;
  /** It is not known what the client has of this object. */
  unsure(row: number, id: ObjectId, packet: number): void;
}

/** Columns of a packet: its round; the pivots that its header confirmed; where its sends begin; its fate; what the current ack says of it. */
const ROUND = 0;
const PIVOTS = 1;
const FIRST = 2;
const SETTLED = 3;
const TOLD = 4;
/** Bits: the packet left this side; it has events. */
const MARKS = 5;
/** What its header said of the client's reliable messages and stepped commands. */
const HEARD = 6;
const COMMANDS = 7;
const ROW = 8;

const LEFT = 1;
const EVENTS = 2;

/** What the header of a packet told: its round, and what that includes of the client's reliable messages and stepped commands. */
export interface ToldByPacket {
  /** The packet's number; −1: there is none. */
  readonly packet: number;
  readonly round: number;
  readonly heard: number;
  /** One more than the command's number; 0: none. */
  readonly commands: number;
}

type Told = { -readonly [Key in keyof ToldByPacket]: number };

/** Not copies by a spread: V8 gives each of those a hidden class of its own, and then every access to it is slow. */
function nothingTold(): Told {
  return { packet: -1, round: 0, heard: 0, commands: 0 };
}

export const NOTHING_TOLD: ToldByPacket = nothingTold();

/** Size at the start; both rings double when they are full. */
const FIRST_PACKETS = 16;
const FIRST_SENDS = 64;
/** Columns of a send: id; the object's row in `bases.ts`; the gaps of the state it brings, or `NO_STATE`, or `REMOVAL`. */
const ID = 0;
const OBJECT_ROW = 1;
const GAPS = 2;
const SEND = 3;

// A constant of this module is inlined; an imported one would be looked up at every use.
const WINDOW: number = ACK_WINDOW;
const SLOT_MASK: number = MAX_SLOTS - 1;

/** The ids of one packet while it is being settled. */
export class SettlingIds {
  ids: Uint32Array = new Uint32Array(FIRST_SENDS);

  roomFor(count: number): Uint32Array {
    if (count > this.ids.length) this.ids = new Uint32Array(count * 2);
    return this.ids;
  }
}

export class PacketLedger implements SentLog {
  readonly #fates: FateListener;
  readonly #states: StateListener;
  readonly #early: EarlyBlocks = new EarlyBlocks();
  /** Ring of packets by number; `#oldest … #next − 1` are in use. */
  #packets: Int32Array = new Int32Array(FIRST_PACKETS * ROW);
  #packetMask: number = FIRST_PACKETS - 1;
  /** Ring of their sends, in the same order. Positions count on without end and wrap at 32 bits. */
  #sends: Int32Array = new Int32Array(FIRST_SENDS * SEND);
  #sendMask: number = FIRST_SENDS - 1;
  readonly #settling: SettlingIds;
  #sendEnd = 0;
  #oldest = 0;
  #next = 0;
  #newestAcked = -1;
  /** What the newest acknowledged packet told, and the newest trusted one. */
  readonly #acked: Told = nothingTold();
  readonly #believed: Told = nothingTold();
  /** For packets up to this one it is known whether they arrived, or it is no longer asked. */
  #known = -1;
  /** The newest packet that left over a link which keeps order, while that link stands. */
  #trusted = -1;
  readonly #roundTrip: RoundTrip = new RoundTrip();
  /** Packets that arrived, and that are known to be lost. */
  arrived = 0;
  lost = 0;
  /** The newest pivots of which the client knows that they are confirmed. */
  toldPivots = 0;
  #inOrder = false;
  /** The first packet over the present link. No packet is trusted until acks have told which earlier packets arrived. */
  #inOrderSince = 0;

  #roundMs: number = USUAL_ROUND_MS;
  /** For an auditor: the sends of one round that needed no packet. */
  readonly #spared: ObjectId[] = [];
  #sparedRound = -1;

  /** Keeps what arrived, for an auditor. Default: it is not kept. */
  receipts: Receipts | undefined = undefined;

  /** Is told of removals that the client is known to have heard of. Default: nobody is. */
  onRemoved: ((id: ObjectId, packet: number) => void) | undefined = undefined;

  /** @param settling working space, which ledgers that are used one after another may share. */
  constructor(fates: FateListener, states: StateListener, settling: SettlingIds = new SettlingIds()) {
    this.#fates = fates;
    this.#states = states;
    this.#settling = settling;
  }

  /**
   * The client has a new link, whose round trip is not known yet.
   *
   * @param inOrder nothing is lost or reordered while the link stands.
   * @param roundMs nominal length of a round.
   */
  relink(inOrder: boolean, roundMs: number): void {
    this.#distrust();
    this.#inOrder = inOrder;
    this.#inOrderSince = this.#next;
    this.#roundMs = roundMs;
    this.#roundTrip.restart(roundMs);
  }

  /** The newest packet that arrived or is trusted; −1 before the first. For packets up to it both sides know the same. */
  get newestKnown(): number {
    return Math.max(this.#newestAcked, this.#trusted);
  }

  /** What the newest packet told that arrived or is trusted. */
  get known(): ToldByPacket {
    return this.#trusted > this.#newestAcked ? this.#believed : this.#acked;
  }

  /** The oldest packet that is not completely settled. */
  get oldestPacket(): number {
    return this.#oldest;
  }

  /** The number that the next packet will have. */
  get nextPacket(): number {
    return this.#next;
  }

  get isFull(): boolean {
    return this.#next - this.#oldest >= WINDOW;
  }

  /** Whether packets have left of which no ack has told. */
  get isWaiting(): boolean {
    return this.#next - 1 > this.#newestAcked;
  }

  /** Smoothed round trip in rounds, ack delay included; −1 before the first ack. */
  get roundTripRounds(): number {
    return this.#roundTrip.smoothedRounds;
  }

  /** Rounds without an ack after which a packet counts as lost. Endless on a link that keeps order: there a late ack means a slow link. */
  get probeRounds(): number {
    return this.#inOrder ? Number.POSITIVE_INFINITY : this.#roundTrip.probeRounds;
  }

  /** Opens the row of the next packet and returns its number. */
  open(round: number, pivots: number, heard = 0, commands = 0): number {
    if (this.#next - this.#oldest > this.#packetMask) this.#growPackets();
    const at = this.#rowOf(this.#next);
    const packets = this.#packets;
    packets[at + ROUND] = round;
    packets[at + PIVOTS] = pivots;
    packets[at + FIRST] = this.#sendEnd;
    packets[at + SETTLED] = 0;
    packets[at + MARKS] = 0;
    packets[at + HEARD] = heard;
    packets[at + COMMANDS] = commands;
    return this.#next++;
  }

  /** Notes that the open packet has a send of `id`, with its row in `bases.ts` and the gaps of its state, or `NO_STATE`, or `REMOVAL`. */
  add(id: ObjectId, row: number, gaps: number): void {
    const end = this.#sendEnd;
    if (((end - this.#firstOf(this.#oldest)) | 0) > this.#sendMask) this.#growSends();
    const at = (end & this.#sendMask) * SEND;
    const sends = this.#sends;
    sends[at + ID] = id;
    sends[at + OBJECT_ROW] = row;
    sends[at + GAPS] = gaps;
    this.#sendEnd = (end + 1) | 0;
  }

  /** The same for a send that builds on packet `base`, which is in flight. */
  addEarly(id: ObjectId, row: number, gaps: number, base: number): void {
    this.#early.add(this.#next - 1, base, this.#sendEnd);
    this.add(id, row, gaps);
  }

  /**
   * A send that needs no packet: the client has the change because it wrote it itself. Its fate is told at once.
   */
  spare(id: ObjectId, row: number, round: number): void {
    if (this.receipts !== undefined) {
      this.receipts.arrived(row, id, round, false);
      if (round !== this.#sparedRound) this.#spared.length = 0;
      this.#sparedRound = round;
      this.#spared.push(id);
    }
    const ids = this.#settling.roomFor(1);
    ids[0] = id;
    this.#fates.acknowledge(ids, 1, round);
  }

  /** The open packet has events. */
  addEvents(): void {
    this.#packets[this.#rowOf(this.#next - 1) + MARKS]! |= EVENTS;
  }

  /** The round of a packet that is in flight, so that early sends can build on it; −1 if it arrived, is lost or did not leave. */
  roundOnItsWay(packet: number): number {
    if (packet < this.#oldest || packet <= this.#known || packet >= this.#next) return -1;
    const row = this.#rowOf(packet);
    return this.#hasMark(packet, LEFT) && this.#packets[row + SETTLED] === 0 ? this.#packets[row + ROUND]! : -1;
  }

  /** The packet that was opened last is on its way. */
  left(): void {
    this.#packets[this.#rowOf(this.#next - 1) + MARKS]! |= LEFT;
  }

  /**
   * Trusts what has left over a link that keeps order. Call it between frames, before it is decided what the next one builds on: all
   * packets of a frame must build on the same.
   */
  trust(): void {
    const newest = this.#next - 1;
    if (!this.#inOrder || newest === this.#trusted || this.#newestAcked < this.#inOrderSince - 1) return;
    for (let packet = Math.max(this.#known + 1, this.#oldest); packet <= newest; packet++) {
      if (this.#hasMark(packet, LEFT)) this.#learn(packet);
    }
    if (newest > this.#trusted) this.#note(this.#believed, newest);
    this.#trusted = newest;
    this.#known = newest;
  }

  /**
   * @param now the round about to be run.
   * @param waitedMs how long the ack waited at the client after its newest packet had come.
   */
  acknowledge(ack: PacketAck, now: number, waitedMs = 0): void {
    if (ack.runs.length === 0) return;
    const newest = unwrap(ack.newest, Math.max(0, this.#newestAcked));
    if (newest >= this.#next || newest < 0) {
      throw new ProtocolError("unexpected", `packet ${newest} is acknowledged, but only ${this.#next} were sent`);
    }
    const isInUse = newest >= this.#oldest;
    if (newest > this.#newestAcked) {
      this.#newestAcked = newest;
      // A row that is not in use any more is so old that nothing is told relative to it.
      this.#note(this.#acked, newest);
      if (isInUse) this.#roundTrip.measure(Math.max(0, now - this.#roundOf(newest) - waitedMs / this.#roundMs));
    }
    if (!isInUse) return;
    const lowest = this.#noteTold(newest, ack.runs);
    for (let packet = Math.max(this.#known + 1, this.#oldest); packet <= newest; packet++) {
      if (packet < lowest) this.#unsure(packet);
      else if (this.#isTold(packet)) this.#learn(packet);
      else this.#loseBuiltOn(packet);
    }
    this.#known = Math.max(this.#known, newest);
    // Oldest first, so that of two sends of one object the newer one decides.
    const newestRound = this.#roundOf(newest);
    for (let packet = lowest; packet <= newest; packet++) {
      if (this.#isTold(packet)) this.#settle(packet, true);
      else if (this.#roundOf(packet) < newestRound) this.#settle(packet, false);
    }
    this.#trim();
  }

  /**
   * Gives up on packets whose ack is overdue. An empty packet is acknowledged with whatever the client sends next, however late; nothing is
   * lost with it.
   */
  expire(now: number): void {
    if (this.#oldest === this.#next) return;
    const limit = now - this.probeRounds;
    for (let packet = this.#oldest; packet < this.#next && this.#roundOf(packet) < limit; packet++) {
      if (this.#carries(packet)) this.#settle(packet, false);
    }
    while (this.#next - this.#known > LONGEST_WAIT && this.#known + 1 < this.#next) {
      const next = this.#known + 1;
      if (next >= this.#oldest && !this.#isSettled(next)) {
        if (this.#carries(next)) break;
        this.#settle(next, false);
      }
      this.#known = next;
      if (this.#known >= this.#oldest) this.#unsure(this.#known);
    }
    this.#trim();
  }

  /** The link is gone: everything in flight is lost. */
  loseAll(): void {
    this.#distrust();
    for (let packet = this.#oldest; packet < this.#next; packet++) this.#settle(packet, false);
    this.#trim();
  }

  /** The link that kept order is gone, or no longer keeps order. From now on only acks tell which of its packets arrived. */
  #distrust(): void {
    for (let packet = Math.max(this.#newestAcked + 1, this.#oldest); packet <= this.#trusted; packet++) {
      this.#unsure(packet);
    }
    if (this.#trusted >= 0) this.#known = Math.max(this.#newestAcked, this.#oldest - 1);
    this.#trusted = -1;
  }

  // ── what an ack says ───────────────────────────────────────────────────────────────────────────────────────────

  /** Notes in the packets' rows, from the newest downward, what the runs of an ack say. Returns the lowest packet that they cover. */
  #noteTold(newest: number, runs: readonly number[]): number {
    let packet = newest;
    for (let run = 0; run < runs.length && packet >= this.#oldest; run++) {
      const told = run % 2 === 0 ? 1 : 0;
      const end = Math.max(packet - runs[run]!, this.#oldest - 1);
      for (; packet > end; packet--) this.#packets[this.#rowOf(packet) + TOLD] = told;
    }
    return packet + 1;
  }

  /** The client has what this packet brought. */
  #learn(packet: number): void {
    const round = this.#roundOf(packet);
    const end = this.#endOf(packet);
    const sends = this.#sends;
    const mask = this.#sendMask;
    const states = this.#states;
    for (let send = this.#firstOf(packet); send !== end; send = (send + 1) | 0) {
      const at = (send & mask) * SEND;
      const gaps = sends[at + GAPS]!;
      if (gaps >= 0) states.has(sends[at + OBJECT_ROW]!, (sends[at + ID]! >>> 0) as ObjectId, packet, round, gaps);
    }
  }

  /** No ack will tell whether this packet arrived. */
  #unsure(packet: number): void {
    this.#loseBuiltOn(packet);
    const end = this.#endOf(packet);
    const sends = this.#sends;
    for (let send = this.#firstOf(packet); send !== end; send = (send + 1) | 0) {
      const at = (send & this.#sendMask) * SEND;
      this.#states.unsure(sends[at + OBJECT_ROW]!, (sends[at + ID]! >>> 0) as ObjectId, packet);
    }
  }

  #settle(packet: number, arrived: boolean): void {
    const row = this.#rowOf(packet);
    if (this.#packets[row + SETTLED] === 1) return;
    this.#packets[row + SETTLED] = 1;
    if (arrived) {
      // Sends in this packet that build on a packet of unknown fate do not count. Sends that build on this packet have a base now.
      this.#early.takeIn(packet, this.#loseBlock);
      this.#early.takeBuiltOn(packet);
      this.arrived += 1;
      this.toldPivots = Math.max(this.toldPivots, this.#packets[row + PIVOTS]!);
    } else {
      this.lost += 1;
    }
    const round = this.#packets[row + ROUND]!;
    const count = this.#listSends(packet, round, arrived);
    if (arrived) {
      if (this.onRemoved !== undefined) this.#tellRemoved(packet, this.onRemoved);
      this.#fates.acknowledge(this.#settling.ids, count, round);
      return;
    }
    const { ids } = this.#settling;
    for (let i = 0; i < count; i++) this.#fates.lose(ids[i]! as ObjectId, round);
    this.#early.takeIn(packet);
    this.#loseBuiltOn(packet);
  }

  /** The packet is lost, or will never be known to have arrived. The early sends that build on it are lost, too. */
  #loseBuiltOn(packet: number): void {
    this.#early.takeBuiltOn(packet, this.#loseBlock);
  }

  readonly #loseBlock = (packet: number, base: number, from: number, to: number): void => {
    const round = this.#roundOf(packet);
    for (let send = from; send !== to; send = (send + 1) | 0) {
      const at = (send & this.#sendMask) * SEND;
      const id = (this.#sends[at + ID]! >>> 0) as ObjectId;
      const row = this.#sends[at + OBJECT_ROW]!;
      this.#sends[at + GAPS] = BASELESS;
      this.#states.unsure(row, id, packet);
      this.receipts?.lost(row, id, round);
      this.#fates.orphan?.(id, round, base);
      this.#fates.lose(id, round);
    }
  };

  #tellRemoved(packet: number, onRemoved: (id: ObjectId, packet: number) => void): void {
    const end = this.#endOf(packet);
    for (let send = this.#firstOf(packet); send !== end; send = (send + 1) | 0) {
      const at = (send & this.#sendMask) * SEND;
      if (this.#sends[at + GAPS] === REMOVAL) onRemoved((this.#sends[at + ID]! >>> 0) as ObjectId, packet);
    }
  }

  // ── what an auditor asks ───────────────────────────────────────────────────────────────────────────────────────

  /** Writes the sends that arrived, and those in flight, into the window. */
  tell(into: SentWindow): void {
    this.receipts?.tell(into);
    for (let packet = this.#oldest; packet < this.#next; packet++) {
      if (!this.#isSettled(packet)) this.#tellPacket(packet, into);
    }
  }

  /** Writes the sends of packets that left in this round, which must be the newest. */
  tellRound(round: number, into: SentWindow): void {
    for (let packet = this.#next - 1; packet >= this.#oldest && this.#roundOf(packet) === round; packet--) {
      if (!this.#isSettled(packet)) this.#tellPacket(packet, into);
    }
    if (round !== this.#sparedRound) return;
    for (const id of this.#spared) {
      const slot = id & SLOT_MASK;
      if (slot >= into.from && slot < into.to) into.sent(id, round, false);
    }
  }

  #tellPacket(packet: number, into: SentWindow): void {
    const { from, to } = into;
    const round = this.#roundOf(packet);
    const end = this.#endOf(packet);
    for (let send = this.#firstOf(packet); send !== end; send = (send + 1) | 0) {
      const at = (send & this.#sendMask) * SEND;
      const id = this.#sends[at + ID]!;
      const slot = id & SLOT_MASK;
      if (this.#sends[at + GAPS] === BASELESS) continue;
      if (slot >= from && slot < to) into.sent((id >>> 0) as ObjectId, round, this.#sends[at + GAPS] === REMOVAL);
    }
  }

  // ── rings ──────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Marks the rows of all sends that are not completely settled. */
  markRows(marks: Uint8Array): void {
    for (let send = this.#firstOf(this.#oldest); send !== this.#sendEnd; send = (send + 1) | 0) {
      marks[this.#sends[(send & this.#sendMask) * SEND + OBJECT_ROW]!] = 1;
    }
  }

  /** Writes the ids of a packet's sends whose fate is open into the scratch, and their fate into the receipts. Returns their number. */
  #listSends(packet: number, round: number, arrived: boolean): number {
    const first = this.#firstOf(packet);
    const count = (this.#endOf(packet) - first) | 0;
    const ids = this.#settling.roomFor(count);
    const sends = this.#sends;
    const mask = this.#sendMask;
    const { receipts } = this;
    let open = 0;
    for (let i = 0; i < count; i++) {
      const at = ((first + i) & mask) * SEND;
      const gaps = sends[at + GAPS]!;
      if (gaps === BASELESS) continue;
      const id = sends[at + ID]!;
      ids[open++] = id;
      if (receipts === undefined) continue;
      if (arrived) receipts.arrived(sends[at + OBJECT_ROW]!, (id >>> 0) as ObjectId, round, gaps === REMOVAL);
      else receipts.lost(sends[at + OBJECT_ROW]!, (id >>> 0) as ObjectId, round);
    }
    return open;
  }

  #trim(): void {
    while (this.#oldest < this.#next && this.#oldest <= this.#known && this.#isSettled(this.#oldest)) this.#oldest++;
  }

  #rowOf(packet: number): number {
    return (packet & this.#packetMask) * ROW;
  }

  #roundOf(packet: number): number {
    return this.#packets[this.#rowOf(packet) + ROUND]!;
  }

  #isSettled(packet: number): boolean {
    return this.#packets[this.#rowOf(packet) + SETTLED] === 1;
  }

  /** Whether the packet brings anything, so that the client acknowledges it at once. */
  #carries(packet: number): boolean {
    return this.#firstOf(packet) !== this.#endOf(packet) || this.#hasMark(packet, EVENTS);
  }

  #hasMark(packet: number, mark: number): boolean {
    return (this.#packets[this.#rowOf(packet) + MARKS]! & mark) !== 0;
  }

  /** Notes what a packet told. */
  #note(into: Told, packet: number): void {
    const row = this.#rowOf(packet);
    into.packet = packet;
    into.round = this.#packets[row + ROUND]!;
    into.heard = this.#packets[row + HEARD]!;
    into.commands = this.#packets[row + COMMANDS]!;
  }

  #isTold(packet: number): boolean {
    return this.#packets[this.#rowOf(packet) + TOLD] === 1;
  }

  /** Where a packet's sends begin, and where they end. */
  #firstOf(packet: number): number {
    return packet < this.#next ? this.#packets[this.#rowOf(packet) + FIRST]! : this.#sendEnd;
  }

  #endOf(packet: number): number {
    return this.#firstOf(packet + 1);
  }

  #growPackets(): void {
    const larger = new Int32Array(this.#packets.length * 2);
    const mask = this.#packetMask * 2 + 1;
    for (let packet = this.#oldest; packet < this.#next; packet++) {
      const from = this.#rowOf(packet);
      larger.set(this.#packets.subarray(from, from + ROW), (packet & mask) * ROW);
    }
    this.#packets = larger;
    this.#packetMask = mask;
  }

  #growSends(): void {
    const larger = new Int32Array(this.#sends.length * 2);
    const mask = this.#sendMask * 2 + 1;
    for (let send = this.#firstOf(this.#oldest); send !== this.#sendEnd; send = (send + 1) | 0) {
      const from = (send & this.#sendMask) * SEND;
      const to = (send & mask) * SEND;
      for (let column = 0; column < SEND; column++) larger[to + column] = this.#sends[from + column]!;
    }
    this.#sends = larger;
    this.#sendMask = mask;
  }
}
