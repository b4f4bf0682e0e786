/**
 * One run of a transaction on one connection to PostgreSQL. Writes are sent in two statements, one for the records to put and one for those to remove.
 *
 * When the connection breaks while the commit is on its way, nobody knows whether it was carried out. The run is not repeated then; the caller is told
 * that the outcome is uncertain.
 */
import type { PoolClient } from "pg";
import type { Attempt } from "../backend.ts";
import { StoreError } from "../errors.ts";
import type { Faults } from "../faults.ts";
import type { ResolvedRange } from "../limits.ts";
import { newerForm, type Row, type Write } from "../record.ts";

interface StoredRow {
  readonly key: string;
  /** A bigint, which `pg` gives as text. */
  readonly version: string;
  readonly form: number;
  readonly value: string;
}

const READ = "SELECT key, version, form, value FROM nearfield_records WHERE collection = $1 AND key = $2";
/** Records of a newer form are not overwritten, so fewer rows come back than were sent. */
const PUT = `
  INSERT INTO nearfield_records AS old (collection, key, version, form, value)
  SELECT collection, key, 1, form, value FROM unnest($1::text[], $2::text[], $3::int[], $4::text[]) AS new (collection, key, form, value)
  ON CONFLICT (collection, key) DO UPDATE SET version = old.version + 1, form = excluded.form, value = excluded.value
  WHERE old.form <= excluded.form
  RETURNING collection, key`;
const NEWER = `
  SELECT old.collection, old.key, old.form, new.form AS known FROM nearfield_records AS old
  JOIN unnest($1::text[], $2::text[], $3::int[]) AS new (collection, key, form)
  ON old.collection = new.collection AND old.key = new.key AND old.form > new.form LIMIT 1`;
const REMOVE = `
  DELETE FROM nearfield_records AS old USING unnest($1::text[], $2::text[]) AS gone (collection, key)
  WHERE old.collection = gone.collection AND old.key = gone.key`;

/** Serialization failure and deadlock. */
export function isOvertaken(error: unknown): boolean {
  const code = (error as { readonly code?: unknown }).code;
  return code === "40001" || code === "40P01";
}

export class PostgresAttempt implements Attempt {
  overtaken = false;
  readonly #client: PoolClient;
  readonly #faults: Faults;
  #open = true;
  #broken = false;
  readonly #onError = (): void => {
    this.#broken = true;
  };

  static async begin(client: PoolClient, intent: "read" | "write", faults: Faults): Promise<PostgresAttempt> {
    const attempt = new PostgresAttempt(client, faults);
    // A long read that is deferrable waits for a snapshot that can never be overtaken.
    const mode = intent === "read" ? "READ ONLY DEFERRABLE" : "READ WRITE";
    try {
      await client.query(`BEGIN ISOLATION LEVEL SERIALIZABLE ${mode}`);
      return attempt;
    } catch (error) {
      attempt.#broken = true;
      await attempt.end();
      throw error;
    }
  }

  private constructor(client: PoolClient, faults: Faults) {
    this.#client = client;
    this.#faults = faults;
    client.on("error", this.#onError);
  }

  async tables(): Promise<readonly string[]> {
    const rows = await this.#ask<{ collection: string }>(
      "SELECT DISTINCT collection FROM nearfield_records ORDER BY collection",
      [],
    );
    return rows.map(({ collection }) => collection);
  }

  async read(table: string, key: string): Promise<Row | undefined> {
    const [row] = await this.#ask<StoredRow>(READ, [table, key], "nearfield-read");
    return row && rowOf(row);
  }

  async scan(table: string, { from, before, reverse, limit }: ResolvedRange): Promise<readonly Row[]> {
    const end = before === undefined ? "" : "AND key < $4";
    const rows = await this.#ask<StoredRow>(
      `SELECT key, version, form, value FROM nearfield_records WHERE collection = $1 AND key >= $2 ${end}
       ORDER BY key ${reverse ? "DESC" : "ASC"} LIMIT $3`,
      [table, from, limit, ...(before === undefined ? [] : [before])],
    );
    return rows.map(rowOf);
  }

  async commit(writes: readonly Write[]): Promise<boolean> {
    try {
      if (writes.length > 0) await this.#send(writes);
      this.#faults.reach("commit");
    } catch (error) {
      if (this.overtaken) return false;
      throw error;
    }
    const done = await this.#commit(writes.length > 0);
    if (done) this.#faults.reach("committed");
    return done;
  }

  async end(): Promise<void> {
    if (this.#open && !this.#broken) {
      await this.#client.query("ROLLBACK").catch(this.#onError);
    }
    this.#client.off("error", this.#onError);
    // A connection that broke does not go back to the pool.
    this.#client.release(this.#broken);
  }

  async #send(writes: readonly Write[]): Promise<void> {
    const columns = (chosen: readonly Write[]) => [chosen.map(({ table }) => table), chosen.map(({ key }) => key)];
    const forms = (chosen: readonly Write[]) => chosen.map(({ form }) => form);
    const puts = writes.filter(({ text }) => text !== undefined);
    const removals = writes.filter(({ text }) => text === undefined);
    for (const _ of puts) this.#faults.reach("write");
    if (puts.length > 0) {
      const texts = puts.map(({ text }) => text);
      const done = await this.#ask(PUT, [...columns(puts), forms(puts), texts], "nearfield-put");
      if (done.length < puts.length) await this.#refuseNewer(puts);
    }
    for (const _ of removals) this.#faults.reach("write");
    if (removals.length > 0) {
      await this.#refuseNewer(removals);
      await this.#ask(REMOVE, columns(removals), "nearfield-remove");
    }
  }

  async #refuseNewer(writes: readonly Write[]): Promise<void> {
    const values = [writes.map(({ table }) => table), writes.map(({ key }) => key), writes.map(({ form }) => form)];
    interface Newer {
      readonly collection: string;
      readonly key: string;
      readonly form: number;
      readonly known: number;
    }
    const [newer] = await this.#ask<Newer>(NEWER, values, "nearfield-newer");
    if (newer !== undefined) throw newerForm(newer.collection, newer, newer.known);
  }

  async #commit(writes: boolean): Promise<boolean> {
    this.#open = false;
    const sent = this.#client.query("COMMIT");
    this.#faults.reach("committing");
    try {
      await sent;
      return true;
    } catch (error) {
      if (isOvertaken(error)) return false;
      this.#broken = true;
      if (!writes) throw unavailable(error);
      throw new StoreError(
        "uncertain",
        "PostgreSQL went away during a commit: its writes are all there or none is. Read before you write again",
        error,
      );
    }
  }

  async #ask<Answer extends object>(text: string, values: readonly unknown[], name?: string): Promise<Answer[]> {
    try {
      const { rows } = await this.#client.query<Answer>({
        text,
        values: [...values],
        ...(name === undefined ? {} : { name }),
      });
      return rows;
    } catch (error) {
      this.overtaken ||= isOvertaken(error);
      throw unavailable(error);
    }
  }
}

function unavailable(error: unknown): StoreError {
  return new StoreError("unavailable", `PostgreSQL does not answer as it should: ${error}. Nothing was written`, error);
}

function rowOf({ key, version, form, value }: StoredRow): Row {
  return { key, version: Number(version), form, text: value };
}
