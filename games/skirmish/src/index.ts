/** Skirmish without a clock or a socket: what server, page and bots share. `startSkirmish` is in @nearfield/skirmish/server. */

// What is described once

export * from "./shared.ts";
export * from "./state.ts";
export { COEFFICIENTS, LARGEST_CAMERA, OWN_BOUNDS, tagOf } from "./views.ts";

// The ground

export type { OrePatch, Spot } from "./terrain/layout.ts";
export { Terrain, type TerrainOptions } from "./terrain/terrain.ts";

// The rules

export { Battle } from "./rules/battle.ts";
export type { BattleOptions, BattleState, Happenings } from "./rules/battle-state.ts";
export { FIRST_BUILDING, HEALTH, KIND, KINDS, MAKE_STEPS, NO_KIND, SIGHT } from "./rules/kinds.ts";
export type { MayKnow, OrderRequest } from "./rules/orders.ts";
export { canPlace, snapped } from "./rules/placement.ts";

// Bots

export { Bot, type BotOptions } from "./bots/bot.ts";
export { botName } from "./bots/names.ts";
export { RemoteBot } from "./bots/remote-bot.ts";
export { STRENGTHS, type Strength } from "./bots/strengths.ts";

// The game on a server

export { SkirmishHost, type SkirmishHostOptions } from "./host.ts";
