/**
 * A function of the game says who may know of what. It is asked of every pair in every round, or, if the game promised to tell of changes, of pairs
 * that begin and of those that it named.
 */

import type { Visible } from "../../visibility.ts";
import type { EngineContext } from "../engine-context.ts";
import type { EngineView } from "../engine-view.ts";
import type { Memory } from "../memory/memory.ts";
import { SlotList } from "../memory/slot-list.ts";
import type { Views } from "../views.ts";
import type { VisibilityRule } from "./rule.ts";
import { Seen } from "./seen.ts";

export class PredicateRule implements VisibilityRule {
  readonly knowsAll: boolean;
  readonly #visible: Visible<number>;
  readonly #isTold: boolean;
  readonly #context: EngineContext;
  readonly #views: Views;
  readonly #memory: Memory;
  /** Objects and views whose answers may have changed. */
  readonly #objects: SlotList;
  readonly #changed = new Set<EngineView>();
  #round = 0;

  /** @param isTold the game tells when answers change. */
  constructor(visible: Visible<number>, isTold: boolean, context: EngineContext, views: Views, memory: Memory) {
    this.#visible = visible;
    this.#isTold = isTold;
    this.knowsAll = !isTold;
    this.#context = context;
    this.#views = views;
    this.#memory = memory;
    this.#objects = new SlotList(memory);
  }

  renew(view: EngineView): void {
    this.#changed.add(view);
  }

  forget(view: EngineView): void {
    view.seen?.dispose();
    view.seen = undefined;
    this.#changed.delete(view);
  }

  begin(view: EngineView, slot: number): void {
    if (this.#isTold) this.#ask(view, slot);
  }

  spawned(): void {}

  destroyed(slot: number): void {
    this.#objects.remove(slot);
  }

  objectChanged(slot: number): void {
    this.#objects.add(slot);
  }

  viewChanged(view: EngineView): void {
    this.#changed.add(view);
  }

  /** Makes room for the bits of all objects. */
  takeMoves(): void {
    const { slotHigh } = this.#context.world.store;
    for (const view of this.#views.all) {
      if (view === undefined) continue;
      view.seen ??= new Seen(this.#memory);
      view.seen.reserve(slotHigh);
    }
  }

  settle(round: number): void {
    this.#round = round;
    for (const view of this.#views.order) {
      view.publishSeen();
      if (!this.#isTold && !view.paused && !view.isOut) this.#askOfAll(view);
    }
    if (this.#isTold) this.#askOfChanged();
    this.#objects.clear();
    this.#changed.clear();
  }

  #askOfChanged(): void {
    for (const view of this.#changed) this.#askOfAll(view);
    for (let i = 0; i < this.#objects.count; i++) {
      const slot = this.#objects.at(i);
      this.#context.observers.each(slot, (id, pair) => this.#askOf(this.#views.of(id), pair, slot));
    }
  }

  #askOfAll(view: EngineView): void {
    const { pairs } = view;
    for (let pair = 0; pair < pairs.high; pair++) {
      if (pairs.isLive(pair)) this.#askOf(view, pair, pairs.slotOf(pair));
    }
  }

  #askOf(view: EngineView, pair: number, slot: number): void {
    if (this.#ask(view, slot)) view.pairs.plan(pair, this.#round);
  }

  /** Whether the answer is another than before. */
  #ask(view: EngineView, slot: number): boolean {
    const isSeen = this.#visible(view.id, this.#context.world.store.entityAt(slot));
    return view.seen!.note(slot, isSeen);
  }
}
