/**
 * The engine's side of the pairs that wait unseen (`kernel/waits.ts`): how many there are by cell of the account, and what ends such a wait without a
 * look at the pair. The same of pairs that wait while their view sits out.
 *
 * In every round the engine adds these numbers to the account once. So all that ends a wait takes the pair out of its number: a look, the end of the pair, a pause of
 * its view. The longest spell of a cell is found by going through the pairs, when somebody asks. Why so: docs/decisions/0046-budgets-in-the-kernel.md.
 */

import type { Account } from "../../account.ts";
import type { EngineView } from "../engine-view.ts";
import { TALLY_CELLS } from "../memory/layout.ts";

export class UnseenWaits {
  readonly #account: Account;
  readonly #counts = new Int32Array(TALLY_CELLS);

  constructor(account: Account) {
    this.#account = account;
  }

  /** So many more pairs than before wait unseen in this cell. */
  add(cell: number, pairs: number): void {
    this.#counts[cell]! += pairs;
  }

  /** A round is over: each of them was over its bound in it. */
  countRound(): void {
    for (let cell = 0; cell < TALLY_CELLS; cell++) this.#account.count(cell, 0, this.#counts[cell]!);
  }

  /**
   * If the pair waits unseen, or waited when its view began to sit out, its wait has lasted until before this round; whether it goes on is for
   * somebody else to say.
   */
  surface(view: EngineView, pair: number, round: number): void {
    const { pairs } = view;
    if (view.roundsOut > 0) this.#waitOn(view, pair, round);
    if (view.unseen === 0 || !pairs.isUnseen(pair)) return;
    this.#noteLasted(view, pair, round);
    this.#counts[pairs.countedCellOf(pair)]!--;
    view.unseen--;
    pairs.waitUntil(pair, round);
  }

  #waitOn(view: EngineView, pair: number, round: number): void {
    const { pairs, roundsOut, outUntil } = view;
    const until = pairs.lastWaitOf(pair) + 1;
    const end = Math.min(round, outUntil);
    if (until <= 0 || until < outUntil - roundsOut || until >= end) return;
    this.#account.count(pairs.countedCellOf(pair), 0, end - until);
    pairs.waitUntil(pair, end);
    this.#noteLasted(view, pair, end);
  }

  surfaceAll(view: EngineView, round: number): void {
    const { pairs } = view;
    for (let pair = 0; (view.unseen > 0 || view.roundsOut > 0) && pair < pairs.high; pair++) {
      if (pairs.isLive(pair)) this.surface(view, pair, round);
    }
  }

  /** Counts what waits while the view sits out, up to before this round. */
  countOut(view: EngineView, round: number): void {
    for (let pair = 0; pair < view.pairs.high; pair++) if (view.pairs.isLive(pair)) this.#waitOn(view, pair, round);
  }

  /** Tells the account how long the spells have lasted that go on unseen. */
  measure(view: EngineView, round: number): void {
    let left = view.unseen;
    for (let pair = 0; left > 0 && pair < view.pairs.high; pair++) {
      if (!view.pairs.isUnseen(pair)) continue;
      this.#noteLasted(view, pair, round);
      left--;
    }
  }

  #noteLasted({ pairs }: EngineView, pair: number, round: number): void {
    this.#account.last(pairs.spellCellOf(pair), round - pairs.spellOf(pair));
  }
}
