/**
 * Views whose decisions are not recorded as sent yet. While bytes run short, most due pairs are withheld in the same round. A decision that was not
 * recorded need not be taken back when it is withheld. The remaining decisions are recorded before anything changes that they depend on: the
 * world, the view, the fate of an earlier send, the round.
 */

import type { EngineView } from "../engine-view.ts";
import type { PlainJudge } from "../judges/plain.ts";
import type { Batches } from "../memory/batches.ts";

export class Deferred {
  readonly #batches: Batches;
  readonly #plain: PlainJudge;
  readonly #views: EngineView[] = [];
  #round = 0;

  constructor(batches: Batches, plain: PlainJudge) {
    this.#batches = batches;
    this.#plain = plain;
  }

  /** The decisions of this view wait to be recorded. */
  add(view: EngineView, round: number): void {
    this.#round = round;
    view.withheldRow = view.decisions.count;
    this.#views.push(view);
  }

  recordAll(): void {
    if (this.#views.length === 0) return;
    for (const view of this.#views) this.record(view);
    this.#views.length = 0;
  }

  record(view: EngineView): void {
    if (view.deferred === 0) return;
    view.flights!.reserve(view.deferred);
    this.#plain.locate(this.#round);
    this.#batches.recordSends(view.address);
    this.#plain.finishPairs(view, this.#round);
  }
}
