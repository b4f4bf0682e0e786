/**
 * A consistency model as a frame writer sees it, with somebody who listens to what becomes of each send: what does not go although it was
 * decided, what arrived, what is lost. Everything is handed on to the model itself.
 */

import type {
  Auditor,
  ConsistencyModel,
  Decisions,
  Explanation,
  ObjectId,
  Pivot,
  ViewId,
  ViewOptions,
  ViewSettings,
} from "@nearfield/core";

export interface SendListener {
  /** What was decided for the object in this round does not go. */
  withheld(id: ObjectId): void;
  /** What was decided for these objects in that round has arrived. */
  arrived(ids: Uint32Array, count: number, round: number): void;
  /** … for this one is lost, or given up; while its frame is written: it does not go. */
  lost(id: ObjectId, round: number): void;
}

export class FateTap implements ConsistencyModel {
  readonly #model: ConsistencyModel;
  readonly #listener: SendListener;

  constructor(model: ConsistencyModel, listener: SendListener) {
    this.#model = model;
    this.#listener = listener;
  }

  acknowledge(view: ViewId, id: ObjectId, round: number): void {
    this.#model.acknowledge(view, id, round);
  }

  acknowledgeAll(view: ViewId, ids: Uint32Array, count: number, round: number): void {
    this.#listener.arrived(ids, count, round);
    this.#model.acknowledgeAll(view, ids, count, round);
  }

  lose(view: ViewId, id: ObjectId, round: number): void {
    this.#listener.lost(id, round);
    this.#model.lose(view, id, round);
  }

  withhold(view: ViewId, id: ObjectId): void {
    this.#listener.withheld(id);
    this.#model.withhold(view, id);
  }

  get audit(): Auditor {
    return this.#model.audit;
  }

  addView(settings: ViewSettings, options?: ViewOptions): ViewId {
    return this.#model.addView(settings, options);
  }

  changeView(view: ViewId, settings: ViewSettings): void {
    this.#model.changeView(view, settings);
  }

  setPivots(view: ViewId, pivots: readonly Pivot[]): void {
    this.#model.setPivots(view, pivots);
  }

  removeView(view: ViewId): void {
    this.#model.removeView(view);
  }

  pause(view: ViewId): void {
    this.#model.pause(view);
  }

  resume(view: ViewId): void {
    this.#model.resume(view);
  }

  demand(view: ViewId, id: ObjectId): void {
    this.#model.demand(view, id);
  }

  round(round: number): void {
    this.#model.round(round);
  }

  decisions(view: ViewId): Decisions {
    return this.#model.decisions(view);
  }

  setBudgeted(view: ViewId, budgeted: boolean): void {
    this.#model.setBudgeted(view, budgeted);
  }

  loosen(view: ViewId, outer: number, inner?: number): void {
    this.#model.loosen(view, outer, inner);
  }

  baseVersion(view: ViewId, id: ObjectId): number {
    return this.#model.baseVersion(view, id);
  }

  explain(view: ViewId, id: ObjectId): Explanation | undefined {
    return this.#model.explain(view, id);
  }

  zoneAt(view: ViewId, point: readonly number[]): number {
    return this.#model.zoneAt(view, point);
  }

  distanceTo(view: ViewId, point: readonly number[]): number {
    return this.#model.distanceTo(view, point);
  }

  dispose(): void {
    this.#model.dispose();
  }
}
