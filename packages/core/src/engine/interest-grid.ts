/**
 * Keeps the grid in step with objects and views, and reports each (view, object) that must begin to be tracked. Only views whose every
 * set has a range use it; the grid comes to be with the first of them.
 * Why so: docs/decisions/0003-engine-plans.md.
 */

import type { World } from "../world.ts";
import type { EngineView } from "./engine-view.ts";
import { Grid } from "./grid.ts";

/** Cells per range: fewer cross less often but hold more objects that are not near. */
const CELLS_PER_REACH = 2;
/** A view whose reach spans more cells than this has the grid made anew with larger ones. */
const MOST_CELLS_PER_REACH = 16;

export class InterestGrid {
  readonly #world: World;
  readonly #report: (view: number, slot: number) => void;
  readonly #views = new Set<EngineView>();
  #grid: Grid | undefined;

  constructor(world: World, report: (view: number, slot: number) => void) {
    this.#world = world;
    this.#report = report;
  }

  cellKeyOf(slot: number): number {
    return this.#grid?.cellKeyOf(slot) ?? Number.NaN;
  }

  /** The object moved, or is new. */
  place(slot: number): void {
    const entered = this.#grid?.place(slot, this.#world.x[slot]!, this.#world.y[slot]!);
    if (entered === undefined) return;
    for (const view of entered.views) this.#report(view, slot);
  }

  remove(slot: number): void {
    this.#grid?.remove(slot);
  }

  /** Brings the view's cells in step with its pivots. */
  subscribe(view: EngineView): void {
    if (view.wide) {
      if (view.cells.size > 0) this.unsubscribe(view);
      return;
    }
    const grid = this.#gridFor(view);
    if (isInStep(view, grid)) return;
    const rects = view.placed.filter(({ placed }) => placed).map(({ x, y }) => grid.rectAround(x, y, view.reach));
    this.#views.add(view);
    const wanted = new Set(rects.flatMap((rect) => [...grid.keysIn(rect)]));
    for (const key of view.cells) if (!wanted.has(key)) grid.unsubscribe(key, view.id);
    const before = view.cells;
    view.cells = wanted;
    view.rects = rects;
    for (const key of wanted) {
      if (before.has(key)) continue;
      for (const slot of grid.subscribe(key, view.id).slots) this.#report(view.id, slot);
    }
  }

  unsubscribe(view: EngineView): void {
    for (const key of view.cells) this.#grid!.unsubscribe(key, view.id);
    view.cells = new Set();
    view.rects = [];
    this.#views.delete(view);
  }

  #gridFor(view: EngineView): Grid {
    if (this.#grid === undefined || view.reach > this.#grid.size * MOST_CELLS_PER_REACH) {
      this.#rebuild(view.reach / CELLS_PER_REACH);
    }
    return this.#grid!;
  }

  /** Everybody subscribes anew: the others when their turn comes in this or the next round. */
  #rebuild(size: number): void {
    const subscribed = [...this.#views];
    for (const view of subscribed) this.unsubscribe(view);
    this.#grid = new Grid(size);
    const { store } = this.#world;
    for (let slot = 0; slot < store.slotHigh; slot++) {
      if (store.isLive(slot) && this.#world.isSpatial(slot))
        this.#grid.place(slot, this.#world.x[slot]!, this.#world.y[slot]!);
    }
    for (const view of subscribed) this.subscribe(view);
  }
}

/** Whether the view's cells are those its pivots reach now; asked for every view in every round, so nothing is allocated. */
function isInStep(view: EngineView, grid: Grid): boolean {
  let count = 0;
  for (const pivot of view.placed) {
    if (!pivot.placed) continue;
    const rect = view.rects[count++];
    if (rect === undefined || !grid.isRectAround(rect, pivot.x, pivot.y, view.reach)) return false;
  }
  return count === view.rects.length;
}
