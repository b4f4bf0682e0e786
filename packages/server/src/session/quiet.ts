/**
 * Decides whether a client to which nothing is due is sent a packet all the same. Three reasons: something that the client waits for is to
 * be confirmed, and has waited for half a second; the client shows that it has missed a confirmation; or nothing was sent for a heartbeat,
 * and the client must see that the link lives. New pivots are confirmed as soon as they stay the same for a round: a client repeats its last
 * pivots until then, and repeats none while it moves on.
 */

/** How long a confirmation waits for a packet that leaves anyway, ms. */
const CONFIRM_MS = 500;

/** What a packet confirms: numbers of the client's last reliable message, pivots and stepped command that the round includes. */
export interface Confirmed {
  readonly heard: number;
  readonly pivots: number;
  readonly commands?: number;
}

export class Quiet {
  readonly #heartbeatMs: number;
  #sentMs = Number.NEGATIVE_INFINITY;
  /** What the last packet confirmed, and since when there is more to confirm; −1: there is not. */
  #heard = 0;
  #pivots = 0;
  #commands = -1;
  #unsaidMs = -1;
  /** The pivots of the round before. */
  #lastPivots = 0;
  #isHurried = true;

  constructor(heartbeatMs: number) {
    this.#heartbeatMs = heartbeatMs;
  }

  /** The client needs a packet now: it asks again for what was confirmed before, or its link is new. */
  hurry(): void {
    this.#isHurried = true;
  }

  /** Whether a packet leaves in this round although nothing is due. Call it once in each round. */
  isOver({ heard, pivots, commands = -1 }: Confirmed, nowMs: number): boolean {
    const isSaid = heard === this.#heard && pivots === this.#pivots && commands === this.#commands;
    if (isSaid) this.#unsaidMs = -1;
    else if (this.#unsaidMs < 0) this.#unsaidMs = nowMs;
    const isPivotsTime = pivots !== this.#pivots && pivots === this.#lastPivots;
    this.#lastPivots = pivots;
    if (this.#isHurried || isPivotsTime || nowMs - this.#sentMs >= this.#heartbeatMs) return true;
    return !isSaid && nowMs - this.#unsaidMs >= CONFIRM_MS;
  }

  /** A packet has left that confirms this. */
  left({ heard, pivots, commands = -1 }: Confirmed, nowMs: number): void {
    this.#sentMs = nowMs;
    this.#heard = heard;
    this.#pivots = pivots;
    this.#commands = commands;
    this.#unsaidMs = -1;
    this.#isHurried = false;
  }
}
