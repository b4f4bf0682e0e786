/**
 * Proves that a fight is deterministic, or names the first value that is not: every step is advanced twice from the same saved state, and again after some
 * steps from a state that lies further back, on one instance of the fight and on a second.
 */

import type { Columns, Difference } from "../state/columns.ts";
import { EVERYBODY } from "../timeline/requests.ts";
import type { Fight, StepInputs } from "./replica.ts";

export interface SyncTestOptions {
  /** Makes the fight in its first state; called twice. */
  readonly fight: () => Fight;
  /** What a player does in a step. */
  readonly input: (player: number, step: number) => Uint8Array;
  readonly steps: number;
  /** How many steps lie between a state and its check. */
  readonly depth?: number;
}

/** Why a fight is not deterministic. */
export interface SyncFault {
  readonly step: number;
  readonly why: "again" | "other-instance" | "not-a-number";
  readonly difference: Difference;
}

export function syncTest({ fight, input, steps, depth = 8 }: SyncTestOptions): SyncFault | undefined {
  const one = fight();
  const other = fight();
  const ring = Array.from({ length: depth + 1 }, () => new Uint8Array(one.state.byteLength));
  const now = new Uint8Array(one.state.byteLength);
  const inputs = new Inputs(input);
  one.state.save(ring[0]!);
  for (let step = 0; step < steps; step++) {
    for (const each of [one, other]) each.advance(step, inputs.at(step), EVERYBODY);
    const nan = one.state.firstNaN();
    if (nan) return { step, why: "not-a-number", difference: { ...nan, values: [Number.NaN, Number.NaN] } };
    const fault = differ(one.state, other.state, now, ring[(step + 1) % ring.length]!);
    if (fault) return { step, why: "other-instance", difference: fault };
    const from = Math.max(0, step + 1 - depth);
    one.state.load(ring[from % ring.length]!);
    for (let again = from; again <= step; again++) one.advance(again, inputs.at(again), EVERYBODY);
    const late = differ(one.state, other.state, now, ring[(step + 1) % ring.length]!);
    if (late) return { step, why: "again", difference: late };
  }
  return undefined;
}

/** Saves both states, and tells where they differ. */
function differ(one: Columns, other: Columns, a: Uint8Array, b: Uint8Array): Difference | undefined {
  one.save(a);
  other.save(b);
  return one.difference(a, b);
}

class Inputs implements StepInputs {
  readonly #input: (player: number, step: number) => Uint8Array;
  #step = 0;

  constructor(input: (player: number, step: number) => Uint8Array) {
    this.#input = input;
  }

  at(step: number): this {
    this.#step = step;
    return this;
  }

  of(player: number): Uint8Array {
    return this.#input(player, this.#step);
  }

  lag(): number {
    return 0;
  }
}
