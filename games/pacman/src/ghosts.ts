/**
 * What ghosts want. At every tile centre a ghost picks the way that brings it nearest to its aim, and never turns back of its own will;
 * the four kinds differ only in the aim they take from the player they hunt:
 * the hunter goes for him, the ambusher for the tiles ahead of him, the flanker to his far side, the wanderer loses interest up close.
 * Between hunts they roam the rooms of their own quarter, so that every place has its ghosts and every player his rest.
 */

import type { Dice } from "@nearfield/kit";
import { DX, DY, HEADINGS, type Heading, type Maze, opposite, ROOMS, roomAt, SIDE, tileAt } from "./maze.ts";
import { glide } from "./mover.ts";
import { distance, type Ghost, isActive, type Pac, SPEED, type Spot, STEP_MS } from "./state.ts";

/** Players further off than this many tiles are not noticed. */
const SIGHT = 14;
/** The wanderer turns away from a player nearer than this. */
const SHY = 5;
/** A roaming ghost takes a random way at this share of its crossings. */
const WHIM = 0.2;

export interface GhostSight {
  readonly maze: Maze;
  readonly dice: Dice;
  readonly pacs: readonly Pac[];
  readonly tick: number;
  /** False in the phases in which ghosts leave players alone. */
  readonly hunting: boolean;
}

export function moveGhost(ghost: Ghost, sight: GhostSight): void {
  const prey = ghost.mood === "roaming" && sight.hunting ? nearestPrey(ghost, sight) : undefined;
  glide(ghost, (speedOf(ghost) * STEP_MS) / 1000, (x, y) => chooseHeading(ghost, prey, x, y, sight));
}

export function speedOf(ghost: Ghost): number {
  if (ghost.mood === "eyes") return SPEED.eyes;
  if (ghost.mood === "frightened") return SPEED.frightened;
  return ghost.mood === "roaming" ? SPEED.ghost : SPEED.pen;
}

function nearestPrey(ghost: Ghost, { pacs, tick }: GhostSight): Pac | undefined {
  let nearest: Pac | undefined;
  for (const pac of pacs) {
    if (!isActive(pac, tick) || pac.safeUntil > tick || distance(ghost, pac) > SIGHT) continue;
    if (!nearest || distance(ghost, pac) < distance(ghost, nearest)) nearest = pac;
  }
  return nearest;
}

function chooseHeading(ghost: Ghost, prey: Pac | undefined, x: number, y: number, sight: GhostSight): Heading {
  const { maze, dice } = sight;
  const inPen = ghost.mood === "waiting" || ghost.mood === "leaving" || ghost.mood === "eyes";
  const open = HEADINGS.filter((heading) => maze.openToGhost(x + DX[heading], y + DY[heading], inPen));
  const onward = open.filter((heading) => heading !== opposite(ghost.heading));
  const ways = onward.length > 0 ? onward : open;
  switch (ghost.mood) {
    case "waiting":
      return paceToAndFro(ghost, x, y, maze);
    case "leaving":
      return downhill(maze.fieldTo(maze.homes[ghost.home]!.exit), open, x, y);
    case "eyes":
      return downhill(maze.fieldTo(maze.homes[ghost.home]!.inside), open, x, y);
    case "frightened":
      return dice.pick(ways);
    case "roaming":
      if (ways.length === 1) return ways[0]!;
      return prey ? hunt(ghost, prey, ways, x, y, maze) : roam(ghost, ways, x, y, sight);
  }
}

/** Left and right within the pen. */
function paceToAndFro(ghost: Ghost, x: number, y: number, maze: Maze): Heading {
  const sideways: Heading = ghost.heading === 3 ? 3 : 1;
  return maze.openToGhost(x + DX[sideways], y, true) ? sideways : opposite(sideways);
}

function hunt(ghost: Ghost, prey: Pac, ways: readonly Heading[], x: number, y: number, maze: Maze): Heading {
  const room = roomAt(prey.x, prey.y);
  // As the crow flies is the arcade's way and easy to trick, which is the fun of it; but through the wall of a room it would never arrive.
  if (room !== roomAt(x, y)) return downhill(maze.fieldTo(maze.middleOf(room)), ways, x, y);
  return nearestTo(aimAt(ghost, prey), ways, x, y);
}

function aimAt(ghost: Ghost, prey: Pac): Spot {
  const ahead = (tiles: number): Spot => ({
    x: prey.x + DX[prey.heading] * tiles,
    y: prey.y + DY[prey.heading] * tiles,
  });
  switch (ghost.kind) {
    case "hunter":
      return prey;
    case "ambusher":
      return ahead(4);
    case "flanker": {
      const pivot = ahead(2);
      return { x: 2 * pivot.x - ghost.x, y: 2 * pivot.y - ghost.y };
    }
    case "wanderer":
      return distance(ghost, prey) < SHY ? { x: 2 * ghost.x - prey.x, y: 2 * ghost.y - prey.y } : prey;
  }
}

function roam(ghost: Ghost, ways: readonly Heading[], x: number, y: number, { maze, dice }: GhostSight): Heading {
  if (ghost.goal < 0 || roomAt(x, y) === ghost.goal) ghost.goal = nextGoal(ghost, maze, dice);
  if (dice.chance(WHIM)) return dice.pick(ways);
  return downhill(maze.fieldTo(maze.middleOf(ghost.goal)), ways, x, y);
}

/** A room in the same quarter of the world as the ghost's home. */
function nextGoal(ghost: Ghost, maze: Maze, dice: Dice): number {
  const home = maze.homes[ghost.home]!.room;
  const half = ROOMS / 2;
  const column = home % ROOMS < half ? 0 : half;
  const row = home < ROOMS * half ? 0 : half;
  return (row + dice.int(half)) * ROOMS + column + dice.int(half);
}

function downhill(field: Uint16Array, ways: readonly Heading[], x: number, y: number): Heading {
  return best(ways, (heading) => field[tileAt(x, y) + DX[heading] + DY[heading] * SIDE]!);
}

function nearestTo(aim: Spot, ways: readonly Heading[], x: number, y: number): Heading {
  return best(ways, (heading) => {
    const [dx, dy] = [x + DX[heading] - aim.x, y + DY[heading] - aim.y];
    return dx * dx + dy * dy;
  });
}

function best(ways: readonly Heading[], cost: (heading: Heading) => number): Heading {
  return ways.reduce((chosen, way) => (cost(way) < cost(chosen) ? way : chosen));
}
