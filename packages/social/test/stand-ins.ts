/** What tests of the social space have in common: a clock that stands, ids that count, passwords without cost, accounts by name. */
import { MemoryStore, type Store } from "@nearfield/store/internal";
import { SocialError } from "../src/errors.ts";
import { type Login, type Passwords, Social, type SocialOptions, type Tokens } from "../src/internal/index.ts";

export class StandIns {
  nowMs = 1_000_000;
  #ids: number;

  /** @param ids the number of the first id. */
  constructor(ids = 0) {
    this.#ids = ids;
  }

  readonly now = (): number => this.nowMs;
  readonly randomId = (): string => {
    this.#ids += 1;
    return this.#ids.toString(16).padStart(32, "0");
  };
}

/** Counts how often a password was checked. */
export class PlainPasswords implements Passwords {
  checks = 0;
  readonly decoy: Promise<string> = Promise.resolve("plain:\n");

  async hash(password: string): Promise<string> {
    return `plain:${password}`;
  }

  async verify(hash: string, password: string): Promise<boolean> {
    this.checks += 1;
    return hash === `plain:${password}`;
  }
}

/** Tokens in plain text. */
export function plainTokens(now: () => number): Tokens {
  return {
    sign: async (claims, lifeS) => JSON.stringify({ ...claims, endMs: now() + lifeS * 1000 }),
    read: async (token) => {
      const { account, epoch, endMs } = JSON.parse(token) as { account: string; epoch: number; endMs: number };
      if (endMs <= now()) throw new SocialError("expired", "too old");
      return { account, epoch };
    },
  };
}

export interface Setup {
  readonly social: Social;
  readonly store: Store;
  readonly machine: StandIns;
  readonly passwords: PlainPasswords;
  readonly errors: unknown[];
  /** A named account. */
  account(name: string): Promise<Login>;
}

export function setUp(options: Partial<SocialOptions> = {}): Setup {
  const store = options.store ?? new MemoryStore();
  const machine = new StandIns();
  const passwords = new PlainPasswords();
  const errors: unknown[] = [];
  const { now, randomId } = machine;
  const social = new Social(
    {
      goods: { gold: "stack", gem: "stack", sword: "single" },
      onError: (error) => errors.push(error),
      ...options,
      store,
    },
    { passwords, tokens: plainTokens(now), now, randomId, dice: () => 0 },
  );
  let addresses = 0;
  return {
    social,
    store,
    machine,
    passwords,
    errors,
    account: (name) => {
      addresses += 1;
      return social.accounts.register(name, "a good password", `10.0.0.${addresses}`);
    },
  };
}

/** The code of the refusal that the promise ends with; "done" if it resolves. */
export async function refusal(promise: Promise<unknown> | (() => unknown)): Promise<string> {
  try {
    await (typeof promise === "function" ? promise() : promise);
    return "done";
  } catch (error) {
    if (error instanceof SocialError) return error.code;
    throw error;
  }
}
