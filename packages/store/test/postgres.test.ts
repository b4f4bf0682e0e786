/** The shared store keeps the contract, on a PostgreSQL server of this file's own. */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noPostgres, PostgresServer } from "../../../test/postgres.ts";
import { type Store, table } from "../src/internal/index.ts";
import { openStore } from "../src/node/index.ts";
import { PostgresStore } from "../src/node/postgres-store.ts";
import { storeContract } from "./contract.ts";

describe.skipIf(noPostgres !== undefined)(
  `with PostgreSQL${noPostgres === undefined ? "" : ` (skipped: ${noPostgres})`}`,
  () => {
    let server: PostgresServer;

    beforeAll(async () => {
      server = await PostgresServer.start();
    });

    afterAll(() => server?.stop());

    const query = async (text: string): Promise<unknown[]> => {
      const client = new pg.Client(server.address);
      await client.connect();
      try {
        return (await client.query<object>(text)).rows;
      } finally {
        await client.end();
      }
    };

    storeContract("PostgresStore", {
      ground: async () => ({
        open: () => PostgresStore.open(server.address),
        remove: async () => void (await query("DROP TABLE nearfield_records")),
      }),
      keeps: true,
      cases: 5,
    });

    const scores = table<number>("scores");

    it("several stores, as on several servers, keep counting together", async () => {
      const stores = await Promise.all([1, 2, 3].map(() => openStore(server.address)));
      const add = (store: Store) =>
        store.transact(async (transaction) => {
          const before = (await transaction.get(scores, "sum"))?.value ?? 0;
          transaction.put(scores, "sum", before + 1);
        });
      await Promise.all(Array.from({ length: 10 }, () => stores.map(add)).flat());
      const sum = await stores[0]?.transact((transaction) => transaction.get(scores, "sum"));
      expect(sum?.value).toBe(30);
      await Promise.all(stores.map((store) => store.close()));
    });

    it("a server that may lose what it acknowledged is refused", async () => {
      await query("ALTER ROLE postgres SET synchronous_commit = off");
      await expect(PostgresStore.open(server.address)).rejects.toMatchObject({ code: "unsafe" });
      await query("ALTER ROLE postgres RESET synchronous_commit");
    });

    it("a server that cannot be reached is named as the reason", async () => {
      await expect(PostgresStore.open("postgres://localhost/x?host=/nowhere")).rejects.toMatchObject({
        code: "unavailable",
      });
    });

    it("a server that goes away is reported, and used again when it is back", async () => {
      const store = await PostgresStore.open(server.address);
      const lost = store.transact(async (transaction) => {
        await transaction.get(scores, "sum");
        await server.crash();
        transaction.put(scores, "lost", 1);
      });
      await expect(lost).rejects.toMatchObject({ code: "unavailable" });
      await store.transact(async (transaction) => transaction.put(scores, "found", 1));
      expect(await store.transact((transaction) => transaction.get(scores, "lost"))).toBeUndefined();
      await store.close();
    });
  },
);
