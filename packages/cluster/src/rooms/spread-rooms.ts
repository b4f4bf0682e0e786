/**
 * Rooms, parties and matching of one game over all servers of a cluster, in one call:
 *
 *     rooms:    every server tells of its rooms; a new one goes to the least loaded server
 *     lobby:    one server keeps parties and queues for all, in a log; another takes over when it dies
 *     matches:  the keeper makes a match, one server opens its room, every server tells its players where
 */

import type { Off } from "@nearfield/schema";
import type { Server } from "@nearfield/server";
import { type QueuedMatch, type RoomsOptions, type Social, SocialError } from "@nearfield/social/internal";
import { ClusterError } from "../errors.ts";
import { KeeperElection } from "./keeper-election.ts";
import { LobbyKeeper } from "./lobby-keeper.ts";
import type { Answered, RoomRequest } from "./messages.ts";
import type { ClusterPlace } from "./place.ts";
import { RoomList } from "./room-list.ts";
import { MOST_PICTURED, type RoomsPicture } from "./rooms-picture.ts";
import { SharedLobby } from "./shared-lobby.ts";
import { SharedRooms } from "./shared-rooms.ts";

export interface SpreadRoomsOptions extends Omit<RoomsOptions, "server" | "now" | "randomId"> {
  /** How much this server has to do, in whatever unit all servers use. Default: its players and its rooms together. */
  readonly load?: () => number;
}

/** A server of a cluster, as `serveCluster` returns it. */
export interface SpreadServer {
  readonly server: Pick<Server, "createRoom" | "closeRoom" | "main" | "rooms" | "playerCount" | "onClose">;
  readonly place: ClusterPlace;
  /** Where an operator sees the rooms. */
  readonly sights?: { showRooms(picture: () => RoomsPicture): void };
}

/** Matches whose rooms were opened here and that a keeper may ask for again. Of more, the oldest are forgotten. */
const MOST_BEGUN = 1000;

/**
 * Makes this server's social space one with those of the other servers: one list of rooms, one lobby. All of them have the same store and secret, and
 * an `address` each. Throws `bad-option` without one.
 */
export function spreadRooms(
  { server, place, sights }: SpreadServer,
  social: Social,
  options: SpreadRoomsOptions,
): void {
  if (place.address === undefined)
    throw new ClusterError(
      "bad-option",
      "cluster.address is missing: players of other servers must find their rooms here",
    );
  const { load = () => server.playerCount + server.rooms.size, ...rest } = options;
  const own = social.openRooms(server as Server, rest);
  const election = new KeeperElection(place);
  const list = new RoomList(place, () => own.all(), load);
  const rooms = new SharedRooms({
    place,
    own,
    list,
    randomId: social.lobbyRules.randomId,
    perAccount: options.perAccount ?? 1,
    match: matchOpener(place, election, social),
  });
  const keeper = new LobbyKeeper({ place, election, rules: social.lobbyRules, candidates: () => list.candidates() });
  const lobby = new SharedLobby({
    place,
    election,
    news: social.lobbyNews,
    tellMatch: (match) => social.tellMatch(match),
    accounts: () => social.presence.accounts(),
  });
  social.spread(lobby, rooms);
  sights?.showRooms(() => pictureOf(election, list));
  const offRound = server.main.onRound(() => {
    election.tick();
    list.tick();
    keeper.tick();
    lobby.tick();
  }) as Off | undefined;
  server.onClose(() => {
    offRound?.();
    for (const part of [election, list, keeper, lobby]) part.close();
    rooms.end();
  });
}

function pictureOf({ keeper }: KeeperElection, list: RoomList): RoomsPicture {
  const all = [...list.everywhere()].sort((a, b) => a.server - b.server || (a.room.name < b.room.name ? -1 : 1));
  const rooms = all.slice(0, MOST_PICTURED).map(({ server, room: { name, owner, isPublic, taken, places } }) => {
    const kind = isPublic ? "public" : owner === "" ? "match" : "private";
    return { server, name, kind, players: taken, places } as const;
  });
  return { keeper, rooms, roomsInAll: all.length };
}

/** Opens the room of a match, once, however often it is asked for. What an older keeper asks is refused. */
export function matchOpener(
  { address }: ClusterPlace,
  election: KeeperElection,
  social: Pick<Social, "beginMatch">,
): (request: RoomRequest) => Answered {
  const begun = new Map<string, QueuedMatch>();
  return ({ match, fence = 0 }) => {
    if (match === undefined || fence < election.fence)
      throw new SocialError("failed", "another server keeps the lobby");
    const known = begun.get(match.id) ?? social.beginMatch(match);
    begun.set(match.id, known);
    if (begun.size > MOST_BEGUN) begun.delete(begun.keys().next().value!);
    const { room } = known;
    return { body: room === undefined ? null : { ...room, ...(address !== undefined && { address }) } };
  };
}
