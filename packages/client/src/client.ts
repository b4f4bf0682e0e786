/**
 * The client's spine. `update` is one frame of it: receive → apply → ack → activities. Whoever has a frame loop or a timer calls it (`join` in the
 * /browser and /node entry points does). Everything that arrives is merged before any of the game's code runs, so activities see a world at rest (V §3.2).
 *
 * A client whose loop stands still — a hidden tab — goes on merging and acknowledging by itself when messages pile up; its activities then
 * run once, over the newest state, and nothing is replayed.
 */

import { checkPivots, type Entity, type Explanation, MetricRegistry, type ObjectId, type Pivot, resolveView, ViewError, type ViewSettings, World } from "@nearfield/core";
import {
  channelFromClient,
  decodeFromServer,
  encodeFromClient,
  FrameReader,
  type FromClient,
  type FromServer,
  type Hello,
  MAX_DEBUG_OBJECTS,
  PROTOCOL_VERSION,
  ProtocolError,
  type Reason,
  ReliableStream,
  type RoomState,
  short,
  type Welcome,
} from "@nearfield/protocol";
import { checkRecord, type CommandType, type EventType, type Fields, type ObjectType, type Values, WireError } from "@nearfield/schema";
import type { Channel } from "@nearfield/transport";
import { Connection, type ConnectionState } from "./connection.ts";
import { ClientError } from "./errors.ts";
import { EventQueue } from "./event-queue.ts";
import type { Farewell } from "./journal.ts";
import { type ClientOptions, type ResolvedClientOptions, resolveOptions } from "./options.ts";
import { ReplicaWorld } from "./replica-world.ts";
import { Requests } from "./requests.ts";

/** Messages that may wait for `update`; past them they are merged at once. */
const HIGH_WATER = 64;

/** The view that is in force, and what the server changed of the proposal. */
export interface AuthorisedView {
  readonly settings: ViewSettings;
  readonly clamped: readonly string[];
}

type Activity = (world: ReplicaWorld) => void;

export class Client {
  readonly world: ReplicaWorld;
  /** Packets by what became of them, and messages merged outside `update`. */
  readonly counters: { applied: number; duplicate: number; late: number; selfDrained: number; events: number; staleEvents: number };
  readonly #options: ResolvedClientOptions;
  readonly #connection: Connection;
  readonly #stream: ReliableStream<FromClient>;
  readonly #events: EventQueue;
  #reader: FrameReader | undefined;
  #token: Uint8Array | undefined;
  #nickname: string;
  #roundMs = 0;
  #roomState: RoomState = "setup";
  #inbox: { channel: Channel; bytes: Uint8Array }[] = [];
  #ackDue = false;
  #pivots: readonly Pivot[] | undefined;
  #pivotsNumber = 0;
  #requests = 0;
  #roundTripMs = -1;
  #lastPingMs = Number.NEGATIVE_INFINITY;
  readonly #locks = new Requests<ObjectId, Entity>();
  readonly #additions = new Requests<number, ObjectId>();
  readonly #arrivals = new Requests<ObjectId, Entity>();
  readonly #views = new Requests<number, AuthorisedView>();
  readonly #activities: Activity[] = [];
  readonly #stateHandlers: ((state: ConnectionState, reason: Reason | undefined) => void)[] = [];
  readonly #roomHandlers: ((state: RoomState) => void)[] = [];
  readonly #viewHandlers: ((view: AuthorisedView) => void)[] = [];
  readonly #refusalHandlers: ((id: ObjectId, refusal: string) => void)[] = [];
  readonly #explanationHandlers: ((round: number, list: readonly Explanation[]) => void)[] = [];
  /** Things to tell the game, in order, when the activities run. */
  #news: (() => void)[] = [];

  constructor(options: ClientOptions) {
    this.#options = resolveOptions(options);
    this.#nickname = options.nickname;
    this.world = new ReplicaWorld(options.protocol);
    this.counters = { applied: 0, duplicate: 0, late: 0, selfDrained: 0, events: 0, staleEvents: 0 };
    this.#events = new EventQueue(this.counters);
    this.#stream = new ReliableStream((message, number) => encodeFromClient(message, options.protocol, number));
    this.#connection = new Connection({
      connect: this.#options.connect,
      reconnect: this.#options.reconnect,
      random: this.#options.random,
      onOpen: () => this.#sayHello(),
      onMessage: (channel, bytes) => this.#arrived(channel, bytes),
      onClosed: () => this.#receive(),
      onLost: () => this.#stream.detach(),
      onState: (state, reason) => this.#stateChanged(state, reason),
    });
  }

  // ── the spine ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** One frame of the client. Call it as often as the game draws, or a few times a second when it does not. */
  update(): void {
    this.#connection.tick(this.#options.now());
    this.#receive();
    this.#sendWrites();
    this.#ack();
    this.#runActivities();
  }

  /** Merges and acknowledges without running the activities: for a page that is hidden. The next `update` runs them once. */
  keepUp(): void {
    this.#connection.tick(this.#options.now());
    this.#receive();
    this.#ack();
  }

  /** receive, apply: everything that came is decoded and merged, in the order it came. */
  #receive(): void {
    const messages = this.#inbox;
    this.#inbox = [];
    for (const { channel, bytes } of messages) {
      if (this.state === "ended") return;
      try {
        const { message, number } = decodeFromServer(bytes, channel, this.#options.protocol);
        if (number === 0 || this.#stream.accept(number)) this.#apply(message);
      } catch (error) {
        if (error instanceof WireError) this.#end({ code: "malformed", detail: error.message });
        else if (error instanceof ProtocolError) this.#end(error.reason);
        else throw error;
      }
    }
  }

  #ack(): void {
    if (this.#reader === undefined || this.state !== "active") return;
    if (this.#ackDue) {
      this.#ackDue = false;
      this.#transmit({ kind: "ack", packets: this.#reader.arrivals.ack(), heard: short(this.#stream.heard) });
    }
    if (this.#pivots !== undefined) {
      if (this.#reader.pivots >= this.#pivotsNumber) this.#pivots = undefined;
      else this.#transmit({ kind: "pivots", number: this.#pivotsNumber & 0xff, pivots: this.#pivots });
    }
    const nowMs = this.#options.now();
    if (nowMs - this.#lastPingMs >= this.#options.pingMs) {
      this.#lastPingMs = nowMs;
      this.#transmit({ kind: "ping", stamp: Math.floor(nowMs) % 2 ** 32 });
    }
  }

  #runActivities(): void {
    const news = this.#news;
    this.#news = [];
    for (const tell of news) tell();
    this.world.journal.flush();
    const oldest = this.world.round - this.#options.eventAgeMs / this.#roundMs;
    this.#events.flush(oldest);
    for (const activity of this.#activities) activity(this.world);
  }

  /** Own writes travel before the ack, so that the next round knows of them. */
  #sendWrites(): void {
    if (this.state === "ended") return;
    this.world.takeWrites((id, fields) => this.#push({ kind: "write", id, fields }));
    if (this.#reader !== undefined) this.world.settle(this.#reader.heard);
  }

  // ── what is known ──────────────────────────────────────────────────────────────────────────────────────────────

  get state(): ConnectionState {
    return this.#connection.state;
  }

  /** Why the client ended; undefined before. */
  get reason(): Reason | undefined {
    return this.#connection.reason;
  }

  /** As the server lets it stand. */
  get nickname(): string {
    return this.#nickname;
  }

  get roomState(): RoomState {
    return this.#roomState;
  }

  /** Nominal length of the server's rounds; 0 before the welcome. */
  get roundMs(): number {
    return this.#roundMs;
  }

  /** Smoothed round trip of pings; −1 before the first. */
  get roundTripMs(): number {
    return this.#roundTripMs;
  }

  /** Number of the last command or write that the newest frame includes; compare with what `send` returned. */
  get confirmed(): number {
    return this.#reader?.heard ?? 0;
  }

  /** Objects that came or changed after the mark (`client.world.mark`), the latest first. */
  updatedSince(mark: number): ObjectId[] {
    return this.world.updatedSince(mark);
  }

  // ── what the game handles ──────────────────────────────────────────────────────────────────────────────────────

  /** Runs after each merge, in `update`. */
  activity(activity: Activity): void {
    this.#activities.push(activity);
  }

  onEvent<F extends Fields>(type: EventType<F>, handler: (values: Values<F>) => void): void {
    this.#options.protocol.typeIndex(type as unknown as EventType);
    this.#events.on(type as unknown as EventType, handler as unknown as (values: Values<Fields>) => void);
  }

  onSpawn<F extends Fields>(type: ObjectType<F>, listener: (entity: Entity<F>) => void): void {
    this.world.journal.on(type as unknown as ObjectType, "spawn", listener as unknown as (entity: Entity) => void);
  }

  /** Once per merge and object, with the mask of fields that changed. */
  onUpdate<F extends Fields>(type: ObjectType<F>, listener: (entity: Entity<F>, mask: number) => void): void {
    this.world.journal.on(type as unknown as ObjectType, "update", listener as unknown as (entity: Entity, mask: number) => void);
  }

  /** The object left this client's view; it may still exist. */
  onLeave<F extends Fields>(type: ObjectType<F>, listener: (last: Farewell<F>) => void): void {
    this.world.journal.on(type as unknown as ObjectType, "leave", listener as unknown as (last: Farewell) => void);
  }

  onDestroy<F extends Fields>(type: ObjectType<F>, listener: (last: Farewell<F>) => void): void {
    this.world.journal.on(type as unknown as ObjectType, "destroy", listener as unknown as (last: Farewell) => void);
  }

  onState(handler: (state: ConnectionState, reason: Reason | undefined) => void): void {
    this.#stateHandlers.push(handler);
  }

  onRoomState(handler: (state: RoomState) => void): void {
    this.#roomHandlers.push(handler);
  }

  onViewSet(handler: (view: AuthorisedView) => void): void {
    this.#viewHandlers.push(handler);
  }

  /** A write, a removal, or a lock that was taken back. */
  onRefused(handler: (id: ObjectId, refusal: string) => void): void {
    this.#refusalHandlers.push(handler);
  }

  onExplanations(handler: (round: number, list: readonly Explanation[]) => void): void {
    this.#explanationHandlers.push(handler);
  }

  // ── what the game does ─────────────────────────────────────────────────────────────────────────────────────────

  /** Sends a command; it arrives once, whatever becomes of the link. Returns its number, for `confirmed`. */
  send<F extends Fields>(type: CommandType<F>, values: Values<F>): number {
    checkRecord(type, values);
    return this.#push({ kind: "command", type: type as unknown as CommandType, values: values as Values<Fields> });
  }

  /** Asks for the lock of an object; resolves when it is held, with the object as the server has it. */
  lock<F extends Fields>(entity: Entity<F>): Promise<Entity<F>> {
    const held = this.world.get(entity.id);
    if (held === undefined) return Promise.reject(new ClientError("gone", `object ${entity.id} is not here`));
    if (this.world.locked.has(entity.id)) return Promise.resolve(entity);
    if (!this.#locks.has(entity.id)) this.#push({ kind: "lock", id: entity.id });
    return this.#locks.wait(entity.id) as unknown as Promise<Entity<F>>;
  }

  /** Gives a lock back; what was written under it travels along. */
  release(entity: { readonly id: ObjectId }): void {
    const { id } = entity;
    if (!this.world.locked.delete(id)) throw new ClientError("not-locked", `object ${id} is not locked by this client`);
    if (this.world.get(id) !== undefined) this.world.takeLocked(id, (fields) => this.#push({ kind: "release", id, fields }));
  }

  /** Adds an object of this client's own; resolves when it is here. Fields that are left out start at their initial value. */
  async add<F extends Fields>(type: ObjectType<F>, values: Partial<Values<F>>): Promise<Entity<F>> {
    const given = values as Readonly<Record<string, unknown>>;
    for (const name of Object.keys(given)) type.fieldIndex(name);
    let mask = 0;
    const wires = [];
    for (const { name, index, field } of type.fields) {
      if (given[name] === undefined) continue;
      field.check(given[name], `${type.name}.${name}`);
      mask |= 1 << index;
      wires.push(field.toWire(given[name]));
    }
    this.#requests += 1;
    const request = this.#requests;
    this.#push({ kind: "add", request, fields: { type: type as unknown as ObjectType, mask: mask >>> 0, wires } });
    const id = await this.#additions.wait(request);
    return (this.world.get(id) ?? (await this.#arrivals.wait(id))) as unknown as Entity<F>;
  }

  /** Asks the server to destroy an object of this client's own. */
  remove(entity: { readonly id: ObjectId }): void {
    this.#push({ kind: "remove", id: entity.id });
  }

  /** Asks for another view; resolves with what the server made of it. Throws `ViewError` for settings that break the rules of a view. */
  proposeView(settings: ViewSettings): Promise<AuthorisedView> {
    this.#checkView(settings);
    this.#requests += 1;
    this.#push({ kind: "proposeView", request: this.#requests, settings });
    return this.#views.wait(this.#requests);
  }

  /** Moves the view: a camera, a cursor. Cheap enough for every frame; only the newest counts. */
  setPivots(pivots: readonly Pivot[]): void {
    checkPivots(pivots);
    this.#pivots = pivots;
    this.#pivotsNumber += 1;
  }

  /** Asks for explanations of these objects (none: of all, in turn) every so many rounds; 0 ends them. */
  explain(everyRounds: number, ids: readonly ObjectId[] = []): void {
    if (ids.length > MAX_DEBUG_OBJECTS) throw new ClientError("bad-option", `explain: ${ids.length} objects, at most ${MAX_DEBUG_OBJECTS}`);
    this.#push({ kind: "debug", everyRounds, ids });
  }

  /** Leaves for good: the server ends the session at once. */
  leave(): void {
    if (this.state === "active") this.#transmit({ kind: "leave" });
    this.#end({ code: "left", detail: "this client left" });
  }

  // ── what the server says ───────────────────────────────────────────────────────────────────────────────────────

  #apply(message: FromServer): void {
    switch (message.kind) {
      case "frame": {
        // Frames may overtake the welcome; unacknowledged, they are sent again.
        if (this.#reader === undefined) return;
        const outcome = this.#reader.apply(message.frame);
        this.counters[outcome] += 1;
        this.#ackDue = true;
        if (outcome !== "applied") return;
        this.#stream.confirm(short(this.#reader.heard));
        for (const { type, values } of message.frame.events) this.#events.unreliable(type, values as Values<Fields>, this.world.round);
        this.#resolveArrivals();
        return;
      }
      case "event":
        this.#events.reliable(message.type, message.values);
        this.#ackDue = true;
        return;
      case "welcome":
        return this.#welcomed(message);
      case "refuse":
      case "bye":
        if (message.reason.code !== "no-acks") this.#end(message.reason);
        return;
      case "pong":
        return this.#measure(message.stamp);
      case "explanations":
        this.#news.push(() => {
          for (const handler of this.#explanationHandlers) handler(message.round, message.list);
        });
        return;
      default:
        this.#ackDue = true;
        this.#answered(message);
    }
  }

  #answered(message: Exclude<FromServer, { kind: "frame" | "event" | "welcome" | "refuse" | "bye" | "pong" | "explanations" }>): void {
    switch (message.kind) {
      case "viewSet": {
        const { settings, clamped } = message;
        this.#views.resolve(message.request, { settings, clamped });
        this.#news.push(() => {
          for (const handler of this.#viewHandlers) handler({ settings, clamped });
        });
        return;
      }
      case "viewRefused":
        this.#views.reject(message.request, new ClientError("view-refused", message.text));
        return;
      case "lockGranted":
        return this.#lockGranted(message);
      case "lockDenied":
        this.#locks.reject(message.id, new ClientError(message.refusal, `the lock of object ${message.id} was denied: ${message.refusal}`));
        return;
      case "lockLost":
        this.world.locked.delete(message.id);
        this.world.revert(message.id);
        this.#refused(message.id, message.refusal);
        return;
      case "added":
        this.#additions.resolve(message.request, message.id);
        return;
      case "addRefused":
        this.#additions.reject(message.request, new ClientError(message.refusal, `the object was not added: ${message.refusal}`));
        return;
      case "writeRefused":
        return this.#refused(message.id, message.refusal);
      case "state":
        return this.#enterRoomState(message.state);
    }
  }

  #welcomed(welcome: Welcome): void {
    this.#token = welcome.token;
    this.#nickname = welcome.nickname;
    this.#roundMs = welcome.roundMs;
    this.world.session = welcome.session;
    if (this.#reader === undefined) this.#reader = new FrameReader(this.world, welcome.round);
    else this.#reader.resume(welcome.round);
    this.#stream.confirm(welcome.heard);
    this.#stream.attach((bytes) => this.#connection.send("reliable", bytes));
    this.#connection.welcomed(welcome.resumeMs);
    this.#enterRoomState(welcome.state);
  }

  #lockGranted({ id, round, fields }: Extract<FromServer, { kind: "lockGranted" }>): void {
    const entity = this.world.get(id);
    if (entity === undefined) {
      this.#push({ kind: "release", id, fields: { type: fields.type, mask: 0, wires: [] } });
      this.#locks.reject(id, new ClientError("gone", `object ${id} is not here any more`));
      return;
    }
    if (this.#reader?.overwrite(id, round) === true) this.world.overwrite(id, fields);
    this.world.locked.add(id);
    this.#locks.resolve(id, entity);
  }

  #resolveArrivals(): void {
    for (const id of this.#arrivals.keys()) {
      const entity = this.world.get(id);
      if (entity !== undefined) this.#arrivals.resolve(id, entity);
    }
  }

  #refused(id: ObjectId, refusal: string): void {
    this.#news.push(() => {
      for (const handler of this.#refusalHandlers) handler(id, refusal);
    });
  }

  #enterRoomState(state: RoomState): void {
    if (state === this.#roomState) return;
    this.#roomState = state;
    this.#news.push(() => {
      for (const handler of this.#roomHandlers) handler(state);
    });
  }

  #measure(stamp: number): void {
    const sample = (Math.floor(this.#options.now()) % 2 ** 32) - stamp;
    if (sample < 0) return;
    this.#roundTripMs = this.#roundTripMs < 0 ? sample : this.#roundTripMs + (sample - this.#roundTripMs) / 8;
  }

  // ── the link ───────────────────────────────────────────────────────────────────────────────────────────────────

  #sayHello(): void {
    const { protocol, nickname, room, role } = this.#options;
    const hello: Hello = {
      kind: "hello",
      version: PROTOCOL_VERSION,
      hash: protocol.hash,
      nickname,
      room,
      role,
      resume:
        this.#token === undefined || this.#reader === undefined
          ? undefined
          : { token: this.#token, heard: short(this.#stream.heard), packets: this.#reader.arrivals.ack() },
    };
    this.#connection.send("reliable", encodeFromClient(hello, protocol));
  }

  #arrived(channel: Channel, bytes: Uint8Array): void {
    this.#connection.heard();
    this.#inbox.push({ channel, bytes });
    if (this.#inbox.length < HIGH_WATER) return;
    this.counters.selfDrained += this.#inbox.length;
    this.keepUp();
  }

  /** A message of the reliable stream; returns its number. */
  #push(message: FromClient): number {
    if (this.state === "ended") throw new ClientError(this.reason?.code ?? "left", `the connection has ended: ${this.reason?.detail ?? ""}`);
    try {
      return this.#stream.push(message);
    } catch (error) {
      if (error instanceof ProtocolError) this.#end(error.reason);
      throw error;
    }
  }

  /** A message for this link alone. */
  #transmit(message: FromClient): void {
    this.#connection.send(channelFromClient(message.kind), encodeFromClient(message, this.#options.protocol));
  }

  #end(reason: Reason): void {
    this.#connection.end(reason);
  }

  #stateChanged(state: ConnectionState, reason: Reason | undefined): void {
    if (state === "ended") {
      const error = new ClientError(reason?.code ?? "left", `the connection has ended: ${reason?.detail ?? ""}`);
      this.#stream.detach();
      for (const requests of [this.#locks, this.#additions, this.#arrivals, this.#views]) requests.rejectAll(error);
    }
    this.#news.push(() => {
      for (const handler of this.#stateHandlers) handler(state, reason);
    });
  }

  /** Only what breaks the rules of every view; names that the server may know are left to it. */
  #checkView(settings: ViewSettings): void {
    try {
      resolveView(settings, new World({ protocol: this.#options.protocol }), new MetricRegistry());
    } catch (error) {
      if (error instanceof ViewError && (error.code === "unknown-match" || error.code === "unknown-metric")) return;
      throw error;
    }
  }
}
