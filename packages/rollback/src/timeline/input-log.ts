/**
 * What the players did, by step: a ring of rows, one for each step and player. A row holds the player's input, whom the player lets in with it, and, where
 * the game wants it, what the player knew of each other player (H5): how many steps old the newest input of that player was.
 *
 * Beside what is known stands what was used: the rows with which a step was last advanced. They differ where a guess was wrong.
 */

import { RollbackError } from "../errors.ts";

export interface InputLogOptions {
  readonly players: number;
  readonly inputBytes: number;
  /** Steps that are kept. */
  readonly kept: number;
  /** Ticks without a word of a player, beyond what is usual for it, during which its last input is repeated; after that it stands still. */
  readonly guess: number;
  /** The input of a player who does nothing. */
  readonly still: Uint8Array;
}

/** How an input that arrived differs from what its step was advanced with. */
export const Verdict = { same: 0, lagOnly: 1, wrong: 2 } as const;
export type Verdict = (typeof Verdict)[keyof typeof Verdict];

/** Ticks with inputs over which a player's usual silence falls to what it is now. */
const USUAL_TIMES = 32;

export class InputLog {
  readonly #players: number;
  readonly #inputBytes: number;
  readonly #rowBytes: number;
  readonly #kept: number;
  /** Known rows are kept for longer than states: a peer that is far behind can still be told of them. */
  readonly #memory: number;
  readonly #guess: number;
  readonly #still: Uint8Array;
  readonly #known: Uint8Array;
  readonly #used: Uint8Array;
  readonly #usedViews: readonly Uint8Array[];
  /** The step whose input a row of `#known` holds; −1: none. */
  readonly #steps: Float64Array;
  /** All inputs of a player before this step are in. */
  readonly #through: Float64Array;
  /** By player: the tick in which an input of it last came. */
  readonly #heardAt: Float64Array;
  /** By player: for how many ticks it is silent now and then, since its packets overtake each other. Rises at once, falls slowly. */
  readonly #usualSilence: Float64Array;
  #ticks = 0;
  /** From this step on a player is gone and does nothing. */
  readonly #leaves: Float64Array;
  /** The step from which a player is back. */
  readonly #entered: Float64Array;
  /** Below this step a player takes nothing back (Time Warp); Infinity where nobody ever does. */
  readonly #promised: Float64Array;

  constructor({ players, inputBytes, kept, guess, still }: InputLogOptions) {
    this.#players = players;
    this.#inputBytes = inputBytes;
    this.#rowBytes = inputBytes + 1 + players;
    this.#kept = kept;
    this.#memory = 4 * kept;
    this.#guess = guess;
    this.#still = new Uint8Array(this.#rowBytes);
    this.#still.set(still);
    const rows = kept * players;
    this.#known = new Uint8Array(this.#memory * players * this.#rowBytes);
    this.#used = new Uint8Array(rows * this.#rowBytes);
    this.#usedViews = Array.from({ length: rows }, (_, row) => {
      const at = row * this.#rowBytes;
      return this.#used.subarray(at, at + inputBytes);
    });
    this.#steps = new Float64Array(this.#memory * players).fill(-1);
    this.#through = new Float64Array(players);
    this.#heardAt = new Float64Array(players);
    this.#usualSilence = new Float64Array(players);
    this.#leaves = new Float64Array(players).fill(Number.POSITIVE_INFINITY);
    this.#entered = new Float64Array(players).fill(Number.POSITIVE_INFINITY);
    this.#promised = new Float64Array(players).fill(Number.POSITIVE_INFINITY);
  }

  /** The player's first input will be that of this step. */
  begin(player: number, step: number): void {
    this.#through[player] = step;
  }

  /** Another tick begins: guesses about silent players grow older. */
  tick(): void {
    this.#ticks++;
  }

  /** Every input before this step is in, and none of them will be taken back. */
  get confirmed(): number {
    let step = Number.POSITIVE_INFINITY;
    for (let player = 0; player < this.#players; player++) step = Math.min(step, this.confirmedOf(player));
    return step;
  }

  /** Every input before this step is in; some may still be taken back. */
  get complete(): number {
    let step = Number.POSITIVE_INFINITY;
    for (let player = 0; player < this.#players; player++) {
      const through = this.#through[player]!;
      if (through < this.#leaves[player]!) step = Math.min(step, through);
    }
    return step;
  }

  confirmedOf(player: number): number {
    const through = Math.min(this.#through[player]!, this.#promised[player]!);
    return through >= this.#leaves[player]! ? Number.POSITIVE_INFINITY : through;
  }

  /** All inputs of the player before this step are in. */
  throughOf(player: number): number {
    return this.#through[player]!;
  }

  isKnown(player: number, step: number): boolean {
    return step >= this.#leaves[player]! || this.#steps[this.#knownRow(player, step)] === step;
  }

  /** Notes an input; the step is one of those that are kept. An input that is known already stays as it was. */
  put(player: number, step: number, input: Uint8Array, admits: number, lags: Uint8Array | undefined): void {
    if (input.length !== this.#inputBytes)
      throw new RollbackError("bad-input", `an input has ${this.#inputBytes} bytes here, not ${input.length}`);
    const row = this.#knownRow(player, step);
    if (this.#steps[row] === step || step >= this.#leaves[player]!) return;
    this.#steps[row] = step;
    const at = row * this.#rowBytes;
    this.#known.set(input, at);
    this.#known[at + this.#inputBytes] = admits;
    if (lags) this.#known.set(lags, at + this.#inputBytes + 1);
    else this.#known.fill(0, at + this.#inputBytes + 1, at + this.#rowBytes);
    this.#hear(player);
    this.#extend(player);
  }

  /** An anti-message: the player did not do that after all. */
  withdraw(player: number, step: number): boolean {
    const row = this.#knownRow(player, step);
    if (this.#steps[row] !== step || step < this.#promised[player]!) return false;
    this.#steps[row] = -1;
    this.#through[player] = Math.min(this.#through[player]!, step);
    return true;
  }

  /** The player takes nothing back before this step. */
  promise(player: number, step: number): void {
    const promised = this.#promised[player]!;
    this.#promised[player] = promised === Number.POSITIVE_INFINITY ? step : Math.max(promised, step);
  }

  /** The player does nothing from this step on, whatever came of it. */
  leave(player: number, step: number): void {
    this.#leaves[player] = Math.min(this.#leaves[player]!, step);
    this.#entered[player] = Number.POSITIVE_INFINITY;
    for (let row = player; row < this.#steps.length; row += this.#players)
      if (this.#steps[row]! >= step) this.#steps[row] = -1;
    this.#through[player] = Math.min(this.#through[player]!, step);
  }

  /**
   * The player is back from a step on: until then it stands still. Of several such steps the first holds, in whatever order they become known. False: the
   * player was not gone at that step.
   */
  enter(player: number, step: number, tail: number): boolean {
    const entered = this.#entered[player]!;
    const left = this.#leaves[player]!;
    if (left !== Number.POSITIVE_INFINITY) {
      if (step < left) return false;
      this.#leaves[player] = Number.POSITIVE_INFINITY;
      const input = this.#still.subarray(0, this.#inputBytes);
      for (let at = Math.max(left, tail); at < step; at++) this.put(player, at, input, 0, undefined);
    } else if (step < entered && entered !== Number.POSITIVE_INFINITY)
      for (let at = step; at < entered; at++) this.#steps[this.#knownRow(player, at)] = -1;
    else return false;
    this.#entered[player] = step;
    this.#through[player] = step;
    this.#extend(player);
    return true;
  }

  /** The step from which a player who had been gone is back; Infinity if it never was. */
  enteredAt(player: number): number {
    return this.#entered[player]!;
  }

  leavesAt(player: number): number {
    return this.#leaves[player]!;
  }

  /** A copy of a known row: the input, whom it lets in, and the lags if they are wanted. Undefined if it is not known, or no longer. */
  rowOf(player: number, step: number, hasLags: boolean): Uint8Array | undefined {
    const row = this.#knownRow(player, step);
    if (this.#steps[row] !== step) return undefined;
    const at = row * this.#rowBytes;
    return this.#known.slice(at, at + (hasLags ? this.#rowBytes : this.#inputBytes + 1));
  }

  /** The number above that of the player whom a known row lets in; 0: nobody, or the row is not known. */
  admitsOf(player: number, step: number): number {
    const row = this.#knownRow(player, step);
    return this.#steps[row] === step ? this.#known[row * this.#rowBytes + this.#inputBytes]! : 0;
  }

  /** The row of a player who does nothing. */
  stillRow(hasLags: boolean): Uint8Array {
    return this.#still.slice(0, hasLags ? this.#rowBytes : this.#inputBytes + 1);
  }

  /** Writes down with which rows a step is advanced now: what is known, else a guess. */
  use(step: number): void {
    for (let player = 0; player < this.#players; player++) this.useOf(player, step);
  }

  useOf(player: number, step: number): void {
    const to = this.#row(player, step) * this.#rowBytes;
    const from = this.#sourceOf(player, step);
    if (from < 0) this.#used.set(this.#still, to);
    else for (let at = 0; at < this.#rowBytes; at++) this.#used[to + at] = this.#known[from + at]!;
  }

  /** How the known row of a player differs from the one that its step was advanced with. */
  compare(player: number, step: number): Verdict {
    const row = this.#row(player, step) * this.#rowBytes;
    const from = this.#sourceOf(player, step);
    let verdict: Verdict = Verdict.same;
    for (let at = 0; at < this.#rowBytes; at++) {
      // Whom a row lets in does not change the step.
      if (at === this.#inputBytes) continue;
      const known = from < 0 ? this.#still[at] : this.#known[from + at];
      if (known === this.#used[row + at]) continue;
      if (at < this.#inputBytes) return Verdict.wrong;
      verdict = Verdict.lagOnly;
    }
    return verdict;
  }

  /** The bytes with which a step was advanced: a view, true until the step is advanced again. */
  usedInput(player: number, step: number): Uint8Array {
    return this.#usedViews[this.#row(player, step)]!;
  }

  /** How many steps old the player's knowledge of another was when it acted; 0 without lag vectors. */
  usedLag(player: number, of: number, step: number): number {
    return this.#used[this.#row(player, step) * this.#rowBytes + this.#inputBytes + 1 + of]!;
  }

  /** Where the row stands with which a player's step is advanced; −1: it stands still. */
  #sourceOf(player: number, step: number): number {
    if (step >= this.#leaves[player]!) return -1;
    const row = this.#knownRow(player, step);
    if (this.#steps[row] === step) return row * this.#rowBytes;
    const last = this.#through[player]! - 1;
    if (last < 0 || step <= last || this.#isSilent(player)) return -1;
    return this.#knownRow(player, last) * this.#rowBytes;
  }

  #hear(player: number): void {
    const silent = this.#ticks - this.#heardAt[player]! - 1;
    if (silent < 0) return;
    const usual = this.#usualSilence[player]!;
    this.#usualSilence[player] = Math.min(this.#guess, Math.max(silent, usual + (silent - usual) / USUAL_TIMES));
    this.#heardAt[player] = this.#ticks;
  }

  #isSilent(player: number): boolean {
    return this.#ticks - this.#heardAt[player]! > this.#usualSilence[player]! + this.#guess;
  }

  #extend(player: number): void {
    let step = this.#through[player]!;
    while (this.#steps[this.#knownRow(player, step)] === step) step++;
    this.#through[player] = step;
  }

  #knownRow(player: number, step: number): number {
    return (step % this.#memory) * this.#players + player;
  }

  #row(player: number, step: number): number {
    return (step % this.#kept) * this.#players + player;
  }
}
