/**
 * The yardstick: every pair of view and object is judged in every round, by one loop over typed arrays. No grid, no lists, no timers, no
 * memory of what can be skipped; otherwise written to be as fast as such a loop gets. It decides as the engine does for views of one
 * set of round zones around one object in two dimensions, with `displacement`, the `refresh` clock and sends that always arrive.
 *
 * Do not change this file: speed-ups that were reported at different times can be compared only if it stays the same.
 *
 * For every pair the scan reads one value from each of a few columns and takes one branch: does the client hold the version that it should
 * hold (none beyond the range)? Only if not, it reads the rest of the pair's state, 24 bytes in one place. Distances are compared as
 * squares, with thresholds that give exactly the same result as comparing the roots, so the decisions are equal to the engine's.
 */

import type { World } from "@nearfield/core";
import { Cause, DecisionKind } from "@nearfield/core/internal";
import { type ObjectId, slotOf } from "@nearfield/schema";
import { FlatDecisions } from "./flat-decisions.ts";
import { ROUND_MS, type WorkloadPlan } from "./workload.ts";

/** As the model page: an object leaves at 1.1 times the range. */
const LEAVE_FACTOR = 1.1;
/** Stands for "never" where rounds and updates are counted. */
const NEVER = 2 ** 30;
/** Numbers per pair in `#sent`: round, x and y of the last send. */
const STRIDE = 3;

export class BruteForce {
  readonly decisions: FlatDecisions;
  readonly #world: World;
  readonly #pivotSlots: Int32Array;
  readonly #objects: number;
  /** By pair, row after row of a view: the version the client holds, 0 = none; and what was sent last. */
  readonly #held: Uint32Array;
  readonly #sent: Float64Array;
  /** Squares of the outer edges of the zones, the last one infinite, and of the distances at which objects enter and leave. */
  readonly #edges: Float64Array;
  readonly #enter: number;
  readonly #leave: number;
  /** Bounds by zone, in rounds, updates and squared distance. */
  readonly #rounds: Int32Array;
  readonly #missed: Int32Array;
  readonly #square: Float64Array;

  /** The plan's objects live in slots 0 to n − 1 and stay there. */
  constructor(world: World, plan: WorkloadPlan, pivots: readonly ObjectId[]) {
    const { radii, bounds, range = Number.POSITIVE_INFINITY } = plan;
    if (bounds.length > 4) throw new RangeError(`brute force judges at most 4 zones, got ${bounds.length}`);
    const pairs = pivots.length * plan.objects;
    this.decisions = new FlatDecisions(pivots.length);
    this.#world = world;
    this.#objects = plan.objects;
    this.#pivotSlots = Int32Array.from(pivots, slotOf);
    this.#held = new Uint32Array(pairs);
    this.#sent = new Float64Array(pairs * STRIDE);
    this.#edges = new Float64Array(3).fill(Number.POSITIVE_INFINITY);
    this.#edges.set(radii.map(squareOfAtMost));
    this.#enter = squareOfAtMost(range);
    this.#leave = squareOfAtMost(LEAVE_FACTOR * range);
    this.#rounds = Int32Array.from(bounds, ({ time }) => (time === undefined ? NEVER : Math.ceil(time / ROUND_MS)));
    this.#missed = Int32Array.from(bounds, ({ sequence }) => (sequence === undefined ? NEVER : Math.ceil(sequence)));
    this.#square = Float64Array.from(bounds, ({ value }) => squareOfAtLeast(value ?? Number.POSITIVE_INFINITY));
  }

  /** @param views how many have joined: the first so many are judged. */
  round(round: number, views: number): void {
    this.decisions.clear();
    for (let view = 0; view < views; view++) {
      this.#judgeView(view, round);
      this.decisions.endView();
    }
  }

  #judgeView(view: number, round: number): void {
    const { x, y, version } = this.#world;
    const held = this.#held;
    const objects = this.#objects;
    const leave = this.#leave;
    const px = x[this.#pivotSlots[view]!]!;
    const py = y[this.#pivotSlots[view]!]!;
    let pair = view * objects;
    for (let slot = 0; slot < objects; slot++, pair++) {
      const dx = x[slot]! - px;
      const dy = y[slot]! - py;
      const d2 = dx * dx + dy * dy;
      const wanted = d2 > leave ? 0 : version[slot]!;
      if (held[pair] !== wanted) this.#judgeUnequal(pair, slot, d2, wanted, round);
    }
  }

  #judgeUnequal(pair: number, slot: number, d2: number, version: number, round: number): void {
    if (version === 0) {
      this.#held[pair] = 0;
      this.decisions.push(this.#world.store.idAt(slot), DecisionKind.leave, Cause.removal, 0);
      return;
    }
    const edges = this.#edges;
    const zone = (d2 > edges[0]! ? 1 : 0) + (d2 > edges[1]! ? 1 : 0) + (d2 > edges[2]! ? 1 : 0);
    const held = this.#held[pair]!;
    if (held === 0) {
      if (d2 <= this.#enter) this.#send(pair, slot, round, DecisionKind.create, Cause.creation, zone);
      return;
    }
    const sent = this.#sent;
    const at = pair * STRIDE;
    const mx = this.#world.x[slot]! - sent[at + 1]!;
    const my = this.#world.y[slot]! - sent[at + 2]!;
    if (round - sent[at]! >= this.#rounds[zone]!) {
      this.#send(pair, slot, round, DecisionKind.update, Cause.time, zone);
    } else if (version - held >= this.#missed[zone]!) {
      this.#send(pair, slot, round, DecisionKind.update, Cause.sequence, zone);
    } else if (mx * mx + my * my >= this.#square[zone]!) {
      this.#send(pair, slot, round, DecisionKind.update, Cause.value, zone);
    }
  }

  #send(pair: number, slot: number, round: number, kind: DecisionKind, cause: Cause, zone: number): void {
    const world = this.#world;
    const at = pair * STRIDE;
    this.#held[pair] = world.version[slot]!;
    this.#sent[at] = round;
    this.#sent[at + 1] = world.wireX[slot]!;
    this.#sent[at + 2] = world.wireY[slot]!;
    this.decisions.push(world.store.idAt(slot), kind, cause, zone);
  }
}

/** The largest number whose root does not exceed `radius`: d² ≤ it exactly where √d² ≤ radius. */
export function squareOfAtMost(radius: number): number {
  if (radius === Number.POSITIVE_INFINITY) return radius;
  let square = radius * radius;
  while (Math.sqrt(square) > radius) square = neighbour(square, -1);
  while (Math.sqrt(neighbour(square, 1)) <= radius) square = neighbour(square, 1);
  return square;
}

/** The smallest number whose root is not below `bound`: d² ≥ it exactly where √d² ≥ bound. */
export function squareOfAtLeast(bound: number): number {
  if (bound === 0 || bound === Number.POSITIVE_INFINITY) return bound;
  let square = bound * bound;
  while (Math.sqrt(square) < bound) square = neighbour(square, 1);
  while (Math.sqrt(neighbour(square, -1)) >= bound) square = neighbour(square, -1);
  return square;
}

/** The next double above (+1) or below (−1) a positive one. */
function neighbour(value: number, direction: 1 | -1): number {
  const bits = new BigInt64Array(new Float64Array([value]).buffer);
  bits[0] = bits[0]! + BigInt(direction);
  return new Float64Array(bits.buffer)[0]!;
}
