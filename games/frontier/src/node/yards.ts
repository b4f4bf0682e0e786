/**
 * Yards: rooms away from the country, where heroes meet only each other. Players open them and find them in a list, or are brought together for a duel. On one
 * server and on many it is the same code: there the list and the queue are one for all servers, and each yard lies on one of them.
 */

import { randomBytes, randomInt } from "node:crypto";
import type { ClusterServer } from "@nearfield/cluster/node";
import { spreadRooms } from "@nearfield/cluster/rooms";
import type { Player, Room } from "@nearfield/server";
import type { NodeServer, ServeOptions } from "@nearfield/server/node";
import type { NodeSocial } from "@nearfield/social/node";
import { FrontierHost } from "../host.ts";
import { DUEL, DUEL_OVER, Hero } from "../shared.ts";

/** Heroes come into a yard within this distance of its middle, world units. */
const GATHERING = 150;
const MOST_PLACES = 16;
const MOST_YARDS = 50;
/** What the accounts of those begin with who have none. */
const VISITOR = "visitor-";

type Match = Parameters<Parameters<NodeSocial["matching"]["onMatch"]>[0]>[0];

/** Who shows no token may walk about, and is somebody else each time: the page offers such a visitor no yards. */
export function admits(social: NodeSocial): NonNullable<ServeOptions["authenticate"]> {
  return (asked) =>
    asked.credentials === "" ? { account: `${VISITOR}${randomBytes(8).toString("hex")}` } : social.authenticate(asked);
}

/** @param cluster of which the server is one; undefined: it stands alone */
export function openYards(social: NodeSocial, game: NodeServer, cluster: ClusterServer | undefined): void {
  const options = {
    mostPlaces: MOST_PLACES,
    most: MOST_YARDS,
    prepare: (room: Room) => void yard(room),
    prepareMatch: (room: Room, match: Match) => duel(social, room, match),
  };
  social.attach(game.main);
  if (cluster === undefined) social.openRooms(game, options);
  else spreadRooms(cluster, social, options);
}

function yard(room: Room, felled?: (player: Player) => void): FrontierHost {
  return new FrontierHost(room, {
    seed: randomInt(2 ** 32),
    dens: [],
    gathering: GATHERING,
    felled: (hero) => {
      for (const player of room.players.values()) if (player.owned(Hero).includes(hero)) felled?.(player);
    },
  });
}

/** Who falls first has lost, once both were there. */
function duel(social: NodeSocial, room: Room, { id, teams }: Match): void {
  let isOver = false;
  yard(room, (loser) => {
    if (isOver || room.players.size < teams.length) return;
    isOver = true;
    const lost = loser.identity!.account;
    const standings = teams.map((members) => ({ members, rank: members.includes(lost) ? 2 : 1 }));
    void social
      .settle(id, { accepted: [] }, (transaction) => social.matching.skills.recordWithin(transaction, DUEL, standings))
      .catch((error: unknown) => console.error("a duel could not be settled:", error));
    const winner = [...room.players.values()].find((player) => player !== loser);
    for (const account of teams.flat()) social.tell(account, DUEL_OVER, { winner: winner?.nickname ?? "" });
  });
}
