/**
 * Stepped commands that the server is not known to have applied, oldest first, and when to send them. Each message holds all of them, so a
 * lost one costs nothing but the wait for the next; over a link that loses nothing each goes once. Bounded in number and time: a client
 * that hears nothing any more repeats itself less often, and stops where the server would not follow it.
 */

import { MOST_AHEAD_MS, MOST_COMMANDS, type SteppedCommand, short } from "@nearfield/protocol/internal";
import type { Link } from "@nearfield/transport";

/** Writes commands, the first of which has this number (its low 16 bits). */
export type CommandsEncoder = (first: number, list: readonly SteppedCommand[]) => Uint8Array;

/** Ms without a confirmation after which messages keep a pause, whatever they bring. */
const SILENT_MS = 1000;
/**
 * That pause, ms. A server or a network that stood still for seconds gets all of them at once: at 60 frames a second some 3,000 commands after 2 s, where
 * a message for every frame would hold 7,000, and be taken for a flood.
 */
const SILENT_PAUSE_MS = 100;

export class CommandWindow {
  readonly #encode: CommandsEncoder;
  readonly #waiting: SteppedCommand[] = [];
  #waitingMs = 0;
  #confirmed = 0;
  /** Number of the last one that was sent, over which link, whether that kept order, and when. */
  #sent = 0;
  #link: Link | undefined;
  #inOrder = false;
  #lastSendMs = Number.NEGATIVE_INFINITY;
  /** What was confirmed when it was sent last, and since when that is all. */
  #heard = 0;
  #heardMs = 0;
  /** Whether the newest is another command than the one before: worth a message of its own. */
  #isNews = false;

  constructor(encode: CommandsEncoder) {
    this.#encode = encode;
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

  /** Returns its number. */
  push(command: SteppedCommand, isNews: boolean): number {
    this.#waiting.push(command);
    this.#waitingMs += command.stepMs;
    this.#isNews ||= isNews;
    return this.last;
  }

  /** The server has applied everything up to this number. A number that was never given confirms nothing more than there is. */
  confirm(number: number): void {
    const gone = this.#waiting.splice(0, Math.max(0, number - this.#confirmed));
    this.#confirmed += gone.length;
    for (const { stepMs } of gone) this.#waitingMs -= stepMs;
  }

  /** @param pauseMs between two messages that bring nothing unexpected. */
  send(link: Link, nowMs: number, pauseMs: number): void {
    if (this.#heard !== this.#confirmed || this.#waiting.length === 0) this.#heardMs = nowMs;
    this.#heard = this.#confirmed;
    // What left while messages could be lost may have been.
    const isOther = link !== this.#link || link.inOrder !== this.#inOrder;
    if (isOther) this.#sent = this.#confirmed;
    const isSilent = !link.inOrder && nowMs - this.#heardMs > SILENT_MS;
    const leastMs = isSilent ? SILENT_PAUSE_MS : this.#isNews ? 0 : pauseMs;
    const isDue = isOther || nowMs - this.#lastSendMs >= leastMs;
    const from = link.inOrder ? Math.max(this.#sent, this.#confirmed) : this.#confirmed;
    if (!isDue || from >= this.last) return;
    this.#link = link;
    this.#inOrder = link.inOrder;
    this.#isNews = false;
    this.#lastSendMs = nowMs;
    this.#sent = from + this.#sendSome(link, from);
  }

  /** As many as one packet takes, the oldest first; one that is too long for any goes over the reliable channel. Returns how many left. */
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
