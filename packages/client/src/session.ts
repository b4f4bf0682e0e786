/**
 * The client's side of a session: the connection and its links, the reliable stream and the frame reader that outlive a link, acks, pivots
 * and pings. Frames are applied to the replicas here. Every other message is handed on to the part of the client that handles it.
 * Why so: docs/decisions/0005-reliable-stream-across-reconnects.md.
 */

import type { Pivot } from "@nearfield/core";
import { ProtocolError } from "@nearfield/protocol";
import {
  channelFromClient,
  decodeFromServer,
  encodeFromClient,
  type Frame,
  type FrameEvent,
  FrameReader,
  type FromClient,
  type FromServer,
  type Hello,
  IN_ORDER_ACK_ROUNDS,
  PROTOCOL_VERSION,
  type Reason,
  ReliableStream,
  type Resume,
  type Role,
  short,
  type Welcome,
} from "@nearfield/protocol/internal";
import { WireError } from "@nearfield/schema/internal";
import type { Link } from "@nearfield/transport";
import type { Channel } from "@nearfield/transport/internal";
import { ClockSync } from "./clock-sync.ts";
import { CommandWindow } from "./command-window.ts";
import { Connection, type ConnectionState } from "./connection.ts";
import { checkCredentials, readTicket, writeTicket } from "./credentials.ts";
import { ClientError } from "./errors.ts";
import type { ResolvedClientOptions } from "./options.ts";
import type { ReplicaStore } from "./replica-store.ts";

/** Messages that may wait for the next update. When there are more, they are merged at once. */
const HIGH_WATER = 64;

/** Messages that the session hands on. */
export type Delivered = Exclude<FromServer, { kind: "frame" | "refuse" | "bye" | "pong" }>;

export interface SessionEvents {
  readonly onMessage: (message: Delivered) => void;
  /** A frame was applied. Gives its round, the last stepped command that it includes, and the events in it. */
  readonly onFrame: (round: number, commands: number, events: readonly FrameEvent[]) => void;
  readonly onState: (state: ConnectionState, reason: Reason | undefined) => void;
  /** The server uses the newest pivots, as they are or as it changed them. */
  readonly onPivots: (pivots: readonly Pivot[]) => void;
}

/** Packets by what became of them; and messages that were merged early because too many waited. */
export interface PacketCounters {
  applied: number;
  duplicate: number;
  late: number;
  selfDrained: number;
}

export class Session {
  readonly connection: Connection;
  readonly counters: PacketCounters = { applied: 0, duplicate: 0, late: 0, selfDrained: 0 };
  /** The nickname that the server granted. */
  nickname: string;
  /** The role that the server granted; before the welcome, the one that was asked for. */
  role: Role;
  roundMs = 0;
  readonly clock: ClockSync;
  /** Stepped commands, which do not use the reliable stream. */
  readonly commands: CommandWindow;
  readonly #options: ResolvedClientOptions;
  readonly #store: ReplicaStore;
  readonly #events: SessionEvents;
  readonly #stream: ReliableStream<FromClient>;
  #reader: FrameReader | undefined;
  #token: Uint8Array | undefined;
  /** The secret of another client's session, to take that session over. */
  #ticket: Uint8Array | undefined;
  #credentials = "";
  #hellos = 0;
  #inbox: { channel: Channel; bytes: Uint8Array; atMs: number }[] = [];
  /** The last frame. Its arrays are used again for the next one. */
  #frame: Frame | undefined;
  #ackDue = false;
  /**
   * Of the last ack: its newest round; whether its link kept order; and whether a reliable message has come since, which its sender keeps
   * until it is confirmed.
   */
  #ackedRound = 0;
  #ackedInOrder = false;
  #hasHeard = false;
  #pivots: readonly Pivot[] | undefined;
  #pivotsNumber = 0;
  #pivotsAreNew = false;
  /** The link over which the pivots were sent reliably. */
  #pivotsLink: Link | undefined;

  constructor(options: ResolvedClientOptions, store: ReplicaStore, events: SessionEvents) {
    this.#options = options;
    this.#store = store;
    this.#events = events;
    this.nickname = options.nickname;
    this.role = options.role;
    this.#ticket = options.ticket === undefined ? undefined : readTicket(options.ticket);
    this.clock = new ClockSync(options.now, options.pingMs);
    this.commands = new CommandWindow((first, list) =>
      encodeFromClient({ kind: "commands", first, list }, options.protocol),
    );
    this.#stream = new ReliableStream((message, number) => encodeFromClient(message, options.protocol, number));
    this.connection = new Connection({
      connect: () => this.#connect(),
      reconnect: options.reconnect,
      random: options.random,
      onOpen: () => this.#sayHello(),
      onMessage: (channel, bytes) => this.#arrived(channel, bytes),
      onClosed: () => this.receive(),
      onLost: () => this.#stream.detach(),
      onState: events.onState,
    });
  }

  /** Names the session for a client that is to take it over; undefined before the welcome. Whoever has it can play as this player. */
  get ticket(): string | undefined {
    return this.#token === undefined ? undefined : writeTicket(this.#token);
  }

  /** Number of the last reliable message of this client that an applied frame includes. */
  get confirmed(): number {
    return this.#reader?.heard ?? 0;
  }

  // ── in ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Reads and applies everything that came, in order. A message that breaks the protocol ends the session. */
  receive(): void {
    const { renderTime, now } = this.#options;
    const isGuess = renderTime === undefined && !this.clock.isKnown;
    this.#store.presented.look(renderTime?.() ?? this.clock.timeMs, now(), isGuess);
    const messages = this.#inbox;
    this.#inbox = [];
    for (const { channel, bytes, atMs } of messages) {
      if (this.connection.state === "ended") return;
      try {
        const { message, number } = decodeFromServer(bytes, channel, this.#options.protocol, this.#frame);
        if (number === 0 || this.#stream.accept(number)) this.#apply(message, atMs);
        if (number !== 0) this.#ackDue = this.#hasHeard = true;
      } catch (error) {
        if (error instanceof WireError) this.connection.end({ code: "malformed", detail: error.message });
        else if (error instanceof ProtocolError) this.connection.end(error.reason);
        else throw error;
      }
    }
  }

  #arrived(channel: Channel, bytes: Uint8Array): void {
    this.connection.heard();
    this.#inbox.push({ channel, bytes, atMs: this.#options.now() });
    if (this.#inbox.length < HIGH_WATER) return;
    this.counters.selfDrained += this.#inbox.length;
    this.keepUp();
  }

  /** @param atMs when the message arrived. The answer to a clock probe is timed by its arrival, not by when it is read. */
  #apply(message: FromServer, atMs: number): void {
    switch (message.kind) {
      case "frame": {
        // Frames may overtake the welcome. They are not acknowledged, so their contents are sent again.
        if (this.#reader === undefined) return;
        this.#frame = message;
        const outcome = this.#reader.apply(message.frame);
        this.counters[outcome] += 1;
        this.#ackDue = true;
        if (outcome !== "applied") return;
        if (!this.clock.isKnown) this.clock.begin(this.#reader.frameRound * this.roundMs);
        this.#stream.confirm(short(this.#reader.heard));
        this.commands.confirm(this.#reader.commands);
        this.#events.onFrame(this.#reader.frameRound, this.#reader.frameCommands, message.frame.events);
        return;
      }
      case "refuse":
        // The server refused the ticket: it is forgotten, and the next link joins anew.
        if (this.#ticket !== undefined && this.#token === undefined && message.reason.code === "session-gone")
          this.#ticket = undefined;
        else this.connection.end(message.reason);
        return;
      case "bye":
        // After silence the session is kept. The link closes now and is replaced.
        if (message.reason.code !== "no-acks") this.connection.end(message.reason);
        return;
      case "pong":
        this.clock.answer(message.stamp, atMs, message.timeMs, message.heldMs);
        return;
      case "welcome":
        this.#welcomed(message);
        this.#events.onMessage(message);
        return;
      default:
        this.#events.onMessage(message);
    }
  }

  #welcomed(welcome: Welcome): void {
    this.#token = welcome.token;
    this.nickname = welcome.nickname;
    this.role = welcome.role;
    this.roundMs = welcome.roundMs;
    this.#store.roundMs = welcome.roundMs;
    this.#store.session = welcome.session;
    if (this.#reader === undefined) this.#reader = new FrameReader(this.#options.protocol, this.#store, welcome.round);
    else this.#reader.resume(welcome.round);
    this.clock.begin(welcome.round * welcome.roundMs);
    this.#stream.confirm(welcome.heard);
    this.connection.welcomed(welcome.resumeMs);
    this.#stream.attach((bytes) => this.connection.send("reliable", bytes));
  }

  /** The state of one object came outside a frame. Returns false if newer state is here. */
  supersedes(...record: Parameters<FrameReader["overwrite"]>): boolean {
    return this.#reader?.overwrite(...record) === true;
  }

  // ── out ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Merges and acknowledges, and does nothing else. */
  keepUp(): void {
    this.connection.tick(this.#options.now());
    this.receive();
    this.ack();
  }

  /** Sends acks; pivots, if the server does not know them yet; and a ping now and then. */
  ack(): void {
    if (this.#reader === undefined || this.connection.state !== "active") return;
    if (this.#pivotsAreNew || this.#ackDue) this.#sendPivots(this.#reader);
    if (this.#ackDue && this.#isAckTime(this.#reader)) {
      this.#ackDue = false;
      this.#ackedRound = this.#reader.newestRound;
      this.#ackedInOrder = this.connection.link?.inOrder === true;
      this.#hasHeard = false;
      this.transmit({ kind: "ack", packets: this.#reader.arrivals.ack(), heard: short(this.#stream.heard) });
    }
    this.sendCommands();
    const stamp = this.clock.probe();
    if (stamp >= 0) this.transmit({ kind: "ping", stamp });
  }

  /**
   * Whether to send an ack now. Over a link that loses nothing, acks only move the base of deltas forward, so only some rounds are
   * acknowledged. They are the same rounds for all clients. So clients have the same bases, and the server can share what it encodes. A
   * link that has just begun to keep order may have lost something before.
   */
  #isAckTime(reader: FrameReader): boolean {
    if (this.connection.link?.inOrder !== true || this.#hasHeard || !this.#ackedInOrder) return true;
    return Math.floor(reader.newestRound / IN_ORDER_ACK_ROUNDS) > Math.floor(this.#ackedRound / IN_ORDER_ACK_ROUNDS);
  }

  setPivots(pivots: readonly Pivot[]): void {
    this.#pivots = pivots;
    this.#pivotsNumber += 1;
    this.#pivotsAreNew = true;
  }

  /**
   * Sends pivots at once, then with every ack until a frame confirms them. Pivots that are too long for that are sent once over each link,
   * reliably.
   */
  #sendPivots(reader: FrameReader): void {
    const isNew = this.#pivotsAreNew;
    this.#pivotsAreNew = false;
    if (this.#pivots === undefined) return;
    if (reader.pivots >= this.#pivotsNumber) {
      this.#events.onPivots(this.#pivots);
      this.#pivots = undefined;
      return;
    }
    const { link } = this.connection;
    const message: FromClient = { kind: "pivots", number: this.#pivotsNumber & 0xff, pivots: this.#pivots };
    const bytes = encodeFromClient(message, this.#options.protocol);
    if (link === undefined) return;
    if (isNew) this.#pivotsLink = undefined;
    if (bytes.length <= link.maxUnreliableBytes) {
      link.send("sequenced", bytes);
    } else if (link !== this.#pivotsLink) {
      this.#pivotsLink = link;
      link.send("reliable", bytes);
    }
  }

  /** Sends stepped commands, if it is time to. */
  sendCommands(): void {
    const { link, state } = this.connection;
    if (link !== undefined && state === "active") this.commands.send(link, this.#options.now(), this.roundMs / 2);
  }

  /** Sends a message on the reliable stream: it arrives once, even if the link breaks. Returns its number. */
  push(message: FromClient): number {
    const { state, reason } = this.connection;
    if (state === "ended") throw endedError(reason);
    try {
      return this.#stream.push(message);
    } catch (error) {
      if (error instanceof ProtocolError) this.connection.end(error.reason);
      throw error;
    }
  }

  /** Sends a message for this link alone. */
  transmit(message: FromClient): void {
    this.connection.send(channelFromClient(message.kind), encodeFromClient(message, this.#options.protocol));
  }

  /** Opens a link. Credentials are fetched only if there is no session yet, since they are not needed to take one up. */
  #connect(): Link | Promise<Link> {
    const { connect, credentials } = this.#options;
    if (typeof credentials === "string" || this.#token !== undefined) {
      this.#credentials = typeof credentials === "string" && this.#token === undefined ? credentials : "";
      return connect();
    }
    return Promise.resolve(credentials()).then((given) => {
      checkCredentials(given);
      this.#credentials = given;
      return connect();
    });
  }

  /** The session to take up: this client's own, or the one that its ticket names. */
  #resumed(): Resume | undefined {
    if (this.#token !== undefined && this.#reader !== undefined) {
      const packets = this.#reader.arrivals.ack();
      const heard = short(this.#stream.heard);
      return { token: this.#token, attempt: this.#hellos, heard, packets, afresh: false };
    }
    if (this.#ticket === undefined) return undefined;
    return { token: this.#ticket, attempt: this.#hellos, heard: 0, packets: { newest: 0, runs: [] }, afresh: true };
  }

  #sayHello(): void {
    const { protocol, nickname, room, role } = this.#options;
    this.#hellos += 1;
    const resume = this.#resumed();
    const hello: Hello = {
      kind: "hello",
      version: PROTOCOL_VERSION,
      hash: protocol.hash,
      nickname,
      room,
      role,
      credentials: this.#credentials,
      resume,
    };
    this.transmit(hello);
  }
}

export function endedError(reason: Reason | undefined): ClientError {
  return new ClientError(reason?.code ?? "left", `the connection has ended: ${reason?.detail ?? "this client left"}`);
}
