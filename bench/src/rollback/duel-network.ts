/** The network of `peers-rollback`: every message takes the same time and some are lost. All messages are counted as what the library hands to its channel. */

import type { Dice } from "@nearfield/netlab";

interface Packet<T> {
  readonly atMs: number;
  readonly to: number;
  readonly from: number;
  readonly message: T;
}

export class DuelNetwork<T> {
  readonly bytes: number[];
  readonly messages: number[];
  readonly #delayMs: number;
  readonly #loss: number;
  readonly #dice: Dice;
  #packets: Packet<T>[] = [];

  constructor(players: number, delayMs: number, loss: number, dice: Dice) {
    this.bytes = Array.from({ length: players }, () => 0);
    this.messages = Array.from({ length: players }, () => 0);
    this.#delayMs = delayMs;
    this.#loss = loss;
    this.#dice = dice;
  }

  send(from: number, to: number, message: T, bytes: number, nowMs: number): void {
    this.bytes[from]! += bytes;
    this.messages[from]!++;
    if (!this.#dice.chance(this.#loss)) this.#packets.push({ atMs: nowMs + this.#delayMs, to, from, message });
  }

  /** What has arrived for a player by now, oldest first. */
  take(to: number, nowMs: number): readonly Packet<T>[] {
    const due = this.#packets.filter((packet) => packet.to === to && packet.atMs <= nowMs);
    if (due.length > 0) this.#packets = this.#packets.filter((packet) => !due.includes(packet));
    return due;
  }
}
