/**
 * Whether the data channel beside a WebSocket carries the unreliable messages now, and when to try again. A state machine that knows
 * no timer and no WebRTC: it is told what happened and what time it is, and tells its port what to do.
 *
 *     off ─ available ─▶ opening ─ channel open ─▶ probing ─ beats answered ─▶ carrying
 *                          ▲  └──── failed ────┐      │ ▲ ◀─────── silence ───────┘
 *                        waiting ◀─────────────┴──────┘ └ the channel stays open for a while, and is taken again if it works again
 *
 * Each side sends beats on the channel, and the other side answers each beat at once. An answered beat proves that both directions work. So each
 * side finds a broken channel by itself, within SILENT_MS plus one beat, whatever ICE reports. Why so: docs/decisions/0014-two-carriers.md.
 *
 * Invariant: at most one attempt lives at a time, and its number is larger than those before.
 */

import type { CloseReason } from "../link.ts";

/** Ms between two calls of `tick`, and between two beats while the last one is not answered. */
export const BEAT_MS = 250;
/** Ms from an answered beat to the next beat while the channel carries. A beat and its answer cost two packets, 194 bytes with their headers. */
export const RESTING_MS = 1000;
/** Ms without an answered beat after which the channel no longer carries. Six beats: at a loss of 10 % each way, once in 20,000. */
export const SILENT_MS: number = RESTING_MS + 6 * BEAT_MS;
/** Ms that an attempt may take until its channel is open. */
export const OPENING_MS = 10_000;
/** Ms that an open channel may stay without proof until it is given up. */
export const PROBING_MS = 10_000;
/** Ms before the second attempt; each further wait is twice as long, up to the longest. Shortened by up to half, at random. */
export const FIRST_RETRY_MS = 2000;
export const LONGEST_RETRY_MS = 30_000;
/** Ms of carrying after which the waits start from the first again. */
const SETTLED_MS = 30_000;
/** Answered beats before a channel carries again after a silence; the first time one is enough. */
const PROOFS_AFTER_SILENCE = 3;
/** At most this time counts between two ticks: after a pause, this side must first read the answers that came meanwhile. */
const LONGEST_TICK_MS = 1000;
/** Beats whose answers count; older ones are too late to prove anything. */
const COUNTED_BEATS = 8;
const BEAT_NUMBERS = 0x10000;
/** How many offers the answering side accepts at once, and after how many ms it accepts one more. */
const OFFER_BURST = 5;
const OFFER_MS = 1000;

/**
 * - `off`: the other side has said nothing of a data channel (or this side wants none);
 * - `waiting`: until the next attempt, which is the offering side's to make;
 * - `opening`: an attempt is under way;
 * - `probing`: its channel is open, but beats are not answered (yet, or any more);
 * - `carrying`: unreliable messages take the channel.
 */
export type PathState = "off" | "waiting" | "opening" | "probing" | "carrying";

export const PATH_STATES: readonly PathState[] = ["off", "waiting", "opening", "probing", "carrying"];

export interface PathPort {
  /** Make a peer connection and an offer; later calls name this attempt. */
  open(attempt: number): void;
  /** Let the attempt go. `why`: to be told to the other side; undefined where it knows. */
  drop(attempt: number, why: string | undefined): void;
  beat(number: number): void;
}

export class UdpPath {
  readonly #offers: boolean;
  readonly #port: PathPort;
  readonly #random: () => number;
  #state: PathState = "off";
  #attempt: number;
  #nowMs: number;
  /** In this state, as far as ticks count. */
  #stateMs = 0;
  #silenceMs = 0;
  #carriedMs = 0;
  #failures = 0;
  #retryAtMs = 0;
  #proofsWanted = 1;
  #beats = 0;
  #offersLeft = OFFER_BURST;
  #offersCountedMs: number;

  /**
   * @param random from 0 to 1: spreads the attempts of many clients.
   * @param attempt the last attempt of the path that this one replaces.
   */
  constructor(role: "offers" | "answers", port: PathPort, nowMs: number, random: () => number = () => 1, attempt = 0) {
    this.#offers = role === "offers";
    this.#attempt = attempt;
    this.#port = port;
    this.#random = random;
    this.#nowMs = nowMs;
    this.#offersCountedMs = nowMs;
  }

  get state(): PathState {
    return this.#state;
  }

  get isCarrying(): boolean {
    return this.#state === "carrying";
  }

  /** The attempt at hand, or the last one. */
  get attempt(): number {
    return this.#attempt;
  }

  /** The other side can do it: the first attempt is made at once. */
  available(): void {
    if (this.#state === "off" && this.#offers) this.#begin();
  }

  /** The other side offers. Returns what to close the link with where it may not. */
  offered(attempt: number, nowMs: number): CloseReason | undefined {
    if (this.#offers) return { code: "signal", detail: "an offer from the side that answers" };
    if (attempt <= this.#attempt) return { code: "signal", detail: `offer ${attempt} after ${this.#attempt}` };
    const earned = Math.floor((nowMs - this.#offersCountedMs) / OFFER_MS);
    this.#offersLeft = Math.min(OFFER_BURST, this.#offersLeft + earned);
    this.#offersCountedMs += earned * OFFER_MS;
    if (this.#offersLeft === 0) return { code: "signal", detail: `more than ${OFFER_BURST} offers at once` };
    this.#offersLeft -= 1;
    if (this.#isOpen) this.#port.drop(this.#attempt, undefined);
    this.#attempt = attempt;
    this.#enter("opening");
    return undefined;
  }

  /** The channel of the attempt is open: prove it. */
  opened(attempt: number): void {
    if (attempt !== this.#attempt || this.#state !== "opening") return;
    this.#proofsWanted = 1;
    this.#carriedMs = 0;
    this.#enter("probing");
    this.#beat();
  }

  /** The attempt failed, or its channel closed, on this side. */
  failed(attempt: number, why: string, nowMs: number): void {
    if (attempt === this.#attempt && this.#isOpen) this.#giveUp(why, nowMs);
  }

  /** The other side let the attempt go. */
  dropped(attempt: number, nowMs: number): void {
    if (attempt === this.#attempt && this.#isOpen) this.#giveUp(undefined, nowMs);
  }

  /** A beat came back. */
  answered(number: number): void {
    const behind = (this.#beats - number + BEAT_NUMBERS) % BEAT_NUMBERS;
    if (behind >= Math.min(COUNTED_BEATS, this.#beats)) return;
    this.#silenceMs = 0;
    if (this.#state !== "probing") return;
    this.#proofsWanted -= 1;
    if (this.#proofsWanted <= 0) this.#enter("carrying");
  }

  /** Time has passed: call it every BEAT_MS. */
  tick(nowMs: number): void {
    const passedMs = Math.min(nowMs - this.#nowMs, LONGEST_TICK_MS);
    this.#nowMs = nowMs;
    this.#stateMs += passedMs;
    switch (this.#state) {
      case "off":
        return;
      case "waiting":
        if (this.#offers && nowMs >= this.#retryAtMs) this.#begin();
        return;
      case "opening":
        if (this.#stateMs > OPENING_MS) this.#giveUp("timeout", nowMs);
        return;
      case "probing":
        if (this.#stateMs > PROBING_MS) this.#giveUp("silent", nowMs);
        else this.#beat();
        return;
      case "carrying":
        this.#carry(passedMs);
    }
  }

  /** The link ends. */
  end(): void {
    if (this.#isOpen) this.#port.drop(this.#attempt, undefined);
    this.#enter("off");
  }

  get #isOpen(): boolean {
    return this.#state === "opening" || this.#state === "probing" || this.#state === "carrying";
  }

  #carry(passedMs: number): void {
    this.#silenceMs += passedMs;
    this.#carriedMs += passedMs;
    if (this.#carriedMs >= SETTLED_MS) this.#failures = 0;
    if (this.#silenceMs > SILENT_MS) {
      this.#proofsWanted = PROOFS_AFTER_SILENCE;
      this.#enter("probing");
    }
    if (this.#silenceMs >= RESTING_MS || this.#state === "probing") this.#beat();
  }

  #beat(): void {
    this.#beats += 1;
    this.#port.beat(this.#beats % BEAT_NUMBERS);
  }

  #begin(): void {
    this.#attempt += 1;
    this.#enter("opening");
    this.#port.open(this.#attempt);
  }

  #giveUp(why: string | undefined, nowMs: number): void {
    const waitMs = Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#retryAtMs = nowMs + waitMs * (0.5 + this.#random() / 2);
    this.#enter("waiting");
    this.#port.drop(this.#attempt, why);
  }

  #enter(state: PathState): void {
    this.#state = state;
    this.#stateMs = 0;
    this.#silenceMs = 0;
    if (state === "opening") this.#beats = 0;
  }
}
