/** Bots as clients of a server anywhere: for `npm run bots` and `npm run cluster`. */

import { roam } from "@nearfield/client/gateways";
import { type BotsOptions, type Crowd, joinCrowd } from "@nearfield/kit/node";
import { Bot } from "../bot.ts";
import { BOT_PREFIX } from "../host.ts";
import { protocol, ROUND_MS } from "../shared.ts";

/** What they have done in the game, by name. */
export interface Deeds {
  readonly gold: number;
}

const NAMES = [
  "Alder",
  "Birch",
  "Cedar",
  "Dogwood",
  "Elm",
  "Fir",
  "Gorse",
  "Hazel",
  "Ivy",
  "Juniper",
  "Larch",
  "Maple",
  "Oak",
];

export function joinBots(options: BotsOptions): Crowd<Deeds> {
  const { seed = 1 } = options;
  const bots: Bot[] = [];
  return joinCrowd(options, {
    protocol,
    roundMs: ROUND_MS,
    nickname: (index) => `${BOT_PREFIX}${NAMES[(seed + index) % NAMES.length]} ${seed + index}`,
    play: (client, index) => {
      roam(client);
      bots.push(new Bot(client, seed + index));
    },
    deeds: () => ({ gold: bots.reduce((sum, { gold }) => sum + gold, 0) }),
  });
}
