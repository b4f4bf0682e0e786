/**
 * A player as the game sees it: who it is, what it owns, what it looks at. Connected players have a session behind
 * them; a local player (V §3.1: a server process that is also a player) has none and reads the primaries.
 */

import type { Entity, Pivot, ViewSettings } from "@nearfield/core";
import { refuseUnknownViewKeys, type ViewId } from "@nearfield/core/internal";
import { ProtocolError } from "@nearfield/protocol";
import type { Role } from "@nearfield/protocol/internal";
import type { Fields, ObjectId, ObjectType, Off, Values, WorldId } from "@nearfield/schema";
import { type CommandType, checkRecord, type EventType, ListenersByKey, worldId } from "@nearfield/schema/internal";
import { ServerError } from "../errors.ts";
import { checkBudget } from "../options.ts";
import type { Room } from "../room/room.ts";
import type { AnyValues, RoomCore } from "../room/room-core.ts";
import { SessionTelemetry } from "../telemetry/telemetry.ts";
import type { Identity } from "./identity.ts";

/** `away`: the link is broken and the session waits for it to come back. */
export type Presence = "here" | "away" | "left";

/** What changes about a player; the session and the room write it. */
export interface PlayerRecord {
  presence: Presence;
  address: string;
  settings: ViewSettings;
  /** Bytes per second; `Infinity`: no limit. */
  budget: number;
  readonly identity: Identity | undefined;
  readonly telemetry: SessionTelemetry;
}

export function playerRecord({ joinView, options }: RoomCore, address: string, identity?: Identity): PlayerRecord {
  const telemetry = new SessionTelemetry();
  const budget = options.budget ?? Number.POSITIVE_INFINITY;
  return { presence: "here", address, settings: joinView, budget, identity, telemetry };
}

/** Gives a player a view of which nothing was sent yet; for a client that has forgotten everything. The room calls it. */
export let renewView: (player: Player) => void;

export class Player {
  /** Session number: what owns objects. Never used twice in a server's life. */
  readonly id: number;
  readonly nickname: string;
  readonly role: Role | "local";
  protected readonly core: RoomCore;
  readonly #record: PlayerRecord;
  #view: ViewId;

  static {
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
    this.#view = this.#addView();
  }

  /** The id that it has on every server of the world. */
  get worldId(): WorldId {
    return worldId(this.core.host.resolved.serverNumber, this.id);
  }

  /** The view in the room's consistency model. */
  get view(): ViewId {
    return this.#view;
  }

  /** Whom the server's `authenticate` took it for; undefined where there is none, and for local players. */
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

  /** What carries its state now: "websocket", "webrtc", "memory"; undefined while it has no link. */
  get linkKind(): string | undefined {
    return this.core.sessions.get(this.id)?.link?.kind;
  }

  /** What it sees and how exactly, as authorised. */
  get settings(): ViewSettings {
    return this.#record.settings;
  }

  /** Bytes per second that it may be sent; `Infinity`: no limit. */
  get budget(): number {
    return this.#record.budget;
  }

  /**
   * From the next round on it is sent at most so many bytes per second, of everything that is not debug traffic. Default: the room's
   * `budget`. Reliable messages and events are never held back, so they leave less for state.
   */
  setBudget(bytesPerSecond: number): void {
    checkBudget(bytesPerSecond, `the budget of player ${this.nickname}`);
    this.#record.budget = bytesPerSecond;
  }

  /** What went to it and came from it. */
  get telemetry(): Readonly<SessionTelemetry> {
    return this.#record.telemetry;
  }

  /** Its objects, or those of a type, in the order they became its own. Costs as much as it owns. */
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

  /** Centres its view on one object: its avatar, or the one it follows. */
  pivotOn(target: { readonly id: ObjectId }, options: { readonly scale?: number } = {}): void {
    this.setPivots([{ object: target.id, ...options }]);
  }

  /** Moves its view. Points that only moved cost little; any other change has the whole view judged anew. */
  setPivots(pivots: readonly Pivot[]): void {
    this.#mustBeHere();
    this.core.model.setPivots(this.view, pivots);
    this.#record.settings = { ...this.settings, pivots };
  }

  /** Replaces its view, at once. Throws `ViewError` for settings that break the rules of a view. */
  setView(settings: ViewSettings): void {
    this.#mustBeHere();
    refuseUnknownViewKeys(settings);
    this.core.model.changeView(this.view, settings);
    this.#record.settings = settings;
  }

  /** Ends it, with a text it is told. */
  kick(detail: string): void {
    this.core.end(this, new ProtocolError("kicked", detail));
  }

  #addView(): ViewId {
    return this.core.model.addView(this.settings, { session: this.id, questionsOnly: this.role === "local" });
  }

  #mustBeHere(): void {
    if (this.presence !== "left") return;
    throw new ServerError("left", `player ${this.nickname} has left room ${this.core.name}`);
  }
}

type EventHandler = (values: AnyValues) => void;

/** The player whose process is the server's own. Its commands run in the next round, with everybody else's. */
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

  /** Hands an event over; called by the room. */
  hear(type: EventType, values: AnyValues): void {
    for (const handler of this.#handlers.of(type)) handler(values);
  }

  leave(): void {
    this.core.end(this, new ProtocolError("left", `${this.nickname} left`));
  }
}
