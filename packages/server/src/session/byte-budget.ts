/**
 * How many bytes one client may be sent in the round at hand: the least of what its budget grants and what its link can take. Knows
 * rounds and bytes, no clock. What is over in one round is owed in the next, so that over time the budget holds whatever a frame costs.
 *
 * The budget is a token bucket with a small burst. The link is asked in every round what still waits in it. Once that is more than a
 * packet or two, what left it since is what it can take, and no more is granted than keeps it busy for the next round; while it is empty
 * it is tried with a little more, round by round.
 * Why so: docs/decisions/0007-bytes-by-urgency.md.
 */

/** Rounds whose grant may be saved up. */
const BURST_ROUNDS = 4;
/** Rounds whose grant zone 0 may take in advance, since it has rounds with more than its share; what never waits may take as many again. */
const ADVANCE_ROUNDS = 8;
/** Less than this may wait in a link that keeps up: a reliable message that is sent again. */
const BUSY_BYTES = 2048;
/** What a busy link is given for a round, in rounds of what it takes: a little more than one, so that it never idles. */
const LINK_FILL = 1.25;
/** Share of a new measurement of what a link takes. */
const LINK_SHARE = 1 / 4;
/** By so much more a link is tried with in each round in which it kept up. */
const LINK_TRIAL = 1.05;
/** A link that takes so much per round is not limited any more. */
const WIDE_BYTES = 1024 * 1024;
/** The least a link is tried with, so that one that stood still is tried again. */
const LEAST_LINK_BYTES = 64;

export class ByteBudget {
  readonly #roundsPerSecond: number;
  #bytesPerSecond = Number.POSITIVE_INFINITY;
  /** Bytes that may be sent now; below 0 when owed. */
  #tokens = 0;
  #charged = 0;
  /** The link: what it takes per round, what waited in it and what had been sent when it was last asked. */
  #linkBytes = Number.POSITIVE_INFINITY;
  #backlog = 0;
  #asked = 0;

  constructor(roundMs: number) {
    this.#roundsPerSecond = 1000 / roundMs;
  }

  get bytesPerSecond(): number {
    return this.#bytesPerSecond;
  }

  set bytesPerSecond(bytesPerSecond: number) {
    if (!this.#isLimited) this.#tokens = 0;
    this.#bytesPerSecond = bytesPerSecond;
  }

  /** Whether anything limits what this client is sent. */
  get isTight(): boolean {
    return this.#isLimited || this.#linkBytes !== Number.POSITIVE_INFINITY;
  }

  /** What the link was found to take, in bytes per second; `Infinity` while it keeps up. */
  get linkBytesPerSecond(): number {
    return this.#linkBytes * this.#roundsPerSecond;
  }

  /** There is a new link, of which nothing is known. `sentBytes`: all that was ever sent to this client. */
  relink(sentBytes: number): void {
    this.#linkBytes = Number.POSITIVE_INFINITY;
    this.#backlog = 0;
    this.#asked = sentBytes;
  }

  /** Asks the link, at the start of a round, before anything is sent in it. */
  askLink(backlogBytes: number, sentBytes: number): void {
    const taken = Math.max(0, this.#backlog + sentBytes - this.#asked - backlogBytes);
    this.#backlog = backlogBytes;
    this.#asked = sentBytes;
    if (this.#linkBytes === Number.POSITIVE_INFINITY) {
      if (backlogBytes > BUSY_BYTES) this.#linkBytes = Math.max(LEAST_LINK_BYTES, taken);
    } else if (backlogBytes > 0) {
      this.#linkBytes = Math.max(LEAST_LINK_BYTES, this.#linkBytes + (taken - this.#linkBytes) * LINK_SHARE);
    } else {
      this.#linkBytes *= LINK_TRIAL;
      if (this.#linkBytes > WIDE_BYTES) this.#linkBytes = Number.POSITIVE_INFINITY;
    }
  }

  /** A round's share is added, and what was sent since the last time is paid for. Once a round. */
  pay(sentBytes: number): void {
    const spent = sentBytes - this.#charged;
    this.#charged = sentBytes;
    if (!this.#isLimited) return;
    this.#tokens = Math.min(BURST_ROUNDS * this.#perRound, this.#tokens - spent + this.#perRound);
  }

  /** Bytes that the frame of this round may have; `Infinity`: as many as it takes. */
  get frameBytes(): number {
    return Math.max(0, Math.min(this.#isLimited ? this.#tokens : Number.POSITIVE_INFINITY, this.#linkRoom));
  }

  /** Bytes that it may have for the sake of zone 0. */
  get urgentBytes(): number {
    return this.#inAdvance(ADVANCE_ROUNDS);
  }

  /** Bytes that it may have for the sake of what never waits: an advance of its own, which zone 0 cannot have used up. */
  get firstBytes(): number {
    return this.#inAdvance(2 * ADVANCE_ROUNDS);
  }

  #inAdvance(rounds: number): number {
    return Math.max(0, Math.min(this.#tokens + rounds * this.#perRound, this.#linkRoom));
  }

  get #isLimited(): boolean {
    return this.#bytesPerSecond !== Number.POSITIVE_INFINITY;
  }

  get #perRound(): number {
    return this.#bytesPerSecond / this.#roundsPerSecond;
  }

  get #linkRoom(): number {
    return this.#linkBytes * LINK_FILL - this.#backlog;
  }
}
