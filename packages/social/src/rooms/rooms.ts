/**
 * Rooms that players open, and the list of them. A public room is in the list; a private one is joined by its id, which nobody can guess. A room has
 * a number of places, and the door keeps to it. A room that stays empty is closed.
 *
 * Clients join a room as any other: `join(url, { room: id })`.
 */
import { cleanLine } from "@nearfield/schema/internal";
import type { Room, RoomOptions, Server } from "@nearfield/server";
import { SocialError } from "../errors.ts";
import type { RoomView, RoomWish } from "./room-view.ts";

export interface RoomsOptions {
  readonly server: Pick<Server, "createRoom" | "closeRoom">;
  readonly now: () => number;
  readonly randomId: () => string;
  /** The options of each new room; what is left out is as in the main room. */
  readonly options?: (wish: RoomView) => Partial<RoomOptions>;
  /** Sets the room up: handlers, walls. Called once, before anybody joins. */
  readonly prepare: (room: Room, view: RoomView) => void;
  /** Places of one room. Default 20. */
  readonly mostPlaces?: number;
  /** Rooms of one account at a time. Default 1. */
  readonly perAccount?: number;
  /** Rooms of all accounts. Default 100. Each costs a world and its rounds. */
  readonly most?: number;
  /** How long a room may stay empty, ms. Default 60 s. */
  readonly emptyMs?: number;
}

interface Entry {
  readonly room: Room;
  readonly view: Omit<RoomView, "taken">;
  emptySinceMs: number | undefined;
}

const NAME_CHARACTERS = 40;
const NAME_BYTES = 120;
const DEFAULTS = { mostPlaces: 20, perAccount: 1, most: 100, emptyMs: 60_000 };
/** Rooms in one answer. */
const MOST_LISTED = 100;

export class Rooms {
  readonly #options: RoomsOptions & typeof DEFAULTS;
  readonly #rooms = new Map<string, Entry>();

  constructor(options: RoomsOptions) {
    this.#options = { ...DEFAULTS, ...options };
  }

  /** Opens a room. Throws `bad-room`, `too-many`, or `busy` if there is no room for more rooms. */
  create(owner: string, wish: RoomWish): RoomView {
    const { server, most, mostPlaces, perAccount, now, randomId, prepare } = this.#options;
    const name = cleanLine(wish.name, NAME_CHARACTERS, NAME_BYTES);
    if (name === "") throw new SocialError("bad-room", "a room needs a name that can be seen");
    const places = wish.places ?? mostPlaces;
    if (!Number.isInteger(places) || places < 1 || places > mostPlaces)
      throw new SocialError("bad-room", `a room has 1 to ${mostPlaces} places`);
    const own = [...this.#rooms.values()].filter(({ view }) => view.owner === owner);
    if (own.length >= perAccount)
      throw new SocialError("too-many", `an account opens at most ${perAccount} rooms at a time`);
    if (this.#rooms.size >= most) throw new SocialError("busy", `${most} rooms are open; try again later`);
    const view = { id: `room-${randomId()}`, name, owner, isPublic: wish.isPublic ?? true, places };
    const shown = { ...view, taken: 0 };
    const room = server.createRoom(view.id, this.#options.options?.(shown) ?? {});
    this.#rooms.set(view.id, { room, view, emptySinceMs: now() });
    room.onJoin((player) => {
      if (room.players.size > places) player.kick("this room is full");
    });
    prepare(room, shown);
    return shown;
  }

  /** The public rooms, those with free places first, then by name. */
  list(): RoomView[] {
    const views = Array.from(this.#rooms.values(), viewOf).filter(({ isPublic }) => isPublic);
    const order = (a: RoomView, b: RoomView): number =>
      Number(a.taken >= a.places) - Number(b.taken >= b.places) || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);
    return views.sort(order).slice(0, MOST_LISTED);
  }

  /** One room, public or private. Throws `no-room`. */
  get(id: string): RoomView {
    const entry = this.#rooms.get(id);
    if (entry === undefined) throw new SocialError("no-room", "there is no such room any more");
    return viewOf(entry);
  }

  /** The owner closes its room; whoever is in it is told. */
  close(account: string, id: string): void {
    if (this.get(id).owner !== account) throw new SocialError("no-room", "this is not your room");
    this.#end(id);
  }

  /** Why nobody can enter this room; undefined for a room with free places, and for rooms that players did not open. */
  closedFor(id: string): string | undefined {
    const entry = this.#rooms.get(id);
    if (entry === undefined) return undefined;
    const { taken, places } = viewOf(entry);
    return taken >= places ? `all ${places} places of this room are taken` : undefined;
  }

  /** Closes rooms that were empty for too long. To be called about once a second. */
  tick(): void {
    const nowMs = this.#options.now();
    for (const [id, entry] of this.#rooms) {
      if (entry.room.players.size > 0) entry.emptySinceMs = undefined;
      else entry.emptySinceMs ??= nowMs;
      if (entry.emptySinceMs !== undefined && nowMs - entry.emptySinceMs >= this.#options.emptyMs) this.#end(id);
    }
  }

  #end(id: string): void {
    this.#rooms.delete(id);
    this.#options.server.closeRoom(id);
  }
}

function viewOf({ room, view }: Entry): RoomView {
  return { ...view, taken: room.players.size };
}
