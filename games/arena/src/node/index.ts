/** The arena on Node: its levels as files. */

export { readTerrain } from "./read-terrain.ts";
