/**
 * One pivot of a view as the engine follows it: where it is and was, and the borders around it. A group's zones grow and shrink with it, so
 * a border has a distance of this round and one of the round before.
 */

import { LEAVE_FACTOR } from "../judge.ts";
import { type PlacedPivot, pivotRadius } from "../pivots.ts";
import type { ResolvedSet } from "../resolve-view.ts";
import type { Shape } from "../view.ts";
import type { Rings } from "./borders.ts";
import { squareOfAtMost } from "./thresholds.ts";

export interface WatchedBorder {
  readonly shape: Shape;
  readonly outward: boolean;
  /** Zone and radius whose outer edge it is; −1 where it is a range. */
  readonly zone: number;
  readonly radius: number;
  /** Who crosses it may come to be in the replica. */
  readonly isEntry: boolean;
  /** Of a group, so that it grows and shrinks. */
  readonly elastic: boolean;
  /** World units. */
  distance: number;
  /** The distance as it is compared, squared where the shape is round: in this round and in the one before. */
  now: number;
  before: number;
  /** Made for a distance, of which the true one may differ by `play`, and for an edition of the space. */
  rings: Rings | undefined;
  madeFor: number;
  play: number;
  edition: number;
}

export class Watch {
  readonly pivot: PlacedPivot;
  readonly borders: readonly WatchedBorder[];
  /** Whether pivot or borders moved in this round. */
  moved = true;
  beforeX = 0;
  beforeY = 0;
  beforeZ = 0;
  readonly #isGroup: boolean;

  constructor(pivot: PlacedPivot, borders: readonly WatchedBorder[]) {
    this.pivot = pivot;
    this.#isGroup = pivot.radii !== undefined;
    this.borders = borders;
    this.settle();
  }

  /** Takes note of where the pivot is in this round; how far it, or a border with it, has moved. */
  follow(): number {
    const { x, y, z } = this.pivot;
    const dx = x - this.beforeX;
    const dy = y - this.beforeY;
    const dz = z - this.beforeZ;
    let step = Math.sqrt(dx * dx + dy * dy + dz * dz);
    if (this.#isGroup) step = Math.max(step, this.#stretch());
    this.moved = step > 0;
    return step;
  }

  /** What is now is what was before. */
  settle(): void {
    this.beforeX = this.pivot.x;
    this.beforeY = this.pivot.y;
    this.beforeZ = this.pivot.z;
    if (this.#isGroup) for (const border of this.borders) border.before = border.now;
  }

  #stretch(): number {
    let most = 0;
    for (const border of this.borders) {
      if (border.zone < 0) continue;
      const distance = pivotRadius(this.pivot, border.zone, border.radius);
      most = Math.max(most, Math.abs(distance - border.distance));
      border.distance = distance;
      border.now = compared(border.shape, distance);
    }
    return most;
  }
}

/** The store is emptied when it has grown to this: views that come later do not share with those before. */
const MOST_SHARED = 1024;

/** Borders that do not stretch are one and the same for all views of an engine that have them. */
export class BorderStore {
  readonly #shared = new Map<string, readonly WatchedBorder[]>();

  of(pivot: PlacedPivot, sets: readonly ResolvedSet[]): readonly WatchedBorder[] {
    const borders = bordersOf(pivot, sets);
    if (pivot.radii !== undefined) return borders;
    const key = borders
      .map(({ shape, outward, isEntry, distance }) => `${shape} ${outward} ${isEntry} ${distance}`)
      .join();
    const known = this.#shared.get(key);
    if (known !== undefined) return known;
    if (this.#shared.size >= MOST_SHARED) this.#shared.clear();
    this.#shared.set(key, borders);
    return borders;
  }
}

function bordersOf(pivot: PlacedPivot, sets: readonly ResolvedSet[]): WatchedBorder[] {
  const borders = new Map<string, WatchedBorder>();
  const add = (shape: Shape, outward: boolean, zone: number, radius: number): void => {
    const distance = zone < 0 ? radius : pivotRadius(pivot, zone, radius);
    if (distance === Number.POSITIVE_INFINITY) return;
    const elastic = pivot.radii !== undefined && zone >= 0;
    const key = `${shape} ${outward} ${zone < 0} ${elastic ? `zone ${zone}` : distance}`;
    if (borders.has(key)) return;
    const at = compared(shape, distance);
    const unmade = { rings: undefined, madeFor: 0, play: 0, edition: -1 };
    borders.set(key, {
      shape,
      outward,
      isEntry: zone < 0 && !outward,
      zone,
      radius,
      elastic,
      distance,
      now: at,
      before: at,
      ...unmade,
    });
  };
  for (const { shape, radii, range } of sets) {
    for (const [zone, radius] of radii.entries()) add(shape, false, zone, radius);
    add(shape, false, -1, range);
    add(shape, true, -1, LEAVE_FACTOR * range);
  }
  return [...borders.values()];
}

function compared(shape: Shape, distance: number): number {
  return shape === "round" ? squareOfAtMost(distance) : distance;
}
