/**
 * Whose turn it is: walks over all pairs of a view and a slot, a fixed number in each round, and then over all of them again. A pass looks at every pair once.
 * Within a view each pass begins at another slot. Otherwise an event that repeats with the rhythm of the passes could be missed for ever.
 */

import type { ObjectStore } from "../object-store.ts";

/** Steps of this share of a range never fall together, and leave no gap much wider than others. */
const GOLDEN = 0.618_033_988_749_894_9;
/** Slots may be empty: so many are passed over in a round for each pair that is looked at. */
const SLOTS_PER_PAIR = 8;

export class Turns<View> {
  /** Slots of the view whose turn it is: `from` to `to − 1`. */
  from = 0;
  to = 0;
  passes = 0;
  readonly #store: ObjectStore;
  readonly #views: View[] = [];
  /** The view at hand; slots it had when its turn began, at which of them the turn began, and how many have been passed. */
  #view = 0;
  #slots = 0;
  #start = 0;
  #passed = 0;
  /** In this round: pairs and slots that are left, and views whose turn has ended. */
  #pairsLeft = 0;
  #slotsLeft = 0;
  #ended = 0;

  constructor(store: ObjectStore) {
    this.#store = store;
  }

  get members(): readonly View[] {
    return this.#views;
  }

  add(view: View): void {
    this.#views.push(view);
  }

  remove(view: View): void {
    const index = this.#views.indexOf(view);
    if (index < 0) return;
    this.#views.splice(index, 1);
    if (index < this.#view) this.#view -= 1;
    else if (index === this.#view) this.#slots = 0;
    if (this.#view >= this.#views.length) this.#view = 0;
  }

  /** A round begins, in which so many pairs have their turn. */
  begin(pairs: number): void {
    this.#pairsLeft = pairs;
    this.#slotsLeft = pairs * SLOTS_PER_PAIR;
    this.#ended = 0;
  }

  /** The view whose turn it is, and its slots; `undefined`: that is all in this round. Then call `count` or `pass`. */
  next(): View | undefined {
    const view = this.#views[this.#view];
    // In one round nobody has two turns.
    if (view === undefined || this.#pairsLeft <= 0 || this.#slotsLeft <= 0 || this.#ended >= this.#views.length)
      return undefined;
    if (this.#slots === 0) this.#beginTurn();
    this.from = (this.#start + this.#passed) % Math.max(1, this.#slots);
    this.to = Math.min(this.from + Math.min(this.#slots - this.#passed, this.#pairsLeft), this.#slots);
    return view;
  }

  /** Of those slots so many held an object. */
  count(pairs: number): void {
    const slots = this.to - this.from;
    this.#passed += slots;
    this.#slotsLeft -= Math.max(1, slots);
    this.#pairsLeft -= pairs;
    if (this.#passed >= this.#slots) this.pass();
  }

  /** The view's turn is over. */
  pass(): void {
    this.#slots = 0;
    this.#passed = 0;
    this.#ended += 1;
    this.#slotsLeft -= 1;
    this.#view += 1;
    if (this.#view < this.#views.length) return;
    this.#view = 0;
    this.passes += 1;
  }

  #beginTurn(): void {
    this.#slots = this.#store.slotHigh;
    this.#passed = 0;
    this.#start = Math.floor(((this.passes * GOLDEN) % 1) * this.#slots);
  }
}
