/**
 * The pivots that a client has asked for: when they are worth a message, and when that message is repeated.
 *
 * A camera moves in every frame, and mostly by little. It is sent once one of its corners has moved by a fiftieth of its shorter side since it was last
 * sent (R §3.2.1), or when it has not moved for half a second. The room can state other figures, and a distance for points. All other changes are sent at
 * once. What was sent is repeated until the server confirms it.
 */

import type { Pivot } from "@nearfield/core";
import {
  cameraCorners,
  type ResolvedClientPivots,
  USUAL_CLIENT_PIVOTS,
  withCoefficientsOf,
} from "@nearfield/core/internal";

/**
 * Pivots that are not confirmed are repeated after a round trip and a half and three rounds; then after twice that time, and so on. The
 * server takes up to two rounds to confirm them.
 */
const TRIPS = 1.5;
const ROUNDS = 3;
const LONGEST_MS = 1000;

export class AskedPivots {
  /** What the room says of clients' pivots. */
  rules: ResolvedClientPivots = USUAL_CLIENT_PIVOTS;
  /** Those that are sent until they are confirmed. */
  #pivots: readonly Pivot[] | undefined;
  /** Counted up with each change that is sent. */
  number = 0;
  #isNew = false;
  /** When they are sent again, and how long after the last time that is. */
  #againAtMs = 0;
  #waitMs = 0;
  /** The last ones that were worth a message; and newer ones that are not yet, with the time since when they stand. */
  #sent: readonly Pivot[] | undefined;
  #held: readonly Pivot[] | undefined;
  #heldAtMs = 0;

  ask(stated: readonly Pivot[], nowMs: number): void {
    const { rules } = this;
    const pivots = stated.map((pivot) => withCoefficientsOf(rules, pivot));
    const isSlow = pivots.some((pivot) => "camera" in pivot || ("point" in pivot && rules.pointMoved > 0));
    if (!isSlow || this.#sent === undefined || !haveMovedLittle(this.#sent, pivots, rules)) this.#send(pivots);
    else if (areSame(this.#sent, pivots)) this.#held = undefined;
    else if (this.#held === undefined || !areSame(this.#held, pivots)) {
      this.#held = pivots;
      this.#heldAtMs = nowMs;
    }
  }

  #send(pivots: readonly Pivot[]): void {
    this.#pivots = pivots;
    this.#sent = pivots;
    this.#held = undefined;
    this.number += 1;
    this.#isNew = true;
  }

  /** The server has confirmed pivots up to this number. Returns the ones it now uses, if they are the newest. */
  confirm(number: number): readonly Pivot[] | undefined {
    if (number < this.number) return undefined;
    const confirmed = this.#pivots;
    this.#pivots = undefined;
    return confirmed;
  }

  /** What is to be sent now, and whether for the first time; `undefined`: nothing. */
  due(nowMs: number, tripMs: number, roundMs: number): { pivots: readonly Pivot[]; isNew: boolean } | undefined {
    if (this.#held !== undefined && nowMs - this.#heldAtMs >= this.rules.restMs) this.#send(this.#held);
    const pivots = this.#pivots;
    const isNew = this.#isNew;
    if (pivots === undefined || (!isNew && nowMs < this.#againAtMs)) return undefined;
    this.#waitMs = isNew ? TRIPS * tripMs + ROUNDS * roundMs : Math.min(LONGEST_MS, 2 * this.#waitMs);
    this.#againAtMs = nowMs + this.#waitMs;
    this.#isNew = false;
    return { pivots, isNew };
  }
}

function areSame(before: unknown, after: unknown): boolean {
  return JSON.stringify(before) === JSON.stringify(after);
}

/** Whether only cameras and points differ, and none by as much as is worth a message. */
function haveMovedLittle(before: readonly Pivot[], after: readonly Pivot[], rules: ResolvedClientPivots): boolean {
  if (before.length !== after.length) return false;
  return before.every((pivot, index) => hasMovedLittle(pivot, after[index]!, rules));
}

function hasMovedLittle(before: Pivot, after: Pivot, { cameraMoved, pointMoved }: ResolvedClientPivots): boolean {
  if (areSame(before, after)) return true;
  if ("point" in before && "point" in after) {
    const isMoveOnly = areSame({ ...before, point: after.point }, after) && before.point.length === after.point.length;
    return isMoveOnly && squareApart(before.point, after.point) < pointMoved * pointMoved;
  }
  if (!("camera" in before && "camera" in after && areSame(before.coefficients, after.coefficients))) return false;
  const worth = cameraMoved * Math.min(...after.size) * (after.scale ?? 1);
  const corners = cameraCorners(after);
  return cameraCorners(before).every((corner, index) => squareApart(corner, corners[index]!) < worth * worth);
}

function squareApart(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, each, axis) => sum + (b[axis]! - each) ** 2, 0);
}
