/** What moves a world, the same on the server, in a page and in a worker. */

// Math with the same bits everywhere, in place of what `Math` has of the kind

export * as exact from "./exact.ts";

// Steps

export type { StepFunction } from "./step-function.ts";

// Entities that a player steers

export { ENTITY_SIZE, EntityField, Keys, stepEntity } from "./steering/entity.ts";
export { GENRE_ENTITIES } from "./steering/genre-entities.ts";

// Bodies that meet

export { Collisions } from "./bodies/collisions.ts";

// Levels and their walls

export { Level } from "./level/level.ts";
export { LevelError } from "./level/level-error.ts";
export type { LevelObject } from "./level/tiled.ts";
export type { WallHit } from "./level/walls.ts";

// Mistakes

export { SimulationError } from "./errors.ts";
