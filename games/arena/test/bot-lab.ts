/** Many bots on virtual time, and what they do there: where they go, whom they kill, whether one is stuck. */

import type { LabOptions } from "@nearfield/netlab/internal";
import { type ArenaHostOptions, Atlas, BOT_PREFIX, Bot, botName, type LevelName, type Terrain } from "../src/index.ts";
import { readTerrain } from "../src/node/index.ts";
import { type Arena, setUp } from "./arena-lab.ts";

export interface BotArena extends Arena {
  readonly bots: readonly Bot[];
}

const terrains = new Map<LevelName, Terrain>();
export const atlas: Atlas = new Atlas(terrainOf);

export function terrainOf(name: LevelName): Terrain {
  const terrain = terrains.get(name) ?? readTerrain(name);
  terrains.set(name, terrain);
  return terrain;
}

export function botArena(
  level: LevelName,
  count: number,
  options: Partial<ArenaHostOptions> = {},
  lab: Partial<LabOptions> = {},
): BotArena {
  const arena = setUp({ terrains: [terrainOf(level)], killLimit: 4000, ...options }, { frameMs: 33, ...lab });
  const bots = Array.from({ length: count }, (_, at) => {
    const { client } = arena.lab.join(`${BOT_PREFIX}${botName(at)}`, { latencyMs: 20 });
    return new Bot(client, { atlas, seed: 100 + at });
  });
  return { ...arena, bots };
}
