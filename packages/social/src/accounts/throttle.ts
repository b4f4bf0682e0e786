/**
 * Counts attempts by key: wrong passwords of an account, new accounts of an address. Each key has a budget of attempts that refills
 * evenly. An attempt is paid for before it is tried, so that attempts at the same time cannot share one, and given back when it was right.
 *
 * Invariant: at most `most` keys are remembered. When there are more, those whose budget is full again are forgotten, then the oldest.
 */
import { SocialError } from "../errors.ts";

export interface ThrottleOptions {
  /** Attempts at once. */
  readonly attempts: number;
  /** Ms in which all of them come back. A larger value slows guessing down, and people who mistyped too. */
  readonly refillMs: number;
  /** Keys that are remembered. Default 20,000, about 2 MB. */
  readonly most?: number;
}

interface Budget {
  left: number;
  atMs: number;
}

const DEFAULT_MOST = 20_000;

export class Throttle {
  readonly #options: ThrottleOptions;
  readonly #now: () => number;
  readonly #budgets = new Map<string, Budget>();

  constructor(options: ThrottleOptions, now: () => number) {
    this.#options = options;
    this.#now = now;
  }

  /** Pays for one attempt. Throws `throttled`, with the time to wait. */
  pay(key: string): void {
    const budget = this.#budget(key);
    if (budget.left < 1) {
      const { attempts, refillMs } = this.#options;
      const waitS = Math.ceil(((1 - budget.left) * refillMs) / attempts / 1000);
      throw new SocialError("throttled", `too many attempts; try again in ${waitS} s`);
    }
    budget.left -= 1;
  }

  /** The attempt was right after all. */
  refund(key: string): void {
    const budget = this.#budgets.get(key);
    if (budget !== undefined) budget.left = Math.min(this.#options.attempts, budget.left + 1);
  }

  /** Keys that are remembered now. */
  get size(): number {
    return this.#budgets.size;
  }

  #budget(key: string): Budget {
    const { attempts, refillMs, most = DEFAULT_MOST } = this.#options;
    const nowMs = this.#now();
    const known = this.#budgets.get(key);
    if (known === undefined) {
      if (this.#budgets.size >= most) this.#forget(nowMs);
      const fresh = { left: attempts, atMs: nowMs };
      this.#budgets.set(key, fresh);
      return fresh;
    }
    known.left = Math.min(attempts, known.left + ((nowMs - known.atMs) * attempts) / refillMs);
    known.atMs = nowMs;
    return known;
  }

  #forget(nowMs: number): void {
    const { attempts, refillMs, most = DEFAULT_MOST } = this.#options;
    for (const [key, { left, atMs }] of this.#budgets)
      if (left + ((nowMs - atMs) * attempts) / refillMs >= attempts) this.#budgets.delete(key);
    for (const key of this.#budgets.keys()) {
      if (this.#budgets.size < most) return;
      this.#budgets.delete(key);
    }
  }
}
