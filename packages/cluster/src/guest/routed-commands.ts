/**
 * Commands of this server's players for avatars that other servers own. They are numbered, sent to the owner, and kept until news of the avatar says
 * that it includes them. The owner carries each number out once and in order, and hands the last number on with the object. So a command
 * that is on its way while the avatar changes its owner is neither lost nor carried out twice.
 */

import type { CommandType, WorldId } from "@nearfield/schema";
import { type Commands, MOST_COMMANDS_OUT } from "./messages.ts";

/** Commands are sent again after this many rounds in which none was confirmed. */
const ROUNDS_TO_SEND_AGAIN = 8;

type Listed = Commands["list"][number];

/** The commands of one player for one avatar. */
export class RoutedCommands {
  readonly avatar: WorldId;
  /** Commands that did not fit: the owner has confirmed nothing for too long. */
  refused = 0;
  #waiting: Listed[] = [];
  /** Number of the first one that waits. */
  #first: number;
  /** How many of those that wait were sent, to whom, and when. */
  #sent = 0;
  #sentTo = -1;
  /** The last round in which something was confirmed, or nothing waited. */
  #goodRound = 0;

  #hasProgress = false;

  /** @param applied the last number that the avatar includes. */
  constructor(avatar: WorldId, applied: number) {
    this.avatar = avatar;
    this.#first = applied + 1;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0;
  }

  add(type: CommandType, values: Listed["values"]): void {
    if (this.#waiting.length === MOST_COMMANDS_OUT) this.refused += 1;
    else this.#waiting.push({ type, values });
  }

  /** The avatar includes all commands up to this number. */
  confirm(applied: number): void {
    const count = Math.min(this.#waiting.length, applied + 1 - this.#first);
    if (count <= 0) return;
    this.#waiting.splice(0, count);
    this.#first += count;
    this.#sent = Math.max(0, this.#sent - count);
    this.#hasProgress = true;
  }

  /** What is to be sent to the owner now; undefined if nothing is. */
  toSend(owner: number, round: number): { readonly first: number; readonly list: readonly Listed[] } | undefined {
    if (this.#hasProgress || this.#waiting.length === 0) this.#goodRound = round;
    this.#hasProgress = false;
    if (owner !== this.#sentTo || round >= this.#goodRound + ROUNDS_TO_SEND_AGAIN) {
      this.#sent = 0;
      this.#goodRound = round;
    }
    if (this.#sent >= this.#waiting.length) return undefined;
    const [first, list] = [this.#first + this.#sent, this.#waiting.slice(this.#sent)];
    this.#sent = this.#waiting.length;
    this.#sentTo = owner;
    return { first, list };
  }

  /** Takes all that wait, because the avatar is here now: those after `applied`. */
  takeAfter(applied: number): { readonly last: number; readonly list: readonly Listed[] } {
    this.confirm(applied);
    const list = this.#waiting;
    this.#waiting = [];
    this.#first += list.length;
    this.#sent = 0;
    return { last: this.#first - 1, list };
  }
}
