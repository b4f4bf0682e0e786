/**
 * The games this playground offers: one entry per game, the only place where a game is plugged in.
 *
 * The playground serves each game's built page at `/<id>/` and starts its server part on the same port, with its
 * WebSocket at `/<id>/ws` and its inspector at `/<id>/inspector/`. It knows nothing else of a game.
 */
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { pageFolder as arenaPage, startArena } from "@nearfield/arena/server";
import { pageFolder as boardPage, startBoard } from "@nearfield/board/server";
import { pageFolder as frontierPage, startFrontier } from "@nearfield/frontier/server";
import { pageFolder as outpostPage, startOutpost } from "@nearfield/outpost/server";
import { pageFolder as pacmanPage, startPacman } from "@nearfield/pacman/server";
import type { Server as NearfieldServer } from "@nearfield/server";
import { pageFolder as skirmishPage, startSkirmish } from "@nearfield/skirmish/server";

/** What the landing page shows of a running game, read about once a second. Anybody may read it, so it tells how many players there are, but not where. */
export interface GameStatus {
  readonly people: number;
  readonly bots: number;
}

export interface RunningGame {
  /** What the inspector looks into; without it the game has none. */
  readonly game?: NearfieldServer;
  status(): GameStatus;
  /** Answers requests of the game's own, such as logins; false for any other. It is not asked about plain GET requests. */
  answer?(request: IncomingMessage, response: ServerResponse): boolean;
  /** Ends every session with a reason and stops the rounds. */
  close(): Promise<void>;
}

export interface StartOptions {
  readonly server: Server;
  /** Of the WebSocket. */
  readonly path: string;
  /** Where the game may keep what outlives a restart; without it nothing does. */
  readonly folder?: string;
}

export interface GameMount {
  /** Lower-case name in addresses; the landing page's card carries it as `data-game`. */
  readonly id: string;
  /** For people who choose among the inspectors. */
  readonly name: string;
  /** The folder of its built page. */
  readonly pageFolder: string;
  /** Starts the server part on the playground's own HTTP server, taking WebSocket upgrades at `path` only. */
  start(options: StartOptions): Promise<RunningGame>;
}

export const games: readonly GameMount[] = [
  { id: "pacman", name: "Pac-Man", pageFolder: pacmanPage, start: startPacman },
  { id: "arena", name: "Arena", pageFolder: arenaPage, start: startArena },
  {
    id: "skirmish",
    name: "Skirmish",
    pageFolder: skirmishPage,
    // Whoever watches sees through the fog. Here that is what people come for.
    start: (options) => startSkirmish({ ...options, spectators: "anybody" }),
  },
  { id: "outpost", name: "Outpost", pageFolder: outpostPage, start: startOutpost },
  {
    id: "frontier",
    name: "Frontier",
    pageFolder: frontierPage,
    // On one server. `npm run cluster` starts it on many.
    start: (options) => startFrontier({ ...options, bots: 16 }),
  },
  { id: "board", name: "Board", pageFolder: boardPage, start: startBoard },
];
