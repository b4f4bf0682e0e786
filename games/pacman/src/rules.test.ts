import { Dice } from "@nearfield/kit";
import { describe, expect, it } from "vitest";
import { Bots } from "./bots.ts";
import { DX, DY, FLOOR, HEADINGS, type Heading, Maze, ROOM, ROOMS, roomAt, SIDE, tileAt, WALL } from "./maze.ts";
import { Game, type GameOptions } from "./rules.ts";
import {
  DYING_MS,
  EXTRA_LIFE,
  type Happening,
  LIVES,
  type Pac,
  POINTS,
  POWER_MS,
  REGROW_MS,
  REST_DELAY_MS,
  SAFE_MS,
  ticks,
} from "./state.ts";

const maze = new Maze(21);
function newGame(options: Partial<GameOptions> = {}): Game {
  return new Game({ maze, seed: 1, ghostsPerHome: 0, ...options });
}
function run(game: Game, steps: number): Happening[] {
  const all: Happening[] = [];
  for (let step = 0; step < steps; step++) all.push(...game.step());
  return all;
}
/** A straight corridor of five tiles, all with plain dots. */
function corridor(): { x: number; y: number; heading: Heading } {
  for (let y = 1; y < SIDE; y++) {
    for (let x = 1; x < SIDE - 5; x++) {
      const tiles = [0, 1, 2, 3, 4].map((at) => tileAt(x + at, y));
      if (tiles.every((tile) => maze.dots[tile] === 1 && !maze.pellets.has(tile))) return { x, y, heading: 1 };
    }
  }
  throw new Error("no corridor");
}
/** A tile beside a power pellet, and the way to it. */
function besidePellet(): { x: number; y: number; heading: Heading } {
  for (const pellet of maze.pellets) {
    const [x, y] = [pellet % SIDE, Math.floor(pellet / SIDE)];
    for (const heading of HEADINGS) {
      if (maze.open(x - DX[heading], y - DY[heading])) return { x: x - DX[heading], y: y - DY[heading], heading };
    }
  }
  throw new Error("no pellet");
}

describe("dots", () => {
  it("are eaten on the way and counted", () => {
    const start = corridor();
    const game = newGame({ spawns: [start] });
    const pac = game.join({ name: "ann", bot: false });
    game.turn(pac, 1);
    run(game, ticks(1000));
    expect(pac.x).toBeGreaterThan(start.x + 4);
    const eaten = [0, 1, 2, 3, 4].filter((at) => game.dots[tileAt(start.x + at, start.y)] === 0);
    expect(eaten).toHaveLength(5);
    expect(pac.score % POINTS.dot).toBe(0);
    expect(pac.score).toBeGreaterThanOrEqual(50);
    expect(game.changedRooms.has(roomAt(start.x, start.y))).toBe(true);
  });

  it("come back after a while, but not under a player's feet", () => {
    const start = corridor();
    const game = newGame({ spawns: [start] });
    const pac = game.join({ name: "ann", bot: false });
    const tile = tileAt(start.x, start.y);
    run(game, 1);
    expect(game.dots[tile]).toBe(0);
    run(game, ticks(REGROW_MS) + 2);
    expect(game.dots[tile]).toBe(0);
    game.leave(pac);
    run(game, ticks(REGROW_MS) + 2);
    expect(game.dots[tile]).toBe(1);
  });

  it("bring a bonus when the last of a room is eaten", () => {
    const start = corridor();
    const game = newGame({ spawns: [start] });
    const room = roomAt(start.x, start.y);
    const pac = game.join({ name: "ann", bot: false });
    const tiles = [...maze.dots.keys()].filter(
      (tile) => maze.dots[tile] === 1 && roomAt(tile % SIDE, Math.floor(tile / SIDE)) === room,
    );
    const all: Happening[] = [];
    for (const tile of tiles) {
      pac.x = tile % SIDE;
      pac.y = Math.floor(tile / SIDE);
      all.push(...game.step());
    }
    expect(all.filter((happening) => happening.kind === "cleared")).toMatchObject([{ room, points: POINTS.room }]);
  });

  it("bring a life at every five thousand points", () => {
    const start = corridor();
    const game = newGame({ spawns: [start] });
    const pac = game.join({ name: "ann", bot: false });
    pac.score = EXTRA_LIFE - POINTS.dot;
    expect(run(game, 1)).toMatchObject([{ kind: "extraLife" }]);
    expect(pac.lives).toBe(LIVES + 1);
  });
});

describe("power", () => {
  function powered(options: Partial<GameOptions> = {}): { game: Game; pac: Pac; happenings: Happening[] } {
    const start = besidePellet();
    const game = newGame({ spawns: [start], ...options });
    const pac = game.join({ name: "ann", bot: false });
    game.turn(pac, start.heading);
    const happenings = run(game, ticks(250));
    return { game, pac, happenings };
  }

  it("comes from a pellet and ends", () => {
    const { game, pac, happenings } = powered();
    expect(happenings.map(({ kind }) => kind)).toContain("power");
    expect(pac.powerUntil).toBeGreaterThan(game.tick);
    expect(pac.powerUntil).toBeLessThanOrEqual(game.tick + ticks(POWER_MS));
  });

  it("turns the ghosts around, and the first eaten one brings 200, the next 400; both go home as eyes", () => {
    const { game, pac } = powered({ ghostsPerHome: 1 });
    const [first, second] = game.ghosts;
    for (const ghost of [first!, second!]) {
      ghost.mood = "frightened";
      ghost.until = game.tick + 100;
    }
    const before = pac.score;
    Object.assign(first!, { x: pac.x, y: pac.y });
    const one = run(game, 1).filter(({ kind }) => kind === "ghostEaten");
    Object.assign(second!, { x: pac.x, y: pac.y });
    const two = run(game, 1).filter(({ kind }) => kind === "ghostEaten");
    expect([...one, ...two]).toMatchObject([{ points: 200 }, { points: 400 }]);
    expect(pac.score - before).toBeGreaterThanOrEqual(600);
    expect(first!.mood).toBe("eyes");
    for (let step = 0; step < ticks(60_000) && first!.mood === "eyes"; step++) game.step();
    expect(first!.mood).toBe("leaving");
  });

  it("lets a player eat another one, who loses a life and comes back safe for a while", () => {
    const { game, pac } = powered();
    const victim = game.join({ name: "bob", bot: false });
    Object.assign(victim, { x: pac.x, y: pac.y });
    const kinds = run(game, 1).map(({ kind }) => kind);
    expect(kinds).toEqual(expect.arrayContaining(["pacEaten", "died"]));
    expect(victim).toMatchObject({ life: "dying", lives: LIVES - 1 });
    expect(pac.life).toBe("playing");
    run(game, ticks(DYING_MS) + 1);
    expect(victim.life).toBe("playing");
    expect(victim.safeUntil).toBeGreaterThan(game.tick);
    pac.powerUntil = game.tick + 1000;
    Object.assign(pac, { x: victim.x, y: victim.y });
    expect(run(game, 1).map(({ kind }) => kind)).not.toContain("pacEaten");
    expect(run(game, ticks(SAFE_MS)).map(({ kind }) => kind)).toContain("pacEaten");
  });
});

describe("ghosts", () => {
  it("leave home and reach every kind of quarter", () => {
    const game = newGame({ ghostsPerHome: 4 });
    const visited = new Set<number>();
    for (let step = 0; step < ticks(120_000); step++) {
      game.step();
      for (const ghost of game.ghosts) visited.add(roomAt(ghost.x, ghost.y));
    }
    expect(game.ghosts.every(({ mood }) => mood === "roaming")).toBe(true);
    expect(visited.size).toBeGreaterThan((ROOMS * ROOMS) / 2);
  });

  it("catch a player who stands still, life after life, until he is out and starts over", () => {
    const game = newGame({ ghostsPerHome: 4 });
    const pac = game.join({ name: "ann", bot: false });
    for (let step = 0; step < ticks(1_200_000) && pac.life !== "out"; step++) game.step();
    expect(pac).toMatchObject({ life: "out", lives: 0 });
    game.again(pac);
    expect(pac).toMatchObject({ life: "playing", lives: LIVES, score: 0 });
  });
});

describe("rest", () => {
  it("begins a second after it is asked for, protects while it lasts, and ends with a moment of safety", () => {
    const game = newGame({ ghostsPerHome: 1 });
    const pac = game.join({ name: "ann", bot: false });
    const ghost = game.ghosts[0]!;
    const meet = (): string[] => {
      Object.assign(ghost, { x: pac.x, y: pac.y, mood: "roaming" });
      return run(game, 1).map(({ kind }) => kind);
    };
    game.rest(pac, true);
    game.rest(pac, true);
    run(game, ticks(REST_DELAY_MS) - 1);
    expect(meet()).not.toContain("died");
    expect(meet()).not.toContain("died");
    game.turn(pac, pac.heading);
    const { x, y } = pac;
    run(game, 10);
    expect(pac).toMatchObject({ x, y, life: "playing" });
    game.rest(pac, false);
    expect(pac.safeUntil).toBe(game.tick + ticks(SAFE_MS));
    expect(meet()).not.toContain("died");
    pac.safeUntil = 0;
    game.rest(pac, true);
    expect(meet()).toContain("died");
  });
});

describe("a whole game with bots", () => {
  function play(seed: number): { game: Game; trace: string } {
    const game = new Game({ maze: new Maze(seed), seed });
    const bots = new Bots(game, seed);
    for (let at = 0; at < 8; at++) bots.add();
    const trace: string[] = [];
    for (let step = 0; step < ticks(40_000); step++) {
      bots.act();
      for (const happening of game.step()) trace.push(`${game.tick} ${happening.kind} ${happening.pac.id}`);
      for (const pac of game.pacs.values()) {
        if (game.maze.at(Math.round(pac.x), Math.round(pac.y)) !== FLOOR)
          throw new Error(`${pac.name} stands in a wall`);
      }
      for (const ghost of game.ghosts) {
        if (game.maze.at(Math.round(ghost.x), Math.round(ghost.y)) === WALL)
          throw new Error(`ghost ${ghost.id} stands in a wall`);
      }
    }
    return { game, trace: trace.join("\n") };
  }

  it("is the same for the same seed, and alive", () => {
    const [one, two] = [play(5), play(5)];
    expect(one.trace).toBe(two.trace);
    expect(one.game.pacs).toEqual(two.game.pacs);
    expect(one.trace).toContain("power");
    expect(one.trace).toContain("ghostEaten");
    expect(one.trace).toContain("died");
    const best = [...one.game.pacs.values()].map((pac) => pac.best);
    expect(Math.min(...best)).toBeGreaterThan(300);
    expect(play(6).trace).not.toBe(one.trace);
  });

  it("never runs empty", () => {
    const game = new Game({ maze, seed: 3 });
    const bots = new Bots(game, 3);
    for (let at = 0; at < 10; at++) bots.add();
    for (let step = 0; step < ticks(90_000); step++) {
      bots.act();
      game.step();
    }
    const left = game.dots.reduce((sum, dot) => sum + dot, 0);
    expect(left / maze.dots.reduce((sum, dot) => sum + dot, 0)).toBeGreaterThan(0.5);
  });
});

describe("joining", () => {
  it("uses the given places in order, and refuses walls", () => {
    const start = corridor();
    const game = newGame({ spawns: [start] });
    expect(game.join({ name: "ann", bot: false })).toMatchObject({ x: start.x, y: start.y });
    const free = game.join({ name: "bob", bot: false });
    expect(maze.at(free.x, free.y)).toBe(FLOOR);
    expect(() => newGame({ spawns: [{ x: 0, y: 0 }] })).toThrow(/spawns: \(0, 0\)/);
  });

  it("puts newcomers a room or so from somebody, away from ghosts", () => {
    const game = newGame({ ghostsPerHome: 4 });
    const first = game.join({ name: "ann", bot: false });
    const dice = new Dice(9);
    for (let at = 0; at < 10; at++) {
      const other = game.join({ name: `p${dice.int(100)}`, bot: false });
      expect(Math.max(Math.abs(other.x - first.x), Math.abs(other.y - first.y))).toBeLessThan(8 * ROOM);
      for (const ghost of game.ghosts)
        expect(Math.max(Math.abs(other.x - ghost.x), Math.abs(other.y - ghost.y))).toBeGreaterThan(4);
    }
  });
});
