/** Starts the game on a web server that somebody else runs, and tells how it is going. */

import { randomInt } from "node:crypto";
import type { Server } from "node:http";
import { fileURLToPath } from "node:url";
import { type ServeInspectorOptions, serveInspector } from "@nearfield/inspector/node";
import { playerColour } from "@nearfield/kit";
import { type NodeServer, serve } from "@nearfield/server/node";
import { LocalBots } from "../bots/local-bots.ts";
import { Atlas } from "../bots/navigation.ts";
import { ArenaHost, arenaOptions } from "../host.ts";
import { type LevelName, MATCH_LEVELS } from "../levels.ts";
import type { Spot } from "../state.ts";
import type { Terrain } from "../terrain.ts";
import { readTerrain } from "./read-terrain.ts";

/** The folder of the built page. */
export const pageFolder: string = fileURLToPath(new URL("../../dist/page/", import.meta.url));

/** Squares of the small map are this wide, world units. */
const SQUARE = 125;

export interface ArenaOptions {
  /** The web server to share; it is the caller's to close. */
  readonly server: Server;
  /** Path of the WebSocket, e.g. "/arena/ws". */
  readonly path: string;
  /** Opens the inspector and the metrics beside the game, on the same web server. Default: none. */
  readonly inspector?: Omit<ServeInspectorOptions, "http" | "port" | "host">;
  /** Seed of births and bots. Default: a new one each time. */
  readonly seed?: number;
  /** Players run by the server. Default 11. */
  readonly bots?: number;
  /** Levels, one a match, in turn. Default: `MATCH_LEVELS`. */
  readonly levels?: readonly [LevelName, ...LevelName[]];
  /** Length of a match and of the scoreboard after it, ms. Defaults 300,000 and 12,000. */
  readonly matchMs?: number;
  readonly overMs?: number;
  /** Kills that end a match early. Default 40. */
  readonly killLimit?: number;
  /** People who may join at once; one more is told that the server is full. Default 64. */
  readonly mostPeople?: number;
  /** Where players start for the first time, bots first, then people in the order in which they join. Default: the dice decide. For tests. */
  readonly spawns?: readonly Spot[];
}

export interface ArenaStatus {
  readonly people: number;
  readonly bots: number;
  readonly kills: number;
  /** The level from above, in squares. */
  readonly map: {
    readonly columns: number;
    readonly rows: number;
    readonly marks: readonly { readonly id: number; readonly x: number; readonly y: number; readonly colour: string }[];
  };
}

export interface RunningArena {
  /** For instruments: its rooms, telemetry and models. */
  readonly game: NodeServer;
  readonly host: ArenaHost;
  status(): ArenaStatus;
  /** Says goodbye to everybody and stops the rounds. */
  close(): Promise<void>;
}

export async function startArena(options: ArenaOptions): Promise<RunningArena> {
  const { server, path, inspector, mostPeople = 64, seed = randomInt(2 ** 32), bots = 11, levels, ...rest } = options;
  const [first, ...others] = levels ?? MATCH_LEVELS;
  const terrains: readonly [Terrain, ...Terrain[]] = [readTerrain(first), ...others.map(readTerrain)];
  const game = await serve({ ...arenaOptions, server, path, limits: { players: mostPeople + bots } });
  const host = new ArenaHost(game, { ...rest, seed, terrains });
  const atlas = new Atlas((name) => terrains.find((terrain) => terrain.name === name) ?? readTerrain(name));
  new LocalBots(host, { atlas, seed, count: bots });
  if (inspector !== undefined) await serveInspector(game, { ...inspector, http: server });
  return {
    game,
    host,
    status: () => ({ people: host.people, bots: host.bots, kills: host.kills, map: mapOf(host) }),
    close: () => game.close(),
  };
}

function mapOf({ terrain, marks }: ArenaHost): ArenaStatus["map"] {
  return {
    columns: Math.ceil(terrain.width / SQUARE),
    rows: Math.ceil(terrain.height / SQUARE),
    marks: marks.map(({ id, x, y, colour }) => ({ id, x: x / SQUARE, y: y / SQUARE, colour: playerColour(colour) })),
  };
}
