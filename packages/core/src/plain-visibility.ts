/**
 * Whether a viewer may know of an object, found by asking the game anew about every unit: what the oracle and the auditor go by. Nothing is
 * remembered but what the units of a team see, within a round.
 */

import type { Entity } from "./entity.ts";
import { RememberedTeams } from "./remembered-teams.ts";
import { type TeamVisionSettings, teamIndex, type Visibility } from "./visibility.ts";
import { VisionGrid } from "./vision-grid.ts";
import type { World } from "./world.ts";

/** What the units of one team see in a round: how far one sees that stands in a cell, and how far any of them does. */
interface Sights {
  /** By cell: the farthest sight of the team's units there; 0 if there is none. */
  readonly byCell: Float64Array;
  farthest: number;
  round: number;
}

export class PlainVisibility<Viewer> {
  readonly #world: World;
  readonly #visibility: Visibility<Viewer>;
  readonly #grid: VisionGrid | undefined;
  readonly #sights = new Map<number, Sights>();
  /** Without it, the game is asked about every unit in every round. */
  readonly #remembered: RememberedTeams<Viewer> | undefined;

  /** @param remembers what the game said of units is remembered until it says that it changed. Default: the game is asked anew in every round. */
  constructor(world: World, visibility: Visibility<Viewer>, remembers = false) {
    this.#world = world;
    this.#visibility = visibility;
    if (!("teams" in visibility)) return;
    this.#grid = new VisionGrid(visibility.teams);
    if (remembers) this.#remembered = new RememberedTeams(world, visibility.teams);
  }

  /** What the game says of the object can be different from now on. */
  objectChanged(slot: number): void {
    this.#remembered?.changed(slot);
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
    return isInSightOf(this.#sightsOf(vision, team, round), cell, grid);
  }

  /** Of units that stand in one cell the one that sees farthest sees whatever the others see. */
  #sightsOf(vision: TeamVisionSettings<Viewer>, team: number, round: number): Sights {
    const grid = this.#grid!;
    let sights = this.#sights.get(team);
    if (sights?.round === round) return sights;
    sights ??= { byCell: new Float64Array(grid.count), farthest: 0, round };
    this.#sights.set(team, sights);
    sights.byCell.fill(0);
    sights.farthest = 0;
    sights.round = round;
    const { slotHigh } = this.#world.store;
    if (this.#remembered === undefined) {
      for (let slot = 0; slot < slotHigh; slot++)
        note(sights, grid, this.#world, slot, this.#sightAt(vision, team, slot));
      return sights;
    }
    this.#remembered.renew(round);
    const { team: teams, sight } = this.#remembered;
    for (let slot = 0; slot < slotHigh; slot++) {
      if (teams[slot] === team) note(sights, grid, this.#world, slot, sight[slot]!);
    }
    return sights;
  }

  /** How far the unit of a slot sees for a team; 0 if it does not. */
  #sightAt(vision: TeamVisionSettings<Viewer>, team: number, slot: number): number {
    const { store } = this.#world;
    if (!store.isLive(slot) || !this.#world.isSpatial(slot)) return 0;
    const entity = store.entityAt(slot);
    return teamIndex(vision.teamOfObject(entity), "teamOfObject") === team ? vision.sight(entity) : 0;
  }
}

function note(sights: Sights, grid: VisionGrid, world: World, slot: number, sight: number): void {
  if (!(sight > 0)) return;
  const cell = grid.cellOf(world, slot);
  if (sight > sights.byCell[cell]!) sights.byCell[cell] = sight;
  if (sight > sights.farthest) sights.farthest = sight;
}

/** Looks at every cell from which one who sees as far as the farthest could see this one. */
function isInSightOf({ byCell, farthest }: Sights, cell: number, grid: VisionGrid): boolean {
  const { columns, rows } = grid;
  const reach = grid.cellsWithin(farthest);
  const column = cell % columns;
  const row = (cell - column) / columns;
  const [left, right] = [Math.max(0, column - reach), Math.min(columns - 1, column + reach)];
  for (let r = Math.max(0, row - reach); r <= Math.min(rows - 1, row + reach); r++) {
    for (let from = r * columns + left; from <= r * columns + right; from++) {
      const sight = byCell[from]!;
      if (sight > 0 && grid.isInSight(from, cell, sight)) return true;
    }
  }
  return false;
}
