/**
 * Round and cause of the last send of every pair, from when somebody began to watch. "Why?" shows them for pairs that nobody asked about
 * before. Five bytes a pair, for at most two million pairs; views beyond that are left out.
 */

import type { Decisions } from "@nearfield/core/internal";
import { MAX_SLOTS } from "@nearfield/schema/internal";

const MOST_PAIRS = 2_000_000;
const SLOT_MASK: number = MAX_SLOTS - 1;

interface Sends {
  session: number;
  rounds: Uint32Array;
  causes: Uint8Array;
}

export class LastSends {
  readonly #views: (Sends | undefined)[] = [];
  #pairs = 0;

  /**
   * Notes what was decided for a view.
   *
   * @param slots number of slots of the world
   * @param isSent whether the decision at this index was carried out; `undefined`: all were
   */
  note(
    view: number,
    session: number,
    decisions: Decisions,
    round: number,
    slots: number,
    isSent?: (index: number) => boolean,
  ): void {
    const { count, ids, causes } = decisions;
    if (count === 0) return;
    const sends = this.#of(view, session, slots);
    if (sends === undefined) return;
    for (let i = 0; i < count; i++) {
      if (isSent?.(i) === false) continue;
      const slot = ids[i]! & SLOT_MASK;
      sends.rounds[slot] = round;
      sends.causes[slot] = causes[i]!;
    }
  }

  /** The cause of the send made in `round`; −1 if nobody watched then. */
  causeOf(view: number, slot: number, round: number): number {
    const sends = this.#views[view];
    return sends !== undefined && sends.rounds[slot] === round ? sends.causes[slot]! : -1;
  }

  /** The sends of a view. Another session may have taken over the view's number; then it has no sends yet. */
  #of(view: number, session: number, slots: number): Sends | undefined {
    let sends = this.#views[view];
    if (sends !== undefined && sends.session === session && sends.rounds.length >= slots) return sends;
    const length = Math.max(64, slots, Math.min(2 * (sends?.rounds.length ?? 0), slots + 1024));
    const more = length - (sends?.rounds.length ?? 0);
    if (this.#pairs + more > MOST_PAIRS) return undefined;
    this.#pairs += more;
    const fresh: Sends = { session, rounds: new Uint32Array(length), causes: new Uint8Array(length) };
    if (sends?.session === session) {
      fresh.rounds.set(sends.rounds);
      fresh.causes.set(sends.causes);
    }
    sends = fresh;
    this.#views[view] = sends;
    return sends;
  }
}
