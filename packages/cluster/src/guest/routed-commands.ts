/**
 * Commands of one player of this server for an object that another server owns. They are numbered (commands by the client's reliable messages, steps one by one), are sent to the
 * owner, and are kept until news of the avatar says that it includes them and that their effects are safe. The owner carries each
 * out once and in order, and hands the last number on with the object. So a command that is on its way while the avatar changes its owner, or while its owner
 * dies, is neither lost nor carried out twice.
 */

import type { WorldId } from "@nearfield/schema";
import { MOST_COMMANDS_OUT, type Numbered } from "./messages.ts";

/** Commands are sent again after this many rounds in which none was confirmed. */
const ROUNDS_TO_SEND_AGAIN = 8;
/** Commands that may wait for their confirmation: some ten seconds of a busy player, longer than a dead owner is missed. */
const MOST_WAITING = 1024;

export class Routed<T extends { readonly number: number }> {
  readonly avatar: WorldId;
  #waiting: T[] = [];
  /** All up to this number are part of the avatar, and safe. */
  #confirmed: number;
  /** How many of those that wait were sent, and to whom. */
  #sent = 0;
  #sentTo = -1;
  /** The last round in which something was confirmed, or nothing waited. */
  #goodRound = 0;
  #hasProgress = false;

  /** @param applied the last number that the avatar includes. */
  constructor(avatar: WorldId, applied: number) {
    this.avatar = avatar;
    this.#confirmed = applied;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  /** Number of the oldest command that waits; undefined if none does. */
  get oldest(): number | undefined {
    return this.#waiting[0]?.number;
  }

  /** Returns false if too many wait. */
  add(command: T): boolean {
    if (this.#waiting.length === MOST_WAITING) return false;
    this.#waiting.push(command);
    return true;
  }

  /** All that wait for their confirmation, oldest first. */
  get waiting(): readonly T[] {
    return this.#waiting;
  }

  /** The avatar includes all commands up to this number, and their effects are safe. Returns those of them that waited. */
  confirm(safe: number): readonly T[] {
    this.#confirmed = Math.max(this.#confirmed, safe);
    const left = this.#waiting.findIndex(({ number }) => number > safe);
    const count = left < 0 ? this.#waiting.length : left;
    if (count === 0) return [];
    this.#sent = Math.max(0, this.#sent - count);
    this.#hasProgress = true;
    return this.#waiting.splice(0, count);
  }

  /** What is to be sent to the owner now; undefined if nothing is. */
  toSend(owner: number, round: number): Numbered<T> | undefined {
    if (this.#hasProgress || this.#waiting.length === 0) this.#goodRound = round;
    this.#hasProgress = false;
    if (owner !== this.#sentTo || round >= this.#goodRound + ROUNDS_TO_SEND_AGAIN) {
      this.#sent = 0;
      this.#goodRound = round;
    }
    if (this.#sent >= this.#waiting.length) return undefined;
    const after = this.#waiting[this.#sent - 1]?.number ?? this.#confirmed;
    const list = this.#waiting.slice(this.#sent, this.#sent + MOST_COMMANDS_OUT);
    this.#sent += list.length;
    this.#sentTo = owner;
    return { confirmed: this.#confirmed, after, list };
  }

  /** Takes all that wait, because the avatar is here now: those after `applied`. */
  takeAfter(applied: number): readonly T[] {
    this.confirm(applied);
    const list = this.#waiting;
    this.#waiting = [];
    this.#sent = 0;
    return list;
  }
}
