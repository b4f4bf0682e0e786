/**
 * What a transaction costs in each store: transfers between accounts, one after the other and many side by side, and records that are only put. Every
 * figure counts what was durable when its promise resolved; the store in memory shows what is left when there is no disk.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openStore, type Store, table } from "@nearfield/store/node";
import type { Benchmark } from "../benchmark.ts";
import { Report } from "../report.ts";

const ACCOUNTS = 1000;
/** Transactions that run side by side, like players who trade at the same time. */
const SIDE_BY_SIDE = 64;
/** Records in one transaction of the put figure. */
const PUTS = 100;

const accounts = table<{ gold: number }>("accounts");

interface Speeds {
  readonly transactions: number;
  readonly single: number;
  readonly puts: number;
}

export const storeBenchmark: Benchmark = {
  name: "store",
  about: "transactions and records per second that each store makes durable",
  async run({ quick, progress }) {
    const report = new Report("store");
    const forMs = quick ? 2000 : 8000;
    const folder = await mkdtemp(join(tmpdir(), "nearfield-bench-"));
    const server = await startPostgres();
    try {
      for (const [name, place] of [
        ["memory", "memory:"],
        ["lmdb", join(folder, "store")],
        ["postgres", server.address],
      ] as const) {
        progress(name);
        const store = await openStore(place);
        const speeds = await measure(store, forMs);
        await store.close();
        report.add(
          {
            key: `${name}_transactions_s`,
            value: speeds.transactions,
            about: `transfers per second, ${SIDE_BY_SIDE} side by side`,
          },
          { key: `${name}_single_s`, value: speeds.single, about: "transfers per second, each after the one before" },
          { key: `${name}_puts_s`, value: speeds.puts, about: `records per second, ${PUTS} in a transaction` },
        );
      }
    } finally {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    }
    report.notes.push(
      `A transfer reads two of ${ACCOUNTS} accounts and writes both. The disk is that of the folder for temporary files.`,
    );
    return report;
  },
};

async function measure(store: Store, forMs: number): Promise<Speeds> {
  await store.transact(async (transaction) => {
    for (let i = 0; i < ACCOUNTS; i++) transaction.put(accounts, `a${i}`, { gold: 1000 });
  });
  const transfer = (n: number): Promise<void> =>
    store.transact(async (transaction) => {
      // Two numbers that walk through all accounts in different orders.
      const [from, to] = [`a${(n * 7) % ACCOUNTS}`, `a${(n * 13 + 1) % ACCOUNTS}`];
      const giver = await transaction.get(accounts, from);
      const taker = await transaction.get(accounts, to);
      transaction.put(accounts, from, { gold: (giver?.value.gold ?? 0) - 1 });
      transaction.put(accounts, to, { gold: (taker?.value.gold ?? 0) + 1 });
    });
  const put = (n: number): Promise<void> =>
    store.transact(async (transaction) => {
      for (let i = 0; i < PUTS; i++) transaction.put(accounts, `p${(n * PUTS + i) % 50_000}`, { gold: n });
    });
  return {
    transactions: await rate(transfer, SIDE_BY_SIDE, forMs),
    single: await rate(transfer, 1, forMs),
    puts: PUTS * (await rate(put, 4, forMs)),
  };
}

/** How often per second `work` is done by `lanes` workers. */
async function rate(work: (n: number) => Promise<void>, lanes: number, forMs: number): Promise<number> {
  let n = 0;
  const start = performance.now();
  const lane = async (): Promise<void> => {
    while (performance.now() - start < forMs) await work(n++);
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  return (1000 * n) / (performance.now() - start);
}

interface OwnServer {
  readonly address: string;
  stop(): Promise<void>;
}

/** The server that tests start, too. It belongs to the scripts, which are not compiled with the benchmarks. */
async function startPostgres(): Promise<OwnServer> {
  const module = new URL("../../../scripts/lib/postgres.mjs", import.meta.url);
  const { PostgresServer } = (await import(module.href)) as { PostgresServer: { start(): Promise<OwnServer> } };
  return await PostgresServer.start();
}
