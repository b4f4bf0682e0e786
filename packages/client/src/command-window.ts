/**
 * Stepped commands that the server may not have applied yet, oldest first, and when to send them. Over a link that loses packets each
 * message holds all of them, so a lost message only means waiting for the next one. Over a link that loses nothing each command is sent
 * once. The window is bounded in number and time. A client that hears nothing repeats itself less often, and stops where the server would
 * not accept more.
 */

import { MOST_AHEAD_MS, MOST_COMMANDS, type SteppedCommand, short } from "@nearfield/protocol/internal";
import type { Link } from "@nearfield/transport";

/** Writes commands, the first of which has this number (its low 16 bits). */
export type CommandsEncoder = (first: number, list: readonly SteppedCommand[]) => Uint8Array;

/** Ms without a confirmation after which messages are sent only every `SILENT_PAUSE_MS`, even with new commands. */
const SILENT_MS = 1000;
/**
 * That pause, ms. After a server or a network stood still for seconds, all messages arrive at once. After 2 s at 60 frames a second these
 * are some 3,000 commands with this pause. With a message per frame they would be 7,000, which the server takes for a flood.
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
  /** The last confirmed number at the last send, and since when no newer one has come. */
  #heard = 0;
  #heardMs = 0;
  /** Whether the newest command differs from the one before. If so it is sent without waiting. */
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

  /** Adds a command and returns its number. */
  push(command: SteppedCommand, isNews: boolean): number {
    this.#waiting.push(command);
    this.#waitingMs += command.stepMs;
    this.#isNews ||= isNews;
    return this.last;
  }

  /** The server has applied everything up to this number. A number beyond the last command confirms all of them. */
  confirm(number: number): void {
    const gone = this.#waiting.splice(0, Math.max(0, number - this.#confirmed));
    this.#confirmed += gone.length;
    for (const { stepMs } of gone) this.#waitingMs -= stepMs;
  }

  /** @param pauseMs time between two messages while the command stays the same. */
  send(link: Link, nowMs: number, pauseMs: number): void {
    if (this.#heard !== this.#confirmed || this.#waiting.length === 0) this.#heardMs = nowMs;
    this.#heard = this.#confirmed;
    // What was sent while messages could be lost may be lost.
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
