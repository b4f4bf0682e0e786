/** @nearfield/frontier: a wide country with heroes, beasts and gold, on one server or on many with the same code. */

export { Bot } from "./bot.ts";
export { CLUSTER_SETTINGS, FrontierHost, type FrontierHostOptions, frontierOptions } from "./host.ts";
export { protocol } from "./shared.ts";
