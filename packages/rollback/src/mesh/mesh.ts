/**
 * Who is connected to whom, seen from one member: a way to every other that is there. It knows nothing of the fight; topics and messages pass through.
 *
 * A member that sends what is no frame, no signal or no message is refused: nothing of it is heard any more until it connects again. Nobody else notices.
 */

import { WireError } from "@nearfield/schema/internal";
import type { IceServer, OpenPeer } from "@nearfield/transport/internal";
import type { Topic } from "./frame.ts";
import { Pair } from "./pair.ts";
import type { SpacePort } from "./seat.ts";

export interface MeshOptions {
  readonly own: number;
  /** Opens peer connections; without it all goes over the server. */
  readonly openPeer: OpenPeer | undefined;
  readonly iceServers: readonly IceServer[];
  readonly random: () => number;
  readonly now: () => number;
  readonly port: Pick<SpacePort, "relay" | "signal">;
  /** May throw `WireError`: then its sender is refused. */
  readonly onMessage: (from: number, topic: Topic, bytes: Uint8Array) => void;
  readonly onRefused: (from: number, error: WireError) => void;
}

export class Mesh {
  readonly #options: MeshOptions;
  readonly #pairs = new Map<number, { readonly pair: Pair; readonly visit: number }>();
  readonly #refused = new Set<number>();
  /** By member: the last attempt of ways that have ended. */
  readonly #attempts = new Map<number, number>();

  constructor(options: MeshOptions) {
    this.#options = options;
  }

  pairWith(address: number): Pair | undefined {
    return this.#pairs.get(address)?.pair;
  }

  /** A member is there: a way to it is made, anew if it connected anew. */
  meet(address: number, visit: number): void {
    if (address === this.#options.own || this.#pairs.get(address)?.visit === visit) return;
    this.part(address);
    const { own, openPeer, iceServers, random, now, port } = this.#options;
    const pair = new Pair(
      { offers: own < address, attempt: this.#attempts.get(address) ?? 0, openPeer, iceServers, now, random },
      {
        relay: (frame) => port.relay(address, frame),
        signal: (bytes) => port.signal(address, bytes),
        message: (topic, bytes) => this.#guarded(address, () => this.#options.onMessage(address, topic, bytes)),
      },
    );
    this.#pairs.set(address, { pair, visit });
  }

  part(address: number): void {
    const pair = this.pairWith(address);
    if (pair) this.#attempts.set(address, pair.attempt);
    pair?.end();
    this.#pairs.delete(address);
    this.#refused.delete(address);
  }

  send(to: number, topic: Topic, message: Uint8Array): void {
    if (!this.#refused.has(to)) this.pairWith(to)?.send(topic, message);
  }

  relayed(from: number, frame: Uint8Array): void {
    this.#guarded(from, () => this.pairWith(from)?.relayed(frame));
  }

  signalled(from: number, bytes: Uint8Array): void {
    this.#guarded(from, () => this.pairWith(from)?.signalled(bytes));
  }

  tick(nowMs: number): void {
    for (const { pair } of this.#pairs.values()) pair.tick(nowMs);
  }

  end(): void {
    for (const address of [...this.#pairs.keys()]) this.part(address);
  }

  #guarded(from: number, hear: () => void): void {
    if (this.#refused.has(from)) return;
    try {
      hear();
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#refused.add(from);
      this.pairWith(from)?.end();
      this.#options.onRefused(from, error);
    }
  }
}
