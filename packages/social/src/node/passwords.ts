/**
 * Passwords by argon2id, on the process's worker threads. A hash takes about 20 ms and 19 MiB, the least that OWASP asks for. So few are
 * made at a time, and a queue with a bound waits behind them: a flood of logins is refused with `busy` and costs bounded memory.
 */
import { randomBytes } from "node:crypto";
import { hash, type Options, verify } from "@node-rs/argon2";
import { type Passwords, SocialError } from "../internal/index.ts";

/** OWASP's least for argon2id: 19 MiB, two passes, one lane. */
const COST: Options = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Hashes at a time. Each needs a worker thread, of which Node has four. */
const AT_ONCE = 2;
/** Hashes that wait, at most about a second. */
const MOST_WAITING = 64;

export function argonPasswords(cost: Options = COST): Passwords {
  const queue = new WorkQueue();
  return {
    hash: (password) => queue.run(() => hash(password, cost)),
    verify: (stored, password) => queue.run(() => verify(stored, password)),
    decoy: hash(randomBytes(16), cost),
  };
}

class WorkQueue {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#running >= AT_ONCE) {
      if (this.#waiting.length >= MOST_WAITING)
        throw new SocialError("busy", "too many people log in right now; try again in a moment");
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    } else this.#running += 1;
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
