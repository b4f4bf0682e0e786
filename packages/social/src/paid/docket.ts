/**
 * What must be known of a paid fight to judge it, kept in the store from before it begins until everybody is paid: so a server that was killed in between can still judge
 * what members tell it after the restart.
 */

import { type Store, type Table, table } from "@nearfield/store/internal";

export interface Docket {
  readonly kind: string;
  readonly slots: number;
  readonly seed: number;
  /** Hexadecimal. */
  readonly data: string;
  /** By slot; "" where nobody has been. */
  readonly accounts: readonly string[];
  /** By slot: all keys that its player signed with, hexadecimal. The last one is the newest. */
  readonly keys: readonly (readonly string[])[];
  /** Accounts of those whom the server drew. */
  readonly observers: readonly string[];
  /** Ms since 1970. */
  readonly openedMs: number;
}

/** By the fight's name, hexadecimal. */
const docketTable: Table<Docket> = table("social-dockets");
/** Dockets of fights that nobody asks for any more are kept for a day. */
const KEPT_MS = 24 * 3_600_000;

export class Dockets {
  readonly #store: Store;
  readonly #now: () => number;

  /** @param now ms since 1970. */
  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  get(name: string): Promise<Docket | undefined> {
    return this.#store.transact(async (transaction) => (await transaction.get(docketTable, name))?.value);
  }

  put(name: string, docket: Docket): Promise<void> {
    return this.#store.transact(async (transaction) => transaction.put(docketTable, name, docket));
  }

  remove(name: string): Promise<void> {
    return this.#store.transact(async (transaction) => transaction.remove(docketTable, name));
  }

  /** Removes those that are too old, a hundred at a time. */
  async sweep(): Promise<void> {
    const oldMs = this.#now() - KEPT_MS;
    await this.#store.transact(async (transaction) => {
      for (const { key, value } of await transaction.range(docketTable))
        if (value.openedMs < oldMs) transaction.remove(docketTable, key);
    });
  }
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 }, (_, at) => Number.parseInt(hex.slice(2 * at, 2 * at + 2), 16));
}
