/**
 * What one room holds, for the stages of its round: the primaries and their consistency model, players and sessions, locks, and queues of
 * things to do or to tell. Games never see it; they see `Room`.
 */

import {
  type Entity,
  limitsOf,
  type Metric,
  thresholds,
  type ViewLimits,
  type ViewSettings,
  World,
} from "@nearfield/core";
import {
  type ConsistencyModel,
  Engine,
  type ObjectSetSettings,
  type ResolvedClientPivots,
  refuseUnknownLimitKeys,
  refuseUnknownViewKeys,
  resolveClientPivots,
  setsOf,
  USUAL_RIPENESS,
  type ViewId,
  type ViewOptions,
  type WorldObserver,
} from "@nearfield/core/internal";
import { EncodeCache, ProtocolError, type Reason, type Role, type RoomState } from "@nearfield/protocol/internal";
import type { CommandType, EventType, Fields, ObjectId, ObjectType, Values } from "@nearfield/schema";
import { cleanNickname, Listeners, ListenersByKey } from "@nearfield/schema/internal";
import { ServerError } from "../errors.ts";
import { LagCompensation } from "../hits/lag-compensation.ts";
import type { Host } from "../host.ts";
import { checkBudget, type RoomOptions } from "../options.ts";
import { Guests } from "../seam/guests.ts";
import type { Identity } from "../session/identity.ts";
import { type Player, type PlayerRecord, renewView } from "../session/player.ts";
import type { Session, ToClient } from "../session/session.ts";
import { type RoomSettings, settingsOf } from "../settings/settings-file.ts";
import { RoomTelemetry } from "../telemetry/telemetry.ts";
import type { Audience } from "./audience.ts";
import type { Stepping } from "./commands.ts";
import { guardedMetric } from "./guarded-metric.ts";
import { LockTable, type Passed } from "./locks.ts";
import type { Outlines } from "./outlines.ts";
import { Ownership } from "./ownership.ts";
import { Room, type WriteVerdict } from "./room.ts";
import { DEFAULT_AUDIT_SAMPLE, RoomAudit } from "./room-audit.ts";
import { RoomUnits } from "./room-units.ts";
import { RoomVisibility } from "./room-visibility.ts";
import type { LockRoute, RoutedRelease } from "./routed-locks.ts";
import type { RoutedWrites, RouteWrite } from "./routed-writes.ts";
import { ViewTurns } from "./view-turns.ts";

export type AnyValues = Values<Fields>;

export interface PendingCommand {
  readonly player: Player;
  readonly type: CommandType;
  readonly values: AnyValues;
}

/** Returns true to take the command out of the room: it is carried out elsewhere, or later. `number`: of the client's reliable message. */
export type RouteCommand = (player: Player, type: CommandType, values: AnyValues, number: number) => boolean;

/** A stepped command, as it is carried out elsewhere. */
export interface RoutedStep {
  readonly type: CommandType;
  readonly values: AnyValues;
  /** How long the step lasts, ms. */
  readonly stepMs: number;
}

/** Takes a stepped command for an object that another server owns. Returns false if it cannot. */
export type RouteStep = (player: Player, entity: Entity, step: RoutedStep) => boolean;

/** A session that another server had, as it goes on here. */
export interface FoundSession {
  /** The player's number here, from `RoomSeam.takeSession`. */
  readonly session: number;
  /** With this the session's new secret begins. */
  readonly lastingToken: Uint8Array;
  readonly nickname: string;
  readonly role: Role;
  readonly identity: Identity | undefined;
  /** Number of the client's last reliable message that was carried out. */
  readonly heard: number;
  /** What its view is centred on. */
  readonly pivot: ObjectId;
}

/**
 * Looks for a session by its secret. `isAfresh`: the client has forgotten everything. `answer` gets undefined if nobody knows the session. `isWaiting` tells
 * whether the client is still there.
 */
export type SeekSession = (
  token: Uint8Array,
  isAfresh: boolean,
  answer: (found: FoundSession | undefined) => void,
  isWaiting: () => boolean,
) => void;

export interface PendingEvent {
  readonly type: EventType;
  readonly values: AnyValues;
  readonly audience: Audience;
  readonly unreliable: boolean;
  /** It comes from another server's room, and is not told to guests again. */
  readonly isRelayed?: boolean;
}

/** A lock whose object is gone, or another server's now, with its holder and those who waited, in that order. */
export interface LockLoss {
  readonly id: ObjectId;
  readonly sessions: readonly number[];
  readonly refusal: "gone" | "elsewhere";
}

/** The game's handlers for what happens in its room. */
export class Handlers {
  readonly join: Listeners<(player: Player) => void> = new Listeners();
  readonly leave: Listeners<(player: Player, reason: ProtocolError) => void> = new Listeners();
  readonly round: Listeners<(world: World, dtMs: number) => void> = new Listeners();
  readonly command: Map<CommandType, (player: Player, values: AnyValues) => void> = new Map();
  /** Commands that no guest takes out of the room. */
  readonly atGateway: Set<CommandType> = new Set();
  readonly write: Map<ObjectType, (player: Player, entity: Entity, proposed: Partial<AnyValues>) => WriteVerdict> =
    new Map();
  readonly steps: Map<ObjectType, Stepping> = new Map();
  readonly stepped: ListenersByKey<ObjectType, (player: Player, entity: Entity, values: AnyValues) => void> =
    new ListenersByKey();
  readonly update: ListenersByKey<ObjectType, (entity: Entity, player: Player) => void> = new ListenersByKey();
}

/** A settings file that the room follows. */
export interface SettingsFileState {
  readonly path: string;
  /** The room's time, ms, when the file was last put in force; undefined: not yet. */
  readonly loadedMs: number | undefined;
  /** Why the file as it is now is not in force; undefined if it is. */
  readonly fault: string | undefined;
}

export class RoomCore {
  readonly host: Host;
  readonly name: string;
  readonly options: RoomOptions;
  readonly world: World;
  readonly model: ConsistencyModel;
  readonly audit: RoomAudit;
  /** Whose turn it is while time is short. */
  readonly turns: ViewTurns = new ViewTurns();
  readonly ownership: Ownership;
  readonly locks: LockTable;
  readonly cache: EncodeCache;
  /** The game's own metrics, and those that its settings state. */
  readonly metrics: readonly Metric[];
  viewLimits: ViewLimits;
  readonly handlers: Handlers = new Handlers();
  readonly lagCompensation: LagCompensation | undefined;
  readonly telemetry: RoomTelemetry = new RoomTelemetry();
  /** By session number: everybody who is here or away, local players too. */
  readonly players: Map<number, Player> = new Map();
  /** Those among them that have, or had, a link. */
  readonly sessions: Map<number, Session> = new Map();
  /** Commands of local players. */
  readonly pendingCommands: PendingCommand[] = [];
  /** Steps that guests have carried out here, before those of this round's clients. */
  readonly pendingSteps: { readonly player: Player; readonly entity: Entity; readonly step: RoutedStep }[] = [];
  /** Writes of other servers' players that guests have carried out here, before those of this round's clients. */
  readonly routedWrites: RoutedWrites[] = [];
  /** Releases of locks by other servers' players, likewise. */
  readonly routedReleases: RoutedRelease[] = [];
  readonly pendingEvents: PendingEvent[] = [];
  /** Locks that changed their holder. The new holders are told at the end of the round, with the object as it is then. */
  readonly pendingGrants: Passed[] = [];
  readonly pendingLockLosses: LockLoss[] = [];
  /** The settings in force; at first those of the options. */
  settings: RoomSettings;
  /** What the room says of the pivots that clients ask for. */
  clientPivots: ResolvedClientPivots;
  /** Only while a settings file is followed. */
  settingsFile: SettingsFileState | undefined = undefined;
  /** The view of a player who joins; at first the room's view. */
  joinView: ViewSettings;
  /** Only for maps of the room. */
  outlines: Outlines | undefined = undefined;
  /** Only if the room's settings ask for it. */
  units: RoomUnits | undefined;
  /** This room as the game sees it. */
  readonly room: Room;
  /** Code from outside that joins the room's rounds; mostly there is none. */
  readonly guests: Guests;
  /** A guest that may take a command out of the room, to have it carried out elsewhere. */
  routeCommand: RouteCommand | undefined = undefined;
  /** Why players were sent to other servers; undefined while this room takes players in. */
  sentAwayFor: Reason | undefined = undefined;
  /** The same for stepped commands, of which the guest is asked only where another server owns the object. */
  routeStep: RouteStep | undefined = undefined;
  /** The same for writes and removals by owners. */
  routeWrite: RouteWrite | undefined = undefined;
  /** The same for locks. */
  lockRoute: LockRoute | undefined = undefined;
  /** A guest that looks elsewhere for sessions that are not known here. */
  seekSession: SeekSession | undefined = undefined;
  /** A guest that listens to what the game emits. */
  onEmit: ((event: PendingEvent) => void) | undefined = undefined;
  readonly #records = new Map<Player, PlayerRecord>();
  readonly #playersByView: (Player | undefined)[] = [];
  readonly #visibility: RoomVisibility | undefined;
  #state: RoomState;

  constructor(host: Host, name: string, options: RoomOptions) {
    this.host = host;
    this.name = name;
    this.options = options;
    this.joinView = options.view;
    this.settings = settingsOf(options);
    this.clientPivots = resolveClientPivots(options.clientPivots);
    this.#state = options.state ?? "active";
    this.world = new World({
      protocol: host.protocol,
      worldIds: host.worldIds,
      onError: (error, where) => this.failed(error, where),
    });
    this.ownership = new Ownership(this.world);
    this.cache = new EncodeCache(this.world);
    this.locks = new LockTable({ ...host.resolved.limits, lockMs: host.resolved.lockMs });
    this.world.observe(new LockWatch(this));
    if (options.budget !== undefined) checkBudget(options.budget, `the budget of room ${name}`);
    if (options.visible !== undefined) {
      this.#visibility = new RoomVisibility(options.visible, this.world, (error, where) => this.failed(error, where));
    }
    this.metrics = [...(options.metrics ?? []), ...(options.thresholds ?? []).map((settings) => thresholds(settings))];
    this.model = this.#makeModel();
    this.audit = new RoomAudit(this, options.auditSample ?? DEFAULT_AUDIT_SAMPLE);
    this.#checkViews(options.view, options.viewLimits);
    const { lagCompensation } = options;
    this.lagCompensation = lagCompensation === undefined ? undefined : new LagCompensation(this, lagCompensation);
    this.viewLimits = options.viewLimits ?? limitsOf(options.view);
    const { units } = options;
    const otherPivots = Math.max(this.viewLimits.pivots ?? 1, options.view.pivots.length);
    this.units = units && new RoomUnits(this.world, units, otherPivots);
    this.guests = new Guests(this);
    this.room = new Room(this);
  }

  get state(): RoomState {
    return this.#state;
  }

  /** Moves the room to another state and tells everybody. */
  switchTo(state: RoomState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const session of this.sessions.values()) this.tell(session, { kind: "state", state });
  }

  // ── players ────────────────────────────────────────────────────────────────────────────────────────────────────

  /** Lets a player in and tells the game. */
  enter(player: Player, record: PlayerRecord): void {
    this.#admit(player, record);
    this.telemetry.joins += 1;
    for (const handler of this.handlers.join.list) this.guard("onJoin", () => handler(player));
  }

  /**
   * Lets a player of another server stand in the room, for commands that are carried out here. The game is not told: the player joined
   * elsewhere. Returns what ends it; objects that it owns stay.
   */
  visit(player: Player, record: PlayerRecord): () => void {
    this.#admit(player, record);
    return () => {
      if (!this.#records.delete(player)) return;
      record.presence = "left";
      this.players.delete(player.id);
      this.#playersByView[player.view] = undefined;
      this.model.removeView(player.view);
    };
  }

  /** Lets a player in that joined on another server. The game is not told: the player's objects are there already. */
  goOn(player: Player, record: PlayerRecord, pivot: ObjectId): void {
    this.#admit(player, record);
    this.telemetry.resumes += 1;
    player.pivotOn({ id: pivot });
  }

  #admit(player: Player, record: PlayerRecord): void {
    this.players.set(player.id, player);
    this.#records.set(player, record);
    this.#playersByView[player.view] = player;
  }

  /** Closes all links, and lets nobody in any more. Sessions are kept: other servers go on with them. */
  sendAway(reason: Reason): void {
    this.sentAwayFor = reason;
    for (const session of this.sessions.values()) session.drop(reason);
  }

  /** The player's client has forgotten everything (its page was loaded anew). It is sent the whole world again, and holds no locks. */
  startAfresh(player: Player): void {
    const session = this.sessions.get(player.id);
    if (session !== undefined) this.host.forget(session);
    this.sessions.delete(player.id);
    this.lagCompensation?.leave(player.id);
    this.pendingGrants.push(...this.locks.releaseAll(player.id, this.host.elapsedMs));
    this.#playersByView[player.view] = undefined;
    renewView(player);
    this.#playersByView[player.view] = player;
  }

  /** The player's sets were stated by the room or the client, not by the game. */
  noteStated(player: Player, statedBy: PlayerRecord["statedBy"]): void {
    const record = this.#records.get(player);
    if (record !== undefined) record.statedBy = statedBy;
  }

  recordOf(player: Player): PlayerRecord | undefined {
    return this.#records.get(player);
  }

  /** Ends a player, in whatever state it is. Its objects, locks and view go, and it is told why. */
  end(player: Player, reason: ProtocolError): void {
    const record = this.#records.get(player);
    if (record === undefined) return;
    record.presence = "left";
    this.#hangUp(player.id, reason);
    this.lagCompensation?.leave(player.id);
    this.#records.delete(player);
    this.players.delete(player.id);
    this.#playersByView[player.view] = undefined;
    this.model.removeView(player.view);
    this.audit.forget(player.id);
    this.pendingGrants.push(...this.locks.releaseAll(player.id, this.host.elapsedMs));
    for (const entity of player.owned()) {
      if (this.options.objectsOfLeavers === "keep") this.world.setOwner(entity, 0);
      else this.world.destroy(entity);
    }
    this.ownership.forget(player.id);
    this.telemetry.leaves += 1;
    this.telemetry.ended.set(reason.code, (this.telemetry.ended.get(reason.code) ?? 0) + 1);
    record.telemetry.conclude();
    this.telemetry.departed.add(record.telemetry);
    for (const handler of this.handlers.leave.list) this.guard("onLeave", () => handler(player, reason));
  }

  endAll(reason: ProtocolError): void {
    for (const player of [...this.players.values()]) this.end(player, reason);
    this.guests.dismissAll();
    this.audit.dispose();
    this.model.dispose();
  }

  /**
   * Adds a view that is judged in every round but sent to nobody. The caller ends it. Without a player, a room with `visible` shows it
   * nothing.
   */
  addGuestView(settings: ViewSettings, options: ViewOptions, player: Player | undefined): ViewId {
    const view = this.model.addView(settings, options);
    this.#playersByView[view] = player;
    return view;
  }

  removeGuestView(view: ViewId): void {
    this.#playersByView[view] = undefined;
    this.model.removeView(view);
  }

  /**
   * Returns the cleaned nickname, or the next free variant of it. Throws `ServerError("nickname")` if no visible character is left, or if
   * the name is taken and variants are not allowed.
   */
  freeNickname(wanted: string): string {
    const nickname = cleanNickname(wanted);
    if (nickname === "") throw new ServerError("nickname", "a nickname needs at least one visible character");
    const taken = new Set(Array.from(this.players.values(), (player) => player.nickname));
    if (!taken.has(nickname)) return nickname;
    if (this.options.takenNickname === "refuse")
      throw new ServerError("nickname", `${nickname}: this nickname is taken`);
    for (let suffix = 2; ; suffix++) {
      const free = cleanNickname(nickname, `-${suffix}`);
      if (!taken.has(free)) return free;
    }
  }

  // ── messages and the game's code ───────────────────────────────────────────────────────────────────────────────

  /** Sends a reliable message. A client with too many unconfirmed messages is ended. */
  tell(session: Session, message: ToClient): void {
    this.serve(session, message.kind, () => session.send(message));
  }

  /** Does something for one client. If it fails, that client is ended. */
  serve(session: Session, what: string, act: () => void): void {
    try {
      act();
    } catch (error) {
      this.endBroken(session, error, what);
    }
  }

  /**
   * Serving one client failed. That client is ended, and the others do not notice. If the client broke the protocol, it gets that reason.
   * If the fault is the server's own, it gets "failed", and the host is told.
   */
  endBroken(session: Session, error: unknown, where: string): void {
    if (error instanceof ProtocolError) return this.end(session.player, error);
    this.failed(error, `serving a client: ${where}`);
    this.end(session.player, new ProtocolError("failed", "the server failed in serving this client"));
  }

  /** Runs the game's code. An exception or a rejected promise is reported, and everything else goes on. */
  guard<T>(where: string, run: () => T): T | undefined {
    try {
      const result = run();
      if (result instanceof Promise) result.catch((error: unknown) => this.failed(error, where));
      return result;
    } catch (error) {
      this.failed(error, where);
      return undefined;
    }
  }

  /** Whether the game lets a player see an object. If the game's function throws, the answer is no. */
  mayKnow(player: Player, entity: Entity): boolean {
    return this.#visibility?.isVisible(player, entity, this.host.roundNumber) ?? true;
  }

  /** What the game lets be known of an object, or to a player, can be different from now on. */
  visibilityChanged(subject: Player | { readonly id: ObjectId }): void {
    if (this.players.get(subject.id) !== subject) {
      const slot = this.world.store.liveSlot(subject.id as ObjectId);
      if (slot >= 0) this.#visibility?.objectChanged(slot);
      this.model.visibilityChanged({ object: subject.id as ObjectId });
    } else {
      for (const [view, player] of this.#playersByView.entries()) {
        if (player === subject) this.model.visibilityChanged({ view });
      }
    }
  }

  /** Counts and reports an exception of the game's code. */
  failed(error: unknown, where: string): void {
    this.telemetry.handlerErrors += 1;
    this.host.report(error, `${this.name}: ${where}`);
  }

  // ── making ─────────────────────────────────────────────────────────────────────────────────────────────────────

  #hangUp(id: number, reason: ProtocolError): void {
    const session = this.sessions.get(id);
    if (session === undefined) return;
    this.sessions.delete(id);
    this.host.forget(session);
    session.hangUp(reason.reason);
  }

  #makeModel(): ConsistencyModel {
    const { metrics } = this;
    const { model, crew, ripe = USUAL_RIPENESS } = this.options;
    const options = {
      roundMs: this.host.resolved.roundMs,
      ripe,
      metrics: metrics.map((metric) => guardedMetric(metric, (error) => this.failed(error, `metric ${metric.name}`))),
      ...(crew !== undefined && { crew: crew() }),
      ...(this.#visibility !== undefined && {
        visible: this.#visibility.forViews((view) => this.#playersByView[view]),
      }),
    };
    return model === undefined ? new Engine(this.world, options) : model(this.world, options);
  }

  /**
   * Throws at start if the room's own view or its limits have a mistake. Predicates may be registered later, so they are looked up when
   * somebody joins.
   */
  #checkViews(view: ViewSettings, limits: ViewLimits | undefined): void {
    try {
      refuseUnknownViewKeys(view);
      this.model.removeView(this.model.addView(withoutPredicates(view)));
      if (limits === undefined) return;
      refuseUnknownLimitKeys(limits);
      this.model.removeView(this.model.addView(withoutPredicates({ sets: setsOf(limits), pivots: [] })));
    } catch (error) {
      this.model.dispose();
      throw error;
    }
  }
}

/** The same view with a tag in place of each predicate, so that it can be checked before predicates are registered. */
function withoutPredicates({ sets, pivots }: ViewSettings): ViewSettings {
  const known = sets.map((set): ObjectSetSettings => {
    const isLater = typeof set.match === "object" && "predicate" in set.match;
    return isLater ? { ...set, match: { tag: "" } } : set;
  });
  return { sets: known, pivots };
}

/** Notices objects that are destroyed while somebody holds or awaits their lock. */
class LockWatch implements WorldObserver {
  readonly #room: RoomCore;

  constructor(room: RoomCore) {
    this.#room = room;
  }

  destroyed(slot: number): void {
    const id = this.#room.world.store.idAt(slot);
    const sessions = this.#room.locks.forget(id);
    if (sessions.length > 0) this.#room.pendingLockLosses.push({ id, sessions, refusal: "gone" });
  }
}
