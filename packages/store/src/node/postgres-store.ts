/**
 * The shared store: PostgreSQL, for several servers on one set of records. Transactions run at the isolation level SERIALIZABLE; PostgreSQL itself finds
 * out that one was overtaken, ranges included, and this store runs it again.
 *
 * All tables share one table of the database, `nearfield_records`. Keys have the collation "C", which orders by bytes; values are JSON as text, because
 * `jsonb` would refuse some of it and reorder the rest (`value::jsonb` asks questions of it).
 */
import pg from "pg";
import type { Attempt, Backend, LoadedRow } from "../backend.ts";
import { StoreError } from "../errors.ts";
import { Faults } from "../faults.ts";
import { TransactingStore } from "../transacting-store.ts";
import { isOvertaken, PostgresAttempt } from "./postgres-attempt.ts";

export interface PostgresStoreOptions {
  /** Connections, each for one transaction at a time. Default 10; more let more transactions run side by side and cost the server memory. */
  readonly connections?: number;
}

/** Half of each page stays free: a new version of a row fits beside the old one then, and the index, where readers are watched, is not touched. */
const CREATE = `
  CREATE TABLE IF NOT EXISTS nearfield_records (
    collection text COLLATE "C" NOT NULL,
    key text COLLATE "C" NOT NULL,
    version bigint NOT NULL,
    form integer NOT NULL,
    value text NOT NULL,
    PRIMARY KEY (collection, key)
  ) WITH (fillfactor = 50)`;

/** Any number; servers that start at the same time create the table one after the other. */
const CREATE_LOCK = 0x6e656172;

/** A scan of the whole table would make every two transactions conflict; the index lets PostgreSQL watch what was read. */
const SETTINGS = "-c enable_seqscan=off -c enable_bitmapscan=off";

export class PostgresStore extends TransactingStore {
  /** @param address `postgres://user:password@host:port/database`; `?host=/folder` for a socket in a folder. */
  static async open(address: string, { connections = 10 }: PostgresStoreOptions = {}): Promise<PostgresStore> {
    const pool = new pg.Pool({
      connectionString: address,
      max: connections,
      connectionTimeoutMillis: 10_000,
      options: SETTINGS,
    });
    // A connection that breaks while nobody uses it is replaced when the next transaction needs one.
    pool.on("error", () => {});
    try {
      await prepare(pool);
    } catch (error) {
      await pool.end();
      if (error instanceof StoreError) throw error;
      throw new StoreError("unavailable", `PostgreSQL cannot be used: ${error}`, error);
    }
    return new PostgresStore(pool, connections, new Faults());
  }

  private constructor(pool: pg.Pool, connections: number, faults: Faults) {
    super(new PostgresBackend(pool, connections, faults), faults);
  }
}

async function prepare(pool: pg.Pool): Promise<void> {
  const setting = async (name: string): Promise<unknown> => {
    const { rows } = await pool.query<{ value: unknown }>("SELECT current_setting($1) AS value", [name]);
    return rows[0]?.value;
  };
  if ((await setting("server_encoding")) !== "UTF8") {
    throw new StoreError(
      "unavailable",
      "the database's encoding must be UTF8: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0",
    );
  }
  for (const name of ["fsync", "synchronous_commit"]) {
    if ((await setting(name)) !== "off") continue;
    throw new StoreError(
      "unsafe",
      `the server runs with ${name} = off and may lose what it acknowledged; switch it on`,
    );
  }
  const client = await pool.connect();
  try {
    await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${CREATE_LOCK}); ${CREATE}; COMMIT`);
  } finally {
    client.release();
  }
}

class PostgresBackend implements Backend {
  readonly attempts: number;
  readonly #pool: pg.Pool;
  readonly #faults: Faults;

  constructor(pool: pg.Pool, connections: number, faults: Faults) {
    this.#pool = pool;
    this.attempts = connections;
    this.#faults = faults;
  }

  async begin(intent: "read" | "write"): Promise<Attempt> {
    try {
      const client = await this.#pool.connect();
      return await PostgresAttempt.begin(client, intent, this.#faults);
    } catch (error) {
      throw new StoreError("unavailable", `PostgreSQL cannot be reached: ${error}`, error);
    }
  }

  async load(rows: readonly LoadedRow[]): Promise<void> {
    const values = [
      rows.map(({ table }) => table),
      rows.map(({ key }) => key),
      rows.map(({ version }) => version),
      rows.map(({ form }) => form),
      rows.map(({ text }) => text),
    ];
    const insert =
      "INSERT INTO nearfield_records SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::int[], $5::text[])";
    try {
      await this.#pool.query(insert, values);
    } catch (error) {
      const why = isOvertaken(error) ? "somebody else wrote to the store at the same time" : String(error);
      throw new StoreError("bad-dump", `the dump cannot be restored: ${why}`, error);
    }
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }
}
