/**
 * The client's side of a session: the connection and its links, the reliable stream and the frame reader that outlive a link, acks, pivots
 * and pings. Frames are applied to the replicas here. Every other message is handed on to the part of the client that handles it.
 * Why so: docs/decisions/0005-reliable-stream-across-reconnects.md.
 */

import {
  type AckPart,
  type CommonFromClient,
  type CommonFromServer,
  channelFromClient,
  decodeCommonFromServer,
  encodeCommon,
  type Frame,
  type FrameEvent,
  FrameReader,
  type FromServer,
  type Hello,
  IN_ORDER_ACK_ROUNDS,
  PROTOCOL_VERSION,
  ProtocolError,
  type RareKind,
  type Readers,
  type Reason,
  ReliableStream,
  type Resume,
  type Role,
  short,
  type Unread,
  type Welcome,
} from "@nearfield/protocol/internal";
import { type BitReader, WireError } from "@nearfield/schema/internal";
import type { Link } from "@nearfield/transport";
import type { Channel } from "@nearfield/transport/internal";
import { ClockSync } from "./clock-sync.ts";
import type { CommandWindow } from "./command-window.ts";
import { Connection, type ConnectionState } from "./connection.ts";
import { checkCredentials, readTicket, writeTicket } from "./credentials.ts";
import { ClientError } from "./errors.ts";
import type { ResolvedClientOptions } from "./options.ts";
import type { ReplicaStore } from "./replica-store.ts";
import type { SentPivots } from "./sent-pivots.ts";

/** Messages that may wait for the next update. When there are more, they are merged at once. */
const HIGH_WATER = 64;

/** How long the ack of an empty packet waits for a message that leaves anyway, ms; the same for the confirmation of a reliable message. */
const LAZY_ACK_MS = 1000;
const LAZY_CONFIRM_MS = 500;
/** A game that has made a command makes the next one within this many rounds; it makes them after `ack` was called. */
const NEXT_COMMAND_ROUNDS = 2;
/** The round trip while it is not known, ms. */
const USUAL_TRIP_MS = 100;

/** Messages that the session hands on. */
export type Delivered = Exclude<CommonFromServer, { kind: "frame" | "refuse" | "bye" | "pong" }>;
/** Messages that only some games need. */
type Rare = Extract<FromServer, { readonly kind: RareKind }>;

export interface SessionEvents {
  readonly onMessage: (message: Delivered) => void;
  /** A frame was applied. Gives its round, the last stepped command that it includes, and the events in it. */
  readonly onFrame: (round: number, commands: number, events: readonly FrameEvent[]) => void;
  readonly onState: (state: ConnectionState, reason: Reason | undefined) => void;
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
  clock: ClockSync;
  /** Stepped commands, which do not use the reliable stream. Undefined until something is predicted. */
  commands: CommandWindow | undefined;
  /** The ack that rides in the next message of stepped commands. */
  riding: AckPart | undefined;
  /** Undefined until the game asks for pivots. */
  pivots: SentPivots | undefined;
  /** Called when another server goes on with the session. Undefined where a client has one server. */
  moved: ((stream: ReliableStream<(number: number) => Uint8Array>) => void) | undefined;
  readonly #options: ResolvedClientOptions;
  readonly #store: ReplicaStore;
  readonly #events: SessionEvents;
  /** Takes what puts a message and its number into bytes. */
  readonly #stream: ReliableStream<(number: number) => Uint8Array>;
  #reader: FrameReader | undefined;
  #token: Uint8Array | undefined;
  /** The secret of another client's session, to take that session over. */
  #ticket: Uint8Array | undefined;
  #credentials = "";
  #hellos = 0;
  #inbox: { channel: Channel; bytes: Uint8Array; atMs: number }[] = [];
  /** The last frame. Its arrays are used again for the next one. */
  #frame: Frame | undefined;
  /** Who takes rare messages, by kind; and of each kind that nobody takes yet, the last message. */
  readonly #takers = new Map<RareKind, (body: BitReader, isNews: boolean) => void>();
  readonly #unread = new Map<RareKind, BitReader>();
  /** When an ack must leave, if it has not left in another message; `Infinity`: nothing is to be acknowledged. */
  #ackAtMs = Number.POSITIVE_INFINITY;
  /** The newest packet, and when it was read. */
  #newest = -1;
  #newestMs = 0;
  /** The link over which the last ack left, if it kept order then. */
  #ackedInOrder: Link | undefined;
  /** When the game last made a stepped command. */
  #commandedMs = Number.NEGATIVE_INFINITY;

  constructor(options: ResolvedClientOptions, store: ReplicaStore, events: SessionEvents) {
    this.#options = options;
    this.#store = store;
    this.#events = events;
    this.nickname = options.nickname;
    this.role = options.role;
    this.#ticket = options.ticket === undefined ? undefined : readTicket(options.ticket);
    this.clock = new ClockSync(options.now, options.pingMs);
    this.#stream = new ReliableStream((encode, number) => encode(number));
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
      this.#judging(() => {
        const { message, number } = decodeCommonFromServer(bytes, channel, this.#options.protocol, this.#frame);
        if (number === 0 || this.#stream.accept(number)) this.#apply(message, atMs);
        if (number !== 0) this.#ackWithin(LAZY_CONFIRM_MS);
      });
    }
  }

  #judging(read: () => void): void {
    try {
      read();
    } catch (error) {
      if (error instanceof WireError) this.connection.end({ code: "malformed", detail: error.message });
      else if (error instanceof ProtocolError) this.connection.end(error.reason);
      else throw error;
    }
  }

  /**
   * Reads and hands on messages of these kinds from now on. Of each kind, the last message that came before is handed on now.
   *
   * @param take `isNews` is false if the message came before activities ran, so that the game's handlers cannot have missed it.
   */
  learn<M extends Rare>(readers: Readers<M>, take: (message: M, isNews: boolean) => void): void {
    for (const [kind, read] of Object.entries(readers) as [M["kind"], Readers<M>[M["kind"]]][]) {
      const taker = (body: BitReader, isNews: boolean): void => {
        const message = read(body, this.#options.protocol) as M;
        body.end();
        take(message, isNews);
      };
      this.#takers.set(kind, taker);
      const missed = this.#unread.get(kind);
      this.#unread.delete(kind);
      if (missed !== undefined) this.#judging(() => taker(missed, this.#store.journal.isHolding));
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
  #apply(message: CommonFromServer | Unread<RareKind>, atMs: number): void {
    switch (message.kind) {
      case "unread": {
        const take = this.#takers.get(message.of);
        if (take === undefined) this.#unread.set(message.of, message.body);
        else take(message.body, true);
        return;
      }
      case "frame": {
        // Frames may overtake the welcome. They are not acknowledged, so their contents are sent again.
        if (this.#reader === undefined) return;
        this.#frame = message;
        const outcome = this.#reader.apply(message.frame);
        this.counters[outcome] += 1;
        this.#ackFrame(this.#reader, outcome !== "applied" || message.frame.carries);
        if (outcome !== "applied") return;
        if (!this.clock.isKnown) this.clock.begin(this.#reader.frameRound * this.roundMs);
        this.#stream.confirm(short(this.#reader.heard));
        this.commands?.confirm(this.#reader.commands);
        if (message.frame.header.again) this.commands?.sendAgain();
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
    const isElsewhere = this.#token !== undefined && this.ticket !== writeTicket(welcome.token);
    this.#token = welcome.token;
    this.nickname = welcome.nickname;
    this.role = welcome.role;
    this.roundMs = welcome.roundMs;
    this.#store.roundMs = welcome.roundMs;
    this.#store.session = welcome.session;
    if (isElsewhere) this.moved?.(this.#stream);
    if (this.#reader === undefined || isElsewhere)
      this.#reader = new FrameReader(this.#options.protocol, this.#store, welcome.round);
    else this.#reader.resume(welcome.round);
    this.clock.begin(welcome.round * welcome.roundMs);
    this.#stream.confirm(welcome.heard);
    this.connection.welcomed(welcome.resumeMs);
    this.#stream.attach((bytes) => this.connection.send("reliable", bytes));
  }

  /** Applies frames. Undefined until the client has joined. */
  get reader(): FrameReader | undefined {
    return this.#reader;
  }

  // ── out ────────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Merges and acknowledges, and does nothing else. */
  keepUp(): void {
    this.connection.tick(this.#options.now());
    this.receive();
    this.ack();
  }

  /** Sends stepped commands; pivots, if the server does not know them yet; a ping now and then; and an ack, in one of these or alone. */
  ack(): void {
    if (this.#reader === undefined || this.connection.state !== "active") return;
    // What waits rides with the command that the game is about to make, and leaves without it only later.
    const nowMs = this.#options.now();
    const nextWithinMs = NEXT_COMMAND_ROUNDS * this.roundMs;
    const isCommandNear = nowMs - this.#commandedMs < nextWithinMs;
    this.sendCommands(isCommandNear ? nextWithinMs : this.roundMs / 2);
    this.#sendPivots(this.#reader.pivots);
    // If nothing is heard, only an answer shows that the link lives: so ask before it is given up.
    const { silentMs } = this.#options.reconnect;
    const stamp = this.clock.probe(this.connection.silenceMs >= silentMs / 4 ? silentMs / 4 : Number.POSITIVE_INFINITY);
    if (stamp >= 0) this.transmit({ kind: "ping", stamp, ack: this.#takeAck() });
    if (nowMs < this.#ackAtMs + (isCommandNear ? this.roundMs : 0)) return;
    const ack = this.#takeAck();
    if (ack !== undefined) this.transmit({ kind: "ack", ...ack });
  }

  /**
   * A packet has come. If it carries something, it is acknowledged at once, or with the command that leaves within half a round. An empty
   * one is acknowledged with any message. A link that has just begun to keep order may have lost something before.
   */
  #ackFrame({ arrivals }: FrameReader, isAwaited: boolean): void {
    const nowMs = this.#options.now();
    if (arrivals.newest !== this.#newest) {
      this.#newest = arrivals.newest;
      this.#newestMs = nowMs;
    }
    const { link } = this.connection;
    if (!isAwaited) this.#ackWithin(LAZY_ACK_MS);
    else if (link?.inOrder === true && link === this.#ackedInOrder) this.#ackWithin(IN_ORDER_ACK_ROUNDS * this.roundMs);
    else this.#ackWithin(this.commands?.isFlowing(nowMs, this.roundMs) ? this.roundMs / 2 : 0);
  }

  #ackWithin(ms: number): void {
    this.#ackAtMs = Math.min(this.#ackAtMs, this.#options.now() + ms);
  }

  /** The ack for a message that leaves now; undefined if there is nothing to acknowledge. */
  #takeAck(): AckPart | undefined {
    if (this.#reader === undefined || this.#ackAtMs === Number.POSITIVE_INFINITY) return undefined;
    this.#ackAtMs = Number.POSITIVE_INFINITY;
    const { link } = this.connection;
    this.#ackedInOrder = link?.inOrder === true ? link : undefined;
    const waitedMs = Math.max(0, this.#options.now() - this.#newestMs);
    return { packets: this.#reader.arrivals.ack(), heard: short(this.#stream.heard), waitedMs };
  }

  #sendPivots(confirmed: number): void {
    const { link } = this.connection;
    if (link !== undefined)
      this.pivots?.send(link, confirmed, this.#options.now(), this.#tripMs, () => this.#takeAck());
  }

  /** The game has made a stepped command. Sends it, with what waits, if it is time to. */
  commanded(): void {
    this.#commandedMs = this.#options.now();
    this.sendCommands();
  }

  /** @param pauseMs time between two messages while the command stays the same. */
  sendCommands(pauseMs: number = this.roundMs / 2): void {
    const { link, state } = this.connection;
    if (link === undefined || state !== "active") return;
    this.commands?.send(link, this.#options.now(), pauseMs, this.#tripMs, () => {
      this.riding = this.#takeAck();
    });
    this.riding = undefined;
  }

  get #tripMs(): number {
    const { roundTripMs } = this.clock;
    return roundTripMs < 0 ? USUAL_TRIP_MS : roundTripMs;
  }

  /** Sends a message on the reliable stream: it arrives once, even if the link breaks. Returns its number. */
  push(message: CommonFromClient): number {
    return this.pushAs((number) => encodeCommon(message, this.#options.protocol, number));
  }

  /** The same for a message that its sender puts into bytes. */
  pushAs(encode: (number: number) => Uint8Array): number {
    const { state, reason } = this.connection;
    if (state === "ended") throw endedError(reason);
    try {
      return this.#stream.push(encode);
    } catch (error) {
      if (error instanceof ProtocolError) this.connection.end(error.reason);
      throw error;
    }
  }

  /** Sends a message for this link alone. */
  transmit(message: CommonFromClient): void {
    this.connection.send(channelFromClient(message.kind), encodeCommon(message, this.#options.protocol));
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
