/** Skirmish without a clock or a socket: what server, page and bots share. */

// What is described once

export * from "./shared.ts";
export * from "./state.ts";

// The ground

export type { OrePatch, Spot } from "./terrain/layout.ts";
export { Terrain, type TerrainOptions } from "./terrain/terrain.ts";
