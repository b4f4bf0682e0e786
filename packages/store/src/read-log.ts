/**
 * What an attempt read, for databases that do not watch reads themselves. A transaction may commit if reading everything again, at the moment of its
 * commit, gives the same: then it is as if it had run at that moment alone. This holds for ranges too, so a record that
 * appeared inside a range that was read is noticed.
 */
import type { LocalSnapshot } from "./backend.ts";
import type { ResolvedRange } from "./limits.ts";
import type { Row } from "./record.ts";

interface Read {
  readonly table: string;
  readonly key: string;
  readonly row: Row | undefined;
}

interface Scan {
  readonly table: string;
  readonly range: ResolvedRange;
  readonly rows: readonly Row[];
}

export class ReadLog {
  readonly #reads: Read[] = [];
  readonly #scans: Scan[] = [];

  noteRead(table: string, key: string, row: Row | undefined): void {
    this.#reads.push({ table, key, row });
  }

  noteScan(table: string, range: ResolvedRange, rows: readonly Row[]): void {
    this.#scans.push({ table, range, rows });
  }

  /** Whether `now` answers every read as it was answered before. */
  holds(now: LocalSnapshot): boolean {
    return (
      this.#reads.every(({ table, key, row }) => isSame(now.read(table, key), row)) &&
      this.#scans.every(({ table, range, rows }) => {
        const found = now.scan(table, range);
        return found.length === rows.length && found.every((row, i) => isSame(row, rows[i]));
      })
    );
  }
}

function isSame(a: Row | undefined, b: Row | undefined): boolean {
  if (a === b) return true;
  if (a === undefined || b === undefined) return false;
  return a.key === b.key && a.version === b.version && a.form === b.form && a.text === b.text;
}
