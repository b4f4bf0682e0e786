/**
 * The entity of each genre (N §3.2.4): how it is steered and how it moves. The preset of the same name in `@nearfield/presentation` says how
 * other players see it. The paper gives the control model, the turn speeds, whether entities brake by themselves, and that a sportsman at full
 * speed turns back within a second. We chose the other numbers so that the paper's measurements come out
 * (docs/decisions/0011-the-papers-ships.md).
 */

import { action, direct, thrust } from "./controls.ts";
import type { ControlModel, EntityTraits } from "./entity.ts";

export interface GenreEntity {
  readonly control: ControlModel;
  readonly traits: EntityTraits;
  /** Length of the entity, in world units. */
  readonly size: number;
}

const DEGREE: number = Math.PI / 180;

function entity(control: ControlModel, traits: EntityTraits): GenreEntity {
  return Object.freeze({ control, traits: Object.freeze(traits), size: 10 });
}

/** By the name of the genre: `GENRE_ENTITIES[shooter.name]` is what the preset `shooter` shows. */
export const GENRE_ENTITIES: {
  readonly sport: GenreEntity;
  readonly simulation: GenreEntity;
  readonly shooter: GenreEntity;
  readonly arcade: GenreEntity;
} = Object.freeze({
  /** Direct control, little inertia, no brakes: football, tennis. */
  sport: entity(direct, { acceleration: 95, drag: 2.89, brakeForce: 0, turnSpeed: 0 }),
  /** Thrust, much inertia, 90° per second: cars, ships, aeroplanes. */
  simulation: entity(thrust, { acceleration: 64, drag: 1.2, brakeForce: 0, turnSpeed: 90 * DEGREE }),
  /** Action control, hardly any inertia, 180° per second: first- and third-person fights. */
  shooter: entity(action, { acceleration: 333, drag: 7.7, brakeForce: 0, turnSpeed: 180 * DEGREE }),
  /** Direct control without inertia, brakes by itself: mazes, bombs. */
  arcade: entity(direct, { acceleration: 618, drag: 14.4, brakeForce: 1290, turnSpeed: 0 }),
});
