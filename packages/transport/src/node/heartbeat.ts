/**
 * Finds dead peers: a machine that lost power or its network leaves a TCP connection that looks open for many minutes.
 * One timer serves all members. On each beat, a member that has sent nothing since the last beat counts as vanished, and the
 * others are pinged. So a peer is given up between one and two periods after its last message.
 */

import type { Timers } from "./timers.ts";

export interface HeartbeatMember {
  /** Whether it gave a sign of life since the last beat; kept by the heartbeat. */
  isAlive: boolean;
  ping(): void;
  vanish(detail: string): void;
}

export class Heartbeat {
  readonly #periodMs: number;
  readonly #members: Set<HeartbeatMember> = new Set();
  readonly #stop: () => void;

  /** `periodMs` 0 beats never. */
  constructor(timers: Timers, periodMs: number) {
    this.#periodMs = periodMs;
    this.#stop = periodMs > 0 ? timers.every(periodMs, () => this.#beat()) : () => undefined;
  }

  add(member: HeartbeatMember): void {
    member.isAlive = true;
    this.#members.add(member);
  }

  /** The member answered a ping or sent anything else. */
  sign(member: HeartbeatMember): void {
    member.isAlive = true;
  }

  remove(member: HeartbeatMember): void {
    this.#members.delete(member);
  }

  stop(): void {
    this.#stop();
    this.#members.clear();
  }

  #beat(): void {
    for (const member of this.#members) {
      if (member.isAlive) {
        member.isAlive = false;
        member.ping();
      } else {
        this.#members.delete(member);
        member.vanish(`no sign of life for ${this.#periodMs} ms`);
      }
    }
  }
}
