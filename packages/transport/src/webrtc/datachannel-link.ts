/**
 * A link with two carriers: a WebSocket that is open all the time, and beside it a WebRTC data channel while one works. "reliable" and the
 * signals that set the channel up take the socket; "sequenced" and "unsequenced" take the channel while its path carries
 * (`udp-path.ts`), else the socket. The user of the link sees only `kind`, `inOrder` and `maxUnreliableBytes` change.
 *
 * "sequenced" keeps its order across both carriers: once the data channel has carried a message, messages have numbers on both. A message
 * without a number was sent before all messages with one.
 *
 * For tests of the fallback: `isCut = true` drops everything on the data channel, both ways and silently, like a firewall that begins to block
 * UDP. The link then tries to open other channels, and their beats are not answered. `UdpPort.cut` sets it by address.
 */

import type { LinkLimits } from "../limits.ts";
import type { Channel, CloseReason } from "../link.ts";
import { SequenceCounter, SequenceFilter } from "../sequence.ts";
import type { SocketPort, WebSocketLink } from "../websocket-link.ts";
import type { Carrier } from "../wire-cost.ts";
import {
  beatFrame,
  MAX_CHANNEL_MESSAGE_BYTES,
  NUMBER_BYTES,
  readChannelFrame,
  readNumbered,
  sequencedFrame,
  unsequencedFrame,
  withNumber,
} from "./channel-framing.ts";
import type { Description } from "./description.ts";
import type { OpenPeer, Peer } from "./peer.ts";
import { decodeSignal, encodeSignal, type IceServer, MAX_TEXT, type Signal } from "./signal.ts";
import { type PathState, UdpPath } from "./udp-path.ts";

export interface DataChannelSettings {
  /** The client offers, the server answers. */
  readonly role: "offers" | "answers";
  readonly openPeer: OpenPeer;
  /** Told to the other side (server), or used instead of what it tells (client). Default: none, or what it tells. */
  readonly iceServers?: readonly IceServer[];
  /** Ms of a clock that never goes back. */
  readonly now: () => number;
  /** From 0 to 1, to spread attempts. Default: no spread. */
  readonly random?: () => number;
  /** The link has ended: nothing will be sent or received any more. */
  readonly onGone?: () => void;
}

export interface DataChannelLink extends WebSocketLink {
  /** For tests: drops everything on the data channel (see the head of this file). */
  isCut: boolean;
  /** How far the data channel is, for people and tests. */
  readonly path: PathState;
  /** Time has passed: call it every BEAT_MS. */
  tick(): void;
  /** No data channel any more: the link goes on over its WebSocket. */
  leavePath(): void;
}

type DataChannelLinkClass = new (
  socket: SocketPort,
  address: string,
  limits: LinkLimits,
  settings: DataChannelSettings,
) => DataChannelLink;

/** The class of these links, made of the one for a WebSocket alone. Whoever loads this file has that class already, so the file does not bring it. */
export function overBothCarriers(Base: typeof WebSocketLink): DataChannelLinkClass {
  return class extends Base {
    /** For tests: drops everything on the data channel (see the head of this file). */
    isCut = false;
    readonly #settings: DataChannelSettings;
    readonly #path: UdpPath;
    readonly #staleAfterBytes: number;
    readonly #outgoing: SequenceCounter = new SequenceCounter();
    readonly #incoming: SequenceFilter = new SequenceFilter();
    #peer: Peer | undefined;
    #iceServers: readonly IceServer[];
    /** Whether "sequenced" has numbers, out and in. */
    #isNumbering = false;
    #hasNumbered = false;
    #isGone = false;

    constructor(socket: SocketPort, address: string, limits: LinkLimits, settings: DataChannelSettings) {
      super(socket, address, limits);
      this.#settings = settings;
      this.#staleAfterBytes = limits.staleAfterBytes;
      this.#iceServers = settings.iceServers ?? [];
      const port = {
        open: (attempt: number) => this.#openPeer(attempt, undefined),
        drop: (attempt: number, why: string | undefined) => this.#drop(attempt, why),
        beat: (number: number) => this.#beat("beat", number),
      };
      this.#path = new UdpPath(settings.role, port, settings.now(), settings.random);
      if (settings.role === "answers") this.#signal({ kind: "available", iceServers: this.#iceServers });
    }

    override get kind(): string {
      return this.#path.isCarrying ? "webrtc" : "websocket";
    }

    override get inOrder(): boolean {
      return !this.#path.isCarrying;
    }

    override get maxUnreliableBytes(): number {
      const most = super.maxUnreliableBytes;
      return this.#path.isCarrying ? Math.min(MAX_CHANNEL_MESSAGE_BYTES, most) : most;
    }

    override get backlogBytes(): number {
      return super.backlogBytes + (this.#peer?.bufferedAmount ?? 0);
    }

    /** How far the data channel is, for people and tests. */
    get path(): PathState {
      return this.#path.state;
    }

    /** Time has passed: call it every BEAT_MS. */
    tick(): void {
      if (!this.#isGone) this.#path.tick(this.#settings.now());
    }

    /** No data channel any more: the link goes on over its WebSocket. */
    leavePath(): void {
      this.#path.failed(this.#path.attempt, "closed", this.#settings.now());
    }

    // ── out ────────────────────────────────────────────────────────────────────────────────────────────────────────

    protected override backlogOf(channel: Channel): number {
      if (channel === "reliable" || !this.#path.isCarrying) return super.backlogBytes;
      return this.#peer?.bufferedAmount ?? 0;
    }

    protected override framingBytes(channel: Channel): number {
      const isNumbered = channel === "sequenced" && (this.#isNumbering || this.#path.isCarrying);
      return super.framingBytes(channel) + (isNumbered ? NUMBER_BYTES : 0);
    }

    protected override transmit(channel: Channel, bytes: Uint8Array): void {
      if (channel === "reliable") {
        super.transmit(channel, bytes);
        return;
      }
      this.#isNumbering ||= this.#path.isCarrying;
      if (channel === "unsequenced") {
        if (!this.#path.isCarrying || !this.#put(unsequencedFrame(bytes))) super.transmit(channel, bytes);
        return;
      }
      if (!this.#isNumbering) {
        super.transmit(channel, bytes);
        return;
      }
      const number = this.#outgoing.next();
      if (this.#path.isCarrying && this.#put(sequencedFrame(number, bytes))) return;
      this.sendBeside("numbered", withNumber(number, bytes));
    }

    #beat(kind: "beat" | "answer", number: number): void {
      const frame = beatFrame(kind, number);
      if (this.#put(frame)) this.counter.countOut("upkeep", frame.length, "datachannel");
    }

    /** Puts a frame on the data channel; false if there is none any more. */
    #put(frame: Uint8Array<ArrayBuffer>): boolean {
      if (this.isCut) return true;
      const { attempt } = this.#path;
      try {
        this.#peer?.send(frame);
        return this.#peer !== undefined;
      } catch {
        this.#path.failed(attempt, "closed", this.#settings.now());
        return false;
      }
    }

    protected override disconnect(reason: CloseReason): void {
      super.disconnect(reason);
      this.#letGo();
    }

    protected override end(reason: CloseReason): void {
      super.end(reason);
      this.#letGo();
    }

    #letGo(): void {
      if (this.#isGone) return;
      this.#isGone = true;
      this.#path.end();
      this.#settings.onGone?.();
    }

    // ── in ─────────────────────────────────────────────────────────────────────────────────────────────────────────

    protected override acceptMessage(channel: Channel, bytes: Uint8Array): void {
      if (channel === "sequenced" && this.#hasNumbered) this.counter.countLate(channel);
      else super.acceptMessage(channel, bytes);
    }

    protected override acceptBeside(kind: "signal" | "numbered", bytes: Uint8Array): void {
      if (kind === "signal") {
        this.#acceptSignal(bytes);
        return;
      }
      const message = readNumbered(bytes);
      if ("fault" in message) this.close(message.fault);
      else this.#acceptNumbered(message.number, message.bytes, "websocket");
    }

    #acceptNumbered(number: number, bytes: Uint8Array, carrier: Carrier): void {
      this.#hasNumbered = true;
      this.counter.countIn("sequenced", bytes.length + super.framingBytes("sequenced") + NUMBER_BYTES, carrier);
      if (this.#incoming.accept(number)) this.receive("sequenced", bytes);
      else this.counter.countLate("sequenced");
    }

    #acceptFrame(frame: Uint8Array | undefined): void {
      if (this.isCut || this.closeReason !== undefined) return;
      const message = frame === undefined ? textFault() : readChannelFrame(frame);
      if ("fault" in message) {
        this.close(message.fault);
        return;
      }
      switch (message.kind) {
        case "sequenced":
          this.#acceptNumbered(message.number, message.bytes, "datachannel");
          return;
        case "unsequenced":
          this.counter.countIn("unsequenced", message.bytes.length + super.framingBytes("unsequenced"), "datachannel");
          this.receive("unsequenced", message.bytes);
          return;
        case "beat":
          this.counter.countIn("upkeep", frame!.length, "datachannel");
          // A peer that beats and never reads must not fill our memory with answers.
          if ((this.#peer?.bufferedAmount ?? 0) <= this.#staleAfterBytes) this.#beat("answer", message.number);
          return;
        case "answer":
          this.counter.countIn("upkeep", frame!.length, "datachannel");
          this.#path.answered(message.number);
      }
    }

    // ── setting the channel up ─────────────────────────────────────────────────────────────────────────────────────

    #acceptSignal(bytes: Uint8Array): void {
      const signal = decodeSignal(bytes);
      if ("fault" in signal) {
        this.close(signal.fault);
        return;
      }
      const nowMs = this.#settings.now();
      const isClient = this.#settings.role === "offers";
      if (signal.kind === "close") {
        this.#path.dropped(signal.attempt, nowMs);
      } else if (signal.kind === "offer" && !isClient) {
        const fault = this.#path.offered(signal.attempt, nowMs);
        if (fault === undefined) this.#openPeer(signal.attempt, signal.description);
        else this.close(fault);
      } else if (signal.kind === "answer" && isClient) {
        if (signal.attempt === this.#path.attempt) this.#peer?.accept(signal.description);
      } else if (signal.kind === "available" && isClient) {
        this.#iceServers = this.#settings.iceServers ?? signal.iceServers;
        this.#path.available();
      } else {
        this.close({ code: "signal", detail: `${signal.kind} is not for this side` });
      }
    }

    #openPeer(attempt: number, offer: Description | undefined): void {
      const isCurrent = (): boolean => !this.#isGone && this.#peer !== undefined && this.#path.attempt === attempt;
      const peer = this.#settings.openPeer(
        { offer, iceServers: this.#iceServers },
        {
          onDescription: (description) => {
            if (isCurrent()) this.#signal({ kind: offer === undefined ? "offer" : "answer", attempt, description });
          },
          onOpen: () => {
            if (isCurrent()) this.#path.opened(attempt);
          },
          onMessage: (frame) => {
            if (isCurrent()) this.#acceptFrame(frame);
          },
          onForeignChannel: () => {
            if (isCurrent()) this.close({ code: "signal", detail: "a second data channel" });
          },
          onLost: (why) => {
            if (isCurrent()) this.#path.failed(attempt, why, this.#settings.now());
          },
        },
      );
      if (typeof peer === "string") this.#path.failed(attempt, peer, this.#settings.now());
      else this.#peer = peer;
    }

    #drop(attempt: number, why: string | undefined): void {
      const peer = this.#peer;
      this.#peer = undefined;
      peer?.close();
      if (why !== undefined) this.#signal({ kind: "close", attempt, why: why.slice(0, MAX_TEXT) });
    }

    #signal(signal: Signal): void {
      if (this.closeReason === undefined) this.sendBeside("signal", encodeSignal(signal));
    }
  };
}

function textFault(): { readonly fault: CloseReason } {
  return { fault: { code: "text", detail: "text on the data channel is not understood" } };
}
