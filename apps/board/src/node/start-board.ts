/** Starts a board on a web server that somebody else runs, and tells how many people are there. What is on the board lasts as long as the process. */

import type { Server } from "node:http";
import { fileURLToPath } from "node:url";
import { type NodeServer, serve } from "@nearfield/server/node";
import { BoardHost, boardOptions } from "../host.ts";

/** The folder of the built page. */
export const pageFolder: string = fileURLToPath(new URL("../../dist/page/", import.meta.url));

export interface BoardOptions {
  /** The web server to share; it is the caller's to close. */
  readonly server: Server;
  /** Path of the WebSocket, e.g. "/board/ws". */
  readonly path: string;
  /** People who may be there at once; one more is told that the board is full. Default 40. */
  readonly mostPeople?: number;
}

export interface BoardStatus {
  readonly people: number;
  readonly bots: number;
}

export interface RunningBoard {
  /** For instruments: its rooms, telemetry and models. */
  readonly game: NodeServer;
  status(): BoardStatus;
  /** Says goodbye to everybody and stops the rounds. */
  close(): Promise<void>;
}

export async function startBoard({ server, path, mostPeople = 40 }: BoardOptions): Promise<RunningBoard> {
  const game = await serve({ ...boardOptions, server, path, limits: { players: mostPeople } });
  const host = new BoardHost(game);
  return { game, status: () => ({ people: host.people, bots: 0 }), close: () => game.close() };
}
