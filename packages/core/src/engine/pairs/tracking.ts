/** Where pairs begin: a view that should have an object gets a pair, which is marked to be judged in this round. The kernel makes some pairs itself. */

import { isEntering } from "../../judge.ts";
import type { EngineContext } from "../engine-context.ts";
import type { EngineView } from "../engine-view.ts";
import type { Memory } from "../memory/memory.ts";
import { Found, type Space } from "../space/space.ts";
import type { Views } from "../views.ts";

export class Tracking {
  readonly #context: EngineContext;
  readonly #views: Views;
  readonly #space: Space;
  readonly #found: Found;

  constructor(context: EngineContext, views: Views, space: Space, memory: Memory) {
    this.#context = context;
    this.#views = views;
    this.#space = space;
    this.#found = new Found(memory);
  }

  /** Gives every view that should have the object a pair. A paused view finds its objects when it goes on (`renew`). */
  introduce(slot: number, round: number): void {
    const spatial = this.#context.bodies.isSpatial(slot);
    for (const view of this.#views.all) {
      if (view === undefined || view.paused || view.questionsOnly) continue;
      if (view.wide || !spatial || this.#isInRange(view, slot)) this.#track(view, slot, round);
    }
  }

  /** An object that the view did not have crossed one of its borders. The kernel may have made a pair already; else it is −1. */
  enter(view: EngineView, slot: number, pair: number, round: number): void {
    if (pair >= 0) this.#context.observers.add(slot, view.id, pair);
    else if (this.#isInRange(view, slot)) this.#track(view, slot, round);
  }

  /** Marks all pairs of a view that is new or changed, or whose pivot leapt, and tracks every object in its range. */
  renew(view: EngineView, round: number): void {
    for (let pair = 0; pair < view.pairs.high; pair++) if (view.pairs.isLive(pair)) view.pairs.plan(pair, round);
    this.#trackUnbounded(view, round);
    if (view.wide) return;
    this.#found.count = 0;
    this.#space.around(view, this.#found);
    for (let i = 0; i < this.#found.count; i++) {
      const slot = this.#found.slots[i]!;
      if (this.#isInRange(view, slot)) this.#track(view, slot, round);
    }
  }

  /** Tracks the objects that are in the view wherever its pivots are: all of them, or those that have no place. */
  #trackUnbounded(view: EngineView, round: number): void {
    for (const { type, slots, high } of this.#context.world.store.tables) {
      if (!view.wide && type.position.length > 0) continue;
      for (let row = 0; row < high; row++) if (slots[row]! >= 0) this.#track(view, slots[row]!, round);
    }
  }

  /** Begins to track an object, unless it is tracked, and marks it. */
  #track(view: EngineView, slot: number, round: number): void {
    let pair = view.pairs.find(slot);
    if (pair < 0) {
      pair = view.pairs.take(slot, view.setIndexOf(slot));
      this.#context.observers.add(slot, view.id, pair);
      this.#context.visibility?.begin(view, slot);
    }
    view.pairs.plan(pair, round);
  }

  /** Whether a spatial object that the view does not have is near enough to be in it. */
  #isInRange(view: EngineView, slot: number): boolean {
    return isEntering(view.resolved.sets[view.setIndexOf(slot)]!, view.placed, this.#context.world, slot);
  }
}
