/**
 * What was sent to whom and why, in the last rounds, from when somebody began to watch. "Why?" finds the cause of a send here, also for pairs that nobody
 * asked about before.
 *
 * It is a ring that rounds are appended to, since that is cheap in every round, and questions are rare. A pair is looked up by the round of its last send,
 * which the model knows. Five bytes a send, at most two million sends: some minutes of a room of 50.
 */

import type { Decisions } from "@nearfield/core/internal";

const FIRST_CELLS = 2 ** 14;
const MOST_CELLS = 2 ** 21;
/** Rounds that can be looked up: nine minutes at 30 a second. */
const MOST_ROUNDS = 2 ** 14;
/** Before the sends to a view stand its number and how many there are. */
const HEAD = 2;

export class LastSends {
  /** The ring. Cell `n` is at `n` modulo its length. */
  #ids: Uint32Array = new Uint32Array(FIRST_CELLS);
  #causes: Uint8Array = new Uint8Array(FIRST_CELLS);
  /** The next cell. */
  #end = 0;
  /** The round that is being noted. */
  #round = -1;
  /** By round modulo `MOST_ROUNDS`: the round, and the cells from its first to before its last. */
  readonly #rounds: Int32Array = new Int32Array(MOST_ROUNDS).fill(-1);
  readonly #begins: Float64Array = new Float64Array(MOST_ROUNDS);
  readonly #ends: Float64Array = new Float64Array(MOST_ROUNDS);

  /** Begins a round; its sends follow. */
  #begin(round: number): void {
    const at = round % MOST_ROUNDS;
    this.#round = round;
    this.#rounds[at] = round;
    this.#begins[at] = this.#end;
  }

  /**
   * Notes what was decided for a view.
   *
   * @param isSent whether the decision at this index was carried out; `undefined`: all were
   */
  note(view: number, decisions: Decisions, round: number, isSent: ((index: number) => boolean) | undefined): void {
    const { count, ids, causes } = decisions;
    if (round !== this.#round) this.#begin(round);
    if (count + HEAD > MOST_CELLS) return;
    this.#reserve(count + HEAD);
    const [sentIds, sentCauses] = [this.#ids, this.#causes];
    const mask = sentIds.length - 1;
    const head = this.#end;
    let end = head + HEAD;
    for (let i = 0; i < count; i++) {
      if (isSent !== undefined && !isSent(i)) continue;
      sentIds[end & mask] = ids[i]!;
      sentCauses[end & mask] = causes[i]!;
      end += 1;
    }
    sentIds[head & mask] = view;
    sentIds[(head + 1) & mask] = end - head - HEAD;
    this.#end = end;
    this.#ends[round % MOST_ROUNDS] = end;
  }

  /** The cause of the send made in `round`; −1 if nobody watched then, or if that is too long ago. */
  causeOf(view: number, id: number, round: number): number {
    const at = round % MOST_ROUNDS;
    const mask = this.#ids.length - 1;
    let cell = this.#begins[at]!;
    if (this.#rounds[at] !== round || this.#end - cell > this.#ids.length) return -1;
    while (cell < this.#ends[at]!) {
      const isView = this.#ids[cell & mask] === view;
      const next = cell + HEAD + this.#ids[(cell + 1) & mask]!;
      for (cell += HEAD; isView && cell < next; cell++)
        if (this.#ids[cell & mask] === id) return this.#causes[cell & mask]!;
      cell = next;
    }
    return -1;
  }

  /** Makes room for more cells; once the ring is at its largest, the oldest are overwritten. */
  #reserve(more: number): void {
    let { length } = this.#ids;
    if (this.#end + more <= length || length === MOST_CELLS) return;
    while (this.#end + more > length && length < MOST_CELLS) length *= 2;
    const [ids, causes] = [new Uint32Array(length), new Uint8Array(length)];
    // The ring has not been overwritten yet, or it would be at its largest: every cell keeps its place.
    ids.set(this.#ids);
    causes.set(this.#causes);
    this.#ids = ids;
    this.#causes = causes;
  }
}
