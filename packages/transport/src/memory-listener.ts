/**
 * A Listener in memory: `connect` gives the client's end and hands the server's end to the `onLink` handler at once.
 * With the default pipes `flush` moves one batch in every direction; with pipes on a virtual clock the clock does.
 */

import { type Link, type Listener, TransportError } from "./link.ts";
import { MemoryLink, type MemoryLinkOptions } from "./memory-link.ts";

export interface MemoryListenerOptions {
  /** For people. Default "memory"; its links are then "memory:1", "memory:2", … */
  readonly address?: string;
  /** Links that may be open at once; one more makes `connect` throw. Default 65,536. */
  readonly maxLinks?: number;
}

export class MemoryListener implements Listener {
  readonly address: string;
  readonly #maxLinks: number;
  readonly #pairs: Set<readonly [MemoryLink, MemoryLink]> = new Set();
  #onLink: ((link: Link) => void) | undefined;
  #waiting: Link[] = [];
  #connected = 0;
  #closed = false;

  constructor(options: MemoryListenerOptions = {}) {
    this.address = options.address ?? "memory";
    this.#maxLinks = options.maxLinks ?? 65_536;
  }

  onLink(handler: (link: Link) => void): void {
    this.#onLink = handler;
    for (const link of this.#waiting.splice(0)) handler(link);
  }

  /** Opens a link to this listener; the options are those of `memoryLinks`, the first pipe leading to the server. */
  connect(options: MemoryLinkOptions = {}): MemoryLink {
    if (this.#closed) throw new TransportError("closed", `listener ${this.address} is closed`);
    if (this.#pairs.size >= this.#maxLinks) this.#forgetEnded();
    if (this.#pairs.size >= this.#maxLinks) {
      throw new TransportError("connect-failed", `listener ${this.address} has ${this.#maxLinks} links, its limit`);
    }
    this.#connected += 1;
    const addresses = options.addresses ?? [this.address, `${this.address}:${this.#connected}`];
    const pair = MemoryLink.pair({ ...options, addresses });
    this.#pairs.add(pair);
    if (this.#onLink === undefined) this.#waiting.push(pair[1]);
    else this.#onLink(pair[1]);
    return pair[0];
  }

  /** Flushes every link once in both directions; returns how many packets were delivered. */
  flush(): number {
    let delivered = 0;
    for (const [client, server] of [...this.#pairs]) delivered += client.flush() + server.flush();
    this.#forgetEnded();
    return delivered;
  }

  async close(): Promise<void> {
    this.#closed = true;
    for (const [, server] of this.#pairs) server.close({ code: "shutdown", detail: `listener ${this.address} closed` });
  }

  /** A pair that has ended on both sides carries nothing any more. */
  #forgetEnded(): void {
    for (const pair of this.#pairs) {
      if (pair[0].closeReason !== undefined && pair[1].closeReason !== undefined) this.#pairs.delete(pair);
    }
  }
}
