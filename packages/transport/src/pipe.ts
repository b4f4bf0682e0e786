/**
 * A Pipe carries packets one way between two MemoryLinks, and decides when they arrive. `ImmediatePipe`, the default,
 * is perfect: everything arrives, in order, at the next `flush`. A test kit puts its own pipe here to lose, delay,
 * double and reorder packets.
 *
 * What a pipe must do for its link: a packet on "reliable" is delivered exactly once and in order; on the other channels
 * `deliver` may be called never, once or several times, in any order. It is never called inside `push`, so a sender
 * cannot re-enter itself.
 */

import type { Channel } from "./link.ts";

/** One message on its way, or the goodbye of a closing link (on "reliable", without bytes). */
export interface Packet {
  readonly channel: Channel;
  /** The message as it was given to `send`; the pipe may look, not write. */
  readonly bytes: Uint8Array;
  /** What it weighs on the wire: the message and the link's framing. */
  readonly frameBytes: number;
  /** Hands the packet to the other side, now. */
  deliver(): void;
}

export interface Pipe {
  push(packet: Packet): void;
  /** Bytes that were pushed and are not on the wire yet; the link's limits hold against it. */
  readonly backlogBytes: number;
  /**
   * Delivers what is waiting for a flush; returns how many packets that were. A pipe that delivers by its own clock
   * returns 0.
   */
  flush(): number;
}

/**
 * No latency, no loss: what was pushed is delivered by `flush`. Its queue is bounded by the link's
 * `overflowAfterBytes`.
 */
export class ImmediatePipe implements Pipe {
  #waiting: Packet[] = [];
  #backlogBytes = 0;

  get backlogBytes(): number {
    return this.#backlogBytes;
  }

  push(packet: Packet): void {
    this.#waiting.push(packet);
    this.#backlogBytes += packet.frameBytes;
  }

  /**
   * Packets that are pushed while it runs wait for the next flush, so two links that answer each other do not run for
   * ever.
   */
  flush(): number {
    const batch = this.#waiting;
    this.#waiting = [];
    let done = 0;
    try {
      for (const packet of batch) {
        done += 1;
        this.#backlogBytes -= packet.frameBytes;
        packet.deliver();
      }
    } finally {
      // A handler that threw must not cost the packets behind it.
      if (done < batch.length) this.#waiting = [...batch.slice(done), ...this.#waiting];
    }
    return done;
  }
}
