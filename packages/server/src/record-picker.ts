/**
 * Keeps a frame within its bytes as long as the frame writer cannot do so itself: of a view's decisions it picks the most pressing, as
 * many as fit by what records took so far, and has the model withhold the others. What a frame takes beyond the estimate is owed by the
 * next (`ByteBudget`).
 */

import { type ConsistencyModel, type Decisions, INNER_FIRST, type ObjectId, type ViewId } from "@nearfield/core";

/** What a packet takes besides its records, bytes. */
const HEAD_BYTES = 9;
/** What a record is taken to need before any was written, bytes. */
const FIRST_RECORD_BYTES = 16;

interface Picked extends Decisions {
  ids: Uint32Array;
}

export class RecordPicker {
  readonly #model: ConsistencyModel;
  readonly #view: ViewId;
  #recordBytes = FIRST_RECORD_BYTES;
  #picked: Picked | undefined;

  constructor(model: ConsistencyModel, view: ViewId) {
    this.#model = model;
    this.#view = view;
  }

  /** The decisions that go. */
  get decisions(): Decisions {
    return this.#picked ?? this.#model.decisions(this.#view);
  }

  /** The model as a frame writer sees it: with what was picked for decisions. */
  asModel(): ConsistencyModel {
    const seen: Pick<ConsistencyModel, "decisions" | "baseVersion" | "acknowledge" | "lose"> = {
      decisions: () => this.decisions,
      baseVersion: (view, id) => this.#model.baseVersion(view, id),
      acknowledge: (view, id, round) => this.#model.acknowledge(view, id, round),
      lose: (view, id, round) => this.#model.lose(view, id, round),
    };
    return seen as ConsistencyModel;
  }

  /** Picks for a frame of that many bytes; or of so many more as what must not wait takes, up to `urgentBytes`. */
  pick(bytes: number, urgentBytes: number): void {
    const all = this.#model.decisions(this.#view);
    const urgent = all.urgencies
      .subarray(0, all.count)
      .reduce((sum, urgency) => sum + (urgency >= INNER_FIRST ? 1 : 0), 0);
    const most = Math.max(this.#fitting(bytes), Math.min(urgent, this.#fitting(urgentBytes)));
    this.#picked = undefined;
    if (all.count <= most) return;
    const order = Array.from({ length: all.count }, (_, i) => i).sort(
      (a, b) => all.urgencies[b]! - all.urgencies[a]! || all.ids[a]! - all.ids[b]!,
    );
    const going = order.slice(0, Math.max(0, most)).sort((a, b) => a - b);
    for (const i of order.slice(Math.max(0, most))) this.#model.withhold(this.#view, all.ids[i]! as ObjectId);
    this.#picked = {
      ...all,
      count: going.length,
      ids: Uint32Array.from(going, (i) => all.ids[i]!),
      kinds: Uint8Array.from(going, (i) => all.kinds[i]!),
      causes: Uint8Array.from(going, (i) => all.causes[i]!),
      zones: Uint8Array.from(going, (i) => all.zones[i]!),
      settled: Uint8Array.from(going, (i) => all.settled[i]!),
    };
  }

  #fitting(bytes: number): number {
    return Math.floor((bytes - HEAD_BYTES) / this.#recordBytes);
  }

  /** The frame was written. */
  wrote(bytes: number): void {
    const { count } = this.decisions;
    if (count > 0) this.#recordBytes += ((bytes - HEAD_BYTES) / count - this.#recordBytes) / 8;
  }
}
