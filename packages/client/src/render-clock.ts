/**
 * Which moment of the server's time a frame shows, as long as the game brings no better clock: the newest that a frame from the server
 * told of, plus the time since. The frame that came fastest counts, so the clock is behind the server's by the least latency (N
 * §2.7.3), and it never goes back.
 */

/** The clock gives way so much, in ms per ms, lest one lucky frame, or a drift of the clocks, count for good. */
const GIVES_WAY = 0.0005;

export class RenderClock {
  /** Server time minus own time; NaN before the first frame. */
  #offsetMs = Number.NaN;
  #heardAtMs = 0;

  /** A frame of that server time arrived. */
  heard(serverMs: number, nowMs: number): void {
    const offsetMs = this.#offsetAt(nowMs);
    const heardMs = serverMs - nowMs;
    this.#offsetMs = Number.isNaN(offsetMs) ? heardMs : Math.max(offsetMs, heardMs);
    this.#heardAtMs = nowMs;
  }

  /** The moment to show now; NaN before the first frame. */
  at(nowMs: number): number {
    return nowMs + this.#offsetAt(nowMs);
  }

  #offsetAt(nowMs: number): number {
    return this.#offsetMs - GIVES_WAY * (nowMs - this.#heardAtMs);
  }
}
