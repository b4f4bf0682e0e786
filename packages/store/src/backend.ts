/**
 * What a database must offer to become a store. Everything else (own writes in reads, migration, limits, re-runs) is the same for all
 * and stands in `transacting-store.ts` and `buffered-transaction.ts`.
 */
import type { ResolvedRange } from "./limits.ts";
import type { Row, Write } from "./record.ts";

export type Maybe<Value> = Value | Promise<Value>;

/** The database as it was at one moment. */
export interface Snapshot {
  read(table: string, key: string): Maybe<Row | undefined>;
  scan(table: string, range: ResolvedRange): Maybe<readonly Row[]>;
}

/** A snapshot that answers at once. */
export interface LocalSnapshot extends Snapshot {
  read(table: string, key: string): Row | undefined;
  scan(table: string, range: ResolvedRange): readonly Row[];
}

/** One run of a transaction's body. */
export interface Attempt extends Snapshot {
  /** Names of the tables that have records. */
  tables(): Maybe<readonly string[]>;
  /** The database has said already that this attempt cannot commit. */
  readonly overtaken: boolean;
  /**
   * Makes the writes durable, all or none, if what the attempt read is still so. False: something else was committed in between.
   * At most one write for each record.
   */
  commit(writes: readonly Write[]): Promise<boolean>;
  /** Gives back what the attempt holds. Called once, whether it was committed or not. */
  end(): Maybe<void>;
}

export interface Backend {
  /** How many attempts may be open at the same time. */
  readonly attempts: number;
  /** `read`: nothing will be written, and reads need not be kept for the commit. */
  begin(intent: "read" | "write"): Maybe<Attempt>;
  /** Writes rows as they are, versions and forms included. For restoring a dump; durable when it resolves. */
  load(rows: readonly LoadedRow[]): Promise<void>;
  close(): Promise<void>;
}

/** A row and the table it belongs to. */
export interface LoadedRow extends Row {
  readonly table: string;
}
