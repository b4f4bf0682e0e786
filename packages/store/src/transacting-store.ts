/**
 * What all stores share: `begin → run the body → commit`, again from the start whenever the database says that somebody else was faster.
 *
 * A transaction that was overtaken a few times waits for the other overtaken ones, so that those no longer overtake each other: n transactions
 * on one record cost about n runs more, not n² of them.
 */
import type { Attempt, Backend } from "./backend.ts";
import { BufferedTransaction } from "./buffered-transaction.ts";
import { StoreError } from "./errors.ts";
import type { Faults } from "./faults.ts";
import { rememberInside } from "./inside.ts";
import type { Store, Transaction } from "./store.ts";
import { Turnstile } from "./turnstile.ts";

/** Transactions that may wait for one of the database's attempts. More mean that the database is far too slow for its load. */
const WAITING_LIMIT = 10_000;
/** Runs side by side with others, before a transaction waits for its turn. */
const FREE_RUNS = 3;
/** Runs in all. Only transactions that everybody else overtakes a hundred times end by it. */
const RUNS_LIMIT = 100;

type Body<Result> = (transaction: Transaction) => Promise<Result>;

export abstract class TransactingStore implements Store {
  readonly #backend: Backend;
  readonly #entrance: Turnstile;
  readonly #overtaken = new Turnstile(1, WAITING_LIMIT);
  #closing: Promise<void> | undefined;

  protected constructor(backend: Backend, faults: Faults) {
    this.#backend = backend;
    rememberInside(this, { backend, faults });
    this.#entrance = new Turnstile(backend.attempts, WAITING_LIMIT);
  }

  async transact<Result>(body: Body<Result>): Promise<Result> {
    if (this.#closing !== undefined) throw new StoreError("closed", "the store is closed");
    return await this.#entrance.pass(async () => {
      const early = await this.#run(body, FREE_RUNS);
      if (early !== undefined) return early.result;
      const late = await this.#overtaken.pass(() => this.#run(body, RUNS_LIMIT - FREE_RUNS));
      if (late !== undefined) return late.result;
      throw new StoreError(
        "conflict",
        `a transaction was overtaken ${RUNS_LIMIT} times: read less in it, or make it shorter. Nothing was written`,
      );
    });
  }

  close(): Promise<void> {
    this.#closing ??= this.#entrance.empty().then(() => this.#backend.close());
    return this.#closing;
  }

  async #run<Result>(body: Body<Result>, times: number): Promise<{ readonly result: Result } | undefined> {
    for (let run = 0; run < times; run++) {
      const done = await attempt(await this.#backend.begin("write"), body);
      if (done !== undefined) return done;
    }
    return undefined;
  }
}

async function attempt<Result>(database: Attempt, body: Body<Result>): Promise<{ result: Result } | undefined> {
  const transaction = new BufferedTransaction(database);
  try {
    const result = await body(transaction);
    return (await database.commit(transaction.end())) ? { result } : undefined;
  } catch (error) {
    // A body that was overtaken may have failed because of it.
    if (database.overtaken) return undefined;
    throw error;
  } finally {
    transaction.end();
    await database.end();
  }
}
