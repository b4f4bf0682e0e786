/**
 * The connection of a player. Its link may break; the reliable stream, the frame ledger and the client's waiting requests outlive the link.
 * This class handles bytes and acks. What messages mean is in `merge.ts`.
 */

import type { Pivot } from "@nearfield/core";
import { type ResolvedClientPivots, USUAL_CLIENT_PIVOTS } from "@nearfield/core/internal";
import {
  type AckPart,
  ClientNames,
  type Debug,
  decodeFromClient,
  type EncodedEvent,
  encodeFromServer,
  type FrameInput,
  FrameWriter,
  type FromClient,
  type FromServer,
  HeldStream,
  isFromClient,
  type PacketAck,
  type PacketSink,
  type Pivots,
  ProtocolError,
  type Reason,
  type SteppedCommand,
} from "@nearfield/protocol/internal";
import { WireError } from "@nearfield/schema/internal";
import type { Link } from "@nearfield/transport";
import type { Channel } from "@nearfield/transport/internal";
import type { ClientPictures } from "../hits/client-pictures.ts";
import { CommandQueue } from "../room/commands.ts";
import { Foresight } from "../room/foresight.ts";
import { refuseSpectators } from "../room/merge.ts";
import type { RoomCore } from "../room/room-core.ts";
import type { SessionTelemetry } from "../telemetry/telemetry.ts";
import { isAmple, mostRecordBits } from "./ample.ts";
import { Arrival } from "./arrival.ts";
import { ByteBudget } from "./byte-budget.ts";
import { Confirmations } from "./confirmations.ts";
import { Inbox } from "./inbox.ts";
import { Loosening } from "./loosening.ts";
import type { Player, PlayerRecord } from "./player.ts";
import { Quiet } from "./quiet.ts";
import { TimeBudget, WORK } from "./time-budget.ts";
import { ToldView } from "./told-view.ts";
import { toClient, toWorld } from "./translate.ts";

/** What a client asks for and the merge stage carries out, in the order of asking. */
export type Action = Exclude<FromClient, { kind: "hello" | "ack" | "pivots" | "ping" | "leave" | "commands" }>;

/** Every message to a client that is not a frame. */
export type ToClient = Exclude<FromServer, { kind: "frame" }>;

/** Pings answered within one round; further ones are ignored. */
const PONGS_PER_ROUND = 8;

const NO_EVENTS: readonly EncodedEvent[] = [];

export class Session implements PacketSink {
  readonly room: RoomCore;
  readonly player: Player;
  readonly token: Uint8Array;
  readonly writer: FrameWriter;
  /** The ids by which the client knows objects, if they are its own; undefined: they are those of the world. */
  readonly names: ClientNames | undefined;
  readonly budget: ByteBudget;
  readonly loosening: Loosening;
  /** The server's time that the client's messages may take. */
  readonly time: TimeBudget;
  readonly stream: HeldStream<ToClient>;
  /** What the client knows of its view. */
  readonly toldView: ToldView;
  /** What the client knows of the room's rules for pivots. */
  toldClientPivots: ResolvedClientPivots = USUAL_CLIENT_PIVOTS;
  /** Set as long as the client may still be waiting for objects of its own before it counts as joined. */
  arrival: Arrival | undefined = new Arrival(this);
  /** What the client sees of targets, in rooms with lag compensation. */
  readonly pictures: ClientPictures | undefined;
  /** Stepped commands. They do not use the reliable stream: the client repeats them until a frame confirms them. */
  readonly commands: CommandQueue = new CommandQueue();
  /** What the client predicted of its own objects. */
  readonly foresight: Foresight = new Foresight();
  /** Requests to be carried out in the next rounds, oldest first. */
  readonly actions: Action[] = [];
  /** Number of the reliable message that is being carried out. */
  actionNumber = 0;
  /** What is confirmed to the client, and when it may be. */
  readonly confirmations: Confirmations;
  /** The newest pivots that the client asked for; and the count of its pivots that were used. */
  proposedPivots: Pivots | undefined = undefined;
  obeyedPivots = 0;
  /** The pivots that the client asked for and got. They differ from the view's pivots once the game has set others. */
  grantedPivots: readonly Pivot[] | undefined = undefined;
  debug: Debug | undefined = undefined;
  debugCursor = 0;
  /** Events for the frame of this round. */
  events: EncodedEvent[] = [];
  /** The number of this link, as the client counts its links. */
  attempt = 1;
  /** When the link broke, by the host's `elapsedMs`; −1 while there is one. */
  awaySinceMs = -1;
  /** Since when packets have waited for an ack, by the host's `elapsedMs`; −1 while none does. */
  #waitingSinceMs = -1;
  /** Links in a row that were closed because no ack came over them. */
  unheardLinks = 0;
  readonly #joinedMs: number;
  readonly #quiet: Quiet;
  isPaused = false;
  /** The client sits out this round; how many in a row it has sat out; and how many it had before it was last served. */
  isOut = false;
  roundsOut = 0;
  satOutBefore = 0;
  /** Every how many rounds the client is served, as it was told. */
  toldEvery = 1;
  /** Whether the model orders this client's decisions by urgency. */
  isBudgeted = false;
  readonly #record: PlayerRecord;
  readonly #frameInput: { -readonly [Key in keyof FrameInput]: FrameInput[Key] } = {
    round: 0,
    heard: 0,
    pivots: 0,
    commands: -1,
    again: false,
    events: NO_EVENTS,
    evenEmpty: false,
    maxBytes: 0,
    budgetBits: Number.POSITIVE_INFINITY,
    urgentBits: Number.POSITIVE_INFINITY,
    firstBits: Number.POSITIVE_INFINITY,
  };
  /** The most bits that a record of this protocol takes. */
  readonly recordBits: number;
  #inbox: Inbox;
  #link: Link | undefined;
  /** The link's `kind` when it was last looked at. */
  #carrier = "";
  #pongs = 0;
  /** Arrival times of waiting requests, in rooms with lag compensation. */
  readonly #arrivals = new WeakMap<Action | SteppedCommand, number>();

  constructor(room: RoomCore, player: Player, record: PlayerRecord, token: Uint8Array) {
    const { world, model, cache, ownership } = room;
    const { protocol, limits, roundMs } = room.host.resolved;
    this.room = room;
    this.player = player;
    this.token = token;
    this.#record = record;
    this.#joinedMs = room.host.elapsedMs;
    this.#quiet = new Quiet(room.host.resolved.heartbeatMs);
    this.#inbox = new Inbox(limits.messagesPerRound, limits.bytesPerRound);
    this.budget = new ByteBudget(roundMs);
    this.recordBits = mostRecordBits(protocol);
    this.time = new TimeBudget(room.host);
    this.loosening = new Loosening(roundMs);
    this.toldView = new ToldView(roundMs);
    this.pictures = player.role === "spectator" ? undefined : room.lagCompensation?.enter(player);
    this.names = room.options.idsPerClient === true ? new ClientNames(world) : undefined;
    this.writer = new FrameWriter({
      world,
      names: this.names,
      model: this.pictures?.watch(model) ?? model,
      view: player.view,
      session: player.id,
      cache,
      ownerVersion: ownership.ownerVersion,
      listener: room.audit.watch(this),
    });
    room.audit.enter(this);
    this.telemetry.follow(this);
    this.stream = new HeldStream((message, number) => encodeFromServer(message, protocol, number));
    this.confirmations = new Confirmations(this.stream);
  }

  get telemetry(): SessionTelemetry {
    return this.#record.telemetry;
  }

  get link(): Link | undefined {
    return this.#link;
  }

  /** Ms from the player's join until now, or until its link broke. */
  get hereMs(): number {
    return (this.#link === undefined ? this.awaySinceMs : this.room.host.elapsedMs) - this.#joinedMs;
  }

  /** How long packets have waited for an ack, ms; 0 if none does. */
  get unansweredMs(): number {
    return this.#waitingSinceMs < 0 ? 0 : this.room.host.elapsedMs - this.#waitingSinceMs;
  }

  /** Whether the client has no request that the next round would carry out. */
  get isIdle(): boolean {
    return this.actions.length === 0 && this.proposedPivots === undefined;
  }

  // ── the link ───────────────────────────────────────────────────────────────────────────────────────────────────

  /** Takes a new link into use: sends the greeting, then everything that the client has not confirmed. */
  attach(link: Link, inbox: Inbox, greeting: ToClient): void {
    this.#link = link;
    this.#inbox = inbox;
    const { messagesPerRound, bytesPerRound } = this.room.host.resolved.limits;
    inbox.widen(messagesPerRound, bytesPerRound);
    this.awaySinceMs = -1;
    this.#waitingSinceMs = -1;
    this.#record.presence = "here";
    this.#record.address = link.address;
    this.telemetry.relinked(link.traffic.upkeep);
    link.onMessage((channel, bytes) => this.#arrived(channel, bytes));
    link.onClose(() => {
      if (this.#link === link) this.detach();
    });
    this.#fit(link);
    this.control(greeting);
    this.stream.attach((bytes) => this.#transmit("reliable", bytes));
  }

  /** A link's carrier may change between any two messages. If it has changed, measurements start anew. */
  #look(link: Link): void {
    if (link.kind !== this.#carrier) this.#fit(link);
  }

  /** Forgets everything that was measured of the path to the client, because the path is a new one. */
  #fit(link: Link): void {
    this.#carrier = link.kind;
    this.budget.relink(this.telemetry.bytesOut);
    this.pictures?.path.forget();
    this.#quiet.hurry();
    this.writer.ledger.relink(link.inOrder, this.room.host.resolved.roundMs);
  }

  /** The link is gone. Packets in flight stay undecided: when the client comes back, it tells which of them arrived. */
  detach(): void {
    if (this.#link === undefined) return;
    this.#link = undefined;
    this.awaySinceMs = this.room.host.elapsedMs;
    this.stream.detach();
    this.commands.held.clear();
    if (this.#record.presence === "here") this.#record.presence = "away";
    this.room.model.pause(this.player.view);
    this.isPaused = true;
  }

  /** The client does not come back. Nobody will tell which packets arrived, so all in flight count as lost. */
  giveUp(): void {
    this.writer.ledger.loseAll();
  }

  /** The client is back and tells which packets of the old link arrived. The others are lost. */
  resume(packets: PacketAck, heard: number, round: number): void {
    this.writer.acknowledge(packets, round);
    this.writer.ledger.loseAll();
    this.stream.confirm(heard);
  }

  /** The session had another server before, which carried out the client's messages up to this number. */
  goOnAfter(heard: number): void {
    this.stream.goOnAfter(heard, true);
    this.confirmations.carriedOut = heard;
  }

  /** The client is served in this round, or sits it out. */
  takeTurn(isServed: boolean): void {
    this.isOut = !isServed;
    if (isServed) this.satOutBefore = this.roundsOut;
    this.roundsOut = isServed ? 0 : this.roundsOut + 1;
    if (!isServed) this.telemetry.roundsOut += 1;
  }

  /** Says goodbye and closes the link. */
  hangUp(reason: Reason): void {
    const link = this.#link;
    if (link === undefined) return;
    try {
      this.control({ kind: "bye", reason });
    } catch (error) {
      // The close code says the same.
      if (!(error instanceof ProtocolError)) this.room.failed(error, "goodbye");
    }
    this.detach();
    link.close(reason);
  }

  /** Closes the link without a goodbye, so that the client connects again. */
  drop(reason: Reason): void {
    const link = this.#link;
    this.detach();
    link?.close(reason);
  }

  // ── sending ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Sends a message on the reliable stream: it arrives even if the link breaks now. */
  send(message: ToClient): void {
    this.stream.push(this.names === undefined ? message : toClient(message, this.names));
  }

  /** Tells the client the view in force: as the answer to its own request, or (request 0) because the server changed something. */
  tellView(request: number, clamped: readonly string[]): void {
    const { settings } = this.player;
    this.toldView.told(settings, request === 0 && clamped.length > 0);
    this.send({ kind: "viewSet", request, settings, clamped });
  }

  /** Tells a joining client which objects to wait for. Called after the round's frame was sent, so that the list fits that frame. */
  sendArrival(): void {
    const { arrival } = this;
    if (arrival === undefined) return;
    const own = arrival.look();
    if (own !== undefined) {
      this.send({ kind: "joined", own });
      arrival.told(this.stream.sent);
    } else if (arrival.isOver) {
      this.arrival = undefined;
    }
  }

  /** Sends a message for this link alone; it is lost if the link breaks. */
  control(message: ToClient): void {
    this.#transmit("reliable", encodeFromServer(message, this.room.host.protocol));
  }

  sendDebug(message: ToClient): void {
    const named = this.names === undefined ? message : toClient(message, this.names);
    const bytes = encodeFromServer(named, this.room.host.protocol);
    if (this.#link?.send("unsequenced", bytes) === true) this.telemetry.countDebug(bytes.length, this.#link.inOrder);
  }

  /**
   * Writes the frame with what was decided in this round, and sends it. If there is nothing to say, nothing is sent (`quiet.ts`). Throws
   * `ProtocolError` if something does not fit into any message.
   */
  sendFrame(round: number): void {
    const link = this.#link;
    if (this.isPaused || link === undefined) return;
    this.#look(link);
    const { budget, telemetry } = this;
    const input = this.#frameInput;
    budget.pay(telemetry.bytesOut);
    input.round = round;
    input.heard = this.confirmations.confirmed;
    input.pivots = this.obeyedPivots;
    input.commands = this.commands.report();
    input.again = this.commands.isMissing;
    input.events = this.events.length === 0 ? NO_EVENTS : this.events.splice(0);
    const { elapsedMs } = this.room.host;
    input.evenEmpty = this.#quiet.isOver(input, elapsedMs);
    const decisions = this.room.model.decisions(this.player.view);
    const { count } = decisions;
    if (count === 0 && input.events.length === 0 && !input.evenEmpty) return;
    input.maxBytes = link.maxUnreliableBytes;
    const budgetBits = budget.frameBytes * 8;
    input.budgetBits = isAmple(budgetBits, count, this.recordBits, input.events)
      ? Number.POSITIVE_INFINITY
      : budgetBits;
    input.urgentBits = budget.urgentBytes * 8;
    input.firstBits = budget.firstBytes * 8;
    const { ledger } = this.writer;
    const first = ledger.nextPacket;
    this.pictures?.sending(round, first, decisions);
    this.writer.writeTo(input, this);
    this.pictures?.sent(first, ledger.nextPacket);
    if (ledger.nextPacket === first) return;
    this.#quiet.left(input, elapsedMs);
    if (this.#waitingSinceMs < 0) this.#waitingSinceMs = elapsedMs;
  }

  /** Called by the frame writer with each packet. The bytes belong to the writer. */
  packet(bytes: Uint8Array, tooLong: boolean): boolean {
    this.room.telemetry.packets += 1;
    this.telemetry.frameBytes += bytes.length;
    this.telemetry.framePackets += 1;
    return this.#transmit(tooLong ? "reliable" : "unsequenced", bytes);
  }

  /** Returns false if the message did not leave. */
  #transmit(channel: Channel, bytes: Uint8Array): boolean {
    const link = this.#link;
    if (link === undefined) return false;
    if (channel === "reliable" && bytes.length > link.maxReliableBytes) {
      throw new ProtocolError(
        "overflow",
        `a message of ${bytes.length} bytes is too long for the link, which takes ${link.maxReliableBytes}`,
      );
    }
    const hasLeft = link.send(channel, bytes);
    if (hasLeft) this.telemetry.countOut(channel, bytes.length, link.inOrder);
    return hasLeft;
  }

  // ── receiving ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** Reads what came since the last round: acks take effect, requests are queued. Throws `ProtocolError`. Returns true if the client leaves. */
  receive(round: number): boolean {
    this.#pongs = 0;
    if (this.#link !== undefined) this.#look(this.#link);
    const inOrder = this.#link?.inOrder ?? true;
    let leaves = false;
    for (const { channel, bytes, atMs } of this.#inbox.take()) {
      this.telemetry.countIn(channel, bytes.length, inOrder);
      this.time.begin();
      const { message: said, number } = this.#decode(channel, bytes);
      const message = this.names === undefined ? said : toWorld(said, this.names, this.room.world);
      switch (message.kind) {
        case "ack":
          this.#acknowledge(message, round, atMs);
          break;
        case "pivots":
          if (message.ack !== undefined) this.#acknowledge(message.ack, round, atMs);
          this.#propose(message);
          break;
        case "commands":
          refuseSpectators(this, "commands");
          if (message.ack !== undefined) this.#acknowledge(message.ack, round, atMs);
          // A client that holds its command waits for nothing but this confirmation.
          if (!this.commands.accept(message, round) || message.list.at(-1)!.isHeld === true) this.#quiet.hurry();
          if (this.pictures !== undefined) for (const command of message.list) this.#arrivals.set(command, atMs);
          break;
        case "leave":
          leaves = true;
          break;
        case "ping":
          if (message.ack !== undefined) this.#acknowledge(message.ack, round, atMs);
          break;
        case "hello":
          throw new ProtocolError("unexpected", "hello: this connection has said it already");
        default:
          if (!this.stream.accept(number)) break;
          this.actions.push(message);
          this.confirmations.carriedOut = this.stream.heard - this.actions.length;
          if (this.pictures !== undefined) this.#arrivals.set(message, atMs);
      }
      const steps = message.kind === "commands" ? message.list.length : 0;
      this.time.end(WORK.message + bytes.length * WORK.byte + steps * WORK.step);
    }
    if (this.actions.length > this.room.host.resolved.limits.messagesPerRound) {
      throw new ProtocolError(
        "flood",
        `${this.actions.length} commands wait, at most ${this.room.host.resolved.limits.messagesPerRound}`,
      );
    }
    return leaves;
  }

  #acknowledge({ packets, heard, waitedMs }: AckPart, round: number, atMs: number): void {
    this.pictures?.acked(packets, atMs, waitedMs);
    this.writer.acknowledge(packets, round, waitedMs);
    this.stream.confirm(heard);
    this.#waitingSinceMs = this.writer.ledger.isWaiting ? this.room.host.elapsedMs : -1;
    this.unheardLinks = 0;
  }

  /** A command is about to be carried out. Shots in it are judged by its arrival time. */
  beginCommand(command: Action | SteppedCommand): void {
    if (this.pictures !== undefined) this.pictures.commandMs = this.#arrivals.get(command) ?? 0;
  }

  /** A held command is about to be repeated: it counts as one that comes now. */
  repeatCommand(command: SteppedCommand): void {
    if (this.pictures !== undefined) this.#arrivals.set(command, this.room.lagCompensation!.arrivalMs);
  }

  #arrived(channel: Channel, bytes: Uint8Array): void {
    if (channel === "unsequenced" && isFromClient(bytes, "ping")) this.#answerPing(bytes, this.room.host.timeMs);
    this.#inbox.push(channel, bytes, this.pictures === undefined ? 0 : this.room.lagCompensation!.arrivalMs);
  }

  /** Answers at once, not in the next round, since the client measures the network with it. */
  #answerPing(bytes: Uint8Array, timeMs: number): void {
    if (++this.#pongs > PONGS_PER_ROUND) return;
    try {
      const { message } = this.#decode("unsequenced", bytes);
      if (message.kind !== "ping") return;
      const { host } = this.room;
      const heldMs = Math.max(0, host.timeMs - timeMs);
      const pong = encodeFromServer({ kind: "pong", stamp: message.stamp, timeMs, heldMs }, host.protocol);
      this.#transmit("unsequenced", pong);
    } catch (error) {
      if (!(error instanceof ProtocolError)) this.room.failed(error, "ping");
    }
  }

  #decode(channel: Channel, bytes: Uint8Array): { message: FromClient; number: number } {
    try {
      return decodeFromClient(bytes, channel, this.room.host.protocol);
    } catch (error) {
      if (error instanceof WireError) throw new ProtocolError("malformed", error.message);
      throw error;
    }
  }

  /**
   * Pivots are state: only the newest ones count. Their 8-bit number is compared with the last one seen. A client that repeats pivots which
   * are in use has missed the confirmation.
   */
  #propose(pivots: Pivots): void {
    const last = this.proposedPivots?.number ?? this.obeyedPivots & 0xff;
    const ahead = (pivots.number - last) & 0xff;
    if (ahead !== 0 && ahead < 0x80) this.proposedPivots = pivots;
    else if (this.proposedPivots === undefined) this.#quiet.hurry();
  }
}
