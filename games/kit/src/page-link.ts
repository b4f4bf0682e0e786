/** A page's link to its server: how it stands, and what it carries. A game's `Network` extends it with what the game says and hears. */

import type { Client } from "@nearfield/client";
import { Joining, type LinkStatus, type Rejoining } from "./joining.ts";

/** Since the link opened: payload, and what the network carries for it with all headers. */
export interface Traffic {
  readonly bytesIn: number;
  readonly bytesOut: number;
  readonly packetsIn: number;
  readonly wireBytesIn: number;
}

export abstract class PageLink {
  readonly #joining: Joining;

  /** @param join joins with these options besides the game's own */
  constructor(join: (options: Rejoining) => Promise<Client>) {
    this.#joining = new Joining(join, (client) => this.joined(client));
  }

  /** Called with each client: the first, and another after each restart of the server. */
  protected abstract joined(client: Client): void;

  /** Undefined until the join has succeeded. */
  protected get client(): Client | undefined {
    return this.#joining.client;
  }

  get status(): LinkStatus {
    return this.#joining.status;
  }

  /** What carries the bytes now: "webrtc", "websocket", or "" without a link. */
  get linkKind(): string {
    return this.client?.linkKind ?? "";
  }

  /** Smoothed, ms; −1 before the first measurement. */
  get roundTripMs(): number {
    return this.client?.roundTripMs ?? -1;
  }

  get roundMs(): number {
    return this.client?.roundMs ?? 0;
  }

  /** The server's time, ms. */
  get timeMs(): number {
    return this.client?.clock.timeMs ?? 0;
  }

  get traffic(): Traffic {
    const sum = { bytesIn: 0, bytesOut: 0, packetsIn: 0, wireBytesIn: 0 };
    for (const channel of Object.values(this.client?.traffic ?? {})) {
      sum.bytesIn += channel.bytesIn;
      sum.bytesOut += channel.bytesOut;
      sum.packetsIn += channel.packetsIn;
      sum.wireBytesIn += channel.wireBytesIn;
    }
    return sum;
  }

  close(): void {
    this.#joining.close();
  }
}
