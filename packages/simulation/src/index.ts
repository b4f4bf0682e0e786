/** What moves a world, the same on the server, in a page and in a worker. */

// Math with the same bits everywhere, in place of what `Math` has of the kind

export * as exact from "./exact.ts";

// Steps

export type { StepFunction } from "./step-function.ts";

// Entities that a player steers

export { action, CONTROLS, direct, pointAndClick, thrust } from "./steering/controls.ts";
export {
  type ControlInput,
  type ControlModel,
  ENTITY_SIZE,
  EntityField,
  type EntityTraits,
  Keys,
  stepEntity,
} from "./steering/entity.ts";
export { GENRE_ENTITIES, type GenreEntity } from "./steering/genre-entities.ts";

// Bodies that meet

export { type CollisionOptions, Collisions } from "./bodies/collisions.ts";
export type { BodyShape } from "./bodies/contact.ts";

// Levels and their walls

export { Level, type LevelOptions } from "./level/level.ts";
export { DEFAULT_LEVEL_LIMITS, LevelError, type LevelErrorCode, type LevelLimits } from "./level/level-error.ts";
export type {
  LevelObject,
  LevelObjectKind,
  Properties,
  PropertyValue,
  TiledMap,
  TiledOptions,
  TileLayer,
} from "./level/tiled.ts";
export type { WallHit, Walls } from "./level/walls.ts";

// Mistakes

export { SimulationError, type SimulationErrorCode } from "./errors.ts";
