/** A shot that hits at once: finds the first target on its way. Targets are circles or spheres, each where the shooter saw it. */

import type { Entity } from "@nearfield/core";
import type { Fields } from "@nearfield/schema";
import { ServerError } from "../errors.ts";
import type { Sighting } from "./lag-compensation.ts";

export interface Shot<F extends Fields = Fields> {
  /** World units; z may be left out in 2D. */
  readonly from: readonly number[];
  /** Any length but 0. */
  readonly direction: readonly number[];
  /** How far the shot reaches, world units. Walls are not looked at here: use `Level.castRay`. Default: no limit. */
  readonly reach?: number;
  /** Who may be hit. */
  readonly targets: Iterable<Entity<F>>;
  /** Radius of a target, world units. */
  readonly radius: number | ((target: Entity<F>) => number);
}

export interface ShotHit<F extends Fields = Fields> {
  readonly target: Entity<F>;
  /** World units from the shooter to where the shot enters the target. */
  readonly distance: number;
  readonly sighting: Sighting;
}

export function findHit<F extends Fields>(
  shot: Shot<F>,
  seen: (target: Entity<F>) => Sighting,
): ShotHit<F> | undefined {
  const { from, direction, reach = Number.POSITIVE_INFINITY, targets, radius } = shot;
  const [dx = 0, dy = 0, dz = 0] = direction;
  const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
  if (!(length > 0 && length < Number.POSITIVE_INFINITY))
    throw new ServerError("bad-option", `hitscan: the direction ${direction.join(", ")} leads nowhere`);
  let nearest: ShotHit<F> | undefined;
  for (const target of targets) {
    const sighting = seen(target);
    const wide = typeof radius === "number" ? radius : radius(target);
    const distance = entryOf(sighting, from, dx / length, dy / length, dz / length, wide);
    const limit = nearest?.distance ?? Number.POSITIVE_INFINITY;
    if (distance > reach || distance >= limit) continue;
    nearest = { target, distance, sighting };
  }
  return nearest;
}

/** The distance at which the shot enters the circle or sphere. 0: it begins inside. `Infinity`: it misses. */
function entryOf(at: Sighting, from: readonly number[], dx: number, dy: number, dz: number, radius: number): number {
  const x = at.x - (from[0] ?? 0);
  const y = at.y - (from[1] ?? 0);
  const z = at.z - (from[2] ?? 0);
  const along = x * dx + y * dy + z * dz;
  const outside = x * x + y * y + z * z - radius * radius;
  if (outside <= 0) return 0;
  const inside = along * along - outside;
  if (along < 0 || inside < 0) return Number.POSITIVE_INFINITY;
  return along - Math.sqrt(inside);
}
