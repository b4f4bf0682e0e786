/**
 * Working space of the frame writers of one world. They write one after another, so they share it: with a thousand clients a thousand
 * small buffers would be cold whenever they are used. Nothing in it outlives the writing of one frame.
 */

import { BitWriter } from "@nearfield/schema/internal";
import { SettlingIds } from "./ledger.ts";
import { PressingOrder } from "./pressing-order.ts";

export class FrameScratch {
  /** The packet at hand, and its block of early deltas at hand. */
  readonly out: BitWriter = new BitWriter(1536);
  readonly block: BitWriter = new BitWriter(1536);
  /** Of the packet that is settled at hand. */
  readonly settling: SettlingIds = new SettlingIds();
  /** Which decisions go first. */
  readonly pressing: PressingOrder = new PressingOrder();
  /** By place in the frame: the key it is put in order by, and which decision that is. */
  order: Float64Array = new Float64Array(64);
  sequence: Int32Array = new Int32Array(64);
  /**
   * By decision: what kind of record it gets, its bits in the cache, its mask, the gaps to note, the packet that an early delta builds on, and the
   * object's row in `bases.ts`.
   */
  kinds: Int8Array = new Int8Array(64);
  entries: Int32Array = new Int32Array(64);
  masks: Uint32Array = new Uint32Array(64);
  gaps: Int32Array = new Int32Array(64);
  bases: Int32Array = new Int32Array(64);
  rows: Int32Array = new Int32Array(64);

  /** Makes room for so many decisions; what was in it is gone. */
  reserve(count: number): void {
    if (count <= this.kinds.length) return;
    const length = Math.max(count, this.kinds.length * 2);
    this.order = new Float64Array(length);
    this.sequence = new Int32Array(length);
    this.kinds = new Int8Array(length);
    this.entries = new Int32Array(length);
    this.masks = new Uint32Array(length);
    this.gaps = new Int32Array(length);
    this.bases = new Int32Array(length);
    this.rows = new Int32Array(length);
  }
}
