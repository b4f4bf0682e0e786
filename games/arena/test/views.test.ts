/**
 * Zoom and spectators, stepped round by round: the round in which the switch is known obeys the new bounds (F §3.3.6). Told twice: by what arrives
 * in the client's replica, and by what the server's model says of the pair.
 */

import { setPivots } from "@nearfield/client/views";
import type { Explanation } from "@nearfield/core/internal";
import { describe, expect, it } from "vitest";
import { Avatar, Following, Spectate } from "../src/shared.ts";
import { ROUND_MS } from "../src/state.ts";
import { GAME_VIEWS, paperView } from "../src/views.ts";
import { type Arena, joinAll, setUp, type TestPlayer } from "./arena-lab.ts";

/** In a street of the foundry: 500 units apart, both with the way free along x. */
const WEST = { x: 250, y: 220 };
const EAST = { x: 750, y: 220 };
const SOUTH = { x: 250, y: 780 };
/** By displacement every cell of the paper's view has its own pace, which a replica shows. */
const paced = { normal: paperView("normal"), zoom: paperView("zoom") };

/** What the server's model says of a player's view of another's avatar, now. */
function explained({ lab }: Arena, watcher: TestPlayer, other: TestPlayer): Explanation {
  const { main } = lab.server;
  const player = main.players.get(watcher.lab.world.session)!;
  const primary = [...main.world.all(Avatar)].find(({ number }) => number === other.own.number)!;
  return main.model.explain(player.view, primary.id)!;
}

/** The client's frame in the middle between two rounds, then the round. */
function frameThenRound({ lab }: Arena, ...players: TestPlayer[]): void {
  lab.run(ROUND_MS - 17);
  for (const player of players) player.lab.client.update();
  lab.run(17);
}

/** Round by round: whether the other changed on the server, and whether a state of that round arrived. */
function follow(arena: Arena, watcher: TestPlayer, other: TestPlayer, rounds: number) {
  const { id } = watcher.avatarOf(other);
  let { version } = explained(arena, watcher, other);
  return Array.from({ length: rounds }, () => {
    arena.lab.step();
    // The frame of a round is taken in by the client's next update.
    watcher.lab.client.update();
    const before = version;
    ({ version } = explained(arena, watcher, other));
    const arrived = watcher.lab.world.roundOf(id) === arena.lab.server.roundNumber;
    return { changed: version !== before, arrived };
  });
}

/** Rounds between two arrivals, the most common gap. */
function usualGap(steps: readonly { readonly arrived: boolean }[]): number {
  const gaps = steps.flatMap(({ arrived }, at) => (arrived ? [at] : [])).map((at, i, all) => at - (all[i - 1] ?? at));
  const count = (gap: number): number => gaps.filter((other) => other === gap).length;
  return gaps.slice(1).reduce((best, gap) => (count(gap) > count(best) ? gap : best));
}

describe("zoom", () => {
  it("narrows sectors and stretches radii in the very next round, and gives them back", () => {
    const arena = setUp({ spawns: [WEST, EAST], views: paced }, { frameMs: ROUND_MS });
    const [ann, bob] = joinAll(arena, "ann", "bob");
    // Bob walks to and fro without a pause, so that there is an update of him in every round.
    let round = 0;
    bob!.lab.client.activity(() => {
      round += 1;
      bob!.wish = { moveY: round % 20 < 10 ? 60 : -60 };
    });
    ann!.wish = { heading: 0 };
    arena.lab.run(1000);
    expect(explained(arena, ann!, bob!)).toMatchObject({ zone: 1, sector: 0, bound: { time: 60, value: 9 } });
    expect(usualGap(follow(arena, ann!, bob!, 30))).toBe(2);

    ann!.wish = { heading: 0, zooms: true };
    frameThenRound(arena, ann!);
    expect(explained(arena, ann!, bob!)).toMatchObject({ zone: 0, sector: 0, bound: { time: 30, value: 0 } });
    const zoomed = follow(arena, ann!, bob!, 30);
    expect(zoomed.map(({ arrived }) => arrived)).toEqual(zoomed.map(({ changed }) => changed));
    expect(zoomed.filter(({ changed }) => changed).length).toBeGreaterThan(20);

    ann!.wish = { heading: 0 };
    frameThenRound(arena, ann!);
    expect(explained(arena, ann!, bob!)).toMatchObject({ zone: 1, sector: 0, bound: { time: 60 } });
    expect(usualGap(follow(arena, ann!, bob!, 30))).toBe(2);
  });

  it("moves what stands beside into a looser sector", () => {
    const arena = setUp({ spawns: [WEST, EAST], views: paced });
    const [ann, bob] = joinAll(arena, "ann", "bob");
    // 45° off: within 100° of the normal view, outside of the 75° of the zoom.
    ann!.wish = { heading: Math.PI / 4 };
    arena.lab.run(300);
    expect(explained(arena, ann!, bob!)).toMatchObject({ zone: 1, sector: 0 });
    ann!.wish = { heading: Math.PI / 4, zooms: true };
    frameThenRound(arena, ann!);
    expect(explained(arena, ann!, bob!)).toMatchObject({ zone: 0, sector: 2, bound: { time: 90 } });
    ann!.wish = { heading: Math.PI, zooms: true };
    frameThenRound(arena, ann!);
    expect(explained(arena, ann!, bob!)).toMatchObject({ zone: 0, sector: 2 });
  });
});

describe("spectators", () => {
  it("look through another's eyes from the very next round on, and may do so when they have no avatar", () => {
    const arena = setUp({ spawns: [WEST, EAST], views: paced }, { frameMs: ROUND_MS });
    const [ann, bob] = joinAll(arena, "ann", "bob");
    ann!.wish = { heading: 0 };
    bob!.wish = { heading: 0 };
    const eye = arena.lab.join("eye", {}, { role: "spectator" });
    const told: number[] = [];
    eye.client.onEvent(Following, ({ number }) => told.push(number));
    arena.lab.run(500);
    const viewer = arena.lab.server.main.players.get(eye.world.session)!;
    const boundOf = (player: TestPlayer) => {
      const { main } = arena.lab.server;
      const primary = [...main.world.all(Avatar)].find(({ number }) => number === player.own.number)!;
      return main.model.explain(viewer.view, primary.id)!;
    };
    expect(told).toEqual([1]);
    // Behind ann's eyes: ann at distance 0, bob 500 units ahead.
    expect([boundOf(ann!).zone, boundOf(bob!).zone, boundOf(bob!).sector]).toEqual([0, 1, 0]);
    setPivots(eye.client, [{ object: bob!.own.id }]);
    eye.client.update();
    arena.lab.step();
    // Bob looks away from ann: she is behind him.
    expect([boundOf(bob!).zone, boundOf(ann!).zone, boundOf(ann!).sector]).toEqual([0, 1, 2]);
    arena.lab.step(2);
    expect(told).toEqual([1, 2]);
    let round = 0;
    ann!.lab.client.activity(() => {
      round += 1;
      ann!.wish = { moveY: round % 20 < 10 ? 60 : -60, heading: 0 };
    });
    arena.lab.run(200);
    const { id } = ann!.own;
    const rounds = new Set<number>();
    for (let step = 0; step < 60; step++) {
      arena.lab.step();
      eye.client.update();
      rounds.add(eye.world.roundOf(id));
    }
    // Zone 1, behind: every 200 ms at the latest, and every 6 or 7 rounds of 33 ms by time alone.
    expect(rounds.size).toBeGreaterThanOrEqual(9);
    expect(rounds.size).toBeLessThanOrEqual(12);
  });

  it("may not look from a point of their choice", () => {
    const arena = setUp();
    joinAll(arena, "ann");
    const eye = arena.lab.join("eye", {}, { role: "spectator" });
    arena.lab.run(300);
    const { settings } = arena.lab.server.main.players.get(eye.world.session)!;
    setPivots(eye.client, [{ point: [500, 500] }]);
    arena.lab.run(300);
    expect(arena.lab.server.main.players.get(eye.world.session)!.settings.pivots).toEqual(settings.pivots);
  });

  it("see the zoom of the one they follow", () => {
    const arena = setUp({ spawns: [WEST, EAST] });
    const [ann] = joinAll(arena, "ann", "bob");
    const eye = arena.lab.join("eye", {}, { role: "spectator" });
    arena.lab.run(300);
    const viewer = arena.lab.server.main.players.get(eye.world.session)!;
    expect(viewer.settings.sets).toEqual(GAME_VIEWS.normal.sets);
    ann!.wish = { zooms: true };
    arena.lab.run(200);
    expect(viewer.settings.sets).toEqual(GAME_VIEWS.zoom.sets);
  });

  it("are refused while they live; the dead may, until they are born again", () => {
    const arena = setUp({ spawns: [WEST, { x: 310, y: 220 }, SOUTH] });
    const [ann, bob, cay] = joinAll(arena, "ann", "bob", "cay");
    const told: number[] = [];
    bob!.lab.client.onEvent(Following, ({ number }) => told.push(number));
    const pivotOf = (player: TestPlayer) =>
      arena.lab.server.main.players.get(player.lab.world.session)!.settings.pivots;
    bob!.lab.client.send(Spectate, { number: cay!.own.number });
    arena.lab.run(2000);
    expect(told).toEqual([0]);
    expect(pivotOf(bob!)).toEqual([{ object: bob!.own.id }]);
    arena.lab.until(() => {
      ann!.aimAt(bob!);
      ann!.wish = { ...ann!.wish, fires: true };
      return bob!.own.condition === "dead";
    });
    ann!.wish = {};
    bob!.lab.client.send(Spectate, { number: cay!.own.number });
    frameThenRound(arena, bob!);
    expect(pivotOf(bob!)).toEqual([{ object: bob!.avatarOf(cay!).id }]);
    arena.lab.until(() => bob!.own.condition !== "dead");
    expect(pivotOf(bob!)).toEqual([{ object: bob!.own.id }]);
    arena.lab.run(100);
    expect(told).toEqual([0, 3, 0]);
  });
});
