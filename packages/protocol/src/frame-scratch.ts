/**
 * Working memory that all frame writers of one world share. They write one after another. With a thousand clients, a thousand small buffers
 * would never be in the processor's cache. Nothing here outlives the writing of one frame.
 */

import { BitWriter } from "@nearfield/schema/internal";
import { SettlingIds } from "./ledger.ts";
import { PressingOrder } from "./pressing-order.ts";
import { SlotOrder } from "./slot-order.ts";

export class FrameScratch {
  /** The packet that is being written, and its block of early deltas. */
  readonly out: BitWriter = new BitWriter(1536);
  readonly block: BitWriter = new BitWriter(1536);
  /** The ids of the packet that is being settled. */
  readonly settling: SettlingIds = new SettlingIds();
  /** The order of decisions when bytes run short. */
  readonly pressing: PressingOrder = new PressingOrder();
  /** The order of decisions by slot. */
  readonly slots: SlotOrder = new SlotOrder();
  /** By place in the frame: its sort key, and the decision that it belongs to. */
  order: Float64Array = new Float64Array(64);
  sequence: Int32Array = new Int32Array(64);
  /** Decisions that are withheld. */
  withheld: Int32Array = new Int32Array(64);
  /**
   * By decision: its record's kind, its entry in the cache, its mask, the gaps to note, the packet that an early delta builds on, and the
   * object's row in `bases.ts`.
   */
  kinds: Int8Array = new Int8Array(64);
  entries: Int32Array = new Int32Array(64);
  masks: Uint32Array = new Uint32Array(64);
  gaps: Int32Array = new Int32Array(64);
  bases: Int32Array = new Int32Array(64);
  rows: Int32Array = new Int32Array(64);

  /** Makes room for this many decisions. Old contents are lost. */
  reserve(count: number): void {
    if (count <= this.kinds.length) return;
    const length = Math.max(count, this.kinds.length * 2);
    this.order = new Float64Array(length);
    this.sequence = new Int32Array(length);
    this.withheld = new Int32Array(length);
    this.kinds = new Int8Array(length);
    this.entries = new Int32Array(length);
    this.masks = new Uint32Array(length);
    this.gaps = new Int32Array(length);
    this.bases = new Int32Array(length);
    this.rows = new Int32Array(length);
  }
}
