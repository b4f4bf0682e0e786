/** Under which address players reach each server: a key for each, written once when the server starts. */

import type { Bus } from "@nearfield/cluster/internal";
import type { Off } from "@nearfield/schema";

const KEY = /^gateway\.(\d+)$/;
/** The longest address that is kept, characters. */
const MOST_LENGTH = 500;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Gateways {
  readonly #number: number;
  readonly #addresses = new Map<number, string>();
  readonly #off: Off;

  /** @param address of this server; undefined: it has none of its own */
  constructor(bus: Bus, number: number, address: string | undefined) {
    this.#number = number;
    this.#off = bus.keys.watch(({ key, value }) => {
      const server = KEY.exec(key)?.[1];
      if (server !== undefined && value.length <= MOST_LENGTH)
        this.#addresses.set(Number(server), decoder.decode(value));
    });
    if (address === undefined) return;
    // Nobody else writes it: whatever becomes of this write, it is said again until it is there.
    const write = (): void =>
      bus.keys.put(`gateway.${number}`, encoder.encode(address), 0, ({ kind }) => {
        if (kind === "unknown") write();
      });
    write();
  }

  /** Of these servers, this one's first. */
  of(servers: Iterable<number>): string[] {
    const rank = (server: number): number => (server === this.#number ? -1 : server);
    return [...servers].sort((a, b) => rank(a) - rank(b)).flatMap((server) => this.#addresses.get(server) ?? []);
  }

  close(): void {
    this.#off();
  }
}
