/** The arena's bots as real clients of a server anywhere: one WebSocket, one replica, one brain each (F10). */

import { Client } from "@nearfield/client";
import { type Crowd, type CrowdOptions, type CrowdReport, joinCrowd } from "@nearfield/kit/node";
import { connectWebSocket } from "@nearfield/transport/node";
import { Bot } from "../bots/bot.ts";
import { Atlas } from "../bots/navigation.ts";
import { botName } from "../bots/traits.ts";
import { BOT_PREFIX } from "../host.ts";
import { protocol } from "../shared.ts";
import { ROUND_MS } from "../state.ts";
import { readTerrain } from "./read-terrain.ts";

export interface JoinBotsOptions extends Pick<CrowdOptions, "url" | "count" | "everyMs" | "onChange"> {
  /** Default 1. */
  readonly seed?: number;
  /** Time between two updates of a client, ms. Default 33. */
  readonly frameMs?: number;
  /** Whether state may come over UDP, where the server offers it. Default false: a crowd in one process is lighter over WebSockets. */
  readonly udp?: boolean;
}

export interface BotsReport extends CrowdReport {
  /** What they have done in the game, by name. */
  readonly deeds: { readonly kills: number; readonly deaths: number };
}

export interface JoinedBots extends Omit<Crowd, "report"> {
  report(): BotsReport;
}

export function joinBots({ seed = 1, frameMs = ROUND_MS, udp = false, ...options }: JoinBotsOptions): JoinedBots {
  const bots: Bot[] = [];
  const atlas = new Atlas(readTerrain);
  const crowd = joinCrowd({
    ...options,
    frameMs,
    enter: (index) => {
      const client = new Client({
        protocol,
        nickname: `${BOT_PREFIX}${botName(index)}`,
        random: Math.random,
        now: () => performance.now(),
        connect: () => connectWebSocket(options.url, { udp }),
      });
      bots.push(new Bot(client, { atlas, seed: seed + index }));
      return client;
    },
  });
  const sum = (of: (bot: Bot) => number): number => bots.reduce((total, bot) => total + of(bot), 0);
  return {
    ...crowd,
    report: () => ({
      ...crowd.report(),
      deeds: { kills: sum(({ kills }) => kills), deaths: sum(({ deaths }) => deaths) },
    }),
  };
}
