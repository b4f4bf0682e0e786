/** The eraser takes away whole strokes and notes that it touches. They go when it is lifted, as one action. */

import { MOST_KEYS } from "../../shared.ts";
import { type Desk, type Press, reachOf, type Tool } from "../desk.ts";
import type { ShownThing } from "../thing.ts";

export class EraserTool implements Tool {
  readonly #desk: Desk;
  #isDown = false;
  #hasMet = false;

  constructor(desk: Desk) {
    this.#desk = desk;
  }

  down(press: Press): void {
    this.#isDown = true;
    this.#hasMet = false;
    this.#touch(press);
  }

  move(press: Press): void {
    if (this.#isDown) this.#touch(press);
  }

  #touch(press: Press): void {
    const desk = this.#desk;
    const thing = desk.paper.at(press.x, press.y, reachOf(desk, press));
    if (thing === undefined) return;
    if (desk.mayErase(thing)) for (const { key } of desk.paper.whole(thing)) desk.doomed.add(key);
    else this.#hasMet = true;
  }

  up(): void {
    this.#isDown = false;
    const desk = this.#desk;
    const things = [...desk.doomed].map((key) => desk.paper.get(key)).filter((thing) => thing !== undefined);
    desk.doomed.clear();
    if (this.#hasMet && things.length === 0) desk.say("Only its author can erase that, while they are here.");
    erase(desk, things);
  }

  cancel(): void {
    this.#isDown = false;
    this.#desk.doomed.clear();
  }
}

/** Erases what this person may erase of these, as one action. */
export function erase(desk: Desk, things: readonly ShownThing[]): void {
  const own = things.filter((thing) => desk.mayErase(thing));
  if (own.length === 0) return;
  desk.history.add({ kind: "erase", things: own.map((thing) => thing.keep()) });
  for (const keys of inParts(own.map(({ key }) => key))) desk.ask({ kind: "erase", keys });
}

/** As many keys at a time as one request may name. */
export function inParts(keys: readonly number[]): number[][] {
  const parts: number[][] = [];
  for (let at = 0; at < keys.length; at += MOST_KEYS) parts.push(keys.slice(at, at + MOST_KEYS));
  return parts;
}
