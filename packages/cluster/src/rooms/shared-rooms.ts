/**
 * Rooms that players open, on any server of a cluster: a new room goes to the least loaded server, and every server lists all of them. A room is on one
 * server for life, and ends with it; its address tells which.
 *
 * A room's id is chosen by the server that was asked for the room. So a question that is asked again opens nothing twice.
 */

import type { Off } from "@nearfield/schema";
import {
  type OpenRooms,
  publicRooms,
  type Rooms,
  type RoomView,
  type RoomWish,
  SocialError,
} from "@nearfield/social/internal";
import { type Answered, decode, encode, type RoomRequest, readers, roomView } from "./messages.ts";
import type { ClusterPlace } from "./place.ts";
import { refusalOf, thrown } from "./refusals.ts";
import type { RoomList } from "./room-list.ts";

/** How often a server that does not answer is asked. */
const ATTEMPTS = 3;

export interface SharedRoomsOptions {
  readonly place: ClusterPlace;
  readonly own: Rooms;
  readonly list: RoomList;
  readonly randomId: () => string;
  /** Rooms of one account at a time. */
  readonly perAccount: number;
  /** Carries out what is asked about a match. */
  readonly match: (request: RoomRequest) => Answered;
}

export class SharedRooms implements OpenRooms {
  readonly #options: SharedRoomsOptions;
  readonly #off: Off;

  constructor(options: SharedRoomsOptions) {
    this.#options = options;
    const { bus, membership } = options.place;
    this.#off = bus.answer(subjectOf(membership.number), (payload) => {
      const request = decode(payload, readers.roomRequest);
      return encode(request === undefined ? { refused: "bad-request", detail: "unreadable" } : this.#carryOut(request));
    });
  }

  async create(owner: string, wish: RoomWish): Promise<RoomView> {
    const { list, own, place, randomId, perAccount } = this.#options;
    const [server] = list.candidates();
    if (server === undefined) throw new SocialError("busy", "no server can open a room now; try again soon");
    const count = this.#all().filter((room) => room.owner === owner).length;
    if (count >= perAccount)
      throw new SocialError("too-many", `an account opens at most ${perAccount} rooms at a time`);
    const id = `room-${randomId()}`;
    if (server === place.membership.number) return this.#addressed(own.create(owner, wish, id));
    const answer = await this.#ask(server, { kind: "create", account: owner, id, ...wish });
    const room = roomView(answer, "room");
    list.add(server, room);
    return room;
  }

  list(): RoomView[] {
    return publicRooms(this.#all());
  }

  get(id: string): RoomView {
    const room = this.#all().find((one) => one.id === id);
    if (room === undefined) throw new SocialError("no-room", "there is no such room any more");
    return room;
  }

  async close(account: string, id: string): Promise<void> {
    const { list, own } = this.#options;
    const server = list.holderOf(id);
    if (server === undefined) own.close(account, id);
    else await this.#ask(server, { kind: "close", account, id });
  }

  end(): void {
    this.#off();
  }

  #all(): RoomView[] {
    const { own, list } = this.#options;
    return [...own.all().map((room) => this.#addressed(room)), ...list.others()];
  }

  #addressed(room: RoomView): RoomView {
    const { address } = this.#options.place;
    return address === undefined ? room : { ...room, address };
  }

  #carryOut(request: RoomRequest): Answered {
    const { own, match, place } = this.#options;
    const { kind, account = "", id = "", name = "", isPublic, places } = request;
    return refusalOf(() => {
      if (kind === "close") own.close(account, id);
      if (kind === "close") return {};
      if (!place.membership.isHeld || place.membership.isLeaving)
        throw new SocialError("busy", "this server opens no rooms now");
      if (kind === "match") return match(request);
      const wish = { name, ...(isPublic !== undefined && { isPublic }), ...(places !== undefined && { places }) };
      return { body: this.#addressed(own.create(account, wish, id)) };
    });
  }

  async #ask(server: number, request: RoomRequest): Promise<unknown> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const answer = await this.#askOnce(server, request);
      if (answer === undefined) continue;
      if (answer.refused !== undefined) throw thrown(answer);
      return answer.body;
    }
    throw new SocialError("busy", "the server of this room does not answer; try again soon");
  }

  #askOnce(server: number, request: RoomRequest): Promise<Answered | undefined> {
    return new Promise((resolve) =>
      this.#options.place.bus.request(subjectOf(server), encode(request), (answer) =>
        resolve(answer.kind === "none" ? undefined : decode(answer.payload, readers.answered)),
      ),
    );
  }
}

/** Where a server is asked about its rooms. */
export function subjectOf(server: number): string {
  return `room.${server}`;
}
