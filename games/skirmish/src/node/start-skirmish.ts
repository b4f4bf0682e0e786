/** Starts the game on a web server that somebody else runs, and tells how it is going. */

import { randomInt } from "node:crypto";
import type { Server } from "node:http";
import { fileURLToPath } from "node:url";
import { type ServeInspectorOptions, serveInspector } from "@nearfield/inspector/node";
import type { RoomOptions } from "@nearfield/server";
import { type NodeServer, serve } from "@nearfield/server/node";
import { SkirmishHost, type SkirmishHostOptions } from "../host.ts";
import type { Phase } from "../state.ts";

/** The folder of the built page. */
export const pageFolder: string = fileURLToPath(new URL("../../dist/page/", import.meta.url));

export interface SkirmishOptions extends Omit<SkirmishHostOptions, "seed"> {
  /** The web server to share; it is the caller's to close. */
  readonly server: Server;
  /** Path of the WebSocket, e.g. "/skirmish/ws". */
  readonly path: string;
  /** Opens the inspector and the metrics beside the game, on the same web server. Default: none. */
  readonly inspector?: Omit<ServeInspectorOptions, "http" | "port" | "host">;
  /** Default: a new one each time. */
  readonly seed?: number;
  /** Clients that may join at once; one more is told that the server is full. Default 32. */
  readonly mostPeople?: number;
  /** Who may see everything. Default: nobody. A spectator can tell a player what hides in the fog. */
  readonly spectators?: NonNullable<RoomOptions["spectators"]>;
}

export interface SkirmishStatus {
  readonly people: number;
  readonly bots: number;
  readonly phase: Phase;
}

export interface RunningSkirmish {
  /** For instruments: its rooms, telemetry and models. */
  readonly game: NodeServer;
  readonly host: SkirmishHost;
  status(): SkirmishStatus;
  /** Says goodbye to everybody and stops the rounds. */
  close(): Promise<void>;
}

export async function startSkirmish(options: SkirmishOptions): Promise<RunningSkirmish> {
  const { server, path, inspector, seed = randomInt(2 ** 32), mostPeople = 32, spectators, ...rest } = options;
  const host = new SkirmishHost({ ...rest, seed });
  const game = await serve({
    ...host.serverOptions,
    ...(spectators === undefined ? {} : { spectators }),
    server,
    path,
    limits: { players: mostPeople },
  });
  host.open(game);
  if (inspector !== undefined) await serveInspector(game, { ...inspector, http: server });
  return {
    game,
    host,
    status: () => ({ people: host.people, bots: host.bots, phase: host.phase }),
    close: () => game.close(),
  };
}
