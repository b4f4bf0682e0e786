/**
 * How many disputes a server hears at once, and how much of them in one round. A trial holds the logs of all who are asked, up to 2 MB each, and replays the fight: both cost the players who have no
 * quarrel. So trials take places, first come, first served; and all trials together replay one piece of a fight in a round, 128 steps, in turns.
 *
 * Nobody is turned away. Who finds no place keeps its claims, and asks in every round; goods come later then. More than `MOST_WAITING` disputes do not wait in line: they take places when the line is shorter.
 */

const MOST_WAITING = 256;

export class Court {
  readonly #most: number;
  readonly #heard = new Set<object>();
  /** In the order in which they asked first. */
  readonly #waiting = new Set<object>();
  /** Trials that have done their piece of this round. */
  readonly #paused: (() => void)[] = [];

  /** @param most trials at once. */
  constructor(most: number) {
    this.#most = most;
  }

  /** Trials that have a place. */
  get heard(): number {
    return this.#heard.size;
  }

  /** Asks for a place, until it has one. */
  admit(party: object): boolean {
    if (this.#heard.has(party)) return true;
    if (this.#waiting.size < MOST_WAITING) this.#waiting.add(party);
    if (this.#heard.size >= this.#most || this.#waiting.values().next().value !== party) return false;
    this.#waiting.delete(party);
    this.#heard.add(party);
    return true;
  }

  /** Gives the place back, or the wish for one. */
  leave(party: object): void {
    this.#heard.delete(party);
    this.#waiting.delete(party);
  }

  /** Between two pieces of a replay: resolves when it is this trial's turn again, in a later round. */
  pause(): Promise<void> {
    return new Promise((resolve) => this.#paused.push(resolve));
  }

  /** One trial goes on. */
  round(): void {
    this.#paused.shift()?.();
  }
}
