/**
 * Rooms that players open, and the list of them. A public room is in the list; a private one is joined by its id, which nobody can guess. A room has
 * a number of places, and the door keeps to it. A room that stays empty is closed.
 *
 * Clients join a room as any other: `join(url, { room: id })`.
 */
import { cleanLine } from "@nearfield/schema/internal";
import type { Room, RoomOptions, Server } from "@nearfield/server";
import { SocialError } from "../errors.ts";
import type { Maybe } from "../lobby/lobby.ts";
import type { QueuedMatch } from "../matching/matching.ts";
import type { RoomView, RoomWish } from "./room-view.ts";

export interface RoomsOptions {
  readonly server: Pick<Server, "createRoom" | "closeRoom">;
  readonly now: () => number;
  readonly randomId: () => string;
  /** The options of each new room; what is left out is as in the main room. */
  readonly options?: (wish: RoomView) => Partial<RoomOptions>;
  /** Sets the room up: handlers, walls. Called once, before anybody joins. */
  readonly prepare: (room: Room, view: RoomView) => void;
  /** Sets up the room of a match. Default: matches get no room. Only the players of the match can join it, each once. */
  readonly prepareMatch?: (room: Room, match: QueuedMatch) => void;
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
  /** Of a match: the accounts that have a place. Undefined: everybody may come while there are places. */
  readonly seats?: ReadonlySet<string>;
  emptySinceMs: number | undefined;
}

/** Rooms that players open, on this server or on several. */
export interface OpenRooms {
  create(owner: string, wish: RoomWish): Maybe<RoomView>;
  list(): readonly RoomView[];
  get(id: string): RoomView;
  close(account: string, id: string): Maybe<void>;
}

const NAME_CHARACTERS = 40;
const NAME_BYTES = 120;
const DEFAULTS = { mostPlaces: 20, perAccount: 1, most: 100, emptyMs: 60_000 };
/** Rooms in one answer. */
const MOST_LISTED = 100;

export class Rooms implements OpenRooms {
  readonly #options: RoomsOptions & typeof DEFAULTS;
  readonly #rooms = new Map<string, Entry>();

  constructor(options: RoomsOptions) {
    this.#options = { ...DEFAULTS, ...options };
  }

  /**
   * Opens a room. Throws `bad-room`, `too-many`, or `busy` if there is no room for more rooms. With the id of a room that this account has
   * opened it returns that one.
   */
  create(owner: string, wish: RoomWish, id = `room-${this.#options.randomId()}`): RoomView {
    const { mostPlaces, perAccount, prepare } = this.#options;
    const before = this.#rooms.get(id);
    if (before?.view.owner === owner) return viewOf(before);
    const name = cleanLine(wish.name, NAME_CHARACTERS, NAME_BYTES);
    if (name === "") throw new SocialError("bad-room", "a room needs a name that can be seen");
    const places = wish.places ?? mostPlaces;
    if (!Number.isInteger(places) || places < 1 || places > mostPlaces)
      throw new SocialError("bad-room", `a room has 1 to ${mostPlaces} places`);
    const own = [...this.#rooms.values()].filter(({ view }) => view.owner === owner);
    if (own.length >= perAccount)
      throw new SocialError("too-many", `an account opens at most ${perAccount} rooms at a time`);
    const view = { id, name, owner, isPublic: wish.isPublic ?? true, places };
    const room = this.#open({ view });
    room.onJoin((player) => {
      if (room.players.size > places) player.kick("this room is full");
    });
    prepare(room, { ...view, taken: 0 });
    return { ...view, taken: 0 };
  }

  /** Opens the room of a match, if the game wants one. Asked again, it returns the room that it has. Throws `busy`. */
  openMatch(match: QueuedMatch): RoomView | undefined {
    const { prepareMatch } = this.#options;
    if (prepareMatch === undefined) return undefined;
    const id = `match-${match.id}`;
    const before = this.#rooms.get(id);
    if (before !== undefined) return viewOf(before);
    const seats = new Set(match.teams.flat());
    const view = { id, name: match.queue, owner: "", isPublic: false, places: seats.size };
    const room = this.#open({ view, seats });
    // Whoever comes again, from another window or after a crash, takes its own place and no other.
    room.onJoin((player) => {
      for (const other of [...room.players.values()])
        if (other !== player && other.identity?.account === player.identity?.account) other.kick("you came in again");
    });
    prepareMatch(room, { ...match, room: { ...view, taken: 0 } });
    return { ...view, taken: 0 };
  }

  #open(entry: Pick<Entry, "view" | "seats">): Room {
    const { server, most, now, options } = this.#options;
    if (this.#rooms.size >= most) throw new SocialError("busy", `${most} rooms are open; try again later`);
    const room = server.createRoom(entry.view.id, options?.({ ...entry.view, taken: 0 }) ?? {});
    this.#rooms.set(entry.view.id, { ...entry, room, emptySinceMs: now() });
    return room;
  }

  /** Every room, private ones and those of matches included. */
  all(): RoomView[] {
    return Array.from(this.#rooms.values(), viewOf);
  }

  /** The public rooms, those with free places first, then by name. */
  list(): RoomView[] {
    return publicRooms(this.all());
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

  /** Why the account cannot enter this room; undefined if it can, and for rooms that players did not open. */
  closedFor(id: string, account: string): string | undefined {
    const entry = this.#rooms.get(id);
    if (entry === undefined) return undefined;
    if (entry.seats !== undefined) return entry.seats.has(account) ? undefined : "this match is not yours";
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

/** What a list shows: the public ones, those with free places first, then by name and id. */
export function publicRooms(rooms: Iterable<RoomView>): RoomView[] {
  const isFull = ({ taken, places }: RoomView): number => Number(taken >= places);
  const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
  return [...rooms]
    .filter(({ isPublic }) => isPublic)
    .sort((a, b) => isFull(a) - isFull(b) || byText(a.name, b.name) || byText(a.id, b.id))
    .slice(0, MOST_LISTED);
}

function viewOf({ room, view }: Entry): RoomView {
  return { ...view, taken: room.players.size };
}
