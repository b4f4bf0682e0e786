/**
 * What a guest may read of a room, and what it may change. Everything else of a room is hidden from it. Views and observers that a guest
 * opened here end when it leaves.
 */

import type { Entity, Metric, ViewLimits, ViewSettings, World } from "@nearfield/core";
import type {
  ConsistencyModel,
  SpawnOptions,
  ThresholdSettings,
  UnitSettings,
  WorldObserver,
} from "@nearfield/core/internal";
import { ProtocolError, type Refusal } from "@nearfield/protocol/internal";
import type { CommandType, Fields, ObjectId, ObjectType, Values, WorldId } from "@nearfield/schema";
import { sendBack } from "../room/merge.ts";
import type { Room } from "../room/room.ts";
import type { RoomAudit } from "../room/room-audit.ts";
import type {
  AnyValues,
  PendingEvent,
  RoomCore,
  RouteCommand,
  RoutedStep,
  RouteStep,
  SeekSession,
  SettingsFileState,
} from "../room/room-core.ts";
import type { RoutedWrites, RouteWrite } from "../room/routed-writes.ts";
import { LocalPlayer, type Player, playerRecord } from "../session/player.ts";
import { applySettings, checkUnits, checkViewIn } from "../settings/apply-settings.ts";
import type { RoomSettings } from "../settings/settings-file.ts";
import type { RoomTelemetry } from "../telemetry/telemetry.ts";
import { GuestLocks } from "./guest-locks.ts";
import { GuestView, type GuestViewOptions } from "./guest-view.ts";
import { authoriseEdit, type EditAnswer, setEverybodysView, setView, type ViewEdit } from "./view-edits.ts";

/** The questions that a guest may ask the room's model. The views in it belong to players. */
export type ReadableModel = Pick<
  ConsistencyModel,
  "account" | "baseVersion" | "decisions" | "distanceTo" | "explain" | "lastCause"
>;

/** A player's connection, to be read. */
export interface Connection {
  readonly player: Player;
  /** The client is away, or its link is far behind: nothing is judged for it or sent to it now. */
  readonly isPaused: boolean;
  readonly link: { readonly kind: string; readonly backlogBytes: number } | undefined;
  /** The secret by which its client takes the session up again. */
  readonly token: Uint8Array;
}

/** An event as the game emitted it. */
export type EmittedEvent = Omit<PendingEvent, "isRelayed">;

/** A player of another server who stands in this room. */
export interface Visit {
  readonly player: LocalPlayer;
  end(): void;
}

export class RoomSeam {
  /** The locks of the room: to be read, and to be changed for players of other servers. */
  readonly locks: GuestLocks;
  readonly #core: RoomCore;
  readonly #ends = new Set<() => void>();

  constructor(core: RoomCore) {
    this.#core = core;
    this.locks = new GuestLocks(core, (end) => this.#until(end));
  }

  // ── to be read ─────────────────────────────────────────────────────────────────────────────────────────────────

  /** The room as a game sees it. */
  get room(): Room {
    return this.#core.room;
  }

  get name(): string {
    return this.#core.name;
  }

  /** Rounds run so far. `roundMs` is the nominal length of one, ms. */
  get roundNumber(): number {
    return this.#core.host.roundNumber;
  }

  get roundMs(): number {
    return this.#core.host.resolved.roundMs;
  }

  get world(): World {
    return this.#core.world;
  }

  get model(): ReadableModel {
    return this.#core.model;
  }

  get audit(): RoomAudit {
    return this.#core.audit;
  }

  get telemetry(): Readonly<RoomTelemetry> {
    return this.#core.telemetry;
  }

  /** By session number: everybody who is here or away. */
  get players(): ReadonlyMap<number, Player> {
    return this.#core.players;
  }

  /** By session number: those among the players that have, or had, a link. */
  get connections(): ReadonlyMap<number, Connection> {
    return this.#core.sessions;
  }

  /** The game's own metrics, which views may name besides the built-in ones. */
  get metrics(): readonly Metric[] {
    return this.#core.metrics;
  }

  /** The room's settings in force, as a settings file states them. */
  get settings(): RoomSettings {
    return this.#core.settings;
  }

  /** Calls the observer for every change of the world from now on. Returns a function that ends this. */
  observe(observer: WorldObserver): () => void {
    this.#core.world.observe(observer);
    return this.#until(() => this.#core.world.unobserve(observer));
  }

  /**
   * Calls the listener for every event that the game emits, when players are told of it. One guest at a time may listen. Returns a function that ends
   * this.
   */
  onEmit(listener: (event: EmittedEvent) => void): () => void {
    const core = this.#core;
    core.onEmit = listener;
    return this.#until(() => {
      if (core.onEmit === listener) core.onEmit = undefined;
    });
  }

  /** Tells this room's players of an event of another server's room, in this round. `onEmit` does not hear of it. */
  relay(event: EmittedEvent): void {
    this.#core.pendingEvents.push({ ...event, isRelayed: true });
  }

  // ── to be changed: views ───────────────────────────────────────────────────────────────────────────────────────

  /** Adds a view of the guest's own, which is judged from the next round on. Throws `ViewError`. */
  addView(settings: ViewSettings, options: GuestViewOptions = {}): GuestView {
    const view = new GuestView(this.#core, settings, options);
    this.#until(() => view.end());
    return view;
  }

  /** What the room would make of a change to a player's view, without doing it. Throws `ViewError`, or what the game throws to refuse. */
  authoriseView(player: Player, edit: ViewEdit): { readonly view: ViewSettings; readonly clamped: readonly string[] } {
    return authoriseEdit(this.#core, player, edit);
  }

  /** Changes a player's view from the next round on, and tells the player. */
  setView(player: Player, edit: ViewEdit): EditAnswer {
    return setView(this.#core, player, edit);
  }

  /** Changes the view of everybody in the room, and of those who join later. */
  setEverybodysView(edit: ViewEdit): EditAnswer[] {
    return setEverybodysView(this.#core, edit);
  }

  // ── to be changed: the room's settings ─────────────────────────────────────────────────────────────────────────

  /** Whether a view would be one in this room, with these thresholds. Throws `ViewError`. */
  checkView(view: ViewSettings, thresholds: readonly ThresholdSettings[] = []): void {
    checkViewIn(this.#core, view, thresholds);
  }

  /** Whether the room can have such units beside the pivots that players have and may ask for. Throws `ViewError`. */
  checkUnits(units: UnitSettings, limits: ViewLimits | undefined): void {
    checkUnits(this.#core, units, limits);
  }

  /**
   * Puts other settings in force from the next round on. Those who have the room's view get the new one; a client that asked for its own is
   * clamped to the new limits; what the game set stays. Throws `ViewError` or `ServerError("bad-settings")`; then nothing has changed.
   */
  applySettings(settings: RoomSettings): void {
    applySettings(this.#core, settings);
  }

  /** This guest puts a file's settings in force from now on. */
  followSettings(path: string): void {
    const state: SettingsFileState = { path, loadedMs: undefined, fault: undefined };
    this.#core.settingsFile = state;
    this.#until(() => {
      if (this.#core.settingsFile?.path === path) this.#core.settingsFile = undefined;
    });
  }

  /** The followed file was read. Puts its settings in force; throws what `applySettings` throws. */
  loadSettings(settings: RoomSettings): void {
    this.applySettings(settings);
    const { settingsFile } = this.#core;
    const loadedMs = this.roundNumber * this.roundMs;
    if (settingsFile !== undefined) this.#core.settingsFile = { ...settingsFile, loadedMs, fault: undefined };
  }

  /** The followed file is broken, and the old settings stay: reports it, and keeps it in `settingsFile`. */
  refuseSettings(error: Error): void {
    const { settingsFile } = this.#core;
    if (settingsFile !== undefined) this.#core.settingsFile = { ...settingsFile, fault: error.message };
    this.#core.failed(error, "settings");
  }

  /** The settings file that the room follows, if it follows one. */
  get settingsFile(): SettingsFileState | undefined {
    return this.#core.settingsFile;
  }

  // ── to be changed: objects that other servers own ──────────────────────────────────────────────────────────────

  /**
   * Brings in an object that lives on another server. Here it has a slot, a version and updates like any other object, and it keeps its
   * world id.
   */
  bring<F extends Fields>(
    type: ObjectType<F>,
    worldId: WorldId,
    values: Partial<Values<F>>,
    options: Omit<SpawnOptions, "worldId"> = {},
  ): Entity<F> {
    return this.#core.world.spawn(type, values, { ...options, worldId });
  }

  /**
   * Gives an object away: another server owns it from now on. Here it becomes a copy, which the guest writes. If its lock was not taken before (`locks.take`),
   * whoever holds or awaits it is told that it is lost.
   */
  cede(entity: { readonly id: ObjectId }): void {
    const { world, locks, pendingLockLosses } = this.#core;
    world.setForeign(entity, true);
    const sessions = locks.forget(entity.id);
    if (sessions.length > 0) pendingLockLosses.push({ id: entity.id, sessions, refusal: "elsewhere" });
  }

  /** Takes an object over: this server owns it from now on. Clients notice nothing. */
  adopt(entity: { readonly id: ObjectId }): void {
    this.#core.world.setForeign(entity, false);
  }

  /** Gives a session number of this server to a player of another server. Objects that this player owns there are owned by this number here. */
  takeSession(): number {
    return this.#core.host.nextSession();
  }

  // ── to be changed: where commands are carried out ──────────────────────────────────────────────────────────────

  /**
   * Asks `route` about every command of a player that came over a link, before its handler is called, unless the handler was set with `where: "gateway"`. If it
   * returns true the room does nothing more with that command. Stepped commands (`predict`) have `routeSteps`. One guest at a time may route. Returns a function that ends this.
   */
  routeCommands(route: RouteCommand): () => void {
    const core = this.#core;
    core.routeCommand = route;
    return this.#until(() => {
      if (core.routeCommand === route) core.routeCommand = undefined;
    });
  }

  /**
   * Confirms none of the player's reliable messages after this number, because a guest has a later one carried out elsewhere. Undefined: all that were carried
   * out may be confirmed. Returns the last one that is confirmed now; 0 without a link.
   */
  confirmUpTo(player: Player, number: number | undefined): number {
    const session = this.#core.sessions.get(player.id);
    if (session === undefined) return 0;
    session.confirmations.cap = number ?? Number.POSITIVE_INFINITY;
    return session.confirmations.confirmed;
  }

  /** Asks `route` about every stepped command for an object that another server owns. One guest at a time may route. Returns a function that ends this. */
  routeSteps(route: RouteStep): () => void {
    const core = this.#core;
    core.routeStep = route;
    return this.#until(() => {
      if (core.routeStep === route) core.routeStep = undefined;
    });
  }

  /** Steps an own object in this round's merge, or the next one's, as a stepped command of this player would. */
  carryOutStep(player: Player, entity: Entity, step: RoutedStep): void {
    this.#core.pendingSteps.push({ player, entity, step });
  }

  /** Number of the player's last stepped command that was taken in here; −1 if there was none. */
  stepsOf(player: Player): number {
    return this.#core.sessions.get(player.id)?.commands.applied ?? -1;
  }

  /** Tells the player's client of no stepped command after this number, because the copies here do not include later ones. Undefined: of all that were taken in. */
  reportSteps(player: Player, upTo: number | undefined): void {
    const session = this.#core.sessions.get(player.id);
    if (session !== undefined) session.commands.cap = upTo ?? Number.POSITIVE_INFINITY;
  }

  /**
   * Asks `route` about every write and removal by the owner of an object that another server owns. One guest at a time may route. Returns a function that ends
   * this.
   */
  routeWrites(route: RouteWrite): () => void {
    const core = this.#core;
    core.routeWrite = route;
    return this.#until(() => {
      if (core.routeWrite === route) core.routeWrite = undefined;
    });
  }

  /** Carries out writes to an own object in this round's merge, or the next one's, as if this player had sent them. */
  carryOutWrites(routed: RoutedWrites): void {
    this.#core.routedWrites.push(routed);
  }

  /** Tells the player's client that its write to an object was refused. */
  tellRefused(player: Player, id: ObjectId, refusal: Refusal): void {
    const session = this.#core.sessions.get(player.id);
    if (session !== undefined) this.#core.tell(session, { kind: "writeRefused", id, refusal });
  }

  /** Sends the player's client these fields of an object in this round, whatever its view says: they are not what it wrote. */
  sendBack(player: Player, entity: Entity, mask: number): void {
    sendBack(this.#core, player, entity, mask);
  }

  /** Sends the player's client the whole state of an object in this round, whatever its view says. */
  sendWhole(player: Player, entity: Entity): void {
    sendBack(this.#core, player, entity, entity.type.allMask);
  }

  /**
   * Asks `seek` for sessions that this server does not know, when a client wants to take one up: another server may have had it. The client waits until the
   * answer comes, found or not. One guest at a time may look. Returns a function that ends this.
   */
  seekSessions(seek: SeekSession): () => void {
    const core = this.#core;
    core.seekSession = seek;
    return this.#until(() => {
      if (core.seekSession === seek) core.seekSession = undefined;
    });
  }

  /**
   * Closes the links of all players, without ending their sessions: their clients go on at other servers. From now on this room lets nobody in: who comes back
   * is sent away again, and newcomers are refused.
   */
  sendAway(detail: string): void {
    this.#core.sendAway({ code: "closing", detail });
  }

  /** A player goes on at another server: it ends here. Its objects stay. */
  release(session: number): void {
    const player = this.#core.players.get(session);
    if (player === undefined) return;
    for (const entity of player.owned()) this.#core.world.setOwner(entity, 0);
    this.#core.end(player, new ProtocolError("replaced", `${player.nickname} goes on at another server`));
  }

  /** Carries a command out in this round's merge, or the next one's, after the commands that came over links. */
  carryOut(player: Player, type: CommandType, values: AnyValues): void {
    this.#core.pendingCommands.push({ player, type, values });
  }

  /**
   * Lets a player of another server stand in this room under a session number from `takeSession`, so that the game's handlers can be called for
   * it. No handler is told that it joins or leaves. Objects that it owns here stay when the visit ends.
   */
  visit(nickname: string, session: number): Visit {
    const record = playerRecord(this.#core, "another server");
    const player = new LocalPlayer(this.#core, session, nickname, "local", record);
    return { player, end: this.#until(this.#core.visit(player, record)) };
  }

  /** The guest has left: everything that it opened here ends. */
  close(): void {
    for (const end of [...this.#ends]) end();
  }

  #until(end: () => void): () => void {
    const once = (): void => {
      if (this.#ends.delete(once)) end();
    };
    this.#ends.add(once);
    return once;
  }
}
