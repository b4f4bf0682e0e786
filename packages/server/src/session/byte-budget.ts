/**
 * How many bytes one client may be sent in this round: the smaller of what its budget grants and what its link can take. It counts rounds
 * and bytes and has no clock. Bytes that one round sent too much are owed by the next. So over time the budget holds, whatever a single
 * frame costs.
 *
 * The budget is a token bucket with a small burst. The link is asked in every round how many bytes still wait in it. If these are more than
 * a packet or two, the link is busy: what left it since the last round is what it can take, and no more is granted than keeps it busy for
 * the next round. While nothing waits, the link is tried with a little more in each round.
 * Why so: docs/decisions/0007-bytes-by-urgency.md.
 */

/** The most rounds of budget that may be saved up. */
const BURST_ROUNDS = 4;
/**
 * Rounds of budget that zone 0 may take in advance, because zone 0 sometimes needs more than its share. What never waits may take as many
 * again.
 */
const ADVANCE_ROUNDS = 8;
/** A link that keeps up has fewer bytes than this waiting: for example a reliable message that is sent again. */
const BUSY_BYTES = 2048;
/** What a busy link is given for a round, in rounds of what it takes. A little more than one, so that it is never idle. */
const LINK_FILL = 1.25;
/** Weight of a new measurement of what a link takes. */
const LINK_SHARE = 1 / 4;
/** Factor by which a link's share grows in each round in which it kept up. */
const LINK_TRIAL = 1.05;
/** A link that takes this much per round counts as unlimited. */
const WIDE_BYTES = 1024 * 1024;
/** The least that a link is given, so that a link that stood still is tried again. */
const LEAST_LINK_BYTES = 64;

export class ByteBudget {
  /** Rounds from one frame to the next, while clients take turns. What is saved up, and what the link is given, must last for so many. */
  roundsPerFrame = 1;
  readonly #roundsPerSecond: number;
  #bytesPerSecond = Number.POSITIVE_INFINITY;
  /** Bytes that may be sent now; negative if bytes are owed. */
  #tokens = 0;
  #charged = 0;
  /** Of the link: what it takes per round; what waited in it, and what had been sent in all, when it was last asked. */
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

  /** What the link was measured to take, bytes per second; `Infinity` while it keeps up. */
  get linkBytesPerSecond(): number {
    return this.#linkBytes * this.#roundsPerSecond;
  }

  /** There is a new link, of which nothing is known. `sentBytes`: everything that was ever sent to this client. */
  relink(sentBytes: number): void {
    this.#linkBytes = Number.POSITIVE_INFINITY;
    this.#backlog = 0;
    this.#asked = sentBytes;
  }

  /** Measures the link. Call it at the start of a round, before anything is sent. */
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

  /** Adds a round's share and subtracts what was sent since the last call. Call it once per round. */
  pay(sentBytes: number): void {
    const spent = sentBytes - this.#charged;
    this.#charged = sentBytes;
    if (!this.#isLimited) return;
    this.#tokens = Math.min(this.#most, this.#tokens - spent + this.#perRound);
  }

  /** Bytes that the frame of this round may take; `Infinity`: no limit. */
  get frameBytes(): number {
    return Math.max(0, Math.min(this.#isLimited ? this.#tokens : Number.POSITIVE_INFINITY, this.#linkRoom));
  }

  /**
   * Bytes that this round's frame may take of what no later round could use, because no more can be saved up. 0 where nothing but the link
   * limits, or where the link does too. Call it before `pay`.
   *
   * @param sentBytes everything that was ever sent to this client.
   */
  spareBytes(sentBytes: number): number {
    if (!this.#isLimited || this.#linkBytes !== Number.POSITIVE_INFINITY) return 0;
    const most = this.#most;
    const tokens = Math.min(most, this.#tokens - (sentBytes - this.#charged) + this.#perRound);
    return Math.max(0, tokens + this.#perRound - most);
  }

  /** Bytes that the frame may take if the extra bytes are for zone 0. */
  get urgentBytes(): number {
    return this.#inAdvance(ADVANCE_ROUNDS);
  }

  /** Bytes that the frame may take if the extra bytes are for what never waits. This includes an advance that zone 0 cannot use up. */
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

  /** The most that may be saved up. */
  get #most(): number {
    return Math.max(BURST_ROUNDS, this.roundsPerFrame) * this.#perRound;
  }

  get #linkRoom(): number {
    return this.#linkBytes * LINK_FILL * this.roundsPerFrame - this.#backlog;
  }
}
