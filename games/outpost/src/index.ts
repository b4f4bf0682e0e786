/** @nearfield/outpost: a town and its dungeons. */

export { Bot } from "./dungeon/bot.ts";
export { Dungeon, type DungeonOptions, isOver, type Loot, lootOf } from "./dungeon/dungeon.ts";
export { Raid } from "./dungeon/raid.ts";
export { protocol } from "./shared.ts";
