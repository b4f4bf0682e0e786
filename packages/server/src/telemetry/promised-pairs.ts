/**
 * How many pairs the views promise anything about, summed over rounds: what the share of those that were kept is a share of. Views times
 * objects would be too many, and the share too kind: an object out of range or kept from a client is promised nothing, nor is one in a cell
 * without a bound (model page, "Existence" and "bound").
 *
 * A view without range, whose cells all have a bound, in a room without `visible`, promises everything; its pairs are counted. For the
 * others the model is asked about some pairs in each round, in turns that come to all alike; `error` says what that may be off by.
 */

import type { Explanation, ObjectSetSettings } from "@nearfield/core";
import type { RoomCore } from "../room/room-core.ts";
import type { Session } from "../session/session.ts";
import { boundRows } from "./drawn.ts";
import { relativeError, Turns } from "./sampling.ts";

/** Pairs that the model is asked about in a round. */
const ASKED = 12;
/** Looks at most, since some slots may be empty. */
const LOOKS = 4 * ASKED;

/** Sessions are sorted anew in every so many-th round: views change seldom. */
const SORT_EVERY = 8;

/** How many sessions promise everything, and those that do not. */
interface Sorted {
  readonly whole: number;
  readonly partial: readonly Session[];
}

export class PromisedPairs {
  /** Summed over rounds. */
  pairRounds = 0;
  readonly #core: RoomCore;
  readonly #promisesAll = new WeakMap<readonly ObjectSetSettings[], boolean>();
  readonly #turns = new Turns();
  #sorted: Sorted = { whole: 0, partial: [] };
  #rounds = 0;
  #variance = 0;
  /** Of all that were asked about. */
  #asked = 0;
  #kept = 0;

  constructor(core: RoomCore) {
    this.#core = core;
  }

  /** How far `pairRounds` may be off, as a share of it; 0: all were counted. */
  get error(): number {
    return relativeError(this.pairRounds, this.#variance);
  }

  /** Promised pairs now. */
  get now(): number {
    const { whole, partial } = this.#split();
    const objects = this.#core.world.count;
    const share = this.#asked > 0 ? this.#kept / this.#asked : 1;
    return Math.round(objects * (whole + partial.length * share));
  }

  roundEnded(): void {
    const { whole, partial } = this.#rounds++ % SORT_EVERY === 0 ? this.#split() : this.#sorted;
    const objects = this.#core.world.count;
    this.pairRounds += whole * objects;
    const all = partial.length * objects;
    if (all > 0) this.#ask(partial, all);
  }

  /** Those that keep up: nothing is judged for the others. */
  #split(): Sorted {
    const partial: Session[] = [];
    let whole = 0;
    for (const session of this.#core.sessions.values()) {
      if (session.isPaused) continue;
      if (this.#isWhole(session.player.settings.sets)) whole += 1;
      else partial.push(session);
    }
    this.#sorted = { whole, partial };
    return this.#sorted;
  }

  #isWhole(sets: readonly ObjectSetSettings[]): boolean {
    let isWhole = this.#promisesAll.get(sets);
    if (isWhole === undefined) {
      isWhole = this.#core.options.visible === undefined && sets.every(promisesAll);
      this.#promisesAll.set(sets, isWhole);
    }
    return isWhole;
  }

  #ask(sessions: readonly Session[], all: number): void {
    const { world, model } = this.#core;
    const { store } = world;
    let [asked, kept] = [0, 0];
    for (let look = 0; look < LOOKS && asked < ASKED; look++) {
      const at = this.#turns.next(sessions.length * store.slotHigh);
      const slot = at % store.slotHigh;
      if (!store.isLive(slot)) continue;
      const { view, presence } = sessions[Math.floor(at / store.slotHigh)]!.player;
      if (presence === "left") continue;
      const explanation = model.explain(view, store.idAt(slot));
      asked += 1;
      if (explanation !== undefined && isPromised(explanation)) kept += 1;
    }
    if (asked === 0) return;
    this.#asked += asked;
    this.#kept += kept;
    this.pairRounds += (all * kept) / asked;
    const share = this.#kept / this.#asked;
    this.#variance += (all * all * share * (1 - share)) / asked;
  }
}

function promisesAll(set: ObjectSetSettings): boolean {
  return !Number.isFinite(set.range) && boundRows(set).every((row) => row.every(asksForSomething));
}

function asksForSomething({ time, sequence, value }: { time?: number; sequence?: number; value?: number }): boolean {
  return Number.isFinite(time) || Number.isFinite(sequence) || Number.isFinite(value);
}

function isPromised({ present, bound }: Explanation): boolean {
  return present && asksForSomething(bound);
}
