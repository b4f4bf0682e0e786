/** @nearfield/simulation/internal: for packages of this repository. It may change with any version. */

// Entities that a player steers

export { action, CONTROLS, direct, pointAndClick, thrust } from "../steering/controls.ts";
export type { ControlInput, ControlModel, EntityTraits } from "../steering/entity.ts";
export type { GenreEntity } from "../steering/genre-entities.ts";

// Bodies that meet

export type { CollisionOptions } from "../bodies/collisions.ts";

// Levels and their walls

export type { LevelOptions } from "../level/level.ts";
export { DEFAULT_LEVEL_LIMITS, type LevelErrorCode, type LevelLimits } from "../level/level-error.ts";
export type { LevelObjectKind, Properties, PropertyValue, TiledMap, TiledOptions, TileLayer } from "../level/tiled.ts";
export type { Walls } from "../level/walls.ts";

// Mistakes

export type { BodyShape } from "../bodies/contact.ts";
export type { SimulationErrorCode } from "../errors.ts";
