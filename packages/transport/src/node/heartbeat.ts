/**
 * Finds dead peers: a machine that lost power or its network leaves a TCP connection that looks open for many minutes.
 * One timer beats for all members; on each beat a member that gave no sign of life since the last one has vanished, the
 * others are pinged. So a peer is given up between one and two periods after its last sign.
 */

import type { Timers } from "./timers.ts";

export interface HeartbeatMember {
  ping(): void;
  vanish(detail: string): void;
}

export class Heartbeat {
  readonly #periodMs: number;
  readonly #alive: Map<HeartbeatMember, boolean> = new Map();
  readonly #stop: () => void;

  /** `periodMs` 0 beats never. */
  constructor(timers: Timers, periodMs: number) {
    this.#periodMs = periodMs;
    this.#stop = periodMs > 0 ? timers.every(periodMs, () => this.#beat()) : () => undefined;
  }

  add(member: HeartbeatMember): void {
    this.#alive.set(member, true);
  }

  /** The member answered a ping or sent anything else. */
  sign(member: HeartbeatMember): void {
    if (this.#alive.has(member)) this.#alive.set(member, true);
  }

  remove(member: HeartbeatMember): void {
    this.#alive.delete(member);
  }

  stop(): void {
    this.#stop();
    this.#alive.clear();
  }

  #beat(): void {
    for (const [member, alive] of [...this.#alive]) {
      if (alive) {
        this.#alive.set(member, false);
        member.ping();
      } else {
        this.#alive.delete(member);
        member.vanish(`no sign of life for ${this.#periodMs} ms`);
      }
    }
  }
}
