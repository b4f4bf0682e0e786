/**
 * The network between two players as the paper simulates it (N §3.2.5): every update is lost or delayed on its own. The delay is that of
 * the whole way from player to player: at least one round trip of N tab. 2.2, and up to the jitter's share more. Bandwidth is measured
 * but not limited. Losses and delays depend on the seed and on the number of updates before.
 */

import { Dice, networkPresets } from "@nearfield/netlab";
import type { NetworkName } from "@nearfield/netlab/internal";

export class Way {
  readonly #lossDice: Dice;
  readonly #delayDice: Dice;
  readonly #leastMs: number;
  readonly #spreadMs: number;
  readonly #loss: number;

  constructor(network: NetworkName, seed: string) {
    const dice = new Dice(`${network}/${seed}`);
    const { rttMs, down } = networkPresets[network];
    this.#lossDice = dice.fork("loss");
    this.#delayDice = dice.fork("delay");
    this.#leastMs = rttMs;
    this.#spreadMs = rttMs * down.jitterShare;
    this.#loss = down.loss ?? 0;
  }

  /** When what is sent now arrives; `Infinity`: never. */
  arrivalMs(nowMs: number): number {
    const isLost = this.#lossDice.chance(this.#loss);
    const delayMs = this.#leastMs + this.#delayDice.next() * this.#spreadMs;
    return isLost ? Number.POSITIVE_INFINITY : nowMs + delayMs;
  }
}
