/** Pac-Man's bots as real clients of a server anywhere: one WebSocket, one replica, one mind each. */

import { type BotsOptions, type Crowd, joinCrowd } from "@nearfield/kit/node";
import { ClientBot } from "../client-bot.ts";
import { Maze } from "../maze.ts";
import { botName } from "../mind.ts";
import { protocol, ROUND_MS } from "../shared.ts";

/** What they have done in the game, by name; points are those of the lives they live now. */
export interface Deeds {
  readonly points: number;
  readonly deaths: number;
}

export function joinBots(options: BotsOptions): Crowd<Deeds> {
  const { seed = 1 } = options;
  const bots: ClientBot[] = [];
  const mazes = new Map<number, Maze>();
  const mazeOf = (of: number): Maze => {
    const maze = mazes.get(of) ?? new Maze(of);
    mazes.set(of, maze);
    return maze;
  };
  const sum = (of: (bot: ClientBot) => number): number => bots.reduce((total, bot) => total + of(bot), 0);
  return joinCrowd(options, {
    protocol,
    roundMs: ROUND_MS,
    nickname: botName,
    play: (client, index) => bots.push(new ClientBot(client, { mazeOf, seed: seed + index })),
    deeds: () => ({ points: sum(({ own }) => own?.score ?? 0), deaths: sum(({ deaths }) => deaths) }),
  });
}
