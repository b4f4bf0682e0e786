/**
 * Stepped commands that the server may not have applied yet, oldest first, and when to send them. Over a link that loses packets each
 * command is in several messages, so a lost message only means waiting for the next one. If all of them are lost, the server misses
 * commands and says so; then all that are not confirmed are sent again. Over a link that loses nothing each command is sent once. The
 * window is bounded in number and time. A client that hears nothing repeats itself less often, and stops where the server would not accept
 * more. While only held commands wait (the object rests and the server knows), they are repeated once in a round trip.
 */

import { MOST_AHEAD_MS, MOST_COMMANDS, type SteppedCommand, short } from "@nearfield/protocol/internal";
import type { Link } from "@nearfield/transport";

/** Writes commands, the first of which has this number (its low 16 bits). */
export type CommandsEncoder = (first: number, list: readonly SteppedCommand[]) => Uint8Array;

/**
 * Messages that each command is in, unless it is confirmed before. The server confirms up to half a second late, so a command is not
 * repeated until then. At 60 frames a second, 4 messages are 0.1 s; a path that loses 5 % loses 4 in a row once in 160,000.
 */
const REPEATS = 4;
/** Ms, beside a round trip, without a confirmation after which messages are sent only every `SILENT_PAUSE_MS`, even with new commands. */
const SILENT_MS = 1000;
/**
 * That pause, ms. After a server or a network stood still for seconds, all messages arrive at once. After 2 s at 60 frames a second these
 * are some 3,000 commands with this pause. With a message per frame they would be 7,000, which the server takes for a flood.
 */
const SILENT_PAUSE_MS = 100;
/** The server confirms a held command within two rounds after it came. This many pauses between messages are as long. */
const HELD_PAUSES = 4;

export class CommandWindow {
  readonly #encode: CommandsEncoder;
  readonly #waiting: SteppedCommand[] = [];
  #waitingMs = 0;
  #confirmed = 0;
  /** Over which link the last message was sent, whether that kept order, and when. */
  #link: Link | undefined;
  #inOrder = false;
  #lastSendMs = Number.NEGATIVE_INFINITY;
  /** Number of the last command in each of the last `REPEATS` messages, the newest first. */
  readonly #ends: number[] = [];
  /** The last confirmed number at the last send, and since when no newer one has come. */
  #heard = 0;
  #heardMs = 0;
  /** Whether the newest command differs from the one before. If so it is sent without waiting. */
  #isNews = false;
  /** Number of the last command that is not held. */
  #lastActive = 0;

  constructor(encode: CommandsEncoder) {
    this.#encode = encode;
  }

  /** Whether commands leave one after another: the next message follows within about this time. */
  isFlowing(nowMs: number, withinMs: number): boolean {
    return this.#waiting.length > 0 && nowMs - this.#lastSendMs < withinMs;
  }

  /** Commands that are not confirmed. */
  get count(): number {
    return this.#waiting.length;
  }

  /** Number of the last command. */
  get last(): number {
    return this.#confirmed + this.#waiting.length;
  }

  /** Whether a command of this length may follow. */
  hasRoom(stepMs: number): boolean {
    return this.#waiting.length < MOST_COMMANDS && this.#waitingMs + stepMs <= MOST_AHEAD_MS;
  }

  /** Adds a command and returns its number. */
  push(command: SteppedCommand, isNews: boolean): number {
    this.#waiting.push(command);
    this.#waitingMs += command.stepMs;
    this.#isNews ||= isNews;
    if (command.isHeld !== true) this.#lastActive = this.last;
    return this.last;
  }

  /** The server has applied everything up to this number. A number beyond the last command confirms all of them. */
  confirm(number: number): void {
    const gone = this.#waiting.splice(0, Math.max(0, number - this.#confirmed));
    this.#confirmed += gone.length;
    for (const { stepMs } of gone) this.#waitingMs -= stepMs;
  }

  /** The server misses commands: everything that is not confirmed goes out again. */
  sendAgain(): void {
    this.#ends.length = 0;
    this.#lastSendMs = Number.NEGATIVE_INFINITY;
  }

  /**
   * Sends a message, if it is time for one.
   *
   * @param pauseMs time between two messages while the command stays the same.
   * @param tripMs the round trip; after it, and a while, a confirmation is missed.
   * @param leaves called just before a message is written.
   */
  send(link: Link, nowMs: number, pauseMs: number, tripMs = 0, leaves: () => void = () => {}): void {
    if (this.#heard !== this.#confirmed || this.#waiting.length === 0) this.#heardMs = nowMs;
    this.#heard = this.#confirmed;
    // What was sent while messages could be lost may be lost.
    const isOther = link !== this.#link || link.inOrder !== this.#inOrder;
    if (isOther) this.#ends.length = 0;
    const isSilent = !link.inOrder && nowMs - this.#heardMs > SILENT_MS + tripMs;
    const isAllRepeated = this.#ends[REPEATS - 1] === this.last;
    const usualMs = isSilent || isAllRepeated ? SILENT_PAUSE_MS : this.#isNews ? 0 : pauseMs;
    const isAtRest = this.#confirmed >= this.#lastActive;
    const leastMs = isAtRest ? Math.max(usualMs, tripMs + HELD_PAUSES * pauseMs) : usualMs;
    const isDue = isOther || nowMs - this.#lastSendMs >= leastMs;
    const from = this.#firstUnsent(link.inOrder, isSilent || isAllRepeated);
    if (!isDue || from >= this.last) return;
    leaves();
    this.#link = link;
    this.#inOrder = link.inOrder;
    this.#isNews = false;
    this.#lastSendMs = nowMs;
    const end = from + this.#sendSome(link, from);
    if (end > from) this.#ends.unshift(end);
    if (this.#ends.length > REPEATS) this.#ends.length = REPEATS;
  }

  /** Number of the last command that the next message need not hold. */
  #firstUnsent(inOrder: boolean, isAll: boolean): number {
    if (inOrder) return Math.max(this.#confirmed, this.#ends[0] ?? 0);
    return isAll ? this.#confirmed : Math.max(this.#confirmed, this.#ends[REPEATS - 1] ?? 0);
  }

  /**
   * Sends as many commands as one packet takes, oldest first. A command that is too long for any packet goes over the reliable channel.
   * Returns how many were sent.
   */
  #sendSome(link: Link, from: number): number {
    let list = this.#waiting.slice(from - this.#confirmed);
    let bytes = this.#encode(short(from + 1), list);
    while (bytes.length > link.maxUnreliableBytes && list.length > 1) {
      list = list.slice(0, list.length >> 1);
      bytes = this.#encode(short(from + 1), list);
    }
    const hasLeft = link.send(bytes.length > link.maxUnreliableBytes ? "reliable" : "unsequenced", bytes);
    return hasLeft ? list.length : 0;
  }
}
