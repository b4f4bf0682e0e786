/**
 * Whether a viewer may know of an object, found by asking the game anew and by looking at every unit: what the oracle and the auditor go by. Nothing is
 * remembered but the units of a team, within a round.
 */

import type { Entity } from "./entity.ts";
import { type TeamVisionSettings, teamIndex, type Visibility } from "./visibility.ts";
import { VisionGrid } from "./vision-grid.ts";
import type { World } from "./world.ts";

/** The units of one team: where they stand and how far they see. */
interface Units {
  readonly cells: number[];
  readonly sights: number[];
}

export class PlainVisibility<Viewer> {
  readonly #world: World;
  readonly #visibility: Visibility<Viewer>;
  readonly #grid: VisionGrid | undefined;
  readonly #units = new Map<number, Units>();
  #round = -1;

  constructor(world: World, visibility: Visibility<Viewer>) {
    this.#world = world;
    this.#visibility = visibility;
    if ("teams" in visibility) this.#grid = new VisionGrid(visibility.teams);
  }

  /** @param round in which the question is asked; what is remembered of another round is forgotten. */
  isVisible(viewer: Viewer, entity: Entity, round: number): boolean {
    const visibility = this.#visibility;
    if (typeof visibility === "function") return visibility(viewer, entity);
    if ("whenChanged" in visibility) return visibility.whenChanged(viewer, entity);
    return this.#isSeen(visibility.teams, viewer, entity, round);
  }

  #isSeen(vision: TeamVisionSettings<Viewer>, viewer: Viewer, entity: Entity, round: number): boolean {
    const viewers = vision.teamOf(viewer);
    if (viewers === "everything") return true;
    const team = teamIndex(viewers, "teamOf");
    const owners = teamIndex(vision.teamOfObject(entity), "teamOfObject");
    if (owners >= 0 && owners === team) return true;
    const world = this.#world;
    const slot = world.store.liveSlot(entity.id);
    if (!world.isSpatial(slot)) return owners < 0;
    if (team < 0) return false;
    const grid = this.#grid!;
    const cell = grid.cellOf(world, slot);
    const { cells, sights } = this.#unitsOf(vision, team, round);
    for (let i = 0; i < cells.length; i++) if (grid.isInSight(cells[i]!, cell, sights[i]!)) return true;
    return false;
  }

  #unitsOf(vision: TeamVisionSettings<Viewer>, team: number, round: number): Units {
    if (round !== this.#round) this.#units.clear();
    this.#round = round;
    let units = this.#units.get(team);
    if (units !== undefined) return units;
    units = { cells: [], sights: [] };
    this.#units.set(team, units);
    const { store } = this.#world;
    for (let slot = 0; slot < store.slotHigh; slot++) {
      if (!store.isLive(slot) || !this.#world.isSpatial(slot)) continue;
      const entity = store.entityAt(slot);
      if (teamIndex(vision.teamOfObject(entity), "teamOfObject") !== team) continue;
      const sight = vision.sight(entity);
      if (!(sight > 0)) continue;
      units.cells.push(this.#grid!.cellOf(this.#world, slot));
      units.sights.push(sight);
    }
    return units;
  }
}
