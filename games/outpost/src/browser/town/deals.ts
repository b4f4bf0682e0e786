/**
 * Deals with the merchant that have no answer yet. Each has a key of its own. Where no answer came, because the connection broke or the server was busy, the same deal
 * is asked for again under the same key, and the server makes it once.
 */

import { SocialError } from "@nearfield/social/client";
import type { Deal } from "../../merchant.ts";

/** Codes after which nobody knows whether the deal was made. */
const UNKNOWN: ReadonlySet<string> = new Set(["failed", "busy", "too-fast"]);
const AGAIN_MS = 1500;

export interface DealsHandlers {
  /** Asks the server; undefined where there is no connection now. */
  ask(deal: Deal): Promise<unknown> | undefined;
  made(deal: Deal): void;
  /** It was refused, in the server's words: nothing has moved. */
  refused(words: string): void;
}

export class Deals {
  readonly #handlers: DealsHandlers;
  #open: Deal | undefined;
  /** Changes with what is open. */
  version = 0;

  constructor(handlers: DealsHandlers) {
    this.#handlers = handlers;
  }

  /** Whether a deal waits for its answer: one at a time. */
  get isOpen(): boolean {
    return this.#open !== undefined;
  }

  begin(wish: Omit<Deal, "key">): void {
    if (this.#open !== undefined) return;
    this.#open = { key: crypto.randomUUID(), ...wish };
    this.version++;
    void this.#ask(this.#open);
  }

  /** There is a new connection: what has no answer is asked again. */
  resume(): void {
    if (this.#open !== undefined) void this.#ask(this.#open);
  }

  async #ask(deal: Deal): Promise<void> {
    try {
      const asking = this.#handlers.ask(deal);
      if (asking === undefined) return;
      await asking;
      if (this.#close(deal)) this.#handlers.made(deal);
    } catch (error) {
      if (error instanceof SocialError && !UNKNOWN.has(error.code)) {
        if (this.#close(deal)) this.#handlers.refused(error.message);
      } else setTimeout(() => this.#open === deal && this.resume(), AGAIN_MS);
    }
  }

  /** True if it was open: an answer to the first question may come after that to the second. */
  #close(deal: Deal): boolean {
    if (this.#open !== deal) return false;
    this.#open = undefined;
    this.version++;
    return true;
  }
}
