/**
 * The round trip of one client, in rounds: how long until an ack is expected, and after how long a packet without one is taken for lost.
 * The time that an ack waited at the client is not counted.
 */

/**
 * The probe time until a round trip has been measured, ms. It is above a round trip of one second, so a client that joins over a slow path
 * is not sent its world twice. Nearly all losses show sooner, by the ack of a later frame. A larger value costs time only if every frame
 * and ack so far was lost.
 */
const FIRST_PROBE_MS = 1500;
/** Length of a round, if `restart` has not told it. */
export const USUAL_ROUND_MS = 50;

/**
 * The least deviation of the round trip. Round trips are measured in whole rounds, and an ack may be one round late because the one before
 * was lost.
 */
const LEAST_SPREAD_ROUNDS = 2;

/** The other side sends acks in frames of its own, which takes up to a round. */
const ACK_DELAY_ROUNDS = 1;

export class RoundTrip {
  /** The mean in rounds; −1 before the first sample. */
  smoothedRounds = -1;
  #varianceRounds = 0;
  #firstProbeRounds: number = FIRST_PROBE_MS / USUAL_ROUND_MS;

  /** A new link: nothing is known of it. */
  restart(roundMs: number): void {
    this.#firstProbeRounds = Math.ceil(FIRST_PROBE_MS / roundMs);
    this.smoothedRounds = -1;
    this.#varianceRounds = 0;
  }

  /**
   * Rounds without an ack after which a packet counts as lost: the smoothed round trip, four times its deviation and the ack delay, as in
   * QUIC's loss detection (RFC 9002 §6.2.1).
   */
  get probeRounds(): number {
    if (this.smoothedRounds < 0) return this.#firstProbeRounds;
    const spread = Math.max(4 * this.#varianceRounds, LEAST_SPREAD_ROUNDS);
    return Math.ceil(this.smoothedRounds + spread) + ACK_DELAY_ROUNDS;
  }

  /** As in TCP (RFC 6298): an eighth of each sample counts for the mean, a quarter of its distance for the deviation. */
  measure(rounds: number): void {
    if (this.smoothedRounds < 0) {
      this.smoothedRounds = rounds;
      this.#varianceRounds = rounds / 2;
      return;
    }
    this.#varianceRounds += (Math.abs(rounds - this.smoothedRounds) - this.#varianceRounds) / 4;
    this.smoothedRounds += (rounds - this.smoothedRounds) / 8;
  }
}
