/** Bots: they play like people, as clients and in the server's process, and the same seed plays the same game. */

import { describe, expect, it } from "vitest";
import {
  ArenaHost,
  Atlas,
  AVATAR_RADIUS,
  Avatar,
  arenaOptions,
  Item,
  LocalBots,
  Navigation,
  Score,
} from "../src/index.ts";
import { setUp } from "./arena-lab.ts";
import { atlas, botArena, terrainOf } from "./bot-lab.ts";

const foundry = terrainOf("foundry");
/** Side of the squares in which visits are counted, world units. */
const CELL = 50;

describe("ways", () => {
  const navigation = new Navigation(foundry);

  it("lead from every spawn to every item, and a body fits through them", () => {
    for (const item of foundry.items) {
      const field = navigation.fieldTo(item)!;
      for (const spawn of foundry.spawns) {
        expect(navigation.wayLeft(field, spawn.x, spawn.y)).toBeLessThan(3000);
      }
    }
    const field = navigation.fieldTo(foundry.items[0]!)!;
    let corner = navigation.cornerAt(foundry.spawns.at(-1)!.x, foundry.spawns.at(-1)!.y);
    for (let step = 0; step < 400; step++) {
      const next = navigation.ahead(field, corner, 1);
      const [x, y, toX, toY] = [corner, next].flatMap((at) => [navigation.xOf(at), navigation.yOf(at)]) as [
        number,
        number,
        number,
        number,
      ];
      expect(foundry.sees(x, y, toX, toY, AVATAR_RADIUS)).toBe(true);
      corner = next;
    }
    expect(field[corner]).toBe(0);
  });
});

describe("as clients", () => {
  it("take items, fight, zoom, die, come back, and lose no connection", () => {
    const arena = botArena("cell", 8);
    const seen = { items: new Set<number>(), zoomed: false, rockets: false };
    for (let looks = 0; looks < 1200; looks++) {
      arena.lab.run(100);
      for (const item of arena.lab.world.all(Item)) if (!item.ready) seen.items.add(item.id);
      for (const avatar of arena.lab.world.all(Avatar)) {
        seen.zoomed ||= avatar.zoomed;
        seen.rockets ||= avatar.weapon === "rocket";
      }
    }
    expect(seen.items.size).toBeGreaterThan(5);
    expect(seen.rockets).toBe(true);
    expect(arena.host.kills).toBeGreaterThan(10);
    expect(arena.bots.reduce((sum, bot) => sum + bot.kills, 0)).toBeGreaterThan(10);
    const scores = [...arena.lab.world.all(Score)];
    expect(scores.filter(({ kills }) => kills > 0).length).toBeGreaterThan(3);
    expect(arena.lab.clients.every(({ client }) => client.state === "active")).toBe(true);
  });

  it("play the same game again from the same seeds", () => {
    const places = (): number[] => {
      const arena = botArena("cell", 4);
      arena.lab.run(6000);
      return [...arena.lab.world.all(Avatar)].flatMap(({ x, y, health }) => [x, y, health]);
    };
    expect(places()).toEqual(places());
  });
});

describe("in the server's process, for five minutes", () => {
  const COUNT = 24;
  /** Where avatars stood, second by second, and whom the walls or a corner held. */
  function watch() {
    const arena = setUp({ terrains: [foundry], killLimit: 4000, matchMs: 1e9 });
    new LocalBots(arena.host, { atlas, seed: 5, count: COUNT });
    const visits = new Map<number, number>();
    const still = new Map<number, { x: number; y: number; since: number }>();
    const found = { inWall: 0, stillest: 0, atInterest: 0, samples: 0, taken: new Set<number>(), zoomed: 0 };
    for (let second = 0; second < 300; second++) {
      arena.lab.run(1000);
      for (const item of arena.lab.world.all(Item)) if (!item.ready) found.taken.add(item.id);
      for (const { number, x, y, condition, zoomed } of arena.lab.world.all(Avatar)) {
        if (condition === "dead") {
          still.delete(number);
          continue;
        }
        found.samples += 1;
        if (zoomed) found.zoomed += 1;
        if (!foundry.isFree(x, y, AVATAR_RADIUS - 0.01)) found.inWall += 1;
        if (isAtInterest(x, y)) found.atInterest += 1;
        const cell = Math.floor(y / CELL) * 100 + Math.floor(x / CELL);
        visits.set(cell, (visits.get(cell) ?? 0) + 1);
        const before = still.get(number);
        if (before === undefined || Math.hypot(before.x - x, before.y - y) > 12)
          still.set(number, { x, y, since: second });
        else found.stillest = Math.max(found.stillest, second - before.since);
      }
    }
    return { arena, visits, found };
  }

  const { arena, visits, found } = watch();
  const evenly = spreadEvenly();

  it("nobody is in a wall, nobody stands stuck", () => {
    expect(found.inWall).toBe(0);
    expect(found.stillest).toBeLessThanOrEqual(10);
  });

  it("everybody fights, and items are fetched all over the level", () => {
    expect(arena.host.kills).toBeGreaterThan(200);
    expect([...arena.lab.world.all(Score)].every(({ kills, deaths }) => kills > 0 && deaths > 0)).toBe(true);
    expect(found.taken.size).toBeGreaterThan(foundry.items.length * 0.6);
    expect(found.zoomed / found.samples).toBeGreaterThan(0.01);
  });

  it("they cluster at points of interest, as people do", () => {
    const cells = (foundry.width / CELL) * (foundry.height / CELL);
    const counts = [...visits.values()].sort((a, b) => b - a);
    const top = counts.slice(0, cells / 10).reduce((sum, count) => sum + count, 0) / found.samples;
    expect(top / evenly.top).toBeGreaterThan(1.8);
    expect(found.atInterest / found.samples / evenly.atInterest).toBeGreaterThan(1.5);
  });
});

/** The same shares if avatars stood anywhere with equal chance: top tenth of cells, and near a point of interest. */
function spreadEvenly(): { readonly top: number; readonly atInterest: number } {
  const visits = new Map<number, number>();
  let [places, atInterest] = [0, 0];
  for (let y = 5; y < foundry.height; y += 10) {
    for (let x = 5; x < foundry.width; x += 10) {
      if (!foundry.isFree(x, y, 4)) continue;
      places += 1;
      if (isAtInterest(x, y)) atInterest += 1;
      const cell = Math.floor(y / CELL) * 100 + Math.floor(x / CELL);
      visits.set(cell, (visits.get(cell) ?? 0) + 1);
    }
  }
  const counts = [...visits.values()].sort((a, b) => b - a);
  const tenth = ((foundry.width / CELL) * (foundry.height / CELL)) / 10;
  return {
    top: counts.slice(0, tenth).reduce((sum, count) => sum + count, 0) / places,
    atInterest: atInterest / places,
  };
}

function isAtInterest(x: number, y: number): boolean {
  return foundry.interests.some((spot) => Math.hypot(spot.x - x, spot.y - y) < 50);
}

it("a server with local bots alone runs, and they leave room for people", () => {
  const { lab, host } = setUp({ terrains: [terrainOf("cell")] });
  new LocalBots(host, { atlas: new Atlas(terrainOf), seed: 1, count: 3 });
  lab.run(500);
  expect(host).toMatchObject({ people: 0, bots: 3 });
  expect(host).toBeInstanceOf(ArenaHost);
  expect(arenaOptions.roundMs).toBe(33);
});
