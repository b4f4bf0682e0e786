/**
 * Spheres of influence (H6): for every state a circle around each player that holds all it touches on the way to the next one. A player whose circle met no
 * other since a step can be corrected alone, in any order with what the others did.
 */

/** Numbers for one player: x, y, radius. */
export const SPHERE_SIZE = 3;

export class Spheres {
  readonly #players: number;
  readonly #kept: number;
  readonly #rows: Float64Array[];
  readonly #states: Float64Array;

  constructor(players: number, kept: number) {
    this.#players = players;
    this.#kept = kept;
    this.#rows = Array.from({ length: kept }, () => new Float64Array(players * SPHERE_SIZE));
    this.#states = new Float64Array(kept).fill(-1);
  }

  /** The circles of a state, to be filled: x, y and radius of player p begin at `p * SPHERE_SIZE`. */
  of(state: number): Float64Array {
    this.#states[state % this.#kept] = state;
    return this.#rows[state % this.#kept]!;
  }

  /** Takes over the circle of one player in a state. */
  put(state: number, player: number, from: Float64Array): void {
    const row = this.#rows[state % this.#kept]!;
    for (let at = player * SPHERE_SIZE; at < (player + 1) * SPHERE_SIZE; at++) row[at] = from[at]!;
  }

  /** The first state of some in which a player may have met another; Infinity: it met nobody. Where no circles were told, everybody meets. */
  firstMeeting(player: number, from: number, to: number): number {
    for (let state = from; state <= to; state++) {
      const isTold = this.#states[state % this.#kept] === state;
      if (!isTold || this.#meets(this.#rows[state % this.#kept]!, player)) return state;
    }
    return Number.POSITIVE_INFINITY;
  }

  #meets(row: Float64Array, player: number): boolean {
    const own = player * SPHERE_SIZE;
    for (let other = 0; other < this.#players; other++) {
      if (other === player) continue;
      const at = other * SPHERE_SIZE;
      const reach = row[own + 2]! + row[at + 2]!;
      const dx = row[own]! - row[at]!;
      const dy = row[own + 1]! - row[at + 1]!;
      if (!(dx * dx + dy * dy > reach * reach)) return true;
    }
    return false;
  }
}
