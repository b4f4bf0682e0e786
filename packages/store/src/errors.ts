/** What a store refuses or cannot do. The code is for programs, the message says what to do. */

export type StoreErrorCode =
  /** A table's name, a key, a range or a limit that no store takes. */
  | "bad-name"
  | "bad-key"
  | "bad-range"
  /** A value that JSON cannot hold, or too large a one. */
  | "bad-value"
  /** Too many writes in one transaction. */
  | "too-large"
  /** A transaction was used after its body had ended. */
  | "ended"
  /** The store is closed. */
  | "closed"
  /** Too many transactions wait already. */
  | "busy"
  /** A transaction was overtaken by others again and again. */
  | "conflict"
  /** A record was written by a newer release than this one. */
  | "newer-form"
  /** A function of `migrate` threw. */
  | "migration"
  /** The address names no store. */
  | "bad-place"
  /** The database cannot be reached or does not work. Nothing was written. */
  | "unavailable"
  /** The database went away while it committed: the writes are all there or none is. Read before you write again. */
  | "uncertain"
  /** The database is set up so that it could lose what it acknowledged. */
  | "unsafe"
  /** A dump is broken, or where it shall go is not empty. */
  | "bad-dump";

export class StoreError extends Error {
  override readonly name = "StoreError";
  readonly code: StoreErrorCode;

  constructor(code: StoreErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}
