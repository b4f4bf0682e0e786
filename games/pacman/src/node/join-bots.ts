/** Pac-Man's bots as real clients of a server anywhere: one WebSocket, one replica, one mind each. */

import { Client } from "@nearfield/client";
import { type Crowd, type CrowdOptions, type CrowdReport, joinCrowd } from "@nearfield/kit/node";
import { connectWebSocket } from "@nearfield/transport/node";
import { ClientBot } from "../client-bot.ts";
import { Maze } from "../maze.ts";
import { botName } from "../mind.ts";
import { protocol, ROUND_MS } from "../shared.ts";

export interface JoinBotsOptions extends Pick<CrowdOptions, "url" | "count" | "everyMs" | "onChange"> {
  /** Default 1. */
  readonly seed?: number;
  /** Time between two updates of a client, ms. Default 50. */
  readonly frameMs?: number;
  /** Whether state may come over UDP, where the server offers it. Default false: a crowd in one process is lighter over WebSockets. */
  readonly udp?: boolean;
}

export interface BotsReport extends CrowdReport {
  /** What they have done in the game, by name; points are those of the lives they live now. */
  readonly deeds: { readonly points: number; readonly deaths: number };
}

export interface JoinedBots extends Omit<Crowd, "report"> {
  report(): BotsReport;
}

export function joinBots({ seed = 1, frameMs = ROUND_MS, udp = false, ...options }: JoinBotsOptions): JoinedBots {
  const bots: ClientBot[] = [];
  const mazes = new Map<number, Maze>();
  const mazeOf = (of: number): Maze => {
    const maze = mazes.get(of) ?? new Maze(of);
    mazes.set(of, maze);
    return maze;
  };
  const crowd = joinCrowd({
    ...options,
    frameMs,
    enter: (index) => {
      const client = new Client({
        protocol,
        nickname: botName(index),
        random: Math.random,
        now: () => performance.now(),
        connect: () => connectWebSocket(options.url, { udp }),
      });
      bots.push(new ClientBot(client, { mazeOf, seed: seed + index }));
      return client;
    },
  });
  const sum = (of: (bot: ClientBot) => number): number => bots.reduce((total, bot) => total + of(bot), 0);
  return {
    ...crowd,
    report: () => ({
      ...crowd.report(),
      deeds: { points: sum(({ own }) => own?.score ?? 0), deaths: sum(({ deaths }) => deaths) },
    }),
  };
}
