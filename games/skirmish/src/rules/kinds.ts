/** Traits of kinds as columns, by the number of a kind: what hot loops read. Units come first, then buildings. Ways are per step, times are steps. */

import {
  BUILDING_KINDS,
  BUILDINGS,
  type BuildingKind,
  type PieceKind,
  type PieceTraits,
  STEP_MS,
  UNIT_KINDS,
  UNITS,
  type UnitKind,
} from "../state.ts";
import { ARMOURS, EFFECTS, WEAPONS, type Weapon } from "./damage.ts";

export const KINDS: readonly PieceKind[] = [...UNIT_KINDS, ...BUILDING_KINDS];
export const FIRST_BUILDING: number = UNIT_KINDS.length;
/** Stands for "no kind" in columns. */
export const NO_KIND = 255;

/** The number of each kind. */
export const KIND: Readonly<Record<PieceKind, number>> = Object.fromEntries(
  KINDS.map((name, kind) => [name, kind]),
) as Record<PieceKind, number>;

export function isBuildingKind(kind: number): boolean {
  return kind >= FIRST_BUILDING;
}

function traits(kind: number): PieceTraits {
  return isBuildingKind(kind) ? BUILDINGS[KINDS[kind] as BuildingKind] : UNITS[KINDS[kind] as UnitKind];
}

function column(of: (kind: number) => number): Float64Array {
  return Float64Array.from(KINDS, (_, kind) => of(kind));
}

const stepsOf = (ms: number) => Math.round(ms / STEP_MS);
const unitOf = (kind: number) => UNITS[KINDS[kind] as UnitKind];
const weaponOf = (kind: number): Weapon | undefined => (WEAPONS as Partial<Record<PieceKind, Weapon>>)[KINDS[kind]!];

export const HEALTH: Float64Array = column((kind) => traits(kind).health);
export const COST: Float64Array = column((kind) => traits(kind).cost);
export const MAKE_STEPS: Float64Array = column((kind) => stepsOf(traits(kind).makeMs));
export const SIGHT: Float64Array = column((kind) => traits(kind).sight);
export const RADIUS: Float64Array = column((kind) => traits(kind).radius);
/** 0 for buildings. */
export const SPEED: Float64Array = column((kind) => (isBuildingKind(kind) ? 0 : (unitOf(kind).speed * STEP_MS) / 1000));
/** 1 for what flies. */
export const FLIES: Float64Array = column((kind) => (!isBuildingKind(kind) && unitOf(kind).flies ? 1 : 0));

/** 0 for what has no weapon. */
export const RANGE: Float64Array = column((kind) => weaponOf(kind)?.range ?? 0);
export const NEAREST: Float64Array = column((kind) => weaponOf(kind)?.nearest ?? 0);
export const SPLASH: Float64Array = column((kind) => weaponOf(kind)?.splash ?? 0);
export const RELOAD_STEPS: Float64Array = column((kind) => stepsOf(weaponOf(kind)?.reloadMs ?? 0));
/** How far a piece looks for enemies by itself. */
export const ALERT: Float64Array = column((kind) =>
  RANGE[kind] === 0 ? 0 : Math.max(SIGHT[kind]!, RANGE[kind]! + RADIUS[kind]!),
);

/** Damage of a shot of one kind at another, armour included. */
export const DAMAGE: readonly Float64Array[] = KINDS.map((attacker, from) =>
  column((to) => {
    const effects = (EFFECTS as Partial<Record<PieceKind, Readonly<Record<string, number>>>>)[attacker];
    return (weaponOf(from)?.damage ?? 0) * (effects?.[ARMOURS[KINDS[to]!]] ?? 0);
  }),
);

/** The most that a shot of a kind takes from anything. */
export const MOST_DAMAGE: Float64Array = column((kind) => Math.max(...DAMAGE[kind]!));
