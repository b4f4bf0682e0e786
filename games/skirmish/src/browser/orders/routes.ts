/**
 * Where the own units were sent, as this page ordered it: the server does not tell. Shown for what is selected, from the moment of the order. A place is
 * ticked off when the unit comes near it, and all of them when the unit rests.
 */

import { DOINGS } from "../../state.ts";
import type { Field } from "../field.ts";
import { SELECTED } from "../picture.ts";

const IDLE: number = DOINGS.indexOf("idle");
/** So near to a place a unit has been there. */
const THERE = 26;
/** A unit that got an order rests until the server has heard of it, ms. */
const PATIENCE_MS = 1200;
/** More paths than this are a tangle. */
const MOST_SHOWN = 24;

interface Route {
  /** x y x y …: the places yet to come. */
  readonly places: number[];
  orderedMs: number;
  /** As it is drawn: the unit's own place first. */
  line: Float32Array;
}

export class Routes {
  readonly #routes = new Map<number, Route>();
  readonly #rally = new Float32Array(4);
  /** Those of the selection. */
  readonly shown: Float32Array[] = [];

  send(units: Iterable<number>, x: number, y: number, isQueued: boolean, nowMs: number): void {
    for (const id of units) {
      const known = this.#routes.get(id);
      if (known === undefined || !isQueued)
        this.#routes.set(id, { places: [x, y], orderedMs: nowMs, line: new Float32Array(4) });
      else {
        known.places.push(x, y);
        known.orderedMs = nowMs;
      }
    }
  }

  stop(units: Iterable<number>): void {
    for (const id of units) this.#routes.delete(id);
  }

  /** From a building to where its units go, besides what `update` shows. */
  showRally(x: number, y: number, rallyX: number, rallyY: number): void {
    if (x === rallyX && y === rallyY) return;
    this.#rally.set([x, y, rallyX, rallyY]);
    this.shown.push(this.#rally);
  }

  clear(): void {
    this.#routes.clear();
    this.shown.length = 0;
  }

  update({ units }: Field, nowMs: number): void {
    this.shown.length = 0;
    if (this.#routes.size === 0) return;
    for (let row = 0; row < units.count; row++) {
      if ((units.flags[row]! & SELECTED) === 0) continue;
      const id = units.id[row]!;
      const route = this.#routes.get(id);
      if (route === undefined) continue;
      const [x, y] = [units.x[row]!, units.y[row]!];
      const hasEnded = units.doing[row] === IDLE && nowMs - route.orderedMs > PATIENCE_MS;
      if (hasEnded) route.places.length = 0;
      else if (Math.hypot(route.places[0]! - x, route.places[1]! - y) < THERE) route.places.splice(0, 2);
      if (route.places.length === 0) this.#routes.delete(id);
      else if (this.shown.length < MOST_SHOWN) this.shown.push(lineOf(route, x, y));
    }
  }
}

function lineOf(route: Route, x: number, y: number): Float32Array {
  const { places } = route;
  if (route.line.length !== places.length + 2) route.line = new Float32Array(places.length + 2);
  const { line } = route;
  line[0] = x;
  line[1] = y;
  line.set(places, 2);
  return line;
}
