/**
 * Stands between a frame writer and its consistency model, and tells a listener what becomes of each send: not sent after all, arrived, or
 * lost. Every call is also handed on to the model.
 */

import type { Decisions, ViewId } from "@nearfield/core/internal";
import type { SendModel } from "@nearfield/protocol/internal";
import type { ObjectId } from "@nearfield/schema";

export interface SendListener {
  /** The send that was decided for the object in this round is held back. */
  withheld(id: ObjectId): void;
  /** The sends that were decided for these objects in that round have arrived. */
  arrived(ids: Uint32Array, count: number, round: number): void;
  /**
   * The send that was decided for this object in that round is lost or given up. If this is called while the frame is written, the send is
   * held back.
   */
  lost(id: ObjectId, round: number): void;
  /** The client leaves this send out, because packet `base`, on which it builds, is lost. */
  orphaned?(id: ObjectId, round: number, base: number): void;
}

export class FateTap implements SendModel {
  readonly #model: SendModel;
  readonly #listener: SendListener;

  constructor(model: SendModel, listener: SendListener) {
    this.#model = model;
    this.#listener = listener;
  }

  decisions(view: ViewId): Decisions {
    return this.#model.decisions(view);
  }

  baseVersion(view: ViewId, id: ObjectId): number {
    return this.#model.baseVersion(view, id);
  }

  acknowledgeAll(view: ViewId, ids: Uint32Array, count: number, round: number): void {
    this.#listener.arrived(ids, count, round);
    this.#model.acknowledgeAll(view, ids, count, round);
  }

  lose(view: ViewId, id: ObjectId, round: number): void {
    this.#listener.lost(id, round);
    this.#model.lose(view, id, round);
  }

  orphan(view: ViewId, id: ObjectId, round: number, base: number): void {
    this.#listener.orphaned?.(id, round, base);
    this.#model.orphan?.(view, id, round, base);
  }

  withholdAll(view: ViewId, rows: Int32Array, count: number): void {
    const { ids } = this.#model.decisions(view);
    for (let i = 0; i < count; i++) this.#listener.withheld(ids[rows[i]!]! as ObjectId);
    this.#model.withholdAll(view, rows, count);
  }
}
