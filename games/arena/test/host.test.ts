/** The arena on a server with clients, on virtual time: joining, running, shooting, dying, items, matches, who is told of what. */

import { describe, expect, it } from "vitest";
import { Blast, Hit, Item, Kill, Match, Noise, Pickup, Score, Shot } from "../src/shared.ts";
import { FULL_HEALTH, RESPAWN_MS, RUN_SPEED } from "../src/state.ts";
import { cell, foundry, joinAll, setUp, TestPlayer } from "./arena-lab.ts";

/** Two places in a street of the foundry, and one far away. */
const HERE = { x: 420, y: 240 };
const THERE = { x: 480, y: 240 };
const FAR = { x: 40, y: 40 };

describe("joining", () => {
  it("gives a newcomer the match, the items, a line on the scoreboard and an avatar of his own", () => {
    const arena = setUp();
    const [ann] = joinAll(arena, "ann");
    const { world } = ann!.lab;
    expect([...world.all(Match)]).toMatchObject([{ level: "foundry", match: 1, phase: "play", leader: 0 }]);
    expect([...world.all(Item)]).toHaveLength(foundry.items.length);
    expect([...world.all(Score)]).toMatchObject([{ number: 1, name: "ann", bot: false, kills: 0 }]);
    expect(ann!.own).toMatchObject({ number: 1, condition: "safe", health: FULL_HEALTH });
    expect(arena.host).toMatchObject({ people: 1, bots: 0 });
  });

  it("shows the longest name, with the suffix of a namesake", () => {
    const arena = setUp();
    const [ann] = joinAll(arena, "中".repeat(32), "中".repeat(32));
    const names = [...ann!.lab.world.all(Score)].map(({ name }) => name);
    expect(names).toEqual(["中".repeat(32), `${"中".repeat(30)}-2`]);
  });

  it("tells bots by their names", () => {
    const arena = setUp();
    const [ann] = joinAll(arena, "ann", "bot Nova");
    expect([...ann!.lab.world.all(Score)].map(({ name, bot }) => [name, bot])).toEqual([
      ["ann", false],
      ["Nova", true],
    ]);
    expect(arena.host).toMatchObject({ people: 1, bots: 1 });
  });

  it("uses a number again when its player is gone", () => {
    const arena = setUp();
    const [ann, bob] = joinAll(arena, "ann", "bob");
    ann!.lab.leave();
    arena.lab.until(() => bob!.avatars.length === 1);
    const cay = new TestPlayer(arena, "cay");
    arena.lab.until(() => cay.own !== undefined);
    expect(cay.own.number).toBe(1);
    arena.lab.run(200);
    expect([...bob!.lab.world.all(Score)].map(({ name }) => name).sort()).toEqual(["bob", "cay"]);
  });
});

describe("running", () => {
  it("is the same on client and server, at 120 ms of round trip too", () => {
    const arena = setUp({ spawns: [HERE] });
    const ann = new TestPlayer(arena, "ann", { latencyMs: 60 });
    arena.lab.until(() => ann.own !== undefined);
    for (const [moveX, moveY] of [
      [127, 0],
      [0, 127],
      [-90, -90],
      [-127, 20],
    ] as const) {
      ann.wish = { moveX, moveY, heading: 1 };
      arena.lab.run(700);
      expect(ann.prediction.correction).toBeLessThan(0.5);
    }
    ann.wish = {};
    arena.lab.run(500);
    const [{ x, y }] = [...arena.lab.world.all(ann.own.type)] as unknown as [{ x: number; y: number }];
    expect(Math.hypot(ann.own.shown.x - x, ann.own.shown.y - y)).toBeLessThan(0.1);
  });

  it("costs nothing while the prediction is right: ten seconds of it, and no state of the own avatar comes", () => {
    const arena = setUp({ spawns: [HERE] });
    const [ann] = joinAll(arena, "ann");
    const [player] = arena.lab.server.main.players.values();
    const avatar = arena.lab.world.get(ann!.own.id) as unknown as { x: number; y: number };
    // Until the newcomer is no longer safe, which changes its avatar.
    arena.lab.run(3000);
    const before = player!.telemetry.recordsChanged;
    let way = 0;
    for (let turn = 0; turn < 5; turn++) {
      const { x, y } = avatar;
      ann!.wish = { moveX: turn % 2 === 0 ? 127 : -127, heading: turn };
      arena.lab.run(2000);
      way += Math.hypot(avatar.x - x, avatar.y - y);
    }
    expect(player!.telemetry.recordsChanged - before).toBe(0);
    expect(way).toBeGreaterThan(RUN_SPEED * 5);
    expect(Math.hypot(ann!.own.shown.x - avatar.x, ann!.own.shown.y - avatar.y)).toBeLessThan(RUN_SPEED / 10);
    expect(arena.lab.server.main.audit.faults).toBe(0);
  });

  it("shows a push of the server within a round trip and two rounds", () => {
    const arena = setUp({ spawns: [HERE] });
    const ann = new TestPlayer(arena, "ann", { latencyMs: 60 });
    arena.lab.until(() => ann.own !== undefined);
    ann.wish = { moveX: 127, heading: 0 };
    arena.lab.run(2000);
    const avatar = arena.lab.world.get(ann.own.id) as unknown as { y: number };
    avatar.y += 20;
    const at = arena.lab.clock.nowMs;
    arena.lab.until(() => ann.prediction.correction > 5);
    expect(arena.lab.clock.nowMs - at).toBeLessThanOrEqual(120 + 2 * arena.lab.server.roundMs);
  });

  it("is as fast as it should be, and ends at walls", () => {
    const arena = setUp({ spawns: [{ x: 180, y: 220 }] });
    const [ann] = joinAll(arena, "ann");
    const avatar = arena.lab.world.get(ann!.own.id) as unknown as { x: number; y: number };
    const before = avatar.y;
    ann!.wish = { moveY: 127 };
    arena.lab.run(1000);
    expect(avatar.y - before).toBeGreaterThan(RUN_SPEED * 0.85);
    expect(avatar.y - before).toBeLessThan(RUN_SPEED * 1.02);
    ann!.wish = { moveX: -127, moveY: 127 };
    arena.lab.run(8000);
    expect(foundry.isFree(avatar.x, avatar.y, 5.9)).toBe(true);
  });
});

describe("the rifle", () => {
  it("kills what the shooter sees, whatever the round trip; both are told, everybody reads of it, and the dead comes back", () => {
    const arena = setUp({ spawns: [HERE, THERE, FAR] });
    const ann = new TestPlayer(arena, "ann", { latencyMs: 70 });
    arena.lab.until(() => ann.own !== undefined);
    const [bob, cay] = [new TestPlayer(arena, "bob"), new TestPlayer(arena, "cay")];
    arena.lab.until(() => [ann, bob, cay].every((player) => player.avatars.length === 3));
    arena.lab.run(2000);
    const kills: string[] = [];
    for (const player of [ann, bob, cay])
      player.lab.client.onEvent(Kill, ({ by, target }) => kills.push(`${player.lab.nickname}: ${by}>${target}`));
    const hits: string[] = [];
    for (const player of [ann, bob, cay])
      player.lab.client.onEvent(Hit, ({ killed }) => hits.push(`${player.lab.nickname}${killed ? "!" : ""}`));
    for (let frame = 0; frame < 120 && ann.avatarOf(bob).condition !== "dead"; frame++) {
      bob.wish = { moveY: frame % 20 < 10 ? 127 : -127 };
      ann.aimAt(bob);
      ann.wish = { ...ann.wish, fires: true };
      arena.lab.run(16);
    }
    ann.wish = {};
    arena.lab.run(400);
    expect(kills.sort()).toEqual(["ann: 1>2", "bob: 1>2", "cay: 1>2"]);
    expect(hits.filter((hit) => hit.endsWith("!")).sort()).toEqual(["ann!", "bob!"]);
    expect(hits.filter((hit) => hit.startsWith("cay"))).toEqual([]);
    expect([...cay.lab.world.all(Score)].map(({ kills: won, deaths }) => [won, deaths])).toEqual([
      [1, 0],
      [0, 1],
      [0, 0],
    ]);
    expect([...cay.lab.world.all(Match)][0]!.leader).toBe(1);
    arena.lab.run(RESPAWN_MS);
    expect(bob.own).toMatchObject({ health: FULL_HEALTH, armour: 0 });
    expect(bob.own.condition).not.toBe("dead");
  });

  it("does not shoot through walls, nor without bullets", () => {
    const arena = setUp({
      terrains: [cell],
      spawns: [
        { x: 75, y: 40 },
        { x: 75, y: 75 },
      ],
    });
    const [ann, bob] = joinAll(arena, "ann", "bob");
    const ends: string[] = [];
    ann!.lab.client.onEvent(Shot, ({ at }) => ends.push(at));
    arena.lab.run(2000);
    for (let frame = 0; frame < 1000; frame++) {
      ann!.aimAt(bob!);
      ann!.wish = { ...ann!.wish, fires: true };
      arena.lab.run(16);
    }
    expect(new Set(ends)).toEqual(new Set(["wall"]));
    expect(ends).toHaveLength(60);
    expect(ann!.own.bullets).toBe(0);
    expect(bob!.own.health).toBe(FULL_HEALTH);
  });
});

describe("the rocket", () => {
  it("is taken from an item, flies, blasts, and hurts by distance", () => {
    const arena = setUp({
      spawns: [
        { x: 480, y: 500 },
        { x: 500, y: 425 },
      ],
    });
    const [ann, bob] = joinAll(arena, "ann", "bob");
    const told: string[] = [];
    ann!.lab.client.onEvent(Pickup, ({ kind }) => told.push(kind));
    ann!.lab.client.onEvent(Blast, () => told.push("blast"));
    arena.lab.run(2000);
    ann!.wish = { moveX: 127 };
    arena.lab.run(200);
    ann!.wish = {};
    arena.lab.run(200);
    expect(ann!.own.rockets).toBe(5);
    ann!.wish = { weapon: "rocket", heading: -Math.PI / 2, fires: true };
    arena.lab.run(600);
    expect(told).toEqual(["launcher", "blast"]);
    expect(ann!.own).toMatchObject({ rockets: 4, weapon: "rocket" });
    expect(bob!.own.health).toBeLessThan(30);
    expect(ann!.own.health).toBeGreaterThan(80);
  });
});

describe("the rocket of somebody who left", () => {
  it("still goes off, and its kill is nobody's", () => {
    const arena = setUp({
      spawns: [
        { x: 500, y: 500 },
        { x: 500, y: 425 },
      ],
    });
    const [ann, bob] = joinAll(arena, "ann", "bob");
    const kills: number[] = [];
    bob!.lab.client.onEvent(Kill, ({ by }) => kills.push(by));
    arena.lab.run(2000);
    ann!.wish = { weapon: "rocket", heading: -Math.PI / 2, fires: true };
    arena.lab.run(80);
    ann!.lab.leave();
    arena.lab.until(() => bob!.own.condition === "dead");
    arena.lab.run(200);
    expect(kills).toEqual([0]);
    expect([...bob!.lab.world.all(Score)]).toMatchObject([{ name: "bob", kills: 0, deaths: 1 }]);
  });
});

describe("effects", () => {
  it("reach those who see them; the far hear a thinned noise, the farthest nothing", () => {
    const arena = setUp({ spawns: [HERE, { x: 425, y: 120 }, { x: 40, y: 970 }] });
    const [ann, near, far] = joinAll(arena, "ann", "near", "far");
    const heard: Record<string, number> = { near: 0, far: 0, "noise near": 0, "noise far": 0 };
    for (const [name, { lab }] of Object.entries({ near: near!, far: far! })) {
      lab.client.onEvent(Shot, () => void heard[name]!++);
      lab.client.onEvent(Noise, () => void heard[`noise ${name}`]!++);
    }
    ann!.wish = { fires: true, heading: 0 };
    arena.lab.run(6000);
    expect(heard["near"]).toBeGreaterThan(30);
    expect([heard["noise near"], heard["far"]]).toEqual([0, 0]);
    expect(heard["noise far"]).toBeGreaterThan(10);
    expect(heard["noise far"]).toBeLessThanOrEqual(21);
  });
});

describe("matches", () => {
  it("end with the clock, show the board, begin anew on the next level, with new scores and items", () => {
    const arena = setUp({ terrains: [cell, foundry], matchMs: 3000, overMs: 1000 });
    const [ann] = joinAll(arena, "ann");
    const match = () => [...ann!.lab.world.all(Match)][0]!;
    arena.lab.until(() => match().phase === "over");
    expect(match()).toMatchObject({ level: "cell", match: 1 });
    ann!.wish = { fires: true };
    const { bullets } = ann!.own;
    arena.lab.run(500);
    expect(ann!.own.bullets).toBe(bullets);
    arena.lab.until(() => match().phase === "play");
    expect(match()).toMatchObject({ level: "foundry", match: 2 });
    arena.lab.until(() => [...ann!.lab.world.all(Item)].length === foundry.items.length);
    expect(foundry.isFree(ann!.own.x, ann!.own.y, 5.9)).toBe(true);
  });
});
