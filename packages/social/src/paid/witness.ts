/**
 * Reads final states of a paid fight as they come, on any machine that has them: notices at which checkpoint the goods of somebody are decided, and keeps the newest checkpoint for
 * whoever asks for proof. Honest machines notice the same at the same state.
 */

import { SEAL_STEPS } from "@nearfield/rollback/internal";
import type { Fight } from "@nearfield/rollback/session";
import { type Outcome, stateDigest } from "@nearfield/rollback/trust";
import { type PaidForm, type PaidRules, worthOf } from "./rules.ts";

/** A final state in which more is decided than before. */
export interface Claim extends Outcome {
  /** The slots that are decided since, a bit each. */
  readonly slots: number;
}

export class Witness {
  readonly #rules: PaidRules;
  readonly #slots: number;
  readonly #onClaim: (claim: Claim) => void;
  /** For reading: no step is taken on it. */
  readonly #fight: Fight;
  readonly #saved: Uint8Array;
  /** The newest checkpoint; 0: none. */
  #state = 0;
  #last = 0;
  #decided = 0;
  /** Whether states are missing: what was decided meanwhile is not news of this machine's. */
  #isBehind = false;

  constructor(rules: PaidRules, form: PaidForm, onClaim: (claim: Claim) => void) {
    this.#rules = rules;
    this.#slots = form.slots;
    this.#onClaim = onClaim;
    this.#fight = rules.fight(form);
    this.#saved = new Uint8Array(this.#fight.state.byteLength);
  }

  /** The newest checkpoint and what it is worth; undefined before the first. */
  get outcome(): Outcome | undefined {
    return this.#state === 0 ? undefined : this.#outcome();
  }

  /** Every final state, in order. */
  settled(state: number, saved: Uint8Array): void {
    this.#isBehind ||= state !== this.#last + 1;
    this.#last = state;
    if (state % SEAL_STEPS !== 0) return;
    this.#saved.set(saved);
    this.#state = state;
    this.#fight.state.load(saved);
    const slots = this.#newlyDecided();
    this.#decided |= slots;
    if (slots !== 0 && !this.#isBehind) this.#onClaim({ ...this.#outcome(), slots: slots >>> 0 });
    this.#isBehind = false;
  }

  #newlyDecided(): number {
    let slots = 0;
    for (let slot = 0; slot < this.#slots; slot++)
      if (((this.#decided >>> slot) & 1) === 0 && this.#rules.earned(this.#fight, slot, this.#state) !== undefined)
        slots |= 1 << slot;
    return slots;
  }

  #outcome(): Outcome {
    const result = worthOf(this.#rules, this.#fight, this.#slots, this.#state);
    return { state: this.#state, digest: stateDigest(this.#saved), result };
  }
}
