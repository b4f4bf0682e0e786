/** The decisions of a number of views in one round, one view after another, in columns that are reused. */

import type { Cause, DecisionKind, Decisions } from "@nearfield/core/internal";
import type { ObjectId } from "@nearfield/schema";

export class FlatDecisions {
  /** Views ended since `clear`. */
  views = 0;
  #count = 0;
  #ids: Uint32Array = new Uint32Array(1024);
  #kinds: Uint8Array = new Uint8Array(1024);
  #causes: Uint8Array = new Uint8Array(1024);
  #zones: Uint8Array = new Uint8Array(1024);
  readonly #ends: Int32Array;

  /** @param views the most there will be. */
  constructor(views: number) {
    this.#ends = new Int32Array(views);
  }

  clear(): void {
    this.#count = 0;
    this.views = 0;
  }

  push(id: ObjectId, kind: DecisionKind, cause: Cause, zone: number): void {
    const at = this.#count++;
    if (at === this.#ids.length) this.#grow();
    this.#ids[at] = id;
    this.#kinds[at] = kind;
    this.#causes[at] = cause;
    this.#zones[at] = zone;
  }

  /** What was pushed since the last call is the next view's. */
  endView(): void {
    this.#ends[this.views++] = this.#count;
  }

  /** Copies the decisions of the next view. */
  addView({ count, ids, kinds, causes, zones }: Decisions): void {
    for (let i = 0; i < count; i++) {
      this.push(ids[i]! as ObjectId, kinds[i]! as DecisionKind, causes[i]! as Cause, zones[i]!);
    }
    this.endView();
  }

  of(view: number): Decisions {
    const start = view === 0 ? 0 : this.#ends[view - 1]!;
    const end = this.#ends[view]!;
    return {
      count: end - start,
      ids: this.#ids.subarray(start, end),
      kinds: this.#kinds.subarray(start, end),
      causes: this.#causes.subarray(start, end),
      zones: this.#zones.subarray(start, end),
      urgencies: new Float64Array(end - start),
      waits: new Uint32Array(end - start),
      settled: new Uint8Array(end - start),
      withheld: 0,
    };
  }

  #grow(): void {
    this.#ids = doubled(this.#ids, new Uint32Array(this.#ids.length * 2));
    this.#kinds = doubled(this.#kinds, new Uint8Array(this.#kinds.length * 2));
    this.#causes = doubled(this.#causes, new Uint8Array(this.#causes.length * 2));
    this.#zones = doubled(this.#zones, new Uint8Array(this.#zones.length * 2));
  }
}

function doubled<T extends { set(from: T): void }>(old: T, fresh: T): T {
  fresh.set(old);
  return fresh;
}
