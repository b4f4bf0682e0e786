/**
 * By how much a client's bounds are loosened while bytes run short. Looks at what was withheld and how pressing it was; knows rounds, no
 * clock. The outer zones go first, up to `OUTER_LIMIT`; only then the inner zone.
 *
 * Due pairs go by urgency, so a shortage by itself lets every outer pair wait until it is about so many times over its bound as the most
 * pressing one that is withheld: the *cut*. A factor a little below the cut changes nothing about what is sent. It only stops the
 * search for pairs that would be withheld anyway, and it can be told. So the factor follows the cut from below, one window after the
 * other, and there is always a little more due than fits: the budget is used up, and a factor is never larger than the shortage.
 * When for a whole window nothing was withheld, it is tightened by a step. That cannot swing: a tighter factor at which pairs are
 * withheld again is kept as long as the cut is not a good step above it. One step a window, up or down: pairs that wait longer from now on
 * leave a gap in what is due, and the next step is taken when it has passed.
 *
 * Creations that wait — a client that joins, a crowd that comes into sight — pass. Only if they wait for long is that taken for a
 * shortage that lasts.
 * Why so: docs/decisions/0007-bytes-by-urgency.md.
 */

import { DecisionKind, type Decisions, INNER_FIRST, OUTER_LIMIT } from "@nearfield/core/internal";

/** Steps of a factor: each is 2^¼, so that four steps double it. */
const STEPS_PER_DOUBLING = 4;
const OUTER_STEPS: number = STEPS_PER_DOUBLING * Math.log2(OUTER_LIMIT);
/** The inner zone is loosened four times at most. */
const INNER_STEPS: number = STEPS_PER_DOUBLING * 2;
/** How far below the cut the factor stays, more than a step: enough is due at any time to use up the bytes. */
const BELOW_CUT = 0.75;
/** Length of a window. */
const WINDOW_MS = 1000;
/** Windows for which creations may wait before that counts as a shortage that lasts; and how far bounds are loosened for their sake. */
const PATIENCE = 10;
const CREATION_STEPS: number = STEPS_PER_DOUBLING;

export class Loosening {
  readonly #windowRounds: number;
  #outerSteps = 0;
  #innerSteps = 0;
  /** Of the window at hand: rounds, those with something withheld, with creations among it, and with a cut in the inner zone. */
  #rounds = 0;
  #short = 0;
  #creating = 0;
  #innerShort = 0;
  /** Sum of the steps at which the cuts lay, in either zone. */
  #outerCuts = 0;
  #innerCuts = 0;
  #windowsCreating = 0;
  #urgencies: Float64Array = new Float64Array(64);

  constructor(roundMs: number) {
    this.#windowRounds = Math.max(4, Math.ceil(WINDOW_MS / roundMs));
  }

  /** Factor on the bounds of zones 1 and up. */
  get outer(): number {
    return 2 ** (this.#outerSteps / STEPS_PER_DOUBLING);
  }

  /** Factor on the bounds of zone 0. */
  get inner(): number {
    return 2 ** (this.#innerSteps / STEPS_PER_DOUBLING);
  }

  /** Takes note of a round, after its frame was written; true if a factor changed. */
  note(decisions: Decisions): boolean {
    this.#rounds += 1;
    if (decisions.withheld > 0) this.#noteShortage(decisions);
    return this.#rounds >= this.#windowRounds && this.#endWindow();
  }

  #noteShortage(decisions: Decisions): void {
    this.#short += 1;
    const cut = this.#cutOf(decisions);
    if (cut >= INNER_FIRST) {
      this.#innerShort += 1;
      this.#innerCuts += stepsBelow(cut - INNER_FIRST, INNER_STEPS);
    } else if (creationWaits(decisions, cut)) {
      this.#creating += 1;
    } else {
      this.#outerCuts += stepsBelow(cut, OUTER_STEPS);
    }
  }

  /** Urgency of the most pressing of those withheld: they are those that press least. */
  #cutOf({ count, urgencies, withheld }: Decisions): number {
    if (this.#urgencies.length < count) this.#urgencies = new Float64Array(count * 2);
    const scratch = this.#urgencies;
    for (let i = 0; i < count; i++) scratch[i] = urgencies[i]!;
    return nthSmallest(scratch, count, withheld - 1);
  }

  #endWindow(): boolean {
    const before = [this.#outerSteps, this.#innerSteps];
    const half = this.#rounds / 2;
    const isQuiet = this.#short * 10 <= this.#rounds;
    const creates = this.#creating >= half;
    this.#windowsCreating = creates ? this.#windowsCreating + 1 : 0;
    if (isQuiet) this.#tighten();
    else if (creates && this.#windowsCreating > PATIENCE)
      this.#outerSteps = raised(this.#outerSteps, CREATION_STEPS, OUTER_STEPS);
    else if (this.#short - this.#creating >= half) this.#loosen();
    this.#rounds = 0;
    this.#short = 0;
    this.#creating = 0;
    this.#innerShort = 0;
    this.#outerCuts = 0;
    this.#innerCuts = 0;
    return this.#outerSteps !== before[0] || this.#innerSteps !== before[1];
  }

  /** The inner zone's bounds come back first. */
  #tighten(): void {
    if (this.#innerSteps > 0) this.#innerSteps -= 1;
    else if (this.#outerSteps > 0) this.#outerSteps -= 1;
  }

  #loosen(): void {
    const outerShort = this.#short - this.#creating - this.#innerShort;
    if (this.#innerShort <= outerShort) {
      this.#outerSteps = raised(this.#outerSteps, this.#outerCuts / outerShort, OUTER_STEPS);
    } else if (this.#outerSteps < OUTER_STEPS) {
      this.#outerSteps = raised(this.#outerSteps, OUTER_STEPS, OUTER_STEPS);
    } else {
      this.#innerSteps = raised(this.#innerSteps, this.#innerCuts / this.#innerShort, INNER_STEPS);
    }
  }
}

/** The number that would be `n`th of the first `count` if they were sorted; moves them about. Hoare's selection. */
function nthSmallest(numbers: Float64Array, count: number, n: number): number {
  let low = 0;
  let high = count - 1;
  while (low < high) {
    const pivot = numbers[(low + high) >> 1]!;
    let left = low;
    let right = high;
    while (left <= right) {
      while (numbers[left]! < pivot) left++;
      while (numbers[right]! > pivot) right--;
      if (left > right) break;
      const swapped = numbers[left]!;
      numbers[left++] = numbers[right]!;
      numbers[right--] = swapped;
    }
    if (n <= right) high = right;
    else if (n >= left) low = left;
    else break;
  }
  return numbers[n]!;
}

function creationWaits({ count, kinds, urgencies }: Decisions, cut: number): boolean {
  for (let i = 0; i < count; i++) if (kinds[i] === DecisionKind.create && urgencies[i]! <= cut) return true;
  return false;
}

/** Steps, not whole, of the factor that lies as far below this cut as factors shall. */
function stepsBelow(cut: number, most: number): number {
  return Math.max(0, Math.min(most, STEPS_PER_DOUBLING * Math.log2(cut * BELOW_CUT)));
}

function raised(steps: number, wanted: number, most: number): number {
  return Math.min(most, wanted >= steps + 1 ? steps + 1 : steps);
}
