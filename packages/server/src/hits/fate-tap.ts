/**
 * A consistency model as a frame writer sees it, with somebody who listens to what becomes of each send: what does not go although it was
 * decided, what arrived, what is lost. Everything is handed on to the model itself.
 */

import type { Decisions, ViewId } from "@nearfield/core/internal";
import type { SendModel } from "@nearfield/protocol/internal";
import type { ObjectId } from "@nearfield/schema";

export interface SendListener {
  /** What was decided for the object in this round does not go. */
  withheld(id: ObjectId): void;
  /** What was decided for these objects in that round has arrived. */
  arrived(ids: Uint32Array, count: number, round: number): void;
  /** … for this one is lost, or given up; while its frame is written: it does not go. */
  lost(id: ObjectId, round: number): void;
  /** … for this one is left out by the client, since packet `base` is lost, on which it builds. */
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

  withhold(view: ViewId, id: ObjectId): void {
    this.#listener.withheld(id);
    this.#model.withhold(view, id);
  }
}
