/**
 * The client as a game sees it, and its spine: `update` is receive → apply → ack → activities. Whoever has a frame loop
 * or a timer calls it (`join` in the /browser and /node entry points does). Everything that arrived is merged before
 * any of the game's code runs, so activities see a world at rest (V §3.2).
 *
 * A client whose loop stands still — a hidden tab — goes on merging and acknowledging when messages pile up; its
 * activities then run once, over the newest state, and nothing is replayed.
 */

import {
  checkPivots,
  type Entity,
  type Explanation,
  MetricRegistry,
  type Pivot,
  refuseUnknownViewKeys,
  resolveView,
  ViewError,
  type ViewSettings,
  World,
} from "@nearfield/core";
import {
  type FrameEvent,
  type LockGranted,
  MAX_DEBUG_OBJECTS,
  type Reason,
  type Refusal,
  type Role,
  type RoomState,
} from "@nearfield/protocol";
import {
  type CommandType,
  checkRecord,
  type EventType,
  type Fields,
  Listeners,
  type ObjectId,
  type ObjectType,
  type Off,
  type Values,
  type Wire,
} from "@nearfield/schema";
import type { StepFunction } from "@nearfield/simulation";
import type { Traffic } from "@nearfield/transport";
import type { ServerClock } from "./clock-sync.ts";
import type { ConnectionState } from "./connection.ts";
import { Entrance } from "./entrance.ts";
import { ClientError } from "./errors.ts";
import { type EventCounters, EventQueue } from "./event-queue.ts";
import { Guard } from "./guard.ts";
import type { Farewell } from "./journal.ts";
import { type ClientOptions, type ResolvedClientOptions, resolveOptions } from "./options.ts";
import type { Prediction, PredictOptions } from "./prediction.ts";
import { Predictions } from "./predictions.ts";
import type { ClientPresentation, Replicated } from "./presented.ts";
import { ReplicaStore } from "./replica-store.ts";
import { ReplicaWorld } from "./replica-world.ts";
import { Requests } from "./requests.ts";
import { type Delivered, endedError, type PacketCounters, Session } from "./session.ts";

/** The view that is in force, and what the server changed of the proposal. */
export interface AuthorisedView {
  readonly settings: ViewSettings;
  readonly clamped: readonly string[];
}

/** The view in force: the server's promise to this client is its bounds times the factors. */
export interface ViewInForce extends AuthorisedView {
  readonly loosened: Loosened;
}

/** By how much the bounds of the view are loosened now: in zones 1 and up, and in zone 0. 1: not at all. */
export interface Loosened {
  readonly outer: number;
  readonly inner: number;
}

/** What the game may want to know besides objects and events. */
interface Handlers {
  state: (state: ConnectionState, reason: Reason | undefined) => void;
  link: (kind: string | undefined) => void;
  roomState: (state: RoomState) => void;
  view: (view: AuthorisedView) => void;
  refusal: (id: ObjectId, refusal: Refusal) => void;
  loosened: (factors: Loosened) => void;
  explanations: (round: number, list: readonly Explanation[]) => void;
}

export class Client {
  readonly world: ReplicaWorld;
  readonly #options: ResolvedClientOptions;
  readonly #store: ReplicaStore;
  readonly #session: Session;
  readonly #predictions: Predictions;
  readonly #guard: Guard;
  readonly #events: EventQueue;
  readonly #entrance: Entrance = new Entrance();
  readonly #locks = new Requests<ObjectId, Entity>();
  readonly #additions = new Requests<number, ObjectId>();
  readonly #arrivals = new Requests<ObjectId, Entity>();
  readonly #views = new Requests<number, AuthorisedView>();
  readonly #activities: Listeners<(world: ReplicaWorld) => void> = new Listeners();
  readonly #handlers: { readonly [K in keyof Handlers]: Listeners<Handlers[K]> } = {
    state: new Listeners(),
    link: new Listeners(),
    roomState: new Listeners(),
    view: new Listeners(),
    refusal: new Listeners(),
    loosened: new Listeners(),
    explanations: new Listeners(),
  };
  /** What to tell the handlers, in order, when the activities run. */
  #news: (() => void)[] = [];
  #roomState: RoomState = "setup";
  #linkKind: string | undefined;
  #loosened: Loosened = { outer: 1, inner: 1 };
  #view: AuthorisedView | undefined;
  /** The server changed the pivots that this client asked for last. */
  #isOverruled = false;
  #requests = 0;

  constructor(options: ClientOptions) {
    this.#options = resolveOptions(options);
    this.#guard = new Guard(options.onError, options.now);
    this.#events = new EventQueue(this.#guard);
    this.#store = new ReplicaStore(options.protocol);
    this.#store.journal.hold();
    this.world = new ReplicaWorld(this.#store);
    this.#session = new Session(this.#options, this.#store, {
      onMessage: (message) => this.#answered(message),
      onFrame: (round, commands, events) => this.#merged(round, commands, events),
      onState: (state, reason) => this.#stateChanged(state, reason),
      onPivots: (pivots) => this.#obeyed(pivots),
    });
    this.#predictions = new Predictions(this.#session, this.#store, () => this.#roomState === "active");
  }

  // ── the spine ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** One frame of the client. Call it as often as the game draws, or a few times a second when it does not. */
  update(): void {
    const hasJoined = this.hasJoined;
    this.#session.connection.tick(this.#options.now());
    this.#session.receive();
    this.#sendWrites();
    this.#session.ack();
    this.#predictions.refresh();
    this.#lookAtLink();
    // Whoever waited for the join has the turn first: what came until then is handed over with the next update.
    if (hasJoined || (this.state === "ended" && !this.hasJoined)) this.#runActivities();
  }

  /**
   * Merges and acknowledges without running the activities: for a page that is hidden. The next `update` runs them
   * once.
   */
  keepUp(): void {
    this.#session.keepUp();
  }

  /** What this client wrote to its own objects since the last time. */
  #sendWrites(): void {
    if (this.state === "ended") return;
    this.#store.takeWrites((id, fields) => this.#session.push({ kind: "write", id, fields }));
    this.#store.settle(this.confirmed);
  }

  #lookAtLink(): void {
    if (this.linkKind === this.#linkKind) return;
    this.#linkKind = this.linkKind;
    this.#tell("link", this.#linkKind);
  }

  #runActivities(): void {
    const news = this.#news;
    this.#news = [];
    for (const tell of news) tell();
    this.#store.journal.flush(this.#guard);
    this.#events.flush(this.world.round - this.#options.eventAgeMs / this.roundMs);
    for (const activity of this.#activities.list) this.#guard.run("activity", activity, this.world, undefined);
  }

  // ── what is known ──────────────────────────────────────────────────────────────────────────────────────────────

  get state(): ConnectionState {
    return this.#session.connection.state;
  }

  /** Why the client ended; undefined before. */
  get reason(): Reason | undefined {
    return this.#session.connection.reason;
  }

  /** What carries state now: "webrtc" (UDP), "websocket" (TCP), "memory"; undefined while there is no link. */
  get linkKind(): string | undefined {
    return this.#session.connection.link?.kind;
  }

  /** Messages and bytes of each channel since the link opened; undefined while there is no link. */
  get traffic(): Traffic | undefined {
    return this.#session.connection.link?.traffic;
  }

  /** Whether the client has joined: the welcome and every own object that the server's `onJoin` made are here. */
  get hasJoined(): boolean {
    return this.#entrance.isOver;
  }

  /**
   * Resolves when the client has joined; rejects with `ClientError` if it ends before. What has come until then is handed over in the next
   * `update`: to handlers, too, that are attached in the turn after this.
   */
  async untilJoined(): Promise<void> {
    if (this.state === "ended" && !this.hasJoined) throw endedError(this.reason);
    await this.#entrance.wait();
  }

  /**
   * Names this session, for another client that is to go on with it (`ticket` of its options), as when a page is loaded anew; undefined
   * before the welcome. It is a secret: whoever has it is this player.
   */
  get ticket(): string | undefined {
    return this.#session.ticket;
  }

  /** What the server lets it be; before the welcome, what it asked for. */
  get role(): Role {
    return this.#session.role;
  }

  /** As the server lets it stand. */
  get nickname(): string {
    return this.#session.nickname;
  }

  get roomState(): RoomState {
    return this.#roomState;
  }

  /**
   * What this client sees and how exactly, as the server has it: the room's view or the one it was given, a proposal of its own as authorised, pivots
   * it asked for once they are obeyed. Undefined before the client has joined. Points that the game moves are not told: of those it is the
   * place where they were when the view last changed otherwise.
   */
  get view(): ViewInForce | undefined {
    return this.#view === undefined ? undefined : { ...this.#view, loosened: this.#loosened };
  }

  /** The server is short of bytes for this client, and keeps its bounds times these factors. */
  get loosened(): Loosened {
    return this.#loosened;
  }

  /** Nominal length of the server's rounds, ms; 0 before the welcome. */
  get roundMs(): number {
    return this.#session.roundMs;
  }

  /** Smoothed round trip of pings, ms; −1 before the first. */
  get roundTripMs(): number {
    return this.#session.clock.roundTripMs;
  }

  /** The server's time, and how far off it may be. */
  get clock(): ServerClock {
    return this.#session.clock;
  }

  /** Number of the last command or write that the replicas include; compare with what `send` returned. */
  get confirmed(): number {
    return this.#session.confirmed;
  }

  /** Packets and events by what became of them, and exceptions of the game's own handlers. */
  get counters(): Readonly<PacketCounters & EventCounters & { readonly handlerErrors: number }> {
    return { ...this.#session.counters, ...this.#events.counters, handlerErrors: this.#guard.errors };
  }

  /** The own object of this type, or undefined; of several, the one that has been its own for longest. */
  mine<F extends Fields>(type: ObjectType<F>): Replicated<F> | undefined {
    for (const id of this.#store.mine) {
      const entity = this.world.get(type, id);
      if (entity !== undefined) return entity;
    }
    return undefined;
  }

  /** All own objects of this type, in the order they became its own. Costs as much as this client owns. */
  allMine<F extends Fields>(type: ObjectType<F>): Replicated<F>[] {
    return Array.from(this.#store.mine, (id) => this.world.get(type, id)).filter((entity) => entity !== undefined);
  }

  /** Objects that came or changed after the mark (`client.world.mark`), the latest first. */
  updatedSince(mark: number): ObjectId[] {
    return this.world.updatedSince(mark);
  }

  // ── what the game handles: each of these returns a function that takes the handler back ────────────────────────

  /** Runs in each `update`, after everything that arrived is merged. */
  activity(activity: (world: ReplicaWorld) => void): Off {
    return this.#activities.add(activity);
  }

  onEvent<F extends Fields>(type: EventType<F>, handler: (values: Values<F>) => void): Off {
    this.#options.protocol.typeIndex(type as unknown as EventType);
    return this.#events.on(type as unknown as EventType, handler as unknown as (values: Values<Fields>) => void);
  }

  onSpawn<F extends Fields>(type: ObjectType<F>, listener: (entity: Replicated<F>) => void): Off {
    return this.#store.journal.on(this.#known(type), "spawn", listener as unknown as (entity: Entity) => void);
  }

  /** Once per merge and object, with the mask of fields that changed. */
  onUpdate<F extends Fields>(type: ObjectType<F>, listener: (entity: Replicated<F>, mask: number) => void): Off {
    return this.#store.journal.on(
      this.#known(type),
      "update",
      listener as unknown as (entity: Entity, mask: number) => void,
    );
  }

  /** The object left this client's view; it may still exist. */
  onLeave<F extends Fields>(type: ObjectType<F>, listener: (last: Farewell<F>) => void): Off {
    return this.#store.journal.on(this.#known(type), "leave", listener as unknown as (last: Farewell) => void);
  }

  onDestroy<F extends Fields>(type: ObjectType<F>, listener: (last: Farewell<F>) => void): Off {
    return this.#store.journal.on(this.#known(type), "destroy", listener as unknown as (last: Farewell) => void);
  }

  onState(handler: Handlers["state"]): Off {
    return this.#handlers.state.add(handler);
  }

  /** What carries state has changed: see `linkKind`. The session is the same. */
  onLink(handler: Handlers["link"]): Off {
    return this.#handlers.link.add(handler);
  }

  onRoomState(handler: Handlers["roomState"]): Off {
    return this.#handlers.roomState.add(handler);
  }

  /** The view in force changed: an answer to a proposal, or the server's own doing. */
  onViewSet(handler: Handlers["view"]): Off {
    return this.#handlers.view.add(handler);
  }

  /** A write or a removal was refused, or a lock was taken back. */
  onRefused(handler: Handlers["refusal"]): Off {
    return this.#handlers.refusal.add(handler);
  }

  /** The server is short of bytes for this client, or no longer so: the view's bounds are kept times other factors. */
  onLoosened(handler: Handlers["loosened"]): Off {
    return this.#handlers.loosened.add(handler);
  }

  onExplanations(handler: Handlers["explanations"]): Off {
    return this.#handlers.explanations.add(handler);
  }

  // ── what the game does ─────────────────────────────────────────────────────────────────────────────────────────

  /**
   * How objects of a type are shown: `ship.shown.x`. Counts from now on. Without it, at the first look, types with a velocity are carried
   * on by it, others are interpolated. A genre's preset does as settings: `present(Ship, shooter)`. Throws `PresentationError` where the schema does not
   * name what the settings go by. `docs/guide/presentation.md` says which to choose.
   */
  present<F extends Fields>(type: ObjectType<F>, settings: ClientPresentation<F>): void {
    this.#store.presented.present(type, settings);
  }

  /** Sends a command; it arrives once, whatever becomes of the link. Returns its number, for `confirmed`. */
  send<F extends Fields>(type: CommandType<F>, values: Values<F>): number {
    checkRecord(type, values);
    return this.#session.push({
      kind: "command",
      type: type as unknown as CommandType,
      values: values as Values<Fields>,
    });
  }

  /**
   * Steers an object of this client's own without waiting for the server: commands act here at once, through the step function that the
   * server's `steps` was given for its type, and are corrected where the server comes to another result.
   */
  predict<F extends Fields, C extends Fields>(
    entity: Entity<F>,
    command: CommandType<C>,
    step: StepFunction<F, C>,
    options: PredictOptions = {},
  ): Prediction<F, C> {
    return this.#predictions.begin(entity, command, step, options);
  }

  /** Asks for the lock of an object; resolves when it is held, with the object as the server has it. */
  lock<F extends Fields>(entity: Entity<F>): Promise<Entity<F>> {
    const { id } = entity;
    if (this.world.get(id) === undefined) return Promise.reject(new ClientError("gone", `object ${id} is not here`));
    if (this.#store.locked.has(id)) return Promise.resolve(entity);
    if (!this.#locks.has(id)) this.#session.push({ kind: "lock", id });
    return this.#locks.wait(id) as unknown as Promise<Entity<F>>;
  }

  /** Gives a lock back; what was written under it travels along. */
  release({ id }: { readonly id: ObjectId }): void {
    const type = this.#store.locked.get(id);
    if (type === undefined) throw new ClientError("not-locked", `object ${id} is not locked by this client`);
    this.#store.locked.delete(id);
    this.#store.takeLocked(id, type, (fields) => this.#session.push({ kind: "release", id, fields }));
  }

  /**
   * Adds an object of this client's own; resolves when it is here. Fields that are left out start at their initial
   * value.
   */
  async add<F extends Fields>(type: ObjectType<F>, values: Partial<Values<F>>): Promise<Replicated<F>> {
    const given = values as Readonly<Record<string, unknown>>;
    for (const name of Object.keys(given)) type.fieldIndex(name);
    const wires: Wire[] = [];
    let mask = 0;
    for (const { name, index, field } of type.fields) {
      if (given[name] === undefined) continue;
      field.check(given[name], `${type.name}.${name}`);
      wires.push(field.toWire(given[name]));
      mask |= 1 << index;
    }
    this.#requests += 1;
    const request = this.#requests;
    this.#session.push({
      kind: "add",
      request,
      fields: { type: type as unknown as ObjectType, mask: mask >>> 0, wires },
    });
    const id = await this.#additions.wait(request);
    return (this.world.get(id) ?? (await this.#arrivals.wait(id))) as unknown as Replicated<F>;
  }

  /** Asks the server to destroy an object of this client's own. */
  remove({ id }: { readonly id: ObjectId }): void {
    this.#session.push({ kind: "remove", id });
  }

  /**
   * Asks for another view; resolves with what the server made of it. Throws `ViewError` for settings that break the
   * rules of a view.
   */
  proposeView(settings: ViewSettings): Promise<AuthorisedView> {
    this.#checkView(settings);
    this.#requests += 1;
    this.#session.push({ kind: "proposeView", request: this.#requests, settings });
    return this.#views.wait(this.#requests);
  }

  /** Moves the view: a camera, a cursor. Cheap enough for every frame; only the newest counts. */
  setPivots(pivots: readonly Pivot[]): void {
    checkPivots(pivots);
    this.#isOverruled = false;
    this.#session.setPivots(pivots);
  }

  /** Asks for explanations of these objects (none: of all, in turn) every so many rounds; 0 ends them. */
  explain(everyRounds: number, ids: readonly ObjectId[] = []): void {
    if (ids.length > MAX_DEBUG_OBJECTS) {
      throw new ClientError(
        "bad-option",
        `explain: ${ids.length} objects, but at most ${MAX_DEBUG_OBJECTS} are possible`,
      );
    }
    this.#session.push({ kind: "debug", everyRounds, ids });
  }

  /** Leaves for good: the server ends the session at once. */
  leave(): void {
    if (this.state === "active") this.#session.transmit({ kind: "leave" });
    this.#session.connection.end({ code: "left", detail: "this client left" });
  }

  // ── what the server says ───────────────────────────────────────────────────────────────────────────────────────

  #merged(round: number, commands: number, events: readonly FrameEvent[]): void {
    this.#predictions.confirm(round, commands);
    for (const { type, values } of events) this.#events.unreliable(type, values as Values<Fields>, this.world.round);
    for (const id of this.#arrivals.keys()) {
      const entity = this.world.get(id);
      if (entity !== undefined) this.#arrivals.resolve(id, entity);
    }
    this.#lookAtEntrance();
  }

  #answered(message: Delivered): void {
    switch (message.kind) {
      case "welcome":
      case "state":
        return this.#enterRoomState(message.state);
      case "event":
        return this.#events.reliable(message.type, message.values);
      case "viewSet": {
        const { request, settings, clamped } = message;
        if (request === 0 && clamped.length > 0) this.#isOverruled = true;
        this.#view = { settings, clamped };
        this.#views.resolve(request, this.#view);
        return this.#tell("view", this.#view);
      }
      case "viewRefused":
        return this.#views.reject(message.request, new ClientError("view-refused", message.text));
      case "lockGranted":
        return this.#lockGranted(message);
      case "lockDenied":
        return this.#locks.reject(message.id, refused(message.refusal, `the lock of object ${message.id} was denied`));
      case "lockLost":
        this.#store.locked.delete(message.id);
        this.#store.revert(message.id);
        return this.#tell("refusal", message.id, message.refusal);
      case "added":
        return this.#additions.resolve(message.request, message.id);
      case "addRefused":
        return this.#additions.reject(message.request, refused(message.refusal, "the object was not added"));
      case "writeRefused":
        return this.#tell("refusal", message.id, message.refusal);
      case "loosened": {
        const { outer, inner } = message;
        this.#loosened = { outer, inner };
        return this.#tell("loosened", this.#loosened);
      }
      case "explanations":
        return this.#tell("explanations", message.round, message.list);
      case "joined":
        this.#entrance.expect(message.own);
        return this.#lookAtEntrance();
    }
  }

  /** The server has taken pivots of this client's own in; as they are, unless it said otherwise. */
  #obeyed(pivots: readonly Pivot[]): void {
    if (this.#view === undefined || this.#isOverruled) return;
    this.#view = { settings: { ...this.#view.settings, pivots }, clamped: this.#view.clamped };
  }

  #lookAtEntrance(): void {
    this.#entrance.look((id) => this.#store.get(id) !== undefined);
  }

  #lockGranted({ id, round, fields }: LockGranted): void {
    const entity = this.world.get(id);
    if (entity === undefined) {
      this.#session.push({ kind: "release", id, fields: { type: fields.type, mask: 0, wires: [] } });
      this.#locks.reject(id, refused("gone", `object ${id} is not here any more`));
      return;
    }
    if (this.#session.supersedes(id, round)) this.#store.overwrite(id, round, fields);
    this.#store.locked.set(id, fields.type);
    this.#locks.resolve(id, entity);
  }

  #enterRoomState(state: RoomState): void {
    if (state === this.#roomState) return;
    this.#roomState = state;
    this.#tell("roomState", state);
  }

  #stateChanged(state: ConnectionState, reason: Reason | undefined): void {
    if (state === "ended") {
      const error = endedError(reason);
      for (const requests of [this.#locks, this.#additions, this.#arrivals, this.#views]) requests.rejectAll(error);
      this.#entrance.fail(error);
    }
    this.#tell("state", state, reason);
  }

  /** Handlers run with the activities, when everything is merged. */
  #tell<K extends keyof Handlers>(what: K, ...news: Parameters<Handlers[K]>): void {
    this.#news.push(() => {
      for (const handler of this.#handlers[what].list)
        this.#guard.run(
          what,
          () => (handler as (...news: Parameters<Handlers[K]>) => void)(...news),
          undefined,
          undefined,
        );
    });
  }

  /** Throws `SchemaError` for a type that the protocol does not have: nothing of it would ever come. */
  #known<F extends Fields>(type: ObjectType<F>): ObjectType {
    const known = type as unknown as ObjectType;
    this.#options.protocol.typeIndex(known);
    return known;
  }

  /** Only what breaks the rules of every view; names that the server may know are left to it. */
  #checkView(settings: ViewSettings): void {
    refuseUnknownViewKeys(settings);
    try {
      resolveView(settings, new World({ protocol: this.#options.protocol }), new MetricRegistry());
    } catch (error) {
      if (error instanceof ViewError && (error.code === "unknown-match" || error.code === "unknown-metric")) return;
      throw error;
    }
  }
}

function refused(refusal: Refusal, what: string): ClientError {
  return new ClientError(refusal, `${what}: ${refusal}`);
}
