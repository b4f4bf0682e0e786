/**
 * The one mechanism behind lockstep, rollback and what lies between. It keeps what the players did by step, and decides in each tick which saved state the
 * game loads and which steps it advances:
 *
 *   settle by steps of its own → correct → move the head → adopt what has become final
 *
 * The head is always now. The tail follows when everybody's input is in. A state of the head becomes final without another step if all guesses in it
 * were right. Where a guess was wrong, the steps from there on are advanced again, a few in each tick; until they have caught up, the old head is shown.
 */

import { RollbackError } from "../errors.ts";
import { InputLog, Verdict } from "./input-log.ts";
import { EVERYBODY, type Request, Requests } from "./requests.ts";
import { type KnownSettings, known, type TimelineSettings } from "./settings.ts";
import { Spheres } from "./spheres.ts";

/** Steps advanced so far, by why; and how often the head was corrected. */
export interface StepCounts {
  optimistic: number;
  conservative: number;
  corrective: number;
  /** Steps of one player alone. */
  partial: number;
  rollbacks: number;
  patches: number;
}

/** A row of somebody's lets a player in. */
export interface Admission {
  readonly player: number;
  readonly step: number;
}

const NOWHERE = Number.POSITIVE_INFINITY;
/** Steps between the input that lets a player in and the first that this player takes part in: time to send it the state. */
export const ADMIT_STEPS = 20;
/** A tick that comes late does the work of those that it makes up for, of so many at most. */
const MOST_MISSED = 8;

export class Timeline {
  readonly counts: StepCounts = { optimistic: 0, conservative: 0, corrective: 0, partial: 0, rollbacks: 0, patches: 0 };
  readonly settings: KnownSettings;
  readonly #inputs: InputLog;
  readonly #spheres: Spheres;
  readonly #requests = new Requests();
  /** The state that is shown. */
  #head: number;
  /** The newest final state. */
  #tail: number;
  /** Saved states up to this one were advanced with what is known now. */
  #cleanTo: number;
  /** The state up to which a correction has come; NOWHERE without one. */
  #repairAt = NOWHERE;
  /** The first state whose step must be advanced again. */
  #wrongFrom = NOWHERE;
  /** With trailing states: wrong steps, and the head at which each is noticed. */
  readonly #waiting: { step: number; due: number }[] = [];
  /** Players to be corrected alone, and from which step; NOWHERE: not. */
  readonly #aloneFrom: Float64Array;
  /** By player: the admissions in its rows before this step count. NOWHERE: all do, as soon as they are known. */
  readonly #countedTo: Float64Array;
  /** Players who were corrected alone in the last tick: the first and the last state that were written anew. */
  readonly #patched: { player: number; from: number; to: number }[] = [];
  /** Whether the head that is shown lies in a slot of its own, since a correction writes those of its past. */
  #isShownApart = false;
  /** The slot that equals the game's state; −1: none. */
  #live = -1;
  #isBegun = false;
  #now: number;
  /** Steps of time since the last tick: the work that is spread over ticks is so many ticks' work now. */
  #passed = 1;

  constructor(settings: TimelineSettings) {
    const all = known(settings);
    this.settings = all;
    const { players, kept, from, lag } = all;
    this.#inputs = new InputLog(all);
    this.#spheres = new Spheres(players, kept);
    this.#aloneFrom = new Float64Array(players).fill(NOWHERE);
    this.#countedTo = new Float64Array(players).fill(all.retracts ? from : NOWHERE);
    this.#head = from;
    this.#tail = from;
    this.#now = from;
    this.#cleanTo = from;
    for (let player = 0; player < players; player++) {
      this.#inputs.begin(player, from);
      if (all.absent.includes(player)) {
        this.#inputs.leave(player, from);
        continue;
      }
      // At the beginning nobody can have done anything yet; a snapshot brings the inputs that belong to it.
      const first = from === 0 ? lag : 0;
      for (let step = from; step < from + first; step++) this.#inputs.put(player, step, all.still, 0, undefined);
      if (all.retracts) this.#inputs.promise(player, from + first);
    }
  }

  /** Slots for saved states that the game must have. */
  get slots(): number {
    return this.settings.kept + 1;
  }

  /** The slot of the newest final state. */
  get tailSlot(): number {
    return this.#slot(this.#tail);
  }

  get head(): number {
    return this.#head;
  }

  get tail(): number {
    return this.#tail;
  }

  /** Whether a correction is under way. */
  get isCorrecting(): boolean {
    return this.#repairAt !== NOWHERE;
  }

  /** The state up to which the correction that is under way has come; undefined without one. The head goes on meanwhile. */
  get correctedTo(): number | undefined {
    return this.isCorrecting ? this.#repairAt : undefined;
  }

  /** Every input before this step is in. */
  get confirmed(): number {
    return this.#inputs.confirmed;
  }

  confirmedOf(player: number): number {
    return this.#inputs.confirmedOf(player);
  }

  /** All inputs of the player before this step are in; they may still be taken back. */
  throughOf(player: number): number {
    return this.#inputs.throughOf(player);
  }

  /** A copy of a player's known input, with its lags if they are wanted; undefined if it is not known, or no longer. */
  rowOf(player: number, step: number, hasLags: boolean): Uint8Array | undefined {
    return this.#inputs.rowOf(player, step, hasLags);
  }

  /** A copy of the row with which a final step was advanced: of a player who was gone, what it does when it stands still. */
  finalRowOf(player: number, step: number, hasLags: boolean): Uint8Array {
    return this.#inputs.rowOf(player, step, hasLags) ?? this.#inputs.stillRow(hasLags);
  }

  /** Inputs are taken for steps before this one. */
  get openTo(): number {
    return this.#tail + this.settings.kept - 1;
  }

  /**
   * What a player did in a step. False: it was known, or is final, already. `admits` is the number above that of a player who is let in with it, or 0: since
   * no step is final before all its inputs are known, everybody knows of a newcomer before a step that it takes part in can be final. Where players may take
   * back what they did, an admission counts later, by `letIn`.
   */
  put(player: number, step: number, input: Uint8Array, lags?: Uint8Array, admits = 0): boolean {
    if (step < this.#tail || this.#inputs.isKnown(player, step)) return false;
    if (step >= this.openTo)
      throw new RollbackError("out-of-window", `step ${step} lies ahead of all that is kept, to ${this.openTo - 1}`);
    this.#inputs.put(player, step, input, admits, lags);
    this.#judge(player, step);
    if (admits > 0 && !this.settings.retracts) this.letIn({ player: admits - 1, step });
    return true;
  }

  /**
   * The admissions in a player's rows before a step, each of them once: to be asked when nobody will take these rows back, and before they are final.
   */
  takeAdmissions(player: number, to: number): Admission[] {
    const admissions: Admission[] = [];
    for (let step = Math.max(this.#tail, this.#countedTo[player]!); step < to; step++) {
      const admits = this.#inputs.admitsOf(player, step);
      if (admits > 0) admissions.push({ player: admits - 1, step });
    }
    this.#countedTo[player] = Math.max(to, this.#countedTo[player]!);
    return admissions;
  }

  /** An admission counts. False: the player is not gone. */
  letIn({ player, step }: Admission): boolean {
    if (!this.#inputs.enter(player, step + ADMIT_STEPS, this.#tail)) return false;
    this.#countedTo[player] = Math.max(this.#countedTo[player]!, this.enteredAt(player));
    this.#judgeAll(player);
    return true;
  }

  /** The admissions in the player's rows before this step count; Infinity where nobody takes anything back. */
  countedTo(player: number): number {
    return this.#countedTo[player]!;
  }

  /** An anti-message. False: that input is not known, or was promised to stay. */
  withdraw(player: number, step: number): boolean {
    if (step < this.#tail || step >= this.openTo || !this.#inputs.withdraw(player, step)) return false;
    this.#judge(player, step);
    return true;
  }

  promise(player: number, step: number): void {
    this.#inputs.promise(player, step);
  }

  /** A player is gone from a step on, and does nothing. All machines must name the same step. */
  leave(player: number, step: number): void {
    if (step < this.#tail) throw new RollbackError("out-of-window", `step ${step} is final already, to ${this.#tail}`);
    this.#inputs.leave(player, step);
    this.#judgeAll(player);
  }

  /** Whether the player is gone at the head, and not known to come back. */
  isGone(player: number): boolean {
    return this.#inputs.leavesAt(player) !== NOWHERE;
  }

  /** The step from which a player who had been gone is back; Infinity if it never was. */
  enteredAt(player: number): number {
    return this.#inputs.enteredAt(player);
  }

  /** The circles of a state, for the game to fill after it advanced to it: x, y and radius of each player. */
  spheresOf(state: number): Float64Array {
    return this.#spheres.of(state);
  }

  /** Takes over the circle of the one player who was advanced to a state. */
  putSphere(state: number, player: number, circles: Float64Array): void {
    this.#spheres.put(state, player, circles);
  }

  /** The input with which a step is advanced now. */
  inputOf(player: number, step: number): Uint8Array {
    return this.#inputs.usedInput(player, step);
  }

  /** How many steps old a player's knowledge of another was when it acted in a step (H5). */
  lagOf(player: number, other: number, step: number): number {
    return this.#inputs.usedLag(player, other, step);
  }

  /** What the game has to do so that it shows the state `now`, or the nearest that it may. */
  tick(now: number): readonly Request[] {
    this.#requests.clear();
    this.#passed = Math.min(MOST_MISSED, Math.max(1, now - this.#now));
    this.#now = now;
    this.#inputs.tick();
    this.#judgeAlone();
    if (!this.#isBegun) this.#save(this.#slot(this.#head));
    this.#isBegun = true;
    this.#settleByOwnSteps();
    this.#correctAlone();
    this.#beginCorrection();
    this.#moveHead(this.reach(now));
    this.#adopt();
    return this.#requests.list;
  }

  /** The state up to which late inputs must be compared: the head, or how far its correction has come. */
  get #corrected(): number {
    return Math.min(this.#head, this.#repairAt);
  }

  #judgeAll(player: number): void {
    for (let step = this.#tail; step < this.#corrected; step++) this.#judge(player, step);
  }

  #judge(player: number, step: number): void {
    if (step >= this.#corrected) return;
    const verdict = this.#inputs.compare(player, step);
    if (verdict === Verdict.same) return;
    this.#cleanTo = Math.min(this.#cleanTo, step);
    const { repair, trail } = this.settings;
    if (verdict === Verdict.lagOnly || repair === "never") return;
    if (this.#spheres.firstMeeting(player, step, this.#corrected) === NOWHERE) {
      this.#aloneFrom[player] = Math.min(this.#aloneFrom[player]!, step);
    } else if (trail.length > 0) {
      const delay = trail.find((delay) => step + delay >= this.#head);
      // Later than the last trailing state: only the tail will know.
      if (delay !== undefined) this.#waiting.push({ step, due: step + delay });
    } else this.#wrongFrom = Math.min(this.#wrongFrom, step);
  }

  /** The state `now`, or the last before it that may be shown. */
  reach(now: number): number {
    const { ahead, kept } = this.settings;
    return Math.max(this.#head, Math.min(now, this.#inputs.complete + ahead, this.#tail + kept - 2));
  }

  /** The tail goes on by itself where the head's states were advanced with guesses that were wrong. */
  #settleByOwnSteps(): void {
    const end = Math.min(this.#inputs.confirmed, this.#head, this.#tail + this.settings.conservative * this.#passed);
    this.#adopt();
    while (
      this.#tail < end &&
      this.#tail === this.#cleanTo &&
      this.#wrongFrom > this.#tail &&
      this.#repairAt > this.#tail
    ) {
      this.#load(this.#slot(this.#tail));
      this.#advance(this.#tail);
      this.counts.conservative++;
      this.#cleanTo = this.#tail + 1;
      this.#adopt();
    }
  }

  /** What is final by now, at no cost. */
  #adopt(): void {
    const end = Math.min(this.#inputs.confirmed, this.#cleanTo, this.#corrected);
    while (this.#tail < end) {
      this.#tail++;
      this.#requests.add("settle", this.#slot(this.#tail), this.#tail, EVERYBODY);
    }
  }

  /** Whoever was corrected alone must have met nobody on its new way either. */
  #judgeAlone(): void {
    for (const { player, from, to } of this.#patched) {
      const meeting = this.#spheres.firstMeeting(player, Math.max(from, this.#tail), Math.min(to, this.#corrected));
      if (meeting !== NOWHERE) this.#wrongFrom = Math.min(this.#wrongFrom, meeting);
    }
    this.#patched.length = 0;
  }

  /** Players who met nobody: their own things are advanced again, and nothing else. */
  #correctAlone(): void {
    for (let player = 0; player < this.#aloneFrom.length; player++) {
      const from = Math.max(this.#tail, this.#aloneFrom[player]!);
      this.#aloneFrom[player] = NOWHERE;
      if (from >= Math.min(this.#corrected, this.#wrongFrom)) continue;
      this.counts.patches++;
      this.#patched.push({ player, from: from + 1, to: this.#corrected });
      this.#load(this.#slot(from));
      for (let step = from; step < this.#corrected; step++) {
        this.#inputs.useOf(player, step);
        this.#requests.add("advance", 0, step, player);
        this.#requests.add("saveRows", this.#slot(step + 1), step, player);
        this.counts.partial++;
      }
      this.#live = -1;
    }
  }

  #beginCorrection(): void {
    for (let at = this.#waiting.length - 1; at >= 0; at--) {
      const { step, due } = this.#waiting[at]!;
      if (due > this.#head) continue;
      this.#wrongFrom = Math.min(this.#wrongFrom, Math.max(step, this.#tail));
      this.#waiting.splice(at, 1);
    }
    if (this.#wrongFrom >= this.#corrected) {
      this.#wrongFrom = NOWHERE;
      return;
    }
    this.#repairAt = this.#wrongFrom;
    this.#wrongFrom = NOWHERE;
    this.counts.rollbacks++;
  }

  #moveHead(target: number): void {
    if (this.#repairAt === NOWHERE) {
      this.#moveFreely(Math.min(target, this.#head + this.#mostSteps));
      return;
    }
    const forward = Math.min(target, this.#head + this.#passed);
    if (this.#head - this.#repairAt <= this.#mostSteps) this.#endCorrection(forward);
    else this.#goOnCorrecting(forward);
  }

  #moveFreely(end: number): void {
    this.#load(this.#slot(this.#head));
    for (; this.#head < end; this.#head++) this.#step(this.#head, "optimistic");
  }

  /** The corrected head takes the place of the one that was shown. */
  #endCorrection(forward: number): void {
    this.#load(this.#slot(this.#repairAt));
    for (; this.#repairAt < this.#head; this.#repairAt++) this.#step(this.#repairAt, "corrective");
    this.#repairAt = NOWHERE;
    this.#isShownApart = false;
    this.#moveFreely(forward);
  }

  /** The head that is shown goes on beside the correction, in a slot of its own. */
  #goOnCorrecting(forward: number): void {
    this.#load(this.#slot(this.#repairAt));
    for (const end = this.#repairAt + this.#mostSteps; this.#repairAt < end; this.#repairAt++)
      this.#step(this.#repairAt, "corrective");
    const apart = this.settings.kept;
    this.#load(this.#isShownApart ? apart : this.#slot(this.#head));
    this.#isShownApart = true;
    for (; this.#head < forward; this.#head++) {
      this.#inputs.use(this.#head);
      this.#requests.add("advance", 0, this.#head, EVERYBODY);
      this.counts.optimistic++;
    }
    this.#save(apart);
  }

  get #mostSteps(): number {
    const { repair } = this.settings;
    return repair === "never" ? NOWHERE : repair * this.#passed;
  }

  #step(step: number, why: "optimistic" | "corrective"): void {
    this.#advance(step);
    this.counts[why]++;
    if (this.#cleanTo === step) this.#cleanTo = step + 1;
  }

  #advance(step: number): void {
    this.#inputs.use(step);
    this.#requests.add("advance", 0, step, EVERYBODY);
    this.#save(this.#slot(step + 1));
  }

  #load(slot: number): void {
    if (this.#live === slot) return;
    this.#requests.add("load", slot, 0, EVERYBODY);
    this.#live = slot;
  }

  #save(slot: number): void {
    this.#requests.add("save", slot, 0, EVERYBODY);
    this.#live = slot;
  }

  #slot(state: number): number {
    return state % this.settings.kept;
  }
}
