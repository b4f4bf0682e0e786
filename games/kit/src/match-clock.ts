/** The clock of matches: play, then the scores, then the next match. Pure: the caller tells it the time. */

export const MATCH_PHASES = ["play", "over"] as const;
export type MatchPhase = (typeof MATCH_PHASES)[number];

/** Matches are counted in 16 bits. */
const MOST_MATCHES = 0xffff;

export class MatchClock {
  readonly #matchMs: number;
  readonly #overMs: number;
  match = 1;
  phase: MatchPhase = "play";
  endsMs: number;

  constructor(nowMs: number, matchMs: number, overMs: number) {
    this.#matchMs = matchMs;
    this.#overMs = overMs;
    this.endsMs = nowMs + matchMs;
  }

  /** Tells what begins now, if something does. `decided`: somebody has won before the time is up. */
  advance(nowMs: number, decided: boolean): MatchPhase | undefined {
    if (this.phase === "play" && (decided || nowMs >= this.endsMs)) {
      this.phase = "over";
      this.endsMs = nowMs + this.#overMs;
      return "over";
    }
    if (this.phase === "over" && nowMs >= this.endsMs) {
      this.phase = "play";
      this.endsMs = nowMs + this.#matchMs;
      this.match = (this.match % MOST_MATCHES) + 1;
      return "play";
    }
    return undefined;
  }
}
