/** Opens the store that an address names, so that one setting chooses it. */
import { StoreError } from "../errors.ts";
import { MemoryStore } from "../memory/memory-store.ts";
import type { Store } from "../store.ts";
import { LmdbStore } from "./lmdb-store.ts";
import { PostgresStore } from "./postgres-store.ts";

/**
 * - `memory:` keeps nothing.
 * - `postgres://user:password@host:port/database` is a PostgreSQL server.
 * - Everything else is the path of a folder for the embedded store, which is made if there is none.
 */
export async function openStore(place: string): Promise<Store> {
  if (place === "memory:") return new MemoryStore();
  if (/^postgres(ql)?:\/\//.test(place)) return await PostgresStore.open(place);
  if (place === "" || /^[a-z][a-z0-9+.-]+:/i.test(place)) {
    const ways = "`memory:`, `postgres://…` or the path of a folder";
    throw new StoreError("bad-place", `${JSON.stringify(place)} names no store; give ${ways}`);
  }
  return await LmdbStore.open(place);
}
