/** What this player did in a match, as the page saw it: for the result. */

export class Statistics {
  unitsMade = 0;
  unitsLost = 0;
  buildingsMade = 0;
  buildingsLost = 0;
  /** Enemy pieces that were seen to fall. */
  kills = 0;
  oreEarned = 0;
  #ore: number | undefined;
  #begunMs = 0;

  begin(nowMs: number): void {
    this.unitsMade = this.unitsLost = 0;
    this.buildingsMade = this.buildingsLost = 0;
    this.kills = this.oreEarned = 0;
    this.#ore = undefined;
    this.#begunMs = nowMs;
  }

  /** What comes in counts; what is spent does not. */
  watchOre(ore: number): void {
    if (this.#ore !== undefined && ore > this.#ore) this.oreEarned += ore - this.#ore;
    this.#ore = ore;
  }

  /** `m:ss` since the match began, or since this player came. */
  duration(nowMs: number): string {
    return clockWords(nowMs - this.#begunMs);
  }
}

export function clockWords(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
