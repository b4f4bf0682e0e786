/**
 * One list of the rooms of all servers, kept on every server. Each server tells the others of its rooms when they have changed, and once a second that they
 * have not. A server that has missed a change asks for the whole list.
 *
 * How old the list may be: a change is told within `LEAST_MS` and a message's way. Rooms of a server that has said nothing for `STALE_MS`, that leaves, or
 * that was declared dead are not in the list.
 */

import type { Off } from "@nearfield/schema";
import type { RoomView } from "@nearfield/social/internal";
import { type Announcement, decode, encode, MOST_ROOMS, readers } from "./messages.ts";
import type { ClusterPlace } from "./place.ts";

const SUBJECT = "rooms";
const REPEAT = "rooms-again";
/** Between two announcements of changes. */
const LEAST_MS = 200;
const BEAT_MS = 1000;
const STALE_MS = 5000;

interface Known extends Omit<Announcement, "rooms"> {
  readonly rooms: readonly RoomView[];
  readonly heardMs: number;
  /** Rooms that were opened there for this server since it last told its load. */
  opened: number;
}

export class RoomList {
  readonly #place: ClusterPlace;
  readonly #own: () => readonly RoomView[];
  readonly #load: () => number;
  readonly #known = new Map<number, Known>();
  readonly #off: Off[];
  #version = 0;
  #told = "";
  #saidMs = Number.NEGATIVE_INFINITY;

  /** @param own this server's rooms. @param load how much it has to do, in whatever unit all servers use. */
  constructor(place: ClusterPlace, own: () => readonly RoomView[], load: () => number) {
    this.#place = place;
    this.#own = own;
    this.#load = load;
    const { bus, membership } = place;
    this.#off = [
      bus.subscribe(SUBJECT, (payload) => {
        const heard = decode(payload, readers.announcement);
        if (heard !== undefined && !this.#hear(heard)) bus.publish(`${REPEAT}.${heard.from}`, new Uint8Array(0));
      }),
      bus.subscribe(`${REPEAT}.${membership.number}`, () => {
        this.#told = "";
      }),
    ];
  }

  /** Rooms of other servers. */
  *others(): IterableIterator<RoomView> {
    for (const { rooms, address } of this.#present()) for (const room of rooms) yield { ...room, address };
  }

  /** Every room with its server, this server's own ones first. */
  *everywhere(): IterableIterator<{ readonly server: number; readonly room: RoomView }> {
    for (const room of this.#own()) yield { server: this.#place.membership.number, room };
    for (const { from, rooms } of this.#present()) for (const room of rooms) yield { server: from, room };
  }

  /** Which server has a room; undefined: none that is known. */
  holderOf(id: string): number | undefined {
    for (const { from, rooms } of this.#present()) if (rooms.some((room) => room.id === id)) return from;
    return undefined;
  }

  /** Servers that may be given a room, this one included if it may, the least loaded first. */
  candidates(): number[] {
    const { membership, address } = this.#place;
    const loads: [number, number][] = [...this.#present()].map(({ from, load, opened }) => [from, load + opened]);
    if (membership.isHeld && !membership.isLeaving && address !== undefined)
      loads.push([membership.number, this.#load()]);
    return loads.sort((a, b) => a[1] - b[1] || a[0] - b[0]).map(([number]) => number);
  }

  /** A room that was opened on another server just now: listed here before that server tells of it. */
  add(server: number, room: RoomView): void {
    const known = this.#known.get(server);
    if (known === undefined || known.rooms.some(({ id }) => id === room.id)) return;
    this.#known.set(server, { ...known, rooms: [...known.rooms, room], opened: known.opened + 1 });
  }

  /** To be called in every round. */
  tick(): void {
    const { membership, bus, now, address } = this.#place;
    if (!membership.isHeld || address === undefined) return;
    const sinceMs = now() - this.#saidMs;
    if (sinceMs < LEAST_MS) return;
    const rooms = this.#own().slice(0, MOST_ROOMS);
    const text = JSON.stringify(rooms);
    const isNew = text !== this.#told;
    if (!isNew && sinceMs < BEAT_MS) return;
    this.#saidMs = now();
    if (isNew) this.#version += 1;
    this.#told = text;
    const beat = { from: membership.number, version: this.#version, load: this.#load(), address };
    bus.publish(SUBJECT, encode(isNew ? { ...beat, rooms } : beat));
  }

  close(): void {
    for (const off of this.#off) off();
  }

  *#present(): IterableIterator<Known> {
    const { membership, now } = this.#place;
    const { staying } = membership;
    for (const known of this.#known.values())
      if (staying.has(known.from) && now() - known.heardMs < STALE_MS) yield known;
  }

  /** Returns false if rooms were told of that were missed here. */
  #hear({ rooms, ...rest }: Announcement): boolean {
    const { membership, now } = this.#place;
    if (rest.from === membership.number) return true;
    const known = this.#known.get(rest.from);
    if (known !== undefined && rest.version < known.version) return true;
    if (rooms === undefined && known?.version !== rest.version) return false;
    for (const server of this.#known.keys()) if (membership.buried.includes(server)) this.#known.delete(server);
    this.#known.set(rest.from, { ...rest, rooms: rooms ?? known!.rooms, heardMs: now(), opened: 0 });
    return true;
  }
}
