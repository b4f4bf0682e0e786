/** The phases of matches: waiting for people, play, the result, and again. Pure: the caller tells the time and how the match stands. */

import { OVER_MS, type Phase, PLAY_MS, WAIT_MS } from "../state.ts";

export interface PhaseTimes {
  /** Ms for which people are waited for, a match lasts at most, and its result stands. Defaults 60,000, 2,700,000 and 30,000. */
  readonly waitMs?: number;
  readonly playMs?: number;
  readonly overMs?: number;
}

export interface Standing {
  /** Whether anybody plays who is no bot. */
  readonly hasPeople: boolean;
  /** Whether all people want the next phase. */
  readonly allWilling: boolean;
  readonly isDecided: boolean;
}

export class PhaseClock {
  readonly #lengths: Readonly<Record<Phase, number>>;
  phase: Phase = "waiting";
  endsMs: number;

  constructor(nowMs: number, { waitMs = WAIT_MS, playMs = PLAY_MS, overMs = OVER_MS }: PhaseTimes) {
    this.#lengths = { waiting: waitMs, play: playMs, over: overMs };
    this.endsMs = nowMs + waitMs;
  }

  begin(phase: Phase, nowMs: number): void {
    this.phase = phase;
    this.endsMs = nowMs + this.#lengths[phase];
  }

  /** Begins the next phase if its time has come, and tells which. Bots wait for nobody. */
  advance(nowMs: number, { hasPeople, allWilling, isDecided }: Standing): Phase | undefined {
    const isTime = nowMs >= this.endsMs;
    switch (this.phase) {
      case "waiting":
        if (!isTime && hasPeople && !allWilling) return undefined;
        this.begin("play", nowMs);
        break;
      case "play":
        if (!isTime && !isDecided) return undefined;
        this.begin("over", nowMs);
        break;
      case "over":
        if (!isTime && !(hasPeople && allWilling)) return undefined;
        this.begin("waiting", nowMs);
        break;
    }
    return this.phase;
  }
}
