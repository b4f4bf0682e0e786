/** One view as the engine keeps it: settings compiled, pivots placed and watched, its pairs. No decisions are made here. */

import { DepartedSends } from "../audit.ts";
import { DecisionList } from "../decision-list.ts";
import type { ObjectId } from "../ids.ts";
import { displacement, type Metric, path } from "../metrics.ts";
import type { DecisionKind, ViewId, ViewOptions } from "../model.ts";
import { isSameCentre, type PlacedPivot, placePivot, replaced } from "../pivots.ts";
import { checkOptions, loosened, type ResolvedSet, type ResolvedView } from "../resolve-view.ts";
import type { Pivot } from "../view.ts";
import type { World } from "../world.ts";
import { Flights } from "./flights.ts";
import type { PairPages } from "./pair-pages.ts";
import { PairTable } from "./pair-table.ts";
import type { Thresholds } from "./thresholds.ts";
import { type BorderStore, Watch } from "./watch.ts";

export interface Removal {
  readonly kind: DecisionKind;
  /** Round in which it was last decided; −1 while it waits. */
  round: number;
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
  readonly pairs: PairTable;
  /** `undefined` where sends are taken as received. */
  readonly flights: Flights | undefined;
  /** Objects that are due whatever their bound, as soon as they are not equal. */
  readonly demands: Set<ObjectId> = new Set();
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
  watches: readonly Watch[] = [];
  /** For views that the hot loop can judge: one pivot, round zones, `displacement`, the `refresh` clock. */
  thresholds: Thresholds | undefined;
  paused = false;
  /** All pairs are to be judged in the next round, and objects in reach to be found. */
  recheck = true;
  /** Some set has no range, so every object is tracked. */
  wide = false;
  /** So many of its pairs are due in every round that all are judged, without asking which. */
  sweeps = false;
  /** Largest range of its sets. */
  reach = 0;
  #pivots: readonly Pivot[] = [];
  readonly #borders: BorderStore;

  /** @param isDeep some object has a third axis. */
  constructor(
    id: ViewId,
    resolved: ResolvedView,
    options: ViewOptions,
    pages: PairPages,
    borders: BorderStore,
    isDeep: boolean,
  ) {
    checkOptions(options);
    this.id = id;
    this.session = options.session ?? 0;
    this.assumeDelivered = options.assumeDelivered ?? false;
    this.budgeted = options.budgeted ?? false;
    this.questionsOnly = options.questionsOnly ?? false;
    this.pairs = new PairTable(pages, !this.assumeDelivered);
    if (isDeep) this.pairs.deepen();
    this.flights = this.assumeDelivered ? undefined : new Flights(this.pairs);
    this.#borders = borders;
    this.resolved = resolved;
    this.judged = resolved;
    this.change(resolved);
  }

  change(resolved: ResolvedView): void {
    this.resolved = resolved;
    this.judged = loosened(resolved, this.outer, this.inner);
    if (resolved.sets.some(({ metric }) => !isShallow(metric))) this.pairs.deepen();
    const ranges = resolved.sets.map(({ range }) => range);
    this.wide = ranges.some((range) => range === Number.POSITIVE_INFINITY);
    this.reach = this.wide ? 0 : Math.max(...ranges);
    this.recheck = true;
    this.#watch();
  }

  setBudgeted(budgeted: boolean): void {
    checkOptions({ budgeted, assumeDelivered: this.assumeDelivered });
    this.budgeted = budgeted;
    if (!budgeted) this.decisions.urgencies.fill(0);
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
    this.recheck = true;
    this.#watch();
  }

  /** Places the pivots for this round. */
  place(world: World): void {
    for (let index = 0; index < this.#pivots.length; index++) {
      const pivot = this.placed[index]!;
      const wasPlaced = pivot.placed;
      placePivot(this.#pivots[index]!, world, pivot);
      if (!wasPlaced && pivot.placed) this.recheck = true;
    }
  }

  /** How far the pivot, or a border around it, that moved farthest has come in this round. */
  follow(): number {
    let farthest = 0;
    for (const watch of this.watches) {
      const step = watch.follow();
      if (step > farthest) farthest = step;
    }
    return farthest;
  }

  /** The longest distance that decides about anything; what the grid is made for. */
  get span(): number {
    let span = this.reach;
    for (const { borders } of this.watches) {
      for (const { distance } of borders) if (distance > span) span = distance;
    }
    return span;
  }

  /** Index of the set that an object belongs to. */
  setIndexOf(slot: number): number {
    const { sets } = this.resolved;
    let index = 0;
    while (!sets[index]!.matches(slot)) index++;
    return index;
  }

  /** Whether it is plain enough for the hot loop, as long as nothing is budgeted, loosened, demanded or paused. */
  get isPlain(): boolean {
    const [pivot] = this.placed;
    return this.placed.length === 1 && pivot!.radii === undefined && this.resolved.sets.every((set) => isPlainSet(set));
  }

  #watch(): void {
    this.watches = this.placed.map((pivot, index) => {
      const counting = this.resolved.sets.filter(({ pivots }) => pivots === undefined || pivots.includes(index));
      return new Watch(pivot, this.#borders.of(pivot, counting));
    });
    this.thresholds = undefined;
  }
}

function isPlainSet({ shape, clock, metric, pivots }: ResolvedSet): boolean {
  return (
    shape === "round" &&
    clock === "refresh" &&
    metric === displacement &&
    (pivots === undefined || (pivots.length === 1 && pivots[0] === 0))
  );
}

/** Whether two numbers of a sample say it all, in two dimensions. */
function isShallow(metric: Metric): boolean {
  return metric === displacement || metric === path;
}

function hasOnlyMoved(before: Pivot, after: Pivot): boolean {
  if ((before.scale ?? 1) !== (after.scale ?? 1)) return false;
  return ("point" in before && "point" in after) || isSameCentre(before, after);
}
