/** The levels there are, by the sizes of the paper's maps (F tab. 5.4). Their files are Tiled maps, `levels/NAME.tmj`. */

export const LEVEL_NAMES = ["cell", "foundry", "citadel", "harbour"] as const;
export type LevelName = (typeof LEVEL_NAMES)[number];

export interface LevelInfo {
  readonly title: string;
  /** World units. */
  readonly width: number;
  readonly height: number;
}

export const LEVELS: Readonly<Record<LevelName, LevelInfo>> = {
  cell: { title: "The Cell", width: 250, height: 250 },
  foundry: { title: "Foundry", width: 1000, height: 1000 },
  citadel: { title: "Citadel", width: 1500, height: 1500 },
  harbour: { title: "Harbour", width: 2250, height: 1750 },
};

/** The levels of the matches, one a match, in turn, where a server chooses no others. The cell is for tests: it is small. */
export const MATCH_LEVELS = ["foundry", "citadel", "harbour"] as const satisfies readonly LevelName[];

/** Longest side of a level: what a place on the wire must hold. */
export const LONGEST_SIDE = 2250;

/** The class of what stands on a level's object layer. */
export const LEVEL_OBJECTS = { spawn: "spawn", item: "item", interest: "interest" } as const;

/** What a tile of a level's layer "ground" is. `wall`, `crate` and `pillar` are solid. */
export const TILES = { floor: 1, wall: 2, crate: 3, pillar: 4, street: 5, plaza: 6 } as const;
