/** The arena without a clock or a socket: what server, page and bots share. `startArena` is in @nearfield/arena/server. */

// What is described once

export * from "./levels.ts";
export * from "./shared.ts";
export * from "./state.ts";
export * from "./views.ts";

// The level, and how an avatar moves on it

export { NO_CLAIM, type PackedClaim, Sights } from "./claim.ts";
export { type ActValues, type ArenaStep, type AvatarState, IDLE, stepOn } from "./movement.ts";
export { type Interest, type ItemSpot, Terrain } from "./terrain.ts";
export { unpackClaim } from "./unpack-claim.ts";

// The game on a server

export { ArenaHost, type ArenaHostOptions, arenaOptions, BOT_PREFIX } from "./host.ts";
export type { PlayerViews } from "./watchers.ts";

// Bots

export { Bot, type BotOptions } from "./bots/bot.ts";
export { Brain } from "./bots/brain.ts";
export { LocalBots, type LocalBotsOptions } from "./bots/local-bots.ts";
export { Atlas, Navigation } from "./bots/navigation.ts";
export type { Senses } from "./bots/senses.ts";
export { botName, type Traits } from "./bots/traits.ts";
