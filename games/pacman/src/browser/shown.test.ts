import { describe, expect, it } from "vitest";
import { type Heading, Maze, SIDE } from "../maze.ts";
import { Game } from "../rules.ts";
import { type Pac, STEP_MS } from "../state.ts";
import type { PacReplica } from "./link.ts";
import { Shown } from "./shown.ts";

const maze = new Maze(21);
const ROUND = 50;

/** A game with one player on a straight corridor, and its replica as the server would send it. */
function setUp(): { game: Game; pac: Pac; replica: () => PacReplica } {
  for (let y = 1; y < SIDE; y++) {
    for (let x = 1; x < SIDE - 9; x++) {
      if (!Array.from({ length: 9 }, (_, at) => maze.open(x + at, y)).every(Boolean)) continue;
      const game = new Game({ maze, seed: 1, ghostsPerHome: 0, spawns: [{ x, y }] });
      const pac = game.join({ name: "ann", bot: false });
      return {
        game,
        pac,
        replica: () => ({
          id: 7,
          number: pac.id,
          x: Math.round(pac.x * 100) / 100,
          y: Math.round(pac.y * 100) / 100,
          heading: pac.heading,
          want: pac.want,
          moving: pac.moving,
          condition: "normal",
          lives: 3,
          score: 0,
          colour: 0,
        }),
      };
    }
  }
  throw new Error("no corridor");
}

function round(game: Game): void {
  for (let ms = 0; ms < ROUND; ms += STEP_MS) game.step();
}

describe("shown", () => {
  it("draws an even motion between rounds, never far from the replica", () => {
    const { game, pac, replica } = setUp();
    const shown = new Shown(maze);
    game.turn(pac, 1);
    const steps: number[] = [];
    let last = pac.x;
    for (let now = 0; now < 1000; now += 10) {
      if (now % ROUND === 0) round(game);
      const seen = replica();
      shown.update(now, undefined, [seen], []);
      const drawn = shown.get(7)!;
      if (now > 100) steps.push(drawn.x - last);
      last = drawn.x;
      expect(Math.abs(drawn.x - seen.x)).toBeLessThan(0.5);
    }
    expect(Math.max(...steps) - Math.min(...steps)).toBeLessThan(0.03);
    expect(Math.min(...steps)).toBeGreaterThan(0.03);
  });

  it("obeys a key at once, for the own avatar only", () => {
    const { pac, replica } = setUp();
    const shown = new Shown(maze);
    const own = replica();
    const other = { ...own, id: 8 };
    shown.update(0, own, [own, other], []);
    shown.press(1, 0);
    for (let now = 10; now <= 120; now += 10) shown.update(now, own, [own, other], []);
    expect(shown.get(7)!.x).toBeGreaterThan(pac.x + 0.3);
    expect(shown.get(8)!.x).toBe(pac.x);
  });

  it("takes a key back that the server never confirms", () => {
    const { pac, replica } = setUp();
    const shown = new Shown(maze);
    const own: PacReplica = { ...replica(), want: 3 as Heading };
    shown.press(1, 0);
    for (let now = 0; now < 2000; now += 20) shown.update(now, own, [own], []);
    expect(shown.get(7)!.x).toBeCloseTo(pac.x, 2);
  });

  it("jumps to a new life elsewhere instead of sliding there", () => {
    const { replica } = setUp();
    const shown = new Shown(maze);
    const own = replica();
    shown.update(0, own, [own], []);
    const moved = { ...own, x: own.x, y: own.y + 30 };
    shown.update(20, moved, [moved], []);
    expect(shown.get(7)).toMatchObject({ x: moved.x, y: moved.y });
  });

  it("forgets what has left the replica", () => {
    const { replica } = setUp();
    const shown = new Shown(maze);
    shown.update(0, undefined, [replica()], []);
    shown.update(20, undefined, [], []);
    expect(shown.get(7)).toBeUndefined();
  });
});
