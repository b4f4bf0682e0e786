/** The decisions of one view in one round, as growing columns that are reused round after round. */

import type { ObjectId } from "@nearfield/schema";
import {
  VIEW,
  VIEW_CAUSES,
  VIEW_DECIDED,
  VIEW_IDS,
  VIEW_KINDS,
  VIEW_ROWS,
  VIEW_SETTLED,
  VIEW_URGENCIES,
  VIEW_WAITED,
  VIEW_WITHHELD,
  VIEW_ZONES,
} from "./engine/memory/layout.ts";
import { type ColumnSource, enlarged, heap } from "./engine/memory/memory.ts";
import type { Cause, DecisionKind, Decisions } from "./model.ts";

const FIRST_LENGTH = 64;
// Constants of this module: see `engine/pairs/pair-table.ts`.
const [DECIDED, WITHHELD] = [VIEW_DECIDED / 4, VIEW_WITHHELD / 4];

export class DecisionList implements Decisions {
  ids: Uint32Array;
  kinds: Uint8Array;
  causes: Uint8Array;
  zones: Uint8Array;
  urgencies: Float64Array;
  waits: Uint32Array;
  settled: Uint8Array;
  /** By row, while the engine defers them: the pair, see `engine/memory/layout.ts`. */
  rows: Int32Array;
  readonly #columns: ColumnSource;
  readonly #sheet: Int32Array;

  /** @param sheet of the view, where the kernel reads and writes how many there are, and where. */
  constructor(columns: ColumnSource = heap, sheet: Int32Array = new Int32Array(VIEW / 4)) {
    this.#columns = columns;
    this.#sheet = sheet;
    this.ids = columns.words(FIRST_LENGTH);
    this.kinds = columns.bytes(FIRST_LENGTH);
    this.causes = columns.bytes(FIRST_LENGTH);
    this.zones = columns.bytes(FIRST_LENGTH);
    this.urgencies = columns.reals(FIRST_LENGTH);
    this.waits = columns.words(FIRST_LENGTH);
    this.settled = columns.bytes(FIRST_LENGTH);
    this.rows = columns.ints(FIRST_LENGTH);
    this.#publish();
  }

  get count(): number {
    return this.#sheet[DECIDED]!;
  }

  get withheld(): number {
    return this.#sheet[WITHHELD]!;
  }

  push(
    id: ObjectId,
    kind: DecisionKind,
    cause: Cause,
    zone: number,
    urgency: number,
    waited: number,
    settled: boolean,
  ): void {
    const at = this.count;
    this.#sheet[DECIDED] = at + 1;
    if (at === this.ids.length) this.#grow(at + 1);
    this.ids[at] = id;
    this.kinds[at] = kind;
    this.causes[at] = cause;
    this.zones[at] = zone;
    this.urgencies[at] = urgency;
    this.waits[at] = waited;
    this.settled[at] = settled ? 1 : 0;
  }

  clear(): void {
    this.#sheet[DECIDED] = 0;
    this.#sheet[WITHHELD] = 0;
  }

  /** One of them was not sent. */
  withhold(): void {
    this.#sheet[WITHHELD]!++;
  }

  /** Nothing presses and nothing has waited, from now on. */
  forgetUrgencies(): void {
    this.urgencies.fill(0);
    this.waits.fill(0);
  }

  /** Room for so many, for a writer that fills the columns itself. */
  reserve(count: number): void {
    if (count > this.ids.length) this.#grow(count);
  }

  #grow(count: number): void {
    const columns = this.#columns;
    let { length } = this.ids;
    while (length < count) length *= 2;
    this.ids = enlarged(columns, this.ids, length);
    this.kinds = enlarged(columns, this.kinds, length);
    this.causes = enlarged(columns, this.causes, length);
    this.zones = enlarged(columns, this.zones, length);
    this.urgencies = enlarged(columns, this.urgencies, length);
    this.waits = enlarged(columns, this.waits, length);
    this.settled = enlarged(columns, this.settled, length);
    this.rows = enlarged(columns, this.rows, length);
    this.#publish();
  }

  /** Tells the kernel where the columns lie. */
  #publish(): void {
    const sheet = this.#sheet;
    sheet[VIEW_IDS / 4] = this.ids.byteOffset;
    sheet[VIEW_KINDS / 4] = this.kinds.byteOffset;
    sheet[VIEW_CAUSES / 4] = this.causes.byteOffset;
    sheet[VIEW_ZONES / 4] = this.zones.byteOffset;
    sheet[VIEW_SETTLED / 4] = this.settled.byteOffset;
    sheet[VIEW_URGENCIES / 4] = this.urgencies.byteOffset;
    sheet[VIEW_WAITED / 4] = this.waits.byteOffset;
    sheet[VIEW_ROWS / 4] = this.rows.byteOffset;
  }

  /** Gives its memory back. */
  dispose(): void {
    const { ids, kinds, causes, zones, urgencies, waits, settled, rows } = this;
    for (const column of [ids, kinds, causes, zones, urgencies, waits, settled, rows]) this.#columns.release(column);
  }
}
