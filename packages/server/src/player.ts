/**
 * A player as the game sees it: who it is, what it owns, what it looks at. Connected players have a session behind
 * them; a local player (V §3.1: a server process that is also a player) has none and reads the primaries.
 */

import type { Entity, ObjectId, Pivot, ViewId, ViewSettings } from "@nearfield/core";
import { ProtocolError, type Role } from "@nearfield/protocol";
import { type CommandType, checkRecord, type EventType, type Fields, type Values } from "@nearfield/schema";
import { ServerError } from "./errors.ts";
import type { Room } from "./room.ts";

/** `away`: the link is broken and the session waits for it to come back. */
export type Presence = "here" | "away" | "left";

export class Player {
  /** Session number: what owns objects. Never used twice in a server's life. */
  readonly id: number;
  readonly nickname: string;
  readonly role: Role | "local";
  readonly room: Room;
  /** For people: where it is connected from. */
  address: string;
  presence: Presence = "here";
  /** The view in the room's consistency model. */
  readonly view: ViewId;
  #settings: ViewSettings;

  constructor(room: Room, id: number, nickname: string, role: Role | "local", address: string, settings: ViewSettings) {
    this.room = room;
    this.id = id;
    this.nickname = nickname;
    this.role = role;
    this.address = address;
    this.#settings = settings;
    this.view = room.model.addView(settings, { session: id });
  }

  /** What it sees and how exactly, as authorised. */
  get settings(): ViewSettings {
    return this.#settings;
  }

  /** Its objects, in the order they became its own. */
  get owned(): readonly Entity[] {
    const entities: Entity[] = [];
    for (const id of this.room.ownership.of(this.id)) {
      const entity = this.room.world.get(id);
      if (entity !== undefined) entities.push(entity);
    }
    return entities;
  }

  /** Centres its view on one object: its avatar, or the one it follows. */
  pivotOn(target: { readonly id: ObjectId }, options: { readonly scale?: number } = {}): void {
    this.setPivots([{ object: target.id, ...options }]);
  }

  /** Moves its view. As many pivots as before cost little; another number of them is another view. */
  setPivots(pivots: readonly Pivot[]): void {
    const settings = { ...this.#settings, pivots };
    if (pivots.length !== this.#settings.pivots.length) {
      this.setView(settings);
      return;
    }
    this.#mustBeHere();
    this.room.model.setPivots(this.view, pivots);
    this.#settings = settings;
  }

  /** Replaces its view, at once. Throws `ViewError` for settings that break the rules of a view. */
  setView(settings: ViewSettings): void {
    this.#mustBeHere();
    this.room.model.changeView(this.view, settings);
    this.#settings = settings;
  }

  /** Ends it, with a text it is told. */
  kick(detail: string): void {
    this.room.end(this, new ProtocolError("kicked", detail));
  }

  #mustBeHere(): void {
    if (this.presence === "left")
      throw new ServerError("left", `player ${this.nickname} has left room ${this.room.name}`);
  }
}

type EventHandler = (values: Values<Fields>) => void;

/** The player whose process is the server's own. Its commands run in the next round, with everybody else's. */
export class LocalPlayer extends Player {
  readonly #handlers = new Map<EventType, EventHandler[]>();

  send<F extends Fields>(type: CommandType<F>, values: Values<F>): void {
    checkRecord(type, values);
    this.room.pendingCommands.push({
      player: this,
      type: type as unknown as CommandType,
      values: values as Values<Fields>,
    });
  }

  onEvent<F extends Fields>(type: EventType<F>, handler: (values: Values<F>) => void): void {
    const key = type as unknown as EventType;
    const handlers = this.#handlers.get(key) ?? [];
    handlers.push(handler as unknown as EventHandler);
    this.#handlers.set(key, handlers);
  }

  /** Hands an event over; called by the room. */
  hear(type: EventType, values: Values<Fields>): void {
    for (const handler of this.#handlers.get(type) ?? []) handler(values);
  }

  leave(): void {
    this.room.end(this, new ProtocolError("left", `${this.nickname} left`));
  }
}
