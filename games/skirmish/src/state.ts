/**
 * The numbers the game is tuned by, and the words server, page and bots share. Places and sizes are world units, speeds are units per second, times
 * are milliseconds. Weapons and what they do to whom stand in `rules/damage.ts`.
 */

/** Ms between two steps of the rules, and between two rounds of the server. */
export const STEP_MS = 50;
export const ROUND_MS = 100;

// Maps

export const TILE = 16;
export const MAP_NAMES = ["small", "medium", "large"] as const;
export type MapName = (typeof MAP_NAMES)[number];
/** Length of each side of a map. */
export const MAP_SIZES: Readonly<Record<MapName, number>> = { small: 1024, medium: 2048, large: 4096 };
export const LARGEST_MAP = 4096;
export const HIGHEST_GROUND = 96;
/** Ground below this height is under water. */
export const WATER_HEIGHT = 20;
/** Height of what flies, above ground or water. */
export const FLIGHT_HEIGHT = 32;

// Sides

export const FEWEST_SIDES = 2;
export const MOST_SIDES = 8;
/** Stands for "no side": a match that nobody has won. */
export const NO_SIDE = 15;

// Pieces: units and buildings

export const UNIT_KINDS = ["builder", "scout", "trooper", "lancer", "tank", "mortar", "wasp"] as const;
export type UnitKind = (typeof UNIT_KINDS)[number];
export const BUILDING_KINDS = ["base", "refinery", "barracks", "factory", "pad", "tower"] as const;
export type BuildingKind = (typeof BUILDING_KINDS)[number];
export type PieceKind = UnitKind | BuildingKind;

export interface PieceTraits {
  readonly health: number;
  /** Ore that it costs. */
  readonly cost: number;
  /** Time to train or build it. */
  readonly makeMs: number;
  readonly sight: number;
  readonly radius: number;
}

export interface UnitTraits extends PieceTraits {
  readonly speed: number;
  readonly flies: boolean;
}

export interface BuildingTraits extends PieceTraits {
  /** Tiles along each edge. */
  readonly tiles: number;
  readonly trains: readonly UnitKind[];
  /** Whether builders deliver ore here. */
  readonly takesOre: boolean;
}

export const UNITS: Readonly<Record<UnitKind, UnitTraits>> = {
  builder: { health: 50, cost: 50, makeMs: 8000, sight: 140, radius: 5, speed: 45, flies: false },
  scout: { health: 65, cost: 60, makeMs: 7000, sight: 260, radius: 5, speed: 95, flies: false },
  trooper: { health: 70, cost: 60, makeMs: 7000, sight: 170, radius: 4, speed: 48, flies: false },
  lancer: { health: 95, cost: 90, makeMs: 10_000, sight: 170, radius: 5, speed: 46, flies: false },
  tank: { health: 280, cost: 180, makeMs: 18_000, sight: 180, radius: 8, speed: 52, flies: false },
  mortar: { health: 90, cost: 160, makeMs: 18_000, sight: 160, radius: 7, speed: 34, flies: false },
  wasp: { health: 130, cost: 140, makeMs: 15_000, sight: 200, radius: 6, speed: 88, flies: true },
};

export const BUILDINGS: Readonly<Record<BuildingKind, BuildingTraits>> = {
  base: building(4000, 500, 60_000, 4, ["builder"], true),
  refinery: building(1800, 200, 20_000, 3, [], true),
  barracks: building(2000, 150, 25_000, 3, ["trooper", "lancer"]),
  factory: building(2200, 250, 35_000, 3, ["scout", "tank", "mortar"]),
  pad: building(1800, 250, 35_000, 3, ["wasp"]),
  tower: { ...building(900, 150, 18_000, 2, []), sight: 260 },
};

function building(
  health: number,
  cost: number,
  makeMs: number,
  tiles: number,
  trains: readonly UnitKind[],
  takesOre = false,
): BuildingTraits {
  return { health, cost, makeMs, sight: 220, radius: (tiles * TILE) / 2, tiles, trains, takesOre };
}

/** What a unit does, as the page draws it. */
export const DOINGS = ["idle", "moving", "fighting", "gathering", "carrying", "building", "repairing"] as const;
export type Doing = (typeof DOINGS)[number];

// Economy

export const START_ORE = 300;
export const START_BUILDERS = 5;
/** Ore in a patch of a start field, and in one of the fields farther out. */
export const PATCH_ORE = 1000;
export const RICH_PATCH_ORE = 1600;
/** A finished base digs by itself, slowly: so nobody who has a base is ever without means. Ms for one ore. */
export const BASE_ORE_MS = 1000;
/** What a builder carries, and how long it digs for that. */
export const CARGO = 10;
export const DIG_MS = 4000;
/** How near a builder must come to dig, deliver, build or repair, beyond the edges of both. */
export const WORK_REACH = 10;
/** What a whole repair costs, as a share of the price; it takes as long as the making, divided by this speed. */
export const REPAIR_COST = 0.3;
export const REPAIR_SPEED = 1.5;
/** Share of its health with which a building's construction begins. */
export const FOUNDATION_HEALTH = 0.1;
/** How far a builder whose patch is used up looks for the next one. */
export const NEXT_PATCH_REACH = 320;

// Limits

export const UNITS_MOST = 250;
export const BUILDINGS_MOST = 60;
/** Units in one order, orders in the queue of a unit, units in the queue of a building. */
export const ORDER_UNITS_MOST = 400;
export const QUEUED_ORDERS_MOST = 8;
export const TRAINING_MOST = 5;

// Orders

export const ORDERS = ["move", "attackMove", "attack", "gather", "build", "repair", "stop", "hold", "patrol"] as const;
export type OrderName = (typeof ORDERS)[number];

/** Why an order was refused. */
export const REFUSALS = [
  "notYours",
  "noTarget",
  "outside",
  "noOre",
  "noRoom",
  "wrongKind",
  "queueFull",
  "unitLimit",
  "notPlaying",
] as const;
export type Refusal = (typeof REFUSALS)[number];

// Fog

/** Edge of a cell of the fog. The server's `visible: { teams }` and `SideVision` use the same cells. */
export const FOG_CELL = 32;

// Matches

export const PHASES = ["waiting", "play", "over"] as const;
export type Phase = (typeof PHASES)[number];
/** How long people are waited for before a match; how long a match lasts at most; how long its result stands. */
export const WAIT_MS = 60_000;
export const PLAY_MS = 2_700_000;
export const OVER_MS = 30_000;
