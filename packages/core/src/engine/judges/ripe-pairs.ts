/**
 * Sends ripe pairs along with what is due, where that saves packets (`ripe.ts`), after everything that is due in the round was decided. The kernel does it
 * for the views that it judged in this round, the general judge for the others and for views whose bytes are limited.
 */

import { rideAlong, sendBit } from "../../ripe.ts";
import type { EngineView } from "../engine-view.ts";
import type { Batches } from "../memory/batches.ts";
import type { GeneralJudge } from "./general.ts";
import type { PlainJudge } from "./plain.ts";

export class RipePairs {
  /** The share of its bound at which a pair is ripe. */
  #share: number;
  readonly #batches: Batches;
  readonly #plain: PlainJudge;
  readonly #general: GeneralJudge;
  /** Views for which the kernel looks for ripe pairs in this round. */
  readonly #sought: EngineView[] = [];
  /** Scratch: numbers of the ripe pairs of a view. */
  #found: Int32Array = new Int32Array(256);

  constructor(share: number, batches: Batches, plain: PlainJudge, general: GeneralJudge) {
    this.#share = share;
    this.#batches = batches;
    this.#plain = plain;
    this.#general = general;
  }

  setShare(share: number): void {
    this.#share = share;
  }

  /** Returns how many pairs were looked at. */
  send(views: readonly EngineView[], round: number): number {
    const mayRipen = this.#share < 1;
    let looks = 0;
    for (const view of views) {
      if (view.paused || view.isOut) continue;
      const isDue = view.decisions.count > 0;
      const mayLook = mayRipen && isDue && view.canRipen && view.mayRide(1, round) && view.rhythm.mayLook(round);
      if (mayLook && view.briefed >= 0 && !view.budgeted) this.#seek(view);
      else if (mayLook) looks += this.#sendOneByOne(view, round);
      view.rhythm.noteRound(isDue);
    }
    return this.#sought.length === 0 ? looks : looks + this.#sendSought(round);
  }

  #seek(view: EngineView): void {
    const { decisions, pairs } = view;
    decisions.reserve(decisions.count + pairs.count);
    view.seekRipe(this.#share);
    view.briefed = this.#batches.addView(view.address);
    this.#sought.push(view);
  }

  #sendSought(round: number): number {
    const looks = this.#batches.judge();
    for (const view of this.#sought) {
      view.rhythm.noteLook(round, view.endRipe());
      if (this.#batches.hasLeft(view.briefed)) this.#plain.finishPairs(view, round, true);
    }
    this.#sought.length = 0;
    return looks;
  }

  #sendOneByOne(view: EngineView, round: number): number {
    const { pairs, rhythm } = view;
    if (this.#found.length < pairs.high) this.#found = new Int32Array(pairs.high * 2);
    let unequal = 0;
    let count = 0;
    let sends = 0;
    for (let pair = 0; pair < pairs.high; pair++) {
      if (!this.#general.isBehind(view, pair, round)) continue;
      unequal++;
      if (!this.#general.isRipe(view, pair, round, this.#share)) continue;
      sends |= sendBit(pairs.lastSendOf(pair));
      this.#found[count++] = pair;
    }
    rhythm.noteLook(round, unequal);
    if (rideAlong(count, sends, rhythm.silent) && view.mayRide(count, round)) {
      for (let i = 0; i < count; i++) this.#general.sendRipe(view, this.#found[i]!, round);
    }
    return unequal;
  }
}
