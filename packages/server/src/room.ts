/**
 * One world with its players: the primaries, the consistency model, locks, and the game's handlers. A server hosts one
 * or many. The room holds the state and is what a game talks to; the round (`round.ts`) is what moves it.
 */

import {
  type ConsistencyModel,
  Engine,
  type Entity,
  limitsOf,
  type ObjectId,
  ViewError,
  type ViewLimits,
  type ViewSettings,
  World,
  type WorldObserver,
} from "@nearfield/core";
import { EncodeCache, type ProtocolError, type RoomState } from "@nearfield/protocol";
import {
  type CommandType,
  checkRecord,
  type EventType,
  type Fields,
  type ObjectType,
  type Values,
} from "@nearfield/schema";
import { type Audience, toAll } from "./audience.ts";
import { ServerError } from "./errors.ts";
import { LockTable, type Passed } from "./locks.ts";
import type { Resolved, RoomOptions } from "./options.ts";
import { Ownership } from "./ownership.ts";
import { LocalPlayer, type Player } from "./player.ts";
import type { Server } from "./server.ts";
import type { Session } from "./session.ts";
import { RoomTelemetry } from "./telemetry.ts";

export type AnyValues = Values<Fields>;

export interface PendingCommand {
  readonly player: Player;
  readonly type: CommandType;
  readonly values: AnyValues;
}

export interface PendingEvent {
  readonly type: EventType;
  readonly values: AnyValues;
  readonly audience: Audience;
  readonly unreliable: boolean;
}

export interface EmitOptions {
  /** Sent once, with the frame, and lost with it: for what is worth nothing when late. Default false. */
  readonly unreliable?: boolean;
}

/**
 * What the game says of an owner's or lock holder's write: true, false, or values to use instead of some of those
 * proposed.
 */
export type WriteVerdict<F extends Fields = Fields> = boolean | Partial<Values<F>>;

export type CommandHandler = (player: Player, values: AnyValues) => void;
export type WriteValidator = (player: Player, entity: Entity, proposed: Partial<AnyValues>) => WriteVerdict;
export type UpdateListener = (entity: Entity, player: Player) => void;

export class Room {
  readonly name: string;
  readonly server: Server;
  readonly options: RoomOptions;
  readonly world: World;
  readonly model: ConsistencyModel;
  readonly ownership: Ownership;
  readonly locks: LockTable;
  readonly cache: EncodeCache;
  readonly viewLimits: ViewLimits;
  readonly telemetry: RoomTelemetry = new RoomTelemetry();
  /** By session number; those away included, local ones too. */
  readonly players: Map<number, Player> = new Map();
  /** Connected players, and those away. */
  readonly sessions: Map<number, Session> = new Map();
  /** Commands of local players, and events of this round. */
  readonly pendingCommands: PendingCommand[] = [];
  readonly pendingEvents: PendingEvent[] = [];
  /** Locks that changed hands; the new holders are told at the end of the round, with the object as it is then. */
  readonly pendingGrants: Passed[] = [];
  /** Locks whose object is gone, with the holder and those who waited. */
  readonly pendingLockLosses: { readonly id: ObjectId; readonly sessions: readonly number[] }[] = [];
  readonly joinHandlers: ((player: Player) => void)[] = [];
  readonly leaveHandlers: ((player: Player, reason: ProtocolError) => void)[] = [];
  readonly roundHandlers: ((world: World, dtMs: number) => void)[] = [];
  readonly commandHandlers: Map<CommandType, CommandHandler> = new Map();
  readonly writeValidators: Map<ObjectType, WriteValidator> = new Map();
  readonly updateListeners: Map<ObjectType, UpdateListener[]> = new Map();
  readonly #playersByView: (Player | undefined)[] = [];
  #state: RoomState;

  constructor(server: Server, name: string, options: RoomOptions, resolved: Resolved) {
    this.server = server;
    this.name = name;
    this.options = options;
    this.#state = options.state ?? "active";
    this.world = new World({ protocol: resolved.protocol });
    this.ownership = new Ownership(this.world);
    this.cache = new EncodeCache(this.world);
    this.locks = new LockTable({ ...resolved.limits, lockRounds: resolved.lockRounds });
    this.world.observe(new LockWatch(this));
    this.model = this.#makeModel(resolved.roundMs);
    this.viewLimits = options.viewLimits ?? limitsOf(options.view);
    this.#checkView(options.view);
  }

  /**
   * V §4: in "setup" and "idle" clients may join, look and add objects, but nothing moves: no game step, no commands,
   * writes or locks.
   */
  get state(): RoomState {
    return this.#state;
  }

  enable(): void {
    this.#enter("active");
  }

  disable(): void {
    this.#enter("idle");
  }

  // ── what the game handles ──────────────────────────────────────────────────────────────────────────────────────

  onJoin(handler: (player: Player) => void): void {
    this.joinHandlers.push(handler);
  }

  onLeave(handler: (player: Player, reason: ProtocolError) => void): void {
    this.leaveHandlers.push(handler);
  }

  /** The game's step. `dtMs` is the nominal length of a round. */
  onRound(handler: (world: World, dtMs: number) => void): void {
    this.roundHandlers.push(handler);
  }

  /** One handler for each command; a client that sends a command without one is ended. */
  onCommand<F extends Fields>(type: CommandType<F>, handler: (player: Player, values: Values<F>) => void): void {
    const key = type as unknown as CommandType;
    this.server.protocol.typeIndex(key);
    if (this.commandHandlers.has(key))
      throw new ServerError("duplicate-handler", `command ${type.name}: has a handler already`);
    this.commandHandlers.set(key, handler as unknown as CommandHandler);
  }

  /** Judges writes of owners and lock holders before they happen. Default: all are accepted. */
  onWrite<F extends Fields>(
    type: ObjectType<F>,
    validator: (player: Player, entity: Entity<F>, proposed: Partial<Values<F>>) => WriteVerdict<F>,
  ): void {
    const key = type as unknown as ObjectType;
    this.server.protocol.typeIndex(key);
    if (this.writeValidators.has(key))
      throw new ServerError("duplicate-handler", `object ${type.name}: has a validator already`);
    this.writeValidators.set(key, validator as unknown as WriteValidator);
  }

  /**
   * Told, after the merge, of each object that a client's writes changed (V §4); `world.where` answers what else it
   * must know.
   */
  onUpdate<F extends Fields>(type: ObjectType<F>, listener: (entity: Entity<F>, player: Player) => void): void {
    const key = type as unknown as ObjectType;
    this.server.protocol.typeIndex(key);
    const listeners = this.updateListeners.get(key) ?? [];
    listeners.push(listener as unknown as UpdateListener);
    this.updateListeners.set(key, listeners);
  }

  // ── what the game does ─────────────────────────────────────────────────────────────────────────────────────────

  /** Sends an event with this round. Default: to all, reliably. */
  emit<F extends Fields>(
    type: EventType<F>,
    values: Values<F>,
    audience: Audience = toAll(),
    options: EmitOptions = {},
  ): void {
    const key = type as unknown as EventType;
    this.server.protocol.typeIndex(key);
    checkRecord(type, values);
    this.pendingEvents.push({
      type: key,
      values: values as AnyValues,
      audience,
      unreliable: options.unreliable ?? false,
    });
  }

  /** A player in the server's own process: sees the primaries, commands like everybody. */
  localPlayer(nickname: string): LocalPlayer {
    const settings = this.options.view;
    const player = new LocalPlayer(
      this,
      this.server.nextSession(),
      this.freeNickname(nickname),
      "local",
      "local",
      settings,
    );
    this.model.pause(player.view);
    this.enter(player);
    return player;
  }

  /** Ends a player, whatever its state: its objects, locks and view go, and it is told why. */
  end(player: Player, reason: ProtocolError): void {
    if (player.presence === "left") return;
    player.presence = "left";
    const session = this.sessions.get(player.id);
    if (session !== undefined) this.server.forget(session, reason);
    this.sessions.delete(player.id);
    this.players.delete(player.id);
    this.#playersByView[player.view] = undefined;
    this.model.removeView(player.view);
    this.pendingGrants.push(...this.locks.releaseAll(player.id, this.server.roundNumber));
    for (const entity of player.owned) {
      if (this.options.objectsOfLeavers === "keep") this.world.setOwner(entity, 0);
      else this.world.destroy(entity);
    }
    this.telemetry.leaves += 1;
    for (const handler of this.leaveHandlers) this.guard("onLeave", () => handler(player, reason));
  }

  // ── for the round ──────────────────────────────────────────────────────────────────────────────────────────────

  /** Takes a player in and tells the game. */
  enter(player: Player): void {
    this.players.set(player.id, player);
    this.#playersByView[player.view] = player;
    this.telemetry.joins += 1;
    for (const handler of this.joinHandlers) this.guard("onJoin", () => handler(player));
  }

  /** The nickname, or the next free one of its kind. Throws `ServerError("nickname")` where names must be kept. */
  freeNickname(wanted: string): string {
    const taken = new Set([...this.players.values()].map((player) => player.nickname));
    if (!taken.has(wanted)) return wanted;
    if (this.options.takenNickname === "refuse") throw new ServerError("nickname", `${wanted}: this nickname is taken`);
    let suffix = 2;
    while (taken.has(`${wanted}-${suffix}`)) suffix++;
    return `${wanted}-${suffix}`;
  }

  /** Runs the game's code; what it throws is reported and stops nothing. */
  guard<T>(where: string, run: () => T): T | undefined {
    try {
      return run();
    } catch (error) {
      this.telemetry.handlerErrors += 1;
      this.server.report(error, `${this.name}: ${where}`);
      return undefined;
    }
  }

  #enter(state: RoomState): void {
    if (state === this.#state) return;
    this.#state = state;
    for (const session of this.sessions.values()) this.server.tell(session, { kind: "state", state });
  }

  #makeModel(roundMs: number): ConsistencyModel {
    const { model, metrics, visible, auditSample } = this.options;
    const options = {
      roundMs,
      ...(metrics !== undefined && { metrics }),
      ...(auditSample !== undefined && { auditSample }),
      ...(visible !== undefined && {
        visible: (view: number, entity: Entity) => {
          const player = this.#playersByView[view];
          return player !== undefined && visible(player, entity);
        },
      }),
    };
    return model === undefined ? new Engine(this.world, options) : model(this.world, options);
  }

  /**
   * A mistake in the room's own view shows at start; names that the game may still register are looked up when a client
   * joins.
   */
  #checkView(view: ViewSettings): void {
    try {
      this.model.removeView(this.model.addView(view));
    } catch (error) {
      if (!(error instanceof ViewError) || (error.code !== "unknown-match" && error.code !== "unknown-metric"))
        throw error;
    }
  }

  /** The view a joining client begins with. */
  get view(): ViewSettings {
    return this.options.view;
  }
}

/** A lock ends with its object. */
class LockWatch implements WorldObserver {
  readonly #room: Room;

  constructor(room: Room) {
    this.#room = room;
  }

  destroyed(slot: number): void {
    const id = this.#room.world.store.idAt(slot);
    const sessions = this.#room.locks.forget(id);
    if (sessions.length > 0) this.#room.pendingLockLosses.push({ id, sessions });
  }

  spawned(): void {}

  updated(): void {}

  moved(): void {}

  reclassified(): void {}
}
