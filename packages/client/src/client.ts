/**
 * The client as a game sees it, and its spine: `update` is receive → apply → ack → activities. A frame loop or a timer calls it (`join` in
 * the /browser and /node entry points does). Everything that arrived is merged before any of the game's code runs. So activities see a
 * world that does not change under them (V §3.2).
 *
 * If the loop stands still, as in a hidden tab, the client goes on merging and acknowledging when messages pile up. Afterwards its
 * activities run once, over the newest state. Nothing is replayed.
 */

import type { FrameEvent, Reason, Role, RoomState } from "@nearfield/protocol/internal";
import type { CommandType, EventType, Fields, ObjectType, Off, Values } from "@nearfield/schema";
import { checkRecord, Listeners } from "@nearfield/schema/internal";
import type { Traffic } from "@nearfield/transport/internal";
import { Answers } from "./answers.ts";
import type { ServerClock } from "./clock-sync.ts";
import type { ConnectionState } from "./connection.ts";
import { type EventCounters, EventQueue } from "./event-queue.ts";
import { Guard } from "./guard.ts";
import type { Inside } from "./inside.ts";
import type { Farewell } from "./journal.ts";
import { type Handlers, News } from "./news.ts";
import { type ClientOptions, type ResolvedClientOptions, resolveOptions } from "./options.ts";
import type { Replicated } from "./presented.ts";
import { ReplicaStore } from "./replica-store.ts";
import { ReplicaWorld } from "./replica-world.ts";
import { endedError, type PacketCounters, Session } from "./session.ts";

export class Client {
  readonly world: ReplicaWorld;
  /** For the functions that take a client, such as `predict`. It may change with any version. */
  readonly inside: Inside;
  readonly #options: ResolvedClientOptions;
  readonly #store: ReplicaStore;
  readonly #session: Session;
  readonly #guard: Guard;
  readonly #events: EventQueue;
  readonly #answers: Answers;
  readonly #news: News;
  readonly #activities: Listeners<(world: ReplicaWorld) => void> = new Listeners();
  #linkKind: string | undefined;

  constructor(options: ClientOptions) {
    this.#options = resolveOptions(options);
    this.#guard = new Guard(options.onError, options.now);
    this.#events = new EventQueue(this.#guard);
    this.#news = new News(this.#guard);
    this.#store = new ReplicaStore(options.protocol);
    this.#store.journal.hold();
    this.world = new ReplicaWorld(this.#store);
    this.#session = new Session(this.#options, this.#store, {
      onMessage: (message) => this.#answers.take(message),
      onFrame: (round, commands, events) => this.#merged(round, commands, events),
      onState: (state, reason) => this.#stateChanged(state, reason),
    });
    this.#answers = new Answers({ store: this.#store, events: this.#events, news: this.#news });
    this.inside = {
      session: this.#session,
      store: this.#store,
      news: this.#news,
      now: this.#options.now,
      isRoomActive: () => this.#answers.roomState === "active",
      asked: [this.#answers.entrance],
      merged: [() => this.#answers.lookAtEntrance()],
      predictions: undefined,
      view: undefined,
      wishes: undefined,
      groupings: undefined,
    };
  }

  // ── the spine ──────────────────────────────────────────────────────────────────────────────────────────────────

  /** One frame of the client. Call it as often as the game draws; a client that draws nothing calls it a few times a second. */
  update(): void {
    const hasJoined = this.hasJoined;
    this.#session.connection.tick(this.#options.now());
    this.#session.receive();
    if (this.state !== "ended") this.inside.wishes?.sendWrites();
    this.#session.ack();
    this.inside.predictions?.refresh();
    this.#lookAtLink();
    // Code that awaits the join runs first. What came until then is delivered in the next update.
    if (hasJoined || (this.state === "ended" && !this.hasJoined)) this.#runActivities();
  }

  /** Merges and acknowledges without running the activities: for a hidden page. The next `update` runs them once. */
  keepUp(): void {
    this.#session.keepUp();
  }

  #lookAtLink(): void {
    if (this.linkKind === this.#linkKind) return;
    this.#linkKind = this.linkKind;
    this.#news.tell("link", this.#linkKind);
  }

  #runActivities(): void {
    this.#news.flush();
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
    return this.#answers.entrance.isOver;
  }

  /**
   * Resolves when the client has joined; rejects with `ClientError` if it ends before. What has come until then is delivered in the next
   * `update`. So handlers that are attached right after the `await` hear it too.
   */
  async untilJoined(): Promise<void> {
    if (this.state === "ended" && !this.hasJoined) throw endedError(this.reason);
    await this.#answers.entrance.wait();
  }

  /**
   * Names this session for another client that is to take it over (`ticket` of its options), as when a page is loaded anew. Undefined
   * before the welcome. It is a secret: whoever has it can play as this player.
   */
  get ticket(): string | undefined {
    return this.#session.ticket;
  }

  /** The role that the server granted; before the welcome, the one that was asked for. */
  get role(): Role {
    return this.#session.role;
  }

  /** The nickname that the server granted; a suffix may have been added. */
  get nickname(): string {
    return this.#session.nickname;
  }

  get roomState(): RoomState {
    return this.#answers.roomState;
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

  /** Number of the last command or write that the replicas include. Compare it with the number that `send` returned. */
  get confirmed(): number {
    return this.#session.confirmed;
  }

  /** Counts of packets and events by what became of them, and of exceptions in the game's handlers. */
  get counters(): Readonly<PacketCounters & EventCounters & { readonly handlerErrors: number }> {
    return { ...this.#session.counters, ...this.#events.counters, handlerErrors: this.#guard.errors };
  }

  /** The client's own object of this type, or undefined. If there are several: the one that it has owned for longest. */
  mine<F extends Fields>(type: ObjectType<F>): Replicated<F> | undefined {
    for (const id of this.#store.mine) {
      const entity = this.world.get(type, id);
      if (entity !== undefined) return entity;
    }
    return undefined;
  }

  /** All own objects of this type, in the order in which the client got them. Takes time proportional to the number of own objects. */
  allMine<F extends Fields>(type: ObjectType<F>): Replicated<F>[] {
    return Array.from(this.#store.mine, (id) => this.world.get(type, id)).filter((entity) => entity !== undefined);
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
    return this.#store.listen(type, "spawn", listener);
  }

  /** Called once per merge and object, with the mask of changed fields. */
  onUpdate<F extends Fields>(type: ObjectType<F>, listener: (entity: Replicated<F>, mask: number) => void): Off {
    return this.#store.listen(type, "update", listener);
  }

  /** The object left this client's view; it may still exist. */
  onLeave<F extends Fields>(type: ObjectType<F>, listener: (last: Farewell<F>) => void): Off {
    return this.#store.listen(type, "leave", listener);
  }

  onDestroy<F extends Fields>(type: ObjectType<F>, listener: (last: Farewell<F>) => void): Off {
    return this.#store.listen(type, "destroy", listener);
  }

  onState(handler: Handlers["state"]): Off {
    return this.#news.on("state", handler);
  }

  /** Called when state travels over another carrier: see `linkKind`. The session stays the same. */
  onLink(handler: Handlers["link"]): Off {
    return this.#news.on("link", handler);
  }

  onRoomState(handler: Handlers["roomState"]): Off {
    return this.#news.on("roomState", handler);
  }

  // ── what the game does ─────────────────────────────────────────────────────────────────────────────────────────

  /** Sends a command. It arrives once, even if the link breaks. Returns its number, for `confirmed`. */
  send<F extends Fields>(type: CommandType<F>, values: Values<F>): number {
    checkRecord(type, values);
    return this.#session.push({
      kind: "command",
      type: type as unknown as CommandType,
      values: values as Values<Fields>,
    });
  }

  /** Leaves for good: the server ends the session at once. */
  leave(): void {
    if (this.state === "active") this.#session.transmit({ kind: "leave" });
    this.#session.connection.end({ code: "left", detail: "this client left" });
  }

  // ── what the server says ───────────────────────────────────────────────────────────────────────────────────────

  #merged(round: number, commands: number, events: readonly FrameEvent[]): void {
    this.inside.predictions?.confirm(round, commands);
    for (const { type, values } of events) this.#events.unreliable(type, values as Values<Fields>, this.world.round);
    for (const look of this.inside.merged) look();
  }

  #stateChanged(state: ConnectionState, reason: Reason | undefined): void {
    if (state === "ended") for (const requests of this.inside.asked) requests.rejectAll(endedError(reason));
    this.#news.tell("state", state, reason);
  }
}
