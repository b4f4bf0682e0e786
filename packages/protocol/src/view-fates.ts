/**
 * Where the fates of one view's sends go: to the consistency model, and those that bring nothing to a listener as well. It is an object with
 * plain fields, not closures, because it is needed once per client and ack, and what it consists of is then never in the processor's cache.
 */

import type { ViewId } from "@nearfield/core/internal";
import type { ObjectId } from "@nearfield/schema";
import type { SendModel } from "./frame-writer.ts";
import type { FateListener } from "./ledger.ts";

/** Is told of each send that brings nothing: withheld, given up or lost. */
export interface HeldBackListener {
  heldBack(id: ObjectId): void;
}

export class ViewFates implements FateListener {
  readonly #model: SendModel;
  readonly #view: ViewId;
  readonly #listener: HeldBackListener | undefined;

  constructor(model: SendModel, view: ViewId, listener: HeldBackListener | undefined) {
    this.#model = model;
    this.#view = view;
    this.#listener = listener;
  }

  acknowledge(ids: Uint32Array, count: number, round: number): void {
    this.#model.acknowledgeAll(this.#view, ids, count, round);
  }

  lose(id: ObjectId, round: number): void {
    this.#listener?.heldBack(id);
    this.#model.lose(this.#view, id, round);
  }

  orphan(id: ObjectId, round: number, base: number): void {
    this.#model.orphan?.(this.#view, id, round, base);
  }

  /** The sends that were decided in these rows of this round are not made, because bytes run short. */
  withhold(rows: Int32Array, count: number): void {
    if (this.#listener !== undefined) {
      const { ids } = this.#model.decisions(this.#view);
      for (let i = 0; i < count; i++) this.#listener.heldBack(ids[rows[i]!]! as ObjectId);
    }
    this.#model.withholdAll(this.#view, rows, count);
  }
}
