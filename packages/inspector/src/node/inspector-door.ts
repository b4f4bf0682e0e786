/**
 * Checks the token in constant time, and remembers which addresses gave wrong ones. The right token always gets in, even from an address
 * that gave wrong ones, so nobody can lock the operator out. An address that was wrong five times within a minute may try only one token at
 * a time.
 */

import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { ServerError } from "@nearfield/server";

const LEAST_TOKEN = 12;
const RANDOM_BYTES = 18;
const MOST_WRONG = 5;
const WINDOW_MS = 60_000;
/** Addresses that are remembered; the oldest is dropped first. */
const MOST_ADDRESSES = 1000;

export function randomToken(): string {
  return randomBytes(RANDOM_BYTES).toString("base64url");
}

interface Wrong {
  count: number;
  readonly sinceMs: number;
}

export class InspectorDoor {
  readonly #digest: Buffer;
  readonly #now: () => number;
  readonly #wrong = new Map<string, Wrong>();

  constructor(token: string, now: () => number) {
    if (token.length < LEAST_TOKEN) {
      const rule = `needs at least ${LEAST_TOKEN} characters`;
      throw new ServerError("bad-option", `the inspector's token has ${token.length} characters, but ${rule}`);
    }
    this.#digest = digest(token);
    this.#now = now;
  }

  /** Compares hashes, which are of equal length, so that the time tells nothing about the token. */
  isToken(given: string): boolean {
    return timingSafeEqual(digest(given), this.#digest);
  }

  /** A wrong token came from there. */
  wasWrong(address: string): void {
    const known = this.#recent(address);
    if (known !== undefined) {
      known.count += 1;
      return;
    }
    if (this.#wrong.size >= MOST_ADDRESSES) {
      const [oldest] = this.#wrong.keys();
      this.#wrong.delete(oldest!);
    }
    this.#wrong.set(address, { count: 1, sinceMs: this.#now() });
  }

  /** Whether this address was wrong so often that it may only try one token at a time. */
  isSuspect(address: string): boolean {
    return (this.#recent(address)?.count ?? 0) >= MOST_WRONG;
  }

  #recent(address: string): Wrong | undefined {
    const known = this.#wrong.get(address);
    if (known === undefined || this.#now() - known.sinceMs < WINDOW_MS) return known;
    this.#wrong.delete(address);
    return undefined;
  }
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
