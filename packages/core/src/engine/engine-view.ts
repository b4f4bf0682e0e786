/** One view as the engine keeps it: settings compiled, pivots placed, and what the view has subscribed to. No decisions are made here. */

import { DepartedSends } from "../audit.ts";
import { DecisionList } from "../decision-list.ts";
import type { ObjectId } from "../ids.ts";
import type { DecisionKind, ViewId, ViewOptions } from "../model.ts";
import { isSameCentre, type PlacedPivot, pivotRadius, placePivot, replaced } from "../pivots.ts";
import { checkOptions, loosened, type ResolvedView } from "../resolve-view.ts";
import type { Pivot } from "../view.ts";
import type { World } from "../world.ts";
import type { CellRect } from "./grid.ts";

export interface Removal {
  readonly kind: DecisionKind;
  /** Round in which it was last decided; −1 while it waits. */
  round: number;
}

interface Place {
  x: number;
  y: number;
  z: number;
  radii: Float64Array | undefined;
}

export class EngineView {
  readonly id: ViewId;
  readonly session: number;
  readonly assumeDelivered: boolean;
  budgeted: boolean;
  readonly questionsOnly: boolean;
  readonly decisions: DecisionList = new DecisionList();
  readonly removals: Map<ObjectId, Removal> = new Map();
  readonly departed: DepartedSends = new DepartedSends();
  /** Removals that wait to be decided. */
  waitingRemovals = 0;
  /** As stated, and as loosened by `outer` and `inner`. */
  resolved: ResolvedView;
  judged: ResolvedView;
  outer = 1;
  inner = 1;
  /** Objects created in this round of which the client had nothing before, and was not being told to remove anything. */
  readonly fresh: Set<ObjectId> = new Set();
  placed: readonly PlacedPivot[] = [];
  paused = false;
  /** All pairs are to be judged in the next round. */
  recheck = true;
  /** Some set has no range, so every object is tracked and the grid says nothing. */
  wide = false;
  /** Objects that the grid does not report have yet to be tracked. */
  untracked = true;
  /** Largest range of its sets. */
  reach = 0;
  /** Grid cells subscribed to, and the rectangles they came from. */
  cells: Set<number> = new Set();
  rects: CellRect[] = [];
  #pivots: readonly Pivot[] = [];
  /** Where the pivots were in the last round. */
  #previous: Place[] = [];

  constructor(id: ViewId, resolved: ResolvedView, options: ViewOptions) {
    this.id = id;
    this.session = options.session ?? 0;
    this.assumeDelivered = options.assumeDelivered ?? false;
    this.budgeted = options.budgeted ?? false;
    this.questionsOnly = options.questionsOnly ?? false;
    this.paused = this.questionsOnly;
    checkOptions(options);
    this.resolved = resolved;
    this.judged = resolved;
    this.change(resolved);
  }

  change(resolved: ResolvedView): void {
    this.resolved = resolved;
    this.judged = loosened(resolved, this.outer, this.inner);
    const ranges = resolved.sets.map(({ range }) => range);
    this.wide = ranges.some((range) => range === Number.POSITIVE_INFINITY);
    this.reach = this.wide ? 0 : Math.max(...ranges);
    this.recheck = true;
    this.untracked = true;
  }

  /** Plans are made by the stated bounds, so none needs to be made anew. */
  loosen(outer: number, inner: number): void {
    this.judged = loosened(this.resolved, outer, inner);
    this.outer = outer;
    this.inner = inner;
  }

  /** Points that only moved are a move like any other; whatever else changes has all pairs judged anew. */
  setPivots(pivots: readonly Pivot[]): void {
    const onlyMoved =
      pivots.length === this.#pivots.length && pivots.every((pivot, i) => hasOnlyMoved(this.#pivots[i]!, pivot));
    const before = this.#pivots;
    this.#pivots = pivots;
    if (onlyMoved) return;
    this.placed = replaced(before, this.placed, pivots);
    this.#previous = this.placed.map(({ x, y, z, radii }) => ({ x, y, z, radii: radii?.slice() }));
    this.recheck = true;
  }

  /** Places the pivots for this round; returns how far the farthest zone border can have come nearer to anything. */
  place(world: World): number {
    let step = 0;
    for (let index = 0; index < this.#pivots.length; index++) {
      const pivot = this.placed[index]!;
      const wasPlaced = pivot.placed;
      placePivot(this.#pivots[index]!, world, pivot);
      if (wasPlaced) step = Math.max(step, this.#stepOf(index, pivot));
      else if (pivot.placed) this.recheck = true;
      this.#remember(this.#previous[index]!, pivot);
    }
    return step;
  }

  #stepOf(index: number, pivot: PlacedPivot): number {
    const before = this.#previous[index]!;
    let growth = 0;
    if (pivot.radii !== undefined) {
      for (let zone = 0; zone < pivot.radii.length; zone++) {
        growth = Math.max(growth, pivotRadius(pivot, zone, 0) - before.radii![zone]! * pivot.scale);
      }
    }
    const dx = pivot.x - before.x;
    const dy = pivot.y - before.y;
    const dz = pivot.z - before.z;
    return Math.sqrt(dx * dx + dy * dy + dz * dz) + growth;
  }

  #remember(before: Place, pivot: PlacedPivot): void {
    before.x = pivot.x;
    before.y = pivot.y;
    before.z = pivot.z;
    if (pivot.radii !== undefined) before.radii!.set(pivot.radii);
  }
}

function hasOnlyMoved(before: Pivot, after: Pivot): boolean {
  if ((before.scale ?? 1) !== (after.scale ?? 1)) return false;
  return ("point" in before && "point" in after) || isSameCentre(before, after);
}
