/**
 * The games this playground offers: one entry per game, the only place where a game is plugged in.
 *
 * The playground serves each game's built page at `/<id>/` and starts its server part on the same port, with its
 * WebSocket at `/<id>/ws`. It knows nothing else of a game.
 */
import type { Server } from "node:http";

/** How many play at this moment; shown on the landing page. */
export interface GameStatus {
  readonly people: number;
  readonly bots: number;
}

export interface RunningGame {
  status(): GameStatus;
  /** Ends every session with a reason and stops the rounds. */
  close(): Promise<void>;
}

export interface GameMount {
  /** Lower-case name in addresses; the landing page's card carries it as `data-game`. */
  readonly id: string;
  /** The folder of its built page. */
  readonly pageFolder: string;
  /** Starts the server part on the playground's own HTTP server, taking WebSocket upgrades at `path` only. */
  start(options: { server: Server; path: string }): Promise<RunningGame>;
}

export const games: readonly GameMount[] = [];
