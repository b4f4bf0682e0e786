/**
 * The server's clock, as this client knows it (N6). Sends probes, takes in the answers, and tells the time. After the join it probes often,
 * until the time is known to a few milliseconds; later only now and then, to follow the drift of both clocks. The number of probes depends
 * on the link: ten on a quiet one, some hundreds if delays vary by 60 ms.
 */

import { ClockEstimator, SlewedClock } from "@nearfield/presentation/internal";

/** The server's time: `client.clock`. */
export interface ServerClock {
  /**
   * The server's time now, ms. A round's time is its number × `roundMs`. It never goes back; small corrections are made by running a tenth
   * faster or slower. −Infinity before the client has joined.
   */
  readonly timeMs: number;
  /** The largest error, ms, if the shortest time that the link takes is the same both ways. `Infinity` before the first answer. */
  readonly errorMs: number;
  /** Ms that the server's clock gains per ms of this client's. */
  readonly drift: number;
}

/** Time between two probes while the clock is not known to `EXACT_MS`, ms. */
const EAGER_MS = 32;
const EXACT_MS = 4;
/** Probes whose answers are awaited. When this many have no answer, probing often is useless. */
const WAITING = 64;
const STAMP_RANGE = 2 ** 32;

export class ClockSync implements ServerClock {
  /** Smoothed round trip, the server's processing time taken out, ms; −1 before the first answer. */
  roundTripMs = -1;
  readonly #now: () => number;
  /** Time between two probes once the clock is known, ms. */
  readonly steadyMs: number;
  readonly #estimator: ClockEstimator = new ClockEstimator();
  readonly #clock: SlewedClock = new SlewedClock(this.#estimator);
  /** By stamp modulo `WAITING`: when the probe was sent; NaN: answered, or never sent. */
  readonly #sentMs: Float64Array = new Float64Array(WAITING).fill(Number.NaN);
  #stamps = 0;
  #answered = 0;
  #lastProbeMs = Number.NEGATIVE_INFINITY;

  constructor(now: () => number, steadyMs: number) {
    this.#now = now;
    this.steadyMs = steadyMs;
  }

  get timeMs(): number {
    return this.#clock.timeAt(this.#now());
  }

  get errorMs(): number {
    return this.#clock.boundAt(this.#now());
  }

  /** Whether the server has answered. Before, the time is the last one heard of, without its age. */
  get isKnown(): boolean {
    return this.#estimator.count > 0;
  }

  get drift(): number {
    return this.#estimator.drift;
  }

  /** Starts from a time that the server said a while ago: better than nothing until the first answer. */
  begin(serverMs: number): void {
    this.#clock.begin(this.#now(), serverMs);
  }

  /**
   * The stamp of the probe to send now; −1 if it is not time for one.
   *
   * @param mostMs the longest time between two probes, whatever the clock needs. Default: no limit.
   */
  probe(mostMs: number = Number.POSITIVE_INFINITY): number {
    const nowMs = this.#now();
    if (nowMs - this.#lastProbeMs < Math.min(mostMs, this.#pauseMs(nowMs))) return -1;
    this.#lastProbeMs = nowMs;
    this.#stamps += 1;
    this.#sentMs[this.#stamps % WAITING] = nowMs;
    return this.#stamps % STAMP_RANGE;
  }

  /** An answer arrived at `receivedMs`. One that was not asked for, or comes twice, is ignored. */
  answer(stamp: number, receivedMs: number, serverMs: number, heldMs: number): void {
    const behind = (this.#stamps - stamp) % STAMP_RANGE;
    const sentMs = behind >= 0 && behind < WAITING ? this.#sentMs[stamp % WAITING]! : Number.NaN;
    if (Number.isNaN(sentMs)) return;
    this.#sentMs[stamp % WAITING] = Number.NaN;
    this.#answered = this.#stamps;
    if (this.#estimator.add({ sentMs, receivedMs, serverMs, heldMs }) === "refused") return;
    const tripMs = receivedMs - sentMs - heldMs;
    this.roundTripMs = this.roundTripMs < 0 ? tripMs : this.roundTripMs + (tripMs - this.roundTripMs) / 8;
  }

  #pauseMs(nowMs: number): number {
    const isEager = this.#estimator.evenBoundAt(nowMs) > EXACT_MS && this.#stamps - this.#answered < WAITING;
    return isEager ? Math.min(EAGER_MS, this.steadyMs) : this.steadyMs;
  }
}
