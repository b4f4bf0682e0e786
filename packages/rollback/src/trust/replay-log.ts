/** Replays signed inputs with a fight's rules: no timeline, no peers. This is how a server settles what others cannot agree upon. */

import type { Fight, StepInputs } from "../fight/replica.ts";
import type { MessageForm } from "../session/peer-message.ts";
import { EVERYBODY } from "../timeline/requests.ts";
import { SEAL_STEPS, stateDigest } from "./seal.ts";

/** The fight as the server knows it. */
export interface FightRules {
  /** Makes the fight in its first state. */
  readonly fight: () => Fight;
  /** What a state is worth: the goods that the players take home, as bytes that only the game reads. `state` is the state's number. */
  readonly result: (fight: Fight, state: number) => Uint8Array;
}

/** A final state, by its number, and what it is worth. */
export interface Outcome {
  readonly state: number;
  readonly digest: Uint8Array;
  readonly result: Uint8Array;
}

/** A player's rows from step 0 on; after the last one it stands still. */
export type PlayerRows = readonly Uint8Array[];

export interface ReplayOptions {
  readonly sealSteps?: number;
  /** The input of a player who does nothing; zeros if it is not given. */
  readonly still?: Uint8Array;
}

/** The outcomes at every checkpoint up to a step. */
export function replayLog(
  rules: FightRules,
  form: MessageForm,
  players: readonly PlayerRows[],
  steps: number,
  options: ReplayOptions = {},
): Outcome[] {
  return [...outcomesOf(rules, form, players, steps, options)];
}

/** The same, one checkpoint at a time: whoever has something else to do stops in between. */
export function* outcomesOf(
  { fight: make, result }: FightRules,
  { inputBytes, hasLags }: MessageForm,
  players: readonly PlayerRows[],
  steps: number,
  { sealSteps = SEAL_STEPS, still = new Uint8Array(inputBytes) }: ReplayOptions,
): IterableIterator<Outcome> {
  const fight = make();
  const saved = new Uint8Array(fight.state.byteLength);
  let step = 0;
  const inputs: StepInputs = {
    of: (player) => players[player]![step]?.subarray(0, inputBytes) ?? still,
    lag: (player, of) => (hasLags ? (players[player]![step]?.[inputBytes + 1 + of] ?? 0) : 0),
  };
  for (; step < steps; ) {
    fight.advance(step, inputs, EVERYBODY);
    step++;
    if (step % sealSteps !== 0) continue;
    fight.state.save(saved);
    yield { state: step, digest: stateDigest(saved), result: result(fight, step) };
  }
}
