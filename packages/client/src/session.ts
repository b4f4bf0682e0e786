/**
 * The client's side of a session: the connection with its links, the reliable stream and the frame reader that outlive
 * them, acks, pivots and pings. Frames are applied to the replicas here; every other message is handed on to whoever
 * knows what it means.
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

/** Messages that may wait to be merged; past them they are merged at once. */
const HIGH_WATER = 64;

/** What the session itself does not answer. */
export type Delivered = Exclude<FromServer, { kind: "frame" | "refuse" | "bye" | "pong" }>;

export interface SessionEvents {
  readonly onMessage: (message: Delivered) => void;
  /** A frame was applied: its round, the last stepped command that it includes, and the events that rode on it. */
  readonly onFrame: (round: number, commands: number, events: readonly FrameEvent[]) => void;
  readonly onState: (state: ConnectionState, reason: Reason | undefined) => void;
  /** The newest pivots are obeyed, or what the server made of them. */
  readonly onPivots: (pivots: readonly Pivot[]) => void;
}

/** Packets by what became of them, and messages that were merged because too many waited. */
export interface PacketCounters {
  applied: number;
  duplicate: number;
  late: number;
  selfDrained: number;
}

export class Session {
  readonly connection: Connection;
  readonly counters: PacketCounters = { applied: 0, duplicate: 0, late: 0, selfDrained: 0 };
  /** As the server lets it stand. */
  nickname: string;
  /** As the server granted it; before the welcome, as it was asked for. */
  role: Role;
  roundMs = 0;
  readonly clock: ClockSync;
  /** Stepped commands, apart from the reliable stream. */
  readonly commands: CommandWindow;
  readonly #options: ResolvedClientOptions;
  readonly #store: ReplicaStore;
  readonly #events: SessionEvents;
  readonly #stream: ReliableStream<FromClient>;
  #reader: FrameReader | undefined;
  #token: Uint8Array | undefined;
  /** The secret of a session that another client had. */
  #ticket: Uint8Array | undefined;
  #credentials = "";
  #hellos = 0;
  #inbox: { channel: Channel; bytes: Uint8Array; atMs: number }[] = [];
  /** The last frame, whose arrays the next one uses again. */
  #frame: Frame | undefined;
  #ackDue = false;
  /** Newest round of the last ack, whether its link kept order, and whether a reliable message came since: its sender waits to forget it. */
  #ackedRound = 0;
  #ackedInOrder = false;
  #hasHeard = false;
  #pivots: readonly Pivot[] | undefined;
  #pivotsNumber = 0;
  #pivotsAreNew = false;
  /** The link over which they were sent reliably. */
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

  /** Names the session, for a client that is to go on with it; undefined before the welcome. Whoever has it is this player. */
  get ticket(): string | undefined {
    return this.#token === undefined ? undefined : writeTicket(this.#token);
  }

  /** Number of the last reliable message of this client that an applied frame includes. */
  get confirmed(): number {
    return this.#reader?.heard ?? 0;
  }

  // ── in ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Reads and applies everything that came, in the order it came. What breaks the protocol ends the session. */
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

  /** @param atMs when it arrived: an answer to a probe must not age until it is read. */
  #apply(message: FromServer, atMs: number): void {
    switch (message.kind) {
      case "frame": {
        // Frames may overtake the welcome; unacknowledged, their contents are sent again.
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
        // A ticket that is not taken is forgotten, and the next link joins anew.
        if (this.#ticket !== undefined && this.#token === undefined && message.reason.code === "session-gone")
          this.#ticket = undefined;
        else this.connection.end(message.reason);
        return;
      case "bye":
        // After silence the session is kept, and the link that closes now is replaced.
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

  /** State of one object that came outside a frame; false where newer is here. */
  supersedes(...record: Parameters<FrameReader["overwrite"]>): boolean {
    return this.#reader?.overwrite(...record) === true;
  }

  // ── out ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Merges and acknowledges, nothing else. */
  keepUp(): void {
    this.connection.tick(this.#options.now());
    this.receive();
    this.ack();
  }

  /** Tells what arrived, where the view stands if the server does not know it yet, and now and then a ping. */
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
   * Where nothing is lost, acks only move the base of deltas on, so some rounds do: the same ones for all clients, which then stand on the
   * same bases and share what is encoded against them. A link that has just begun to keep order may have lost something before.
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

  /** At once, then with every ack until a frame confirms them; if they are too long for that, once over each link. */
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

  /** A message of the reliable stream: it arrives once, whatever becomes of the link. Returns its number. */
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

  /** A message for this link alone. */
  transmit(message: FromClient): void {
    this.connection.send(channelFromClient(message.kind), encodeFromClient(message, this.#options.protocol));
  }

  /** Credentials are asked for only where they are shown: before there is a session. */
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

  /** The session to take up: that of this client, or the one that its ticket names. */
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
