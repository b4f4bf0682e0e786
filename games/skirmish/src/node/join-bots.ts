/** Skirmish's bots as real clients of a server anywhere: one WebSocket, one replica, one player each. */

import { type BotsOptions, type Crowd, joinCrowd } from "@nearfield/kit/node";
import { botName, protocol, RemoteBot, ROUND_MS } from "@nearfield/skirmish";

/** What they have done in the game, by name. */
export interface Deeds {
  readonly wins: number;
  readonly orders: number;
}

export function joinBots(options: BotsOptions): Crowd<Deeds> {
  const { seed = 1 } = options;
  const bots: RemoteBot[] = [];
  const sum = (of: (bot: RemoteBot) => number): number => bots.reduce((total, bot) => total + of(bot), 0);
  return joinCrowd(options, {
    protocol,
    roundMs: ROUND_MS,
    nickname: (index) => `Bot ${botName(index)}`,
    play: (client, index) => bots.push(new RemoteBot(client, seed + index)),
    deeds: () => ({ wins: sum(({ wins }) => wins), orders: sum(({ orders }) => orders) }),
  });
}
