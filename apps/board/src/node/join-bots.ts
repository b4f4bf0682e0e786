/** People by the dice at a board anywhere: one WebSocket and one replica each. */

import { protocol, ROUND_MS, Scribbler } from "@nearfield/board";
import { type BotsOptions, type Crowd, joinCrowd } from "@nearfield/kit/node";

/** What they have done at the board, by name. */
export interface Deeds {
  readonly put: number;
}

export function joinBots(options: BotsOptions): Crowd<Deeds> {
  const { seed = 1 } = options;
  const bots: Scribbler[] = [];
  return joinCrowd(options, {
    protocol,
    roundMs: ROUND_MS,
    nickname: (index) => `Bot ${index + 1}`,
    play: (client, index) => bots.push(new Scribbler(client, seed + index)),
    deeds: () => ({ put: bots.reduce((total, { put }) => total + put, 0) }),
  });
}
