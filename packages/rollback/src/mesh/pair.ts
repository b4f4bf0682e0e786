/**
 * The way to one other member. A data channel carries the frames while beats on it are answered; meanwhile, before and after, the server relays them. Each
 * side judges its own direction, so one pair may send directly one way and over the server the other way for a moment; nothing is lost by that.
 *
 * It takes 2.5 s until a silent channel is known to be broken, and a player whose inputs are missing for about as long is voted out. So while a channel is in doubt, frames go both ways.
 *
 *   send → direct, or relay        accept, relayed → onMessage        signalled → the channel is set up        tick → beats, attempts
 *
 * The states of the data channel, its beats and its attempts are those of the channel between client and server (docs/decisions/0014-two-carriers.md).
 */

import { WireError } from "@nearfield/schema/internal";
import {
  BEAT_MS,
  type Description,
  decodeSignal,
  encodeSignal,
  type IceServer,
  type OpenPeer,
  type Peer,
  RESTING_MS,
  type Signal,
  UdpPath,
} from "@nearfield/transport/internal";
import { beatFrame, framesOf, readFrame, type Topic } from "./frame.ts";
import { Parts } from "./parts.ts";

/** Ms without a word after which a member is shown as lost. */
export const LOST_MS = 2500;
/** Ms between two beats over the server, which only measure the way. */
const RELAY_BEAT_MS = 1000;
/**
 * Ms without a frame on a channel that carries, or, beside a round trip, without an answered beat, after which it is in doubt: frames are relayed too. Players send in every step, so
 * silence is soon seen. Beats rest for a second; three unanswered ones find a channel that is broken in one direction.
 */
const QUIET_MS = 700;
const UNANSWERED_MS: number = RESTING_MS + 3 * BEAT_MS;
/** Bytes that may wait in a data channel; above that a frame is dropped, as a lossy network would. */
const BACKLOG_BYTES = 64 * 1024;
const NUMBERS = 0x10000;
/** Beats whose answers are waited for. */
const WAITING = 64;

export type PairState = "direct" | "relayed" | "lost";

/** What a pair does to the world outside. */
export interface PairPort {
  /** Hands a frame to the server for this member. False: not now. */
  relay(frame: Uint8Array): boolean;
  /** Hands a signal to the server for this member, reliably. */
  signal(bytes: Uint8Array): void;
  message(topic: Topic, bytes: Uint8Array): void;
}

export interface PairOptions {
  /** Whether this side makes the offers. One of the two must. */
  readonly offers: boolean;
  /** The last attempt of the way to this member that this one replaces; 0: there was none. */
  readonly attempt: number;
  /** Undefined: all goes over the server. */
  readonly openPeer: OpenPeer | undefined;
  readonly iceServers: readonly IceServer[];
  /** The clock by which `tick` is called too, ms. */
  readonly now: () => number;
  readonly random: () => number;
}

/** Frames and bytes that left, by way. */
export interface PairTraffic {
  directFrames: number;
  directBytes: number;
  relayedFrames: number;
  relayedBytes: number;
  /** Frames that neither way took. */
  dropped: number;
}

export class Pair {
  readonly traffic: PairTraffic = { directFrames: 0, directBytes: 0, relayedFrames: 0, relayedBytes: 0, dropped: 0 };
  readonly #options: PairOptions;
  readonly #port: PairPort;
  readonly #path: UdpPath;
  readonly #parts = new Parts();
  /** By number modulo WAITING: when a beat left. */
  readonly #beatMs = new Float64Array(WAITING).fill(Number.NaN);
  #peer: Peer | undefined;
  #nowMs: number;
  #tickedMs: number;
  #heardMs: number;
  /** When the channel last brought a frame, and an answer. */
  #directMs = Number.NEGATIVE_INFINITY;
  #answeredMs = Number.NEGATIVE_INFINITY;
  #relayBeatMs: number;
  #relayBeats = 0;
  #rttMs = Number.NaN;
  #messages = 0;
  #isEnded = false;

  constructor(options: PairOptions, port: PairPort) {
    const { offers, random, openPeer } = options;
    const nowMs = options.now();
    this.#options = options;
    this.#port = port;
    this.#nowMs = nowMs;
    this.#tickedMs = nowMs;
    this.#heardMs = nowMs;
    this.#relayBeatMs = nowMs;
    const path = {
      open: (attempt: number) => this.#open(attempt, undefined),
      drop: (attempt: number, why: string | undefined) => this.#drop(attempt, why),
      beat: (number: number) => this.#beat(number),
    };
    // The other side may get an offer of the way before only after it has made its own way anew. So numbers go on; who answers takes any.
    this.#path = new UdpPath(offers ? "offers" : "answers", path, nowMs, random, offers ? options.attempt : 0);
    if (openPeer !== undefined) this.#path.available();
  }

  get state(): PairState {
    if (this.#path.isCarrying) return "direct";
    return this.#nowMs - this.#heardMs <= LOST_MS ? "relayed" : "lost";
  }

  /** The attempt at hand to open a channel, or the last one. */
  get attempt(): number {
    return this.#path.attempt;
  }

  /** Smoothed round trip on the way that is used now, ms; NaN before the first. */
  get rttMs(): number {
    return this.#rttMs;
  }

  /** Sends a message that may be lost. */
  send(topic: Topic, message: Uint8Array): void {
    if (this.#isEnded) return;
    this.#messages = (this.#messages + 1) % NUMBERS;
    const frames = framesOf(topic, this.#messages, message);
    if (frames.length === 0) this.traffic.dropped++;
    const isDoubted = this.#isDoubted;
    for (const frame of frames) if (!(this.#path.isCarrying && this.#put(frame)) || isDoubted) this.#relay(frame);
  }

  /** A frame that the server brought from this member. Throws `WireError` if it is none. */
  relayed(frame: Uint8Array): void {
    if (!this.#isEnded) this.#accept(frame, "relay");
  }

  /** A signal that the server brought from this member. Throws `WireError` if it is none, or not for this side. */
  signalled(bytes: Uint8Array): void {
    if (this.#isEnded) return;
    const signal = decodeSignal(bytes);
    if ("fault" in signal) throw new WireError("range", signal.fault.detail);
    if (this.#options.openPeer === undefined) {
      if (signal.kind === "offer") this.#signal({ kind: "close", attempt: signal.attempt, why: "no-webrtc" });
      return;
    }
    if (signal.kind === "close") this.#path.dropped(signal.attempt, this.#nowMs);
    else if (signal.kind === "offer" && !this.#options.offers) {
      const fault = this.#path.offered(signal.attempt, this.#nowMs);
      if (fault !== undefined) throw new WireError("range", fault.detail);
      this.#open(signal.attempt, signal.description);
    } else if (signal.kind === "answer" && this.#options.offers) {
      if (signal.attempt === this.#path.attempt) this.#peer?.accept(signal.description);
    } else throw new WireError("range", `${signal.kind} is not for this side`);
  }

  tick(nowMs: number): void {
    this.#nowMs = nowMs;
    if (this.#isEnded) return;
    if (nowMs - this.#tickedMs >= BEAT_MS) {
      this.#tickedMs = nowMs;
      this.#path.tick(nowMs);
    }
    if (this.#path.isCarrying || nowMs - this.#relayBeatMs < RELAY_BEAT_MS) return;
    this.#relayBeatMs = nowMs;
    this.#relayBeats = (this.#relayBeats + 1) % NUMBERS;
    this.#beatMs[this.#relayBeats % WAITING] = nowMs;
    this.#relay(beatFrame("beat", this.#relayBeats));
  }

  /** Lets the channel go; nothing is sent or heard any more. */
  end(): void {
    this.#isEnded = true;
    this.#path.end();
  }

  get #isDoubted(): boolean {
    const unansweredMs = this.#nowMs - this.#answeredMs - (Number.isNaN(this.#rttMs) ? 0 : this.#rttMs);
    return this.#nowMs - this.#directMs > QUIET_MS || unansweredMs > UNANSWERED_MS;
  }

  #beat(number: number): void {
    this.#beatMs[number % WAITING] = this.#nowMs;
    this.#put(beatFrame("beat", number));
  }

  #accept(frame: Uint8Array, way: "direct" | "relay"): void {
    const read = readFrame(frame);
    this.#heardMs = this.#nowMs;
    if (way === "direct") this.#directMs = this.#nowMs;
    switch (read.kind) {
      case "beat": {
        const answer = beatFrame("answer", read.number);
        if (way === "direct") this.#put(answer);
        else this.#relay(answer);
        return;
      }
      case "answer":
        this.#answered(read.number, way);
        return;
      case "whole":
        this.#port.message(read.topic, read.bytes);
        return;
      case "part": {
        const message = this.#parts.take(read);
        if (message) this.#port.message(read.topic, message);
      }
    }
  }

  #answered(number: number, way: "direct" | "relay"): void {
    if (way === "direct") {
      this.#answeredMs = this.#nowMs;
      this.#path.answered(number);
    }
    const tripMs = this.#options.now() - this.#beatMs[number % WAITING]!;
    this.#beatMs[number % WAITING] = Number.NaN;
    if (Number.isNaN(tripMs) || (way === "direct") !== this.#path.isCarrying) return;
    this.#rttMs = Number.isNaN(this.#rttMs) ? tripMs : this.#rttMs + (tripMs - this.#rttMs) / 4;
  }

  #relay(frame: Uint8Array): void {
    if (this.#port.relay(frame)) {
      this.traffic.relayedFrames++;
      this.traffic.relayedBytes += frame.length;
    } else this.traffic.dropped++;
  }

  /** Puts a frame on the data channel; false if there is none, or it is full. */
  #put(frame: Uint8Array<ArrayBuffer>): boolean {
    const peer = this.#peer;
    if (peer === undefined || peer.bufferedAmount > BACKLOG_BYTES) return false;
    try {
      peer.send(frame);
    } catch {
      this.#path.failed(this.#path.attempt, "closed", this.#nowMs);
      return false;
    }
    this.traffic.directFrames++;
    this.traffic.directBytes += frame.length;
    return true;
  }

  #open(attempt: number, offer: Description | undefined): void {
    const isCurrent = (): boolean => !this.#isEnded && this.#peer !== undefined && this.#path.attempt === attempt;
    const peer = this.#options.openPeer!(
      { offer, iceServers: this.#options.iceServers },
      {
        onDescription: (description) => {
          if (isCurrent()) this.#signal({ kind: offer === undefined ? "offer" : "answer", attempt, description });
        },
        onOpen: () => {
          if (isCurrent()) this.#path.opened(attempt);
        },
        onMessage: (frame) => {
          if (isCurrent()) this.#heard(attempt, frame);
        },
        onForeignChannel: () => {
          if (isCurrent()) this.#path.failed(attempt, "a second channel", this.#nowMs);
        },
        onLost: (why) => {
          if (isCurrent()) this.#path.failed(attempt, why, this.#nowMs);
        },
      },
    );
    if (typeof peer === "string") this.#path.failed(attempt, peer, this.#nowMs);
    else this.#peer = peer;
  }

  /** A frame from the data channel. One that is none ends the channel: whoever is at its other end can still be heard over the server, and judged there. */
  #heard(attempt: number, frame: Uint8Array | undefined): void {
    try {
      if (frame === undefined) throw new WireError("range", "text on the data channel");
      this.#accept(frame, "direct");
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      this.#path.failed(attempt, "malformed", this.#nowMs);
    }
  }

  #drop(attempt: number, why: string | undefined): void {
    const peer = this.#peer;
    this.#peer = undefined;
    peer?.close();
    if (why !== undefined) this.#signal({ kind: "close", attempt, why: why.slice(0, 100) });
  }

  #signal(signal: Signal): void {
    this.#port.signal(encodeSignal(signal));
  }
}
