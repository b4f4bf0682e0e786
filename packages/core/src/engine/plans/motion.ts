/**
 * Speed caps: how far a thing is assumed to move in one round at most. Plans rely on the cap: a pair is not looked at before its value bound can be reached.
 * A thing that moves farther breaks its cap (`exceedsAt`), and all plans made with that cap must be made anew. Caps are powers of √2, so a
 * thing with an uneven speed seldom breaks one. A cap rises at once. It sinks only after a while, which is safe: plans made with the higher
 * cap merely come early.
 *
 * Moves and caps stand in columns. V8 allocates an object for a number with a fraction that is passed to or returned from a call, unless it inlines the
 * call, and which calls it inlines differs between releases and processes.
 */

import { grown, roomFor } from "@nearfield/schema/internal";
import { REMEMBERED } from "../memory/layout.ts";

/** Numbers per thing, side by side: the cap, the most that was seen since when, and the least cap that is not below that. */
const RECORD = 4;
const [CAP, SEEN, SINCE, ABOVE] = [0, 1, 2, 3];

export class SpeedCaps {
  #records: Float64Array = new Float64Array(64 * RECORD);

  start(index: number, round: number): void {
    const room = this.#records.length / RECORD;
    if (index >= room) this.#records = grown(this.#records, roomFor(index + 1, room), RECORD);
    this.#records[index * RECORD + CAP] = 0;
    this.#records[index * RECORD + SEEN] = 0;
    this.#records[index * RECORD + SINCE] = round;
  }

  /** Writes the cap into a column. */
  copyTo(column: Float64Array, at: number, index: number): void {
    column[at] = this.#records[index * RECORD + CAP]!;
  }

  /** Writes the cap into a column, rounded up, since that keeps fewer digits. */
  writeTo(column: Float32Array, at: number, index: number): void {
    column[at] = this.#records[index * RECORD + CAP]! * (1 + 1e-6);
  }

  /** Takes note of a move, which stands in a column; true if it broke the cap, which is raised then. */
  exceedsAt(index: number, steps: Float64Array, stepAt: number, round: number): boolean {
    const records = this.#records;
    const at = index * RECORD;
    const step = steps[stepAt]!;
    if (step > records[at + SEEN]!) records[at + SEEN] = step;
    const exceeded = step > records[at + CAP]!;
    if (exceeded) {
      // No step that was seen before is longer: the cap lies above all of them.
      noteAbove(records, at);
      records[at + CAP] = records[at + ABOVE]!;
    } else if (round - records[at + SINCE]! >= REMEMBERED) {
      noteAbove(records, at);
      records[at + CAP] = Math.min(records[at + CAP]!, records[at + ABOVE]!);
      records[at + SEEN] = 0;
      records[at + SINCE] = round;
    }
    return exceeded;
  }
}

/** The least cap that is not below what was seen; `Infinity` stays. */
function noteAbove(records: Float64Array, at: number): void {
  const seen = records[at + SEEN]!;
  records[at + ABOVE] = seen;
  if (seen === 0 || seen === Number.POSITIVE_INFINITY) return;
  const halves = Math.ceil(2 * Math.log2(seen));
  const cap = 2 ** (halves / 2);
  records[at + ABOVE] = cap < seen ? 2 ** ((halves + 1) / 2) : cap;
}
