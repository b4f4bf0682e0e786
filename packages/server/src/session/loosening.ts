/**
 * How much a client's bounds are loosened while bytes run short. It looks at what was withheld and how urgent that was. It counts rounds
 * and has no clock. The outer zones are loosened first, up to `OUTER_LIMIT`; only then the inner zone.
 *
 * Due pairs are sent in order of urgency. So in a shortage every outer pair waits until its urgency reaches that of the most urgent
 * withheld pair: the *cut*. If the cut is 3, pairs wait until they are three times over their bound. A loosening factor a little below the
 * cut does not change what is sent. It only saves judging pairs that would be withheld anyway, and it can be told to the client. So the
 * factor follows the cut from below: in each window it goes half of the way, 2^¼ at most. It stays 5 to 13 % below the cut. A little more
 * is always due than fits: the budget is used up, and the factor is never larger than the shortage. If the cut is only a little
 * higher than that, the factor stays, or it would turn with every change in the crowd.
 *
 * If nothing was withheld for two seconds, the factor is tightened: by the smallest step, then by twice as much in each window, up to
 * 2^¼, until something is withheld again. So it moves little while demand and budget are about equal, and is soon back at 1 once there
 * is room.
 *
 * Creations that wait (a client joins, a crowd comes into sight) are a passing shortage. They count as a lasting one only if they wait for
 * long. Behind them updates wait too, and these have a cut of their own, which the factor follows after two seconds; or at once if it is so large that
 * creations come before all updates of the outer zones whatever it is.
 * Why so: docs/decisions/0007-bytes-by-urgency.md.
 */

import { DecisionKind, type Decisions, INNER_FIRST, OUTER_LIMIT } from "@nearfield/core/internal";
import { nthSmallest } from "../nth-smallest.ts";

/** Steps of a factor: each is 2^(1/16), so that sixteen steps double it. */
const STEPS_PER_DOUBLING = 16;
const OUTER_STEPS: number = STEPS_PER_DOUBLING * Math.log2(OUTER_LIMIT);
/** The bounds of the inner zone are loosened by a factor of 4 at most. */
const INNER_STEPS: number = STEPS_PER_DOUBLING * 2;
/** The most that a factor changes by in a window: 2^¼. */
const MOST_STEPS: number = STEPS_PER_DOUBLING / 4;
/** The factor stays this far below the cut. So there is always enough due to use up the bytes. */
const BELOW_CUT = 0.95;
/** A factor that is less than this below what the cut asks for stays. */
const IDLE_STEPS = 2;
/** Length of a window. */
const WINDOW_MS = 500;
/** Windows in a row without anything withheld after which bounds are tightened. */
const QUIET_WINDOWS = 4;
/** Windows for which creations may wait before that counts as a lasting shortage; and the steps by which bounds are then loosened. */
const PATIENCE = 20;
const CREATION_STEPS: number = STEPS_PER_DOUBLING;
/** Windows for which creations may wait before the factor follows the updates behind them. */
const BRIEFLY = 4;
/** From this factor on a creation, which counts as an update at twice its loosened bound, comes before all updates of the outer zones. */
const ABOVE_UPDATES: number = OUTER_STEPS - STEPS_PER_DOUBLING;

export class Loosening {
  readonly #windowRounds: number;
  #outerSteps = 0;
  #innerSteps = 0;
  /** Of the current window: its rounds; rounds with something withheld; with a waiting creation; with a cut in the inner zone. */
  #rounds = 0;
  #short = 0;
  #creating = 0;
  #innerShort = 0;
  /** Sums of the steps that the cuts ask for, for the outer zones and the inner one. */
  #outerCuts = 0;
  #innerCuts = 0;
  /** Of the rounds with a waiting creation: those in which updates waited as well, and the steps that these ask for. */
  #behind = 0;
  #behindCuts = 0;
  #windowsCreating = 0;
  #windowsQuiet = 0;
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

  /**
   * Takes note of a round after its frame was written. True if a factor changed.
   *
   * @param rounds for which these decisions stand: more than 1 if the client sat out rounds before this one.
   */
  note(decisions: Decisions, rounds = 1): boolean {
    this.#rounds += rounds;
    if (decisions.withheld > 0) this.#noteShortage(decisions, rounds);
    return this.#rounds >= this.#windowRounds && this.#endWindow();
  }

  #noteShortage(decisions: Decisions, rounds: number): void {
    this.#short += rounds;
    const cut = this.#cutOf(decisions);
    if (cut >= INNER_FIRST) {
      this.#innerShort += rounds;
      this.#innerCuts += rounds * stepsBelow(cut - INNER_FIRST, INNER_STEPS);
    } else if (creationWaits(decisions, cut)) {
      this.#creating += rounds;
      this.#noteBehind(decisions, cut, rounds);
    } else {
      this.#outerCuts += rounds * stepsBelow(cut, OUTER_STEPS);
    }
  }

  #noteBehind(decisions: Decisions, cut: number, rounds: number): void {
    const updates = updatesUpTo(decisions, cut);
    if (updates === 0) return;
    this.#behind += rounds;
    this.#behindCuts += rounds * stepsBelow(updates, OUTER_STEPS);
  }

  /** The urgency of the most urgent withheld decision. Withheld are the least urgent ones. */
  #cutOf({ count, urgencies, withheld }: Decisions): number {
    if (this.#urgencies.length < count) this.#urgencies = new Float64Array(count * 2);
    const scratch = this.#urgencies;
    for (let i = 0; i < count; i++) scratch[i] = urgencies[i]!;
    return nthSmallest(scratch, count, withheld - 1);
  }

  #endWindow(): boolean {
    const before = [this.#outerSteps, this.#innerSteps];
    const half = this.#rounds / 2;
    this.#windowsQuiet = this.#short === 0 ? this.#windowsQuiet + 1 : 0;
    const creates = this.#creating >= half;
    this.#windowsCreating = creates ? this.#windowsCreating + 1 : 0;
    if (this.#windowsQuiet >= QUIET_WINDOWS) this.#tighten();
    else if (creates && this.#behind >= half && this.#followsBehind)
      this.#outerSteps = raised(this.#outerSteps, this.#behindCuts / this.#behind, OUTER_STEPS);
    else if (creates && this.#windowsCreating > PATIENCE)
      this.#outerSteps = raised(this.#outerSteps, CREATION_STEPS, CREATION_STEPS);
    else if (this.#short - this.#creating >= half) this.#loosen();
    this.#rounds = 0;
    this.#short = 0;
    this.#creating = 0;
    this.#innerShort = 0;
    this.#outerCuts = 0;
    this.#innerCuts = 0;
    this.#behind = 0;
    this.#behindCuts = 0;
    return this.#outerSteps !== before[0] || this.#innerSteps !== before[1];
  }

  get #followsBehind(): boolean {
    return this.#outerSteps >= ABOVE_UPDATES || this.#windowsCreating > BRIEFLY;
  }

  /** Tightens, the more the longer nothing was withheld; the inner zone first. */
  #tighten(): void {
    const steps = Math.min(MOST_STEPS, 2 ** (this.#windowsQuiet - QUIET_WINDOWS));
    if (this.#innerSteps > 0) this.#innerSteps = Math.max(0, this.#innerSteps - steps);
    else this.#outerSteps = Math.max(0, this.#outerSteps - steps);
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

function creationWaits({ count, kinds, urgencies }: Decisions, cut: number): boolean {
  for (let i = 0; i < count; i++) if (kinds[i] === DecisionKind.create && urgencies[i]! <= cut) return true;
  return false;
}

/** The urgency of the most urgent update up to this cut; 0 if there is none. */
function updatesUpTo({ count, kinds, urgencies }: Decisions, cut: number): number {
  let most = 0;
  for (let i = 0; i < count; i++) {
    if (kinds[i] === DecisionKind.update && urgencies[i]! <= cut && urgencies[i]! > most) most = urgencies[i]!;
  }
  return most;
}

/** The number of steps, not rounded, whose factor lies as far below this cut as it should. */
function stepsBelow(cut: number, most: number): number {
  return Math.max(0, Math.min(most, STEPS_PER_DOUBLING * Math.log2(cut * BELOW_CUT)));
}

/** Half of the way to the wanted steps, unless that is little; `most` itself is always reached. */
function raised(steps: number, wanted: number, most: number): number {
  if (wanted <= steps || wanted < Math.min(most, steps + IDLE_STEPS)) return steps;
  return Math.min(most, steps + Math.min(MOST_STEPS, Math.ceil((wanted - steps) / 2)));
}
