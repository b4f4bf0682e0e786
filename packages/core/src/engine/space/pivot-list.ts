/**
 * The pivots of a view as the kernel looks for the nearest among them: those that have a place, and the edges of the zones around each. A view with
 * a single pivot that is no group, and with round zones only, has no list; the kernel judges it by faster code.
 */

import { pivotRadius } from "../../pivots.ts";
import type { ResolvedSet } from "../../resolve-view.ts";
import { squareOfAtMost, type ThresholdStore, type Thresholds } from "../judges/thresholds.ts";
import { PIVOT, PIVOT_BIT, PIVOT_WATCH, SET, ZONES } from "../memory/layout.ts";
import type { ColumnSource } from "../memory/memory.ts";
import type { Watch } from "./watch.ts";

/** Whether the kernel needs a list of the pivots to judge the view. */
export function needsList(sets: readonly ResolvedSet[], watches: readonly Watch[]): boolean {
  const [only] = watches;
  if (watches.length !== 1 || !only!.pivot.placed || only!.pivot.radii !== undefined) return true;
  return sets.some(({ shape, pivots }) => shape === "square" || (pivots !== undefined && !pivots.includes(0)));
}

/** The edges of the zones around a group or camera, set by set: those of a group change with it. */
interface GroupEdges {
  readonly watch: Watch;
  /** Where in the column of edges its own begin. */
  readonly start: number;
}

export class PivotList {
  readonly address: number;
  readonly count: number;
  readonly #list: Int32Array;
  readonly #edges: Float64Array;
  readonly #groups: readonly GroupEdges[];
  readonly #thresholds: readonly Thresholds[];
  readonly #sets: readonly ResolvedSet[];
  readonly #columns: ColumnSource;
  readonly #store: ThresholdStore;

  constructor(columns: ColumnSource, store: ThresholdStore, sets: readonly ResolvedSet[], watches: readonly Watch[]) {
    this.#columns = columns;
    this.#store = store;
    this.#sets = sets;
    const placed = watches.filter(({ pivot }) => pivot.placed);
    const groups = placed.filter(({ pivot }) => pivot.radii !== undefined);
    const others = placed.filter(({ pivot }) => pivot.radii === undefined);
    this.count = placed.length;
    this.#list = columns.ints(Math.max(1, placed.length) * (PIVOT / 4));
    this.address = this.#list.byteOffset;
    for (const [index, watch] of placed.entries()) {
      this.#list[(index * PIVOT + PIVOT_WATCH) / 4] = watch.address;
      this.#list[(index * PIVOT + PIVOT_BIT) / 4] = 1 << watches.indexOf(watch);
    }
    const stride = sets.length * ZONES;
    this.#edges = columns.reals(groups.length * stride);
    this.#groups = groups.map((watch, index) => ({ watch, start: index * stride }));
    for (const { watch, start } of this.#groups) watch.setEdges(this.#edges.byteOffset + start * 8, ZONES * 8);
    this.#thresholds = others.map(({ pivot }) => store.take(sets, pivot.scale));
    for (const [index, watch] of others.entries()) watch.setEdges(this.#thresholds[index]!.reals.byteOffset, SET);
    for (const group of this.#groups) this.#fit(group);
  }

  /** Gives its memory back. */
  dispose(): void {
    this.#columns.release(this.#list);
    this.#columns.release(this.#edges);
    for (const thresholds of this.#thresholds) this.#store.release(thresholds);
  }

  /** Takes over how large the zones of groups are in this round. */
  refit(): void {
    for (let i = 0; i < this.#groups.length; i++) {
      const group = this.#groups[i]!;
      if (group.watch.around.stretched > 0) this.#fit(group);
    }
  }

  #fit({ watch: { pivot }, start: first }: GroupEdges): void {
    const edges = this.#edges;
    for (let index = 0; index < this.#sets.length; index++) {
      const { radii, shape } = this.#sets[index]!;
      const start = first + index * ZONES;
      edges.fill(Number.POSITIVE_INFINITY, start, start + ZONES);
      for (let zone = 0; zone < radii.length; zone++) {
        const radius = pivotRadius(pivot, zone, radii[zone]!);
        edges[start + zone] = shape === "square" ? radius : squareOfAtMost(radius);
      }
    }
  }
}
