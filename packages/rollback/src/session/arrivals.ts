/**
 * How many of a peer's messages are lost on their way here. A peer sends one message in every step, and the newest step in it is its number, so gaps can be seen without numbering anything. Each
 * peer tells the other what it found; who signs repeats its seals accordingly (`copiesFor`).
 */

/** Messages that may still overtake each other: a number is missed only when the newest is so many steps ahead. 31 fit one integer. */
const OVERTAKING = 20;
/** The share of losses follows about so many messages. */
const MEMORY = 64;
/** Until more is known, one of so many is taken for lost. */
const FIRST_GUESS = 32;
/** Less than one of so many is told as none. */
const FEWEST = 400;
/** What is told is counted in parts of this. */
const PARTS = 32;
/** The largest number of parts that is told; 4 bits. */
export const MOST_LOST = 15;

/** By parts lost: so many copies, after each other, that all are lost once in a thousand times at most. */
const COPIES = [1, 2, 3, 3, 4, 4, 5, 5, 5, 6, 6, 7, 8, 8, 8, 8] as const;

/** In how many messages one after the other a seal goes to a peer that loses so much. */
export function copiesFor(lost: number): number {
  return COPIES[lost] ?? 1;
}

export class Arrivals {
  #newest = -1;
  /** Bit n: the message n steps before the newest has come. Those before the first did. */
  #come = -1;
  #share: number = 1 / FIRST_GUESS;

  /** A message came whose newest step is this. */
  note(step: number): void {
    const behind = this.#newest - step;
    if (behind >= 0) {
      if (behind <= OVERTAKING) this.#come |= 1 << behind;
      return;
    }
    // After a long pause of the peer nothing is known of what it would have sent.
    const passed = this.#newest < 0 ? 0 : Math.min(-behind, OVERTAKING + 1);
    for (let at = 0; at < passed; at++) {
      const isLost = ((this.#come >>> OVERTAKING) & 1) === 0;
      this.#share += ((isLost ? 1 : 0) - this.#share) / MEMORY;
      this.#come <<= 1;
    }
    this.#come |= 1;
    this.#newest = step;
  }

  /** How much is lost, in parts of 32, 15 at most. */
  get lost(): number {
    return this.#share < 1 / FEWEST ? 0 : Math.min(MOST_LOST, Math.ceil(this.#share * PARTS));
  }
}
