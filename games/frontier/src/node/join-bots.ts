/** Bots as clients of a server anywhere: for `npm run bots` and `npm run cluster`. */

import { roam } from "@nearfield/client/gateways";
import { type BotsOptions, type Crowd, joinCrowd } from "@nearfield/kit/node";
import { Bot } from "../bot.ts";
import { botName } from "../bot-names.ts";
import { Hero, protocol, ROUND_MS } from "../shared.ts";

/** What they have done in the game, by name. */
export interface Deeds {
  readonly gold: number;
}

export function joinBots(options: BotsOptions): Crowd<Deeds> {
  const { seed = 1 } = options;
  const bots: Bot[] = [];
  return joinCrowd(options, {
    protocol,
    roundMs: ROUND_MS,
    nickname: (index) => botName(seed + index),
    play: (client, index) => {
      roam(client);
      const body = {
        hero: () => client.mine(Hero),
        all: client.world.all.bind(client.world),
        send: client.send.bind(client),
      };
      const bot = new Bot(body, seed + index);
      client.activity(() => bot.step());
      bots.push(bot);
    },
    deeds: () => ({ gold: bots.reduce((sum, { gold }) => sum + gold, 0) }),
  });
}
