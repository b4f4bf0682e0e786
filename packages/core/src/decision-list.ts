/** The decisions of one view in one round, as growing columns that are reused round after round. */

import type { ObjectId } from "./ids.ts";
import type { Cause, DecisionKind, Decisions } from "./model.ts";
import { grown } from "./object-store.ts";

export class DecisionList implements Decisions {
  count = 0;
  withheld = 0;
  ids: Uint32Array = new Uint32Array(16);
  kinds: Uint8Array = new Uint8Array(16);
  causes: Uint8Array = new Uint8Array(16);
  zones: Uint8Array = new Uint8Array(16);
  urgencies: Float64Array = new Float64Array(16);
  settled: Uint8Array = new Uint8Array(16);

  push(id: ObjectId, kind: DecisionKind, cause: Cause, zone: number, urgency: number, settled: boolean): void {
    const at = this.count++;
    if (at === this.ids.length) this.#grow();
    this.ids[at] = id;
    this.kinds[at] = kind;
    this.causes[at] = cause;
    this.zones[at] = zone;
    this.urgencies[at] = urgency;
    this.settled[at] = settled ? 1 : 0;
  }

  clear(): void {
    this.count = 0;
    this.withheld = 0;
  }

  /** Room for so many more, for a writer that fills the columns itself. */
  reserve(more: number): void {
    while (this.count + more > this.ids.length) this.#grow();
  }

  #grow(): void {
    const length = this.ids.length * 2;
    this.ids = grown(new Uint32Array(length), this.ids);
    this.kinds = grown(new Uint8Array(length), this.kinds);
    this.causes = grown(new Uint8Array(length), this.causes);
    this.zones = grown(new Uint8Array(length), this.zones);
    this.urgencies = grown(new Float64Array(length), this.urgencies);
    this.settled = grown(new Uint8Array(length), this.settled);
  }
}
