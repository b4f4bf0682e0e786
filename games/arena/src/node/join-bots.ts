/** The arena's bots as real clients of a server anywhere: one WebSocket, one replica, one brain each (F10). */

import { type BotsOptions, type Crowd, joinCrowd } from "@nearfield/kit/node";
import { Bot } from "../bots/bot.ts";
import { Atlas } from "../bots/navigation.ts";
import { botName } from "../bots/traits.ts";
import { BOT_PREFIX } from "../host.ts";
import { protocol } from "../shared.ts";
import { ROUND_MS } from "../state.ts";
import { readTerrain } from "./read-terrain.ts";

/** What they have done in the game, by name. */
export interface Deeds {
  readonly kills: number;
  readonly deaths: number;
}

export function joinBots(options: BotsOptions): Crowd<Deeds> {
  const { seed = 1 } = options;
  const bots: Bot[] = [];
  const atlas = new Atlas(readTerrain);
  const sum = (of: (bot: Bot) => number): number => bots.reduce((total, bot) => total + of(bot), 0);
  return joinCrowd(options, {
    protocol,
    roundMs: ROUND_MS,
    nickname: (index) => `${BOT_PREFIX}${botName(index)}`,
    play: (client, index) => bots.push(new Bot(client, { atlas, seed: seed + index })),
    deeds: () => ({ kills: sum(({ kills }) => kills), deaths: sum(({ deaths }) => deaths) }),
  });
}
