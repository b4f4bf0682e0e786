/**
 * Spheres of influence (H6): for every step a circle around each player that holds all it can touch in that step. A player whose circle met no other
 * since a step can be corrected alone, in any order with what the others did.
 */

/** Numbers for one player: x, y, radius. */
export const SPHERE_SIZE = 3;

export class Spheres {
  readonly #players: number;
  readonly #window: number;
  readonly #drift: number;
  readonly #rows: Float64Array[];
  readonly #steps: Float64Array;

  constructor(players: number, window: number, drift: number) {
    this.#players = players;
    this.#window = window;
    this.#drift = drift;
    this.#rows = Array.from({ length: window }, () => new Float64Array(players * SPHERE_SIZE));
    this.#steps = new Float64Array(window).fill(-1);
  }

  /** The circles of a state, for the game to fill: x, y and radius of player p begin at `p * SPHERE_SIZE`. */
  of(state: number): Float64Array {
    this.#steps[state % this.#window] = state;
    return this.#rows[state % this.#window]!;
  }

  /**
   * Whether a player can have met nobody in the states from one to another. Where players are believed to be and where they are grow apart with each
   * step, so the circles grow too. Circles that the game has not told meet everybody.
   */
  isAlone(player: number, from: number, to: number): boolean {
    if (this.#drift === Number.POSITIVE_INFINITY) return false;
    for (let state = from; state <= to; state++) {
      if (this.#steps[state % this.#window] !== state) return false;
      const growth = 2 * this.#drift * (state - from + 1);
      if (this.#meets(this.#rows[state % this.#window]!, player, growth)) return false;
    }
    return true;
  }

  #meets(row: Float64Array, player: number, growth: number): boolean {
    const own = player * SPHERE_SIZE;
    for (let other = 0; other < this.#players; other++) {
      if (other === player) continue;
      const at = other * SPHERE_SIZE;
      const reach = row[own + 2]! + row[at + 2]! + growth;
      const dx = row[own]! - row[at]!;
      const dy = row[own + 1]! - row[at + 1]!;
      if (!(dx * dx + dy * dy > reach * reach)) return true;
    }
    return false;
  }
}
