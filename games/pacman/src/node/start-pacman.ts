/** Starts the game on a web server that somebody else runs, and tells how it is going. */

import { randomInt } from "node:crypto";
import type { Server } from "node:http";
import { fileURLToPath } from "node:url";
import { type NodeServer, serve } from "@nearfield/server/node";
import { PacmanHost } from "../host.ts";
import { protocol, ROUND_MS, view } from "../shared.ts";
import type { Spot } from "../state.ts";

/** The folder of the built page. */
export const pageFolder: string = fileURLToPath(new URL("../../dist/page/", import.meta.url));

export interface PacmanOptions {
  /** The web server to share; it is the caller's to close. */
  readonly server: Server;
  /** Path of the WebSocket, e.g. "/pacman/ws". */
  readonly path: string;
  /** Seed of maze, ghosts and bots. Default: a new one each time. */
  readonly seed?: number;
  /** Players run by the server. Default 7. */
  readonly bots?: number;
  /** Ghosts in each of the four homes, 0–4. Default 4. */
  readonly ghostsPerHome?: number;
  /** People who may play at once; one more is told that the server is full. Default 40. */
  readonly mostPeople?: number;
  /** How long a match lasts, and the scores after it, ms. Defaults 5 minutes and 10 s. */
  readonly matchMs?: number;
  readonly overMs?: number;
  /** Where players start, bots first, then people in the order in which they join. Default: the dice decide. For tests. */
  readonly spawns?: readonly Spot[];
}

export interface PacmanStatus {
  readonly people: number;
  readonly bots: number;
}

export interface RunningPacman {
  /** For instruments: its rooms, telemetry and models. */
  readonly game: NodeServer;
  status(): PacmanStatus;
  /** Says goodbye to everybody and stops the rounds. */
  close(): Promise<void>;
}

/** Long enough for a page to be loaded anew, short enough that nobody's avatar rests for long. */
const RESUME_MS = 10_000;

export async function startPacman(options: PacmanOptions): Promise<RunningPacman> {
  const { server, path, mostPeople = 40, seed = randomInt(2 ** 32), ...rest } = options;
  const limits = { players: mostPeople };
  const game = await serve({ server, path, protocol, view, roundMs: ROUND_MS, limits, times: { resumeMs: RESUME_MS } });
  const host = new PacmanHost(game, { seed, ...rest });
  return {
    game,
    status: () => ({ people: host.people, bots: host.bots }),
    close: () => game.close(),
  };
}
