/**
 * Bots in the server's own process, for a country on one server: no client and no link, so that they cost next to nothing. They are company for whoever comes
 * alone. To put load on servers use `joinBots`, whose bots are real clients.
 */

import type { Server } from "@nearfield/server";
import { Bot } from "./bot.ts";
import { botName } from "./bot-names.ts";
import { Hero } from "./shared.ts";

export class LocalBots {
  /** They join at once, and act from the next round on. */
  constructor(server: Server, { seed, count }: { readonly seed: number; readonly count: number }) {
    const { world } = server;
    const bots = Array.from({ length: count }, (_, index) => {
      const player = server.localPlayer(botName(index));
      const [hero] = player.owned(Hero);
      return new Bot({ hero: () => hero, all: world.all.bind(world), send: player.send.bind(player) }, seed + index);
    });
    server.onRound(() => {
      for (const bot of bots) bot.step();
    });
  }
}
