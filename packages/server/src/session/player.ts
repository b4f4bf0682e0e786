/**
 * A player as the game sees it: who it is, what it owns, what it looks at. A connected player has a session. A local player (V §3.1: a
 * server process that is also a player) has none and reads the primaries.
 */

import { type Entity, type Pivot, ViewError, type ViewSettings } from "@nearfield/core";
import { refuseUnknownViewKeys, type ViewId } from "@nearfield/core/internal";
import type { Role } from "@nearfield/protocol/internal";
import { ProtocolError } from "@nearfield/protocol/internal";
import type { CommandType, EventType, Fields, ObjectId, ObjectType, Off, Values, WorldId } from "@nearfield/schema";
import { checkRecord, ListenersByKey, worldId } from "@nearfield/schema/internal";
import { ServerError } from "../errors.ts";
import { checkBudget } from "../options.ts";
import type { Room } from "../room/room.ts";
import type { AnyValues, RoomCore } from "../room/room-core.ts";
import type { RoomUnits } from "../room/room-units.ts";
import { SessionTelemetry } from "../telemetry/telemetry.ts";
import type { Identity } from "./identity.ts";

/** `away`: the link is broken and the session waits for it to come back. */
export type Presence = "here" | "away" | "left";

/** The parts of a player that change. Only the session and the room write them. */
export interface PlayerRecord {
  presence: Presence;
  address: string;
  settings: ViewSettings;
  /** Who stated the sets in force: the room, the game, or the client, whose own sets these were before they were clamped. */
  statedBy: "room" | "game" | { readonly asked: ViewSettings["sets"] };
  /** Bytes per second; `Infinity`: no limit. */
  budget: number;
  readonly identity: Identity | undefined;
  readonly telemetry: SessionTelemetry;
}

export function playerRecord({ joinView, settings }: RoomCore, address: string, identity?: Identity): PlayerRecord {
  const telemetry = new SessionTelemetry();
  const budget = settings.budget ?? Number.POSITIVE_INFINITY;
  return { presence: "here", address, settings: joinView, statedBy: "room", budget, identity, telemetry };
}

/** Gives a player a new view, of which nothing was sent yet, because its client has forgotten everything. Only the room calls it. */
export let renewView: (player: Player) => void;

/** Gives a player's view the pivots of its units as they are now. Only the room calls it. */
export let takeUnits: (player: Player, pivots: readonly Pivot[]) => void;

const NO_PIVOTS: readonly Pivot[] = [];

export class Player {
  /** The session number, which owns objects. A server never uses it twice. */
  readonly id: number;
  readonly nickname: string;
  readonly role: Role | "local";
  protected readonly core: RoomCore;
  readonly #record: PlayerRecord;
  #view: ViewId;
  /** Pivots of its units; and the view with these. */
  #units = NO_PIVOTS;
  #withUnits: ViewSettings;

  static {
    takeUnits = (player, pivots) => {
      player.#units = pivots;
      player.#withUnits = player.#addUnits(player.settings);
      player.core.model.setPivots(player.view, player.#withUnits.pivots);
    };
    renewView = (player) => {
      player.core.model.removeView(player.#view);
      player.#view = player.#addView();
    };
  }

  constructor(core: RoomCore, id: number, nickname: string, role: Role | "local", record: PlayerRecord) {
    this.core = core;
    this.id = id;
    this.nickname = nickname;
    this.role = role;
    this.#record = record;
    this.#withUnits = record.settings;
    this.#view = this.#addView();
  }

  /** The player's id in a world of many servers. */
  get worldId(): WorldId {
    return worldId(this.core.host.resolved.serverNumber, this.id);
  }

  /** The id of the player's view in the room's consistency model. */
  get view(): ViewId {
    return this.#view;
  }

  /** The identity that the server's `authenticate` gave. Undefined without `authenticate`, and for local players. */
  get identity(): Identity | undefined {
    return this.#record.identity;
  }

  get room(): Room {
    return this.core.room;
  }

  get presence(): Presence {
    return this.#record.presence;
  }

  /** For people: where it is connected from. */
  get address(): string {
    return this.#record.address;
  }

  /** What carries the player's state now: "websocket", "webrtc", "memory". Undefined while there is no link. */
  get linkKind(): string | undefined {
    return this.core.sessions.get(this.id)?.link?.kind;
  }

  /** The view in force, after clamping. */
  get settings(): ViewSettings {
    return this.#record.settings;
  }

  /** The view in force, with the pivots of the player's units after the others. The same as `settings` where there are no units. */
  get settingsWithUnits(): ViewSettings {
    return this.#withUnits;
  }

  /** The most bytes per second that the player is sent; `Infinity`: no limit. */
  get budget(): number {
    return this.#record.budget;
  }

  /**
   * From the next round on, the player is sent at most this many bytes per second, without debug traffic. Default: the room's `budget`.
   * Reliable messages and events are never held back, so they leave less for state.
   */
  setBudget(bytesPerSecond: number): void {
    checkBudget(bytesPerSecond, `the budget of player ${this.nickname}`);
    this.#record.budget = bytesPerSecond;
  }

  /** Counters of the player's traffic. */
  get telemetry(): Readonly<SessionTelemetry> {
    return this.#record.telemetry;
  }

  /** The player's objects, or those of one type, in the order in which it got them. Takes time proportional to the number of its objects. */
  owned(): Entity[];
  owned<F extends Fields>(type: ObjectType<F>): Entity<F>[];
  owned(type?: ObjectType): Entity[] {
    const entities: Entity[] = [];
    for (const id of this.core.ownership.of(this.id)) {
      const entity = this.core.world.get(id);
      if (entity !== undefined && (type === undefined || entity.type === type)) entities.push(entity);
    }
    return entities;
  }

  /** The id by which the player's client knows an object; `undefined` if it knows of none. Differs from the object's own id in rooms with `idsPerClient`. */
  idOf(target: { readonly id: ObjectId }): ObjectId | undefined {
    const names = this.core.sessions.get(this.id)?.names;
    if (names === undefined) return target.id;
    return names.has(target.id) ? names.nameOf(target.id) : undefined;
  }

  /** The object that the player's client calls by this id, if it lives; and in rooms with `idsPerClient`, if the client was told of it. */
  entityOf(id: number): Entity | undefined {
    const names = this.core.sessions.get(this.id)?.names;
    const own = names === undefined ? (id as ObjectId) : names.objectOf(id as ObjectId);
    return own === undefined ? undefined : this.core.world.get(own);
  }

  /** Centres the player's view on one object: its avatar, or an object that it follows. */
  pivotOn(target: { readonly id: ObjectId }, options: { readonly scale?: number } = {}): void {
    if ((target as unknown) === undefined)
      throw new ServerError(
        "bad-option",
        "pivotOn: there is no object; it takes what spawn returned, or one that lives",
      );
    this.setPivots([{ object: target.id, ...options }]);
  }

  /** Moves the player's view. Moving points is cheap; after any other change the whole view is judged again. */
  setPivots(pivots: readonly Pivot[]): void {
    this.#mustBeHere();
    const settings = { ...this.settings, pivots };
    const withUnits = this.#addUnits(settings);
    this.core.model.setPivots(this.view, withUnits.pivots);
    this.#record.settings = settings;
    this.#withUnits = withUnits;
  }

  /** Replaces the player's view at once. Throws `ViewError` for settings that break the rules of a view. */
  setView(settings: ViewSettings): void {
    this.#mustBeHere();
    refuseUnknownViewKeys(settings);
    const withUnits = this.#addUnits(settings);
    this.core.model.changeView(this.view, withUnits);
    this.#record.settings = settings;
    this.#record.statedBy = "game";
    this.#withUnits = withUnits;
  }

  /**
   * Makes one unit of exactly these objects of the player, from the next round on, until `ungroup` or another `group` takes them out. Needs a room
   * with `units`.
   */
  group(objects: Iterable<{ readonly id: ObjectId }>): void {
    this.#roomUnits("group").group(this, objects);
  }

  /** These objects are grouped by distance and heading again. */
  ungroup(objects: Iterable<{ readonly id: ObjectId }>): void {
    this.#roomUnits("ungroup").ungroup(this, objects);
  }

  /** Ends the player, with a text that it is told. */
  kick(detail: string): void {
    this.core.end(this, new ProtocolError("kicked", detail));
  }

  #addView(): ViewId {
    return this.core.model.addView(this.settingsWithUnits, { session: this.id, questionsOnly: this.role === "local" });
  }

  /** A view must have room for all units that the player may come to have. */
  #addUnits(settings: ViewSettings): ViewSettings {
    const { units } = this.core;
    if (units === undefined) return settings;
    const { pivots } = settings;
    if (pivots.length > units.roomForOthers) {
      const text = `at most ${units.roomForOthers} beside the units of the room, got ${pivots.length}`;
      throw new ViewError("too-many", "pivots", text);
    }
    return this.#units.length === 0 ? settings : { ...settings, pivots: [...pivots, ...this.#units] };
  }

  #roomUnits(call: string): RoomUnits {
    this.#mustBeHere();
    const { units } = this.core;
    if (units !== undefined) return units;
    throw new ServerError("bad-option", `${call}: room ${this.core.name} has no option units`);
  }

  #mustBeHere(): void {
    if (this.presence !== "left") return;
    throw new ServerError("left", `player ${this.nickname} has left room ${this.core.name}`);
  }
}

type EventHandler = (values: AnyValues) => void;

/** A player in the server's own process. Its commands run in the next round, like everybody's. */
export class LocalPlayer extends Player {
  readonly #handlers = new ListenersByKey<EventType, EventHandler>();

  send<F extends Fields>(type: CommandType<F>, values: Values<F>): void {
    checkRecord(type, values);
    if (!this.core.handlers.command.has(type as unknown as CommandType)) {
      throw new ServerError("unknown-command", `nobody handles command ${type.name} in room ${this.core.name}`);
    }
    const command = { player: this, type: type as unknown as CommandType, values: values as AnyValues };
    this.core.pendingCommands.push(command);
  }

  onEvent<F extends Fields>(type: EventType<F>, handler: (values: Values<F>) => void): Off {
    const key = type as unknown as EventType;
    this.core.host.protocol.typeIndex(key);
    return this.#handlers.add(key, handler as unknown as EventHandler);
  }

  /** Delivers an event; called by the room. */
  hear(type: EventType, values: AnyValues): void {
    for (const handler of this.#handlers.of(type)) handler(values);
  }

  leave(): void {
    this.core.end(this, new ProtocolError("left", `${this.nickname} left`));
  }
}
