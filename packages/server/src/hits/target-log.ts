/**
 * What one client was sent of the objects that it may aim at, so that its picture of any of them can be computed again. Recent sends are
 * kept one by one, with their fate and the render time at which they took effect. Older sends are folded into one state of the client's
 * presentation. `Presentation` is a pure function of these, so the picture equals the client's to the last bit, as far as the times are
 * known.
 *
 * Bounds: one line for each object that the client has, the sends that fall into `keepMs`, and `maxSends` in all. If there is no row left
 * for a send, the line of its object ends: the object counts as not seen until it is sent again. Columns grow by doubling; nothing else is
 * allocated.
 */

import { PICTURE_SIZE, PLACE_SIZE, type Presentation, SEND_SIZE, SendField } from "@nearfield/presentation/internal";
import { type ObjectId, slotOf } from "@nearfield/schema";
import { grown } from "@nearfield/schema/internal";
import { PacketFate, type PacketFates } from "./packet-fates.ts";
import { MOTION_NUMBERS, NONE, SendRows } from "./send-rows.ts";

export interface TargetLogOptions {
  readonly presentation: Presentation;
  /** What became of the packets. */
  readonly fates: PacketFates;
  /** Sends older than this are folded into one state, ms. */
  readonly keepMs: number;
  /** Most sends kept one by one. */
  readonly maxSends: number;
}

/** Says which picture is asked for, and what is known of it. */
export interface PictureQuestion {
  renderMs: number;
  /** Time of the newest send in the picture, as the client says. NaN: it does not say. */
  newestMs: number;
  /** Render time at which that send took effect, as the client says. NaN: it does not say. */
  appliedMs: number;
  /** For interpolation: the moment that is shown, as the client says. NaN: it does not say. */
  momentMs: number;
  /** Interpolation: the moment up to which the client likely had everything. */
  playoutMs: number;
  /** How far `renderMs` is from what the command's travel time makes likely. The client's `appliedMs` may be off by as much. */
  shiftMs: number;
  /** How far `appliedMs` may be off besides, from what acks tell, ms. */
  spreadMs: number;
  /**
   * How wrong the times from acks may be, ms. A send that took effect longer than this before `renderMs` is in the picture, whatever the
   * client says.
   */
  slackMs: number;
  /** How much earlier `momentMs` may be than the likely moment, ms. `earlyMs` is how much later. */
  lateMs: number;
  earlyMs: number;
  /** How long after its time a send usually takes effect, ms. Used for sends that no ack has told of. */
  ageMs: number;
}

const FIRST_LINES = 16;

export class TargetLog {
  /** Lines that ended because no row was left. */
  overflows = 0;
  readonly #presentation: Presentation;
  readonly #isLate: boolean;
  readonly #fates: PacketFates;
  readonly #keepMs: number;
  /** By slot: its line. */
  #lineOf: Int32Array = new Int32Array(64).fill(NONE);
  /**
   * By line: the object, its oldest and its newest send, and the presentation's state after all folded sends. Free lines are chained by
   * `first`.
   */
  #ids: Uint32Array = new Uint32Array(FIRST_LINES);
  #first: Int32Array = new Int32Array(FIRST_LINES);
  #last: Int32Array = new Int32Array(FIRST_LINES);
  #states: Float64Array;
  #lines = 0;
  #freeLine = NONE;
  readonly #rows: SendRows;
  readonly #send: Float64Array = new Float64Array(SEND_SIZE);
  readonly #state: Float64Array;
  readonly #picture: Float64Array = new Float64Array(PICTURE_SIZE);

  constructor({ presentation, fates, keepMs, maxSends }: TargetLogOptions) {
    this.#presentation = presentation;
    this.#isLate = presentation.settings.model === "interpolation";
    this.#fates = fates;
    this.#keepMs = keepMs;
    this.#rows = new SendRows(maxSends);
    this.#states = new Float64Array(FIRST_LINES * presentation.stateSize);
    this.#state = new Float64Array(presentation.stateSize);
  }

  /** Sends kept one by one now. */
  get size(): number {
    return this.#rows.inUse;
  }

  // ── what was sent ──────────────────────────────────────────────────────────────────────────────────────────────

  /**
   * The object is sent in that packet. `motion` holds `MOTION_NUMBERS` numbers in wire form; `boundMs` is the time bound of the object's
   * zone.
   */
  sent(
    id: ObjectId,
    timeMs: number,
    packet: number,
    motion: Float64Array,
    settles: boolean,
    boundMs: number = Number.POSITIVE_INFINITY,
  ): void {
    const send = this.#push(id, timeMs, packet);
    if (send === NONE) return;
    this.#rows.bound[send] = boundMs;
    this.#rows.settles[send] = settles ? 1 : 0;
    for (let i = 0; i < MOTION_NUMBERS; i++) this.#rows.motion[send * MOTION_NUMBERS + i] = motion[i]!;
  }

  /** The client was told that the object left its view or was destroyed. */
  removed(id: ObjectId, timeMs: number, packet: number): void {
    if (this.#find(id) === NONE) return;
    const send = this.#push(id, timeMs, packet);
    if (send !== NONE) this.#rows.removes[send] = 1;
  }

  /** The send of that time was held back. */
  withheld(id: ObjectId, timeMs: number): void {
    const line = this.#find(id);
    if (line === NONE || this.#last[line] === NONE || this.#rows.time[this.#last[line]!] !== timeMs) return;
    this.#dropNewest(line);
  }

  /** It is known now which packet carried the send of that time. */
  carriedBy(id: ObjectId, timeMs: number, packet: number): void {
    const line = this.#find(id);
    let send = line === NONE ? NONE : this.#first[line]!;
    while (send !== NONE && this.#rows.time[send] !== timeMs) send = this.#rows.next[send]!;
    if (send !== NONE) this.#rows.packet[send] = packet;
  }

  #push(id: ObjectId, timeMs: number, packet: number): number {
    const line = this.#lineFor(id);
    this.#fold(line, timeMs - this.#keepMs);
    const send = this.#rows.take(timeMs, packet);
    if (send === NONE) {
      this.overflows += 1;
      this.#freeLineOf(line);
      return NONE;
    }
    if (this.#last[line] === NONE) this.#first[line] = send;
    else this.#rows.next[this.#last[line]!] = send;
    this.#last[line] = send;
    return send;
  }

  // ── what was seen ──────────────────────────────────────────────────────────────────────────────────────────────

  /** Writes where the client saw the object into `out[0 … 2]`. False if it did not see it. */
  picture(id: ObjectId, question: PictureQuestion, out: Float64Array): boolean {
    const line = this.#find(id);
    if (line === NONE) return false;
    const { stateSize } = this.#presentation;
    const state = this.#state;
    const from = line * stateSize;
    for (let i = 0; i < stateSize; i++) state[i] = this.#states[from + i]!;
    for (let send = this.#first[line]!; send !== NONE; send = this.#rows.next[send]!) {
      if (this.#counts(send, question)) this.#feed(state, 0, send, this.#effectOf(send, question));
    }
    if (state.every(isZero)) return false;
    if (this.#isLate) this.#showMoment(state, question);
    else this.#presentation.show(state, 0, question.renderMs, this.#picture, 0);
    for (let axis = 0; axis < PLACE_SIZE; axis++) out[axis] = this.#picture[axis]!;
    return true;
  }

  /** Shows an interpolated target. The client's moment is used, limited to a range around what its sends and its path make likely. */
  #showMoment(state: Float64Array, { renderMs, momentMs, playoutMs, lateMs, earlyMs }: PictureQuestion): void {
    const likelyMs = this.#presentation.momentOf(state, 0, playoutMs);
    const isTold = !Number.isNaN(momentMs);
    const shownMs = isTold ? Math.min(Math.max(momentMs, likelyMs - lateMs), likelyMs + earlyMs) : likelyMs;
    this.#presentation.showMoment(state, 0, renderMs, shownMs, this.#picture, 0);
  }

  /**
   * Whether this send is in the client's picture. The client's claim decides, within limits: the client may have a send that no ack has
   * told of yet, but it cannot lack a send that it acknowledged well before.
   */
  #counts(send: number, { renderMs, newestMs, slackMs, ageMs }: PictureQuestion): boolean {
    const time = this.#rows.time[send]!;
    const fate = this.#fateOf(send);
    const hasArrived = fate === PacketFate.arrived;
    if (Number.isNaN(newestMs)) return hasArrived && this.#appliedMsOf(send) <= renderMs;
    if (time > newestMs) return hasArrived && this.#appliedMsOf(send) < renderMs - slackMs;
    const canBeThere = time + ageMs <= renderMs + slackMs;
    return canBeThere && (time === newestMs || fate !== PacketFate.missing);
  }

  /**
   * The render time at which this send took effect: as acks tell, or as the client says within limits. The picture moves with this time. So
   * the claim is limited to the same round as the render time, and a client that lies about both gains no more.
   */
  #effectOf(send: number, question: PictureQuestion): number {
    const { renderMs, newestMs, appliedMs, shiftMs, spreadMs, ageMs } = question;
    const time = this.#rows.time[send]!;
    const likely = this.#fateOf(send) === PacketFate.arrived ? this.#appliedMsOf(send) : time + ageMs;
    const isTold = time === newestMs && !Number.isNaN(appliedMs);
    const near = likely + shiftMs;
    const effect = isTold ? Math.min(Math.max(appliedMs, near - spreadMs), near + spreadMs) : likely;
    return Math.min(Math.max(effect, time), renderMs);
  }

  /** Gives one send to the presentation. An interpolating client uses a clock of its own, on which sends take effect at their own time. */
  #feed(state: Float64Array, at: number, send: number, effectMs: number): void {
    if (this.#rows.removes[send] === 1) {
      state.fill(0, at, at + this.#presentation.stateSize);
      return;
    }
    const row = this.#send;
    row[SendField.time] = this.#rows.time[send]!;
    row[SendField.bound] = this.#rows.bound[send]!;
    row[SendField.settles] = this.#rows.settles[send]!;
    for (let i = 0; i < MOTION_NUMBERS; i++) row[SendField.motion + i] = this.#rows.motion[send * MOTION_NUMBERS + i]!;
    this.#presentation.receive(state, at, row, 0, this.#isLate ? this.#rows.time[send]! : effectMs);
  }

  /** Folds sends that took effect before `horizonMs` into the line's state. */
  #fold(line: number, horizonMs: number): void {
    const at = line * this.#presentation.stateSize;
    for (let send = this.#first[line]!; send !== NONE; send = this.#first[line]!) {
      const fate = this.#fateOf(send);
      if (fate === PacketFate.unknown || this.#rows.time[send]! >= horizonMs) return;
      const hasArrived = fate === PacketFate.arrived;
      if (hasArrived && this.#appliedMsOf(send) >= horizonMs) return;
      if (hasArrived) this.#feed(this.#states, at, send, this.#appliedMsOf(send));
      this.#first[line] = this.#rows.next[send]!;
      if (this.#last[line] === send) this.#last[line] = NONE;
      this.#rows.release(send);
    }
  }

  // ── lines and sends ────────────────────────────────────────────────────────────────────────────────────────────

  #find(id: ObjectId): number {
    const line = this.#lineOf[slotOf(id)] ?? NONE;
    return line !== NONE && this.#ids[line] === id ? line : NONE;
  }

  #lineFor(id: ObjectId): number {
    const slot = slotOf(id);
    if (slot >= this.#lineOf.length) this.#growSlots(slot);
    const known = this.#lineOf[slot]!;
    if (known !== NONE && this.#ids[known] === id) return known;
    if (known !== NONE) this.#freeLineOf(known);
    let line = this.#freeLine;
    if (line === NONE) {
      line = this.#lines++;
      if (line === this.#ids.length) this.#growLines();
    } else {
      this.#freeLine = this.#first[line]!;
    }
    this.#ids[line] = id;
    this.#first[line] = NONE;
    this.#last[line] = NONE;
    const { stateSize } = this.#presentation;
    this.#states.fill(0, line * stateSize, (line + 1) * stateSize);
    this.#lineOf[slot] = line;
    return line;
  }

  #freeLineOf(line: number): void {
    for (let send = this.#first[line]!; send !== NONE; ) {
      const next = this.#rows.next[send]!;
      this.#rows.release(send);
      send = next;
    }
    this.#lineOf[slotOf(this.#ids[line]! as ObjectId)] = NONE;
    this.#first[line] = this.#freeLine;
    this.#freeLine = line;
  }

  #fateOf(send: number): PacketFate {
    return this.#fates.fateOf(this.#rows.packet[send]!);
  }

  /** The render time at which a send that arrived took effect; never before the send's own time. */
  #appliedMsOf(send: number): number {
    return Math.max(this.#rows.time[send]!, this.#fates.appliedMsOf(this.#rows.packet[send]!));
  }

  #dropNewest(line: number): void {
    const newest = this.#last[line]!;
    let before = NONE;
    for (let send = this.#first[line]!; send !== newest; send = this.#rows.next[send]!) before = send;
    if (before === NONE) this.#first[line] = NONE;
    else this.#rows.next[before] = NONE;
    this.#last[line] = before;
    this.#rows.release(newest);
  }

  #growSlots(slot: number): void {
    const larger = new Int32Array(Math.max(slot + 1, this.#lineOf.length * 2)).fill(NONE);
    larger.set(this.#lineOf);
    this.#lineOf = larger;
  }

  #growLines(): void {
    const size = this.#ids.length * 2;
    this.#ids = grown(this.#ids, size);
    this.#first = grown(this.#first, size);
    this.#last = grown(this.#last, size);
    this.#states = grown(this.#states, size, this.#presentation.stateSize);
  }
}

function isZero(value: number): boolean {
  return value === 0;
}
