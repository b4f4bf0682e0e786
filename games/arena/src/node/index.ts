/** The arena on Node: the game on a web server, bots as clients of any server, the levels as files. */

export { type Deeds, joinBots } from "./join-bots.ts";
export { readTerrain } from "./read-terrain.ts";
export { type ArenaOptions, type ArenaStatus, pageFolder, type RunningArena, startArena } from "./start-arena.ts";
