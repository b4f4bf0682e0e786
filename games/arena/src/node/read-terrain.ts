/** The levels as files beside the code. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { LevelName } from "../levels.ts";
import { Terrain } from "../terrain.ts";

/** Reads a level of the game. Costs some ms; make one for each level and share it. */
export function readTerrain(name: LevelName): Terrain {
  return new Terrain(readFileSync(fileURLToPath(new URL(`../../levels/${name}.tmj`, import.meta.url)), "utf8"));
}
