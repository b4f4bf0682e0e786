/**
 * The delivered promise, checked from the clients' own replicas and by arithmetic of its own: one one-way delay after
 * round R a client holds everything that round R promised it. A pair is kept if the replica has the newest version of
 * round R, or is below its bound in every dimension.
 */

import type { ViewSettings } from "@nearfield/core";
import { zones } from "@nearfield/core";
import type { ObjectId } from "@nearfield/schema";
import { describe, expect, it } from "vitest";
import { Lab, type LabClient } from "../src/index.ts";
import type { Conditions } from "../src/internal/index.ts";
import { protocol, Score, Ship, spawnShip, stir } from "./scenario.ts";
import { seeds } from "./seeds.ts";

const ROUND_MS = 50;
const FRAME_MS = 5;
const LATENCY_MS = 20;
const RADII = [150, 350];
const BOUNDS = [
  { time: 0, sequence: 1, value: 0 },
  { time: 200, sequence: 6, value: 25 },
  { time: 600, sequence: 15, value: 80 },
];
const view: ViewSettings = zones(Ship, { radii: RADII, bounds: BOUNDS });

interface Truth {
  readonly versions: Map<ObjectId, number>;
  readonly places: Map<ObjectId, readonly [number, number]>;
}

/** What every round made true, and what each client then held of it. */
class Check {
  readonly #lab: Lab;
  readonly #rounds = new Map<number, Truth>();
  readonly failures: { client: string; round: number; id: ObjectId; why: string }[] = [];
  checked = 0;
  examining = false;

  constructor(lab: Lab) {
    this.#lab = lab;
    lab.clock.every(ROUND_MS, () => {
      const round = lab.server.roundNumber;
      this.#rounds.set(round, this.#truth());
      lab.clock.after(LATENCY_MS + FRAME_MS, () => {
        if (this.examining) for (const client of lab.clients) this.#examine(client, round);
      });
    });
  }

  #truth(): Truth {
    const { world } = this.#lab;
    const versions = new Map<ObjectId, number>();
    const places = new Map<ObjectId, readonly [number, number]>();
    for (const ship of world.all(Ship)) {
      versions.set(ship.id, world.version[world.store.liveSlot(ship.id)]!);
      places.set(ship.id, [ship.x, ship.y]);
    }
    for (const score of world.all(Score)) versions.set(score.id, world.version[world.store.liveSlot(score.id)]!);
    return { versions, places };
  }

  #examine(client: LabClient, round: number): void {
    const player = [...this.#lab.server.main.players.values()].find(({ nickname }) => nickname === client.nickname);
    const pivot = player?.settings.pivots[0];
    if (player === undefined || pivot === undefined || !("object" in pivot)) return;
    const { versions, places } = this.#rounds.get(round)!;
    const [px, py] = places.get(pivot.object)!;
    for (const [id, version] of versions) {
      this.checked += 1;
      const fail = (why: string): void => void this.failures.push({ client: client.nickname, round, id, why });
      const replica = client.world.get(id);
      if (replica === undefined) {
        fail("missing");
        continue;
      }
      const heldRound = client.world.roundOf(id);
      const missed = version - this.#rounds.get(heldRound)!.versions.get(id)!;
      if (missed <= 0) continue;
      const place = places.get(id);
      if (place === undefined || replica.owner === player.id) {
        fail("not equal");
        continue;
      }
      const distance = Math.hypot(place[0] - px, place[1] - py);
      const bound = BOUNDS[distance <= RADII[0]! ? 0 : distance <= RADII[1]! ? 1 : 2]!;
      const ship = replica as unknown as { x: number; y: number };
      if (missed >= bound.sequence) fail(`${missed} updates missed`);
      else if ((round - heldRound) * ROUND_MS >= bound.time) fail(`${(round - heldRound) * ROUND_MS} ms old`);
      else if (Math.hypot(place[0] - ship.x, place[1] - ship.y) >= bound.value) fail("too far off");
    }
    for (const entity of client.world.objects()) {
      if (!versions.has(entity.id))
        this.failures.push({ client: client.nickname, round, id: entity.id, why: "still here" });
    }
  }
}

function scenario(seed: number, conditions: Conditions): { lab: Lab; check: Check; stop: () => void } {
  const lab = new Lab({ protocol, view, roundMs: ROUND_MS, frameMs: FRAME_MS, seed });
  const dice = lab.dice.fork("game");
  for (let i = 0; i < 50; i++) spawnShip(lab.world, dice);
  lab.world.spawn(Score, { name: "score" });
  lab.server.onJoin((player) =>
    player.pivotOn(lab.world.spawn(Ship, { x: dice.range(0, 1000), y: dice.range(0, 1000) }, { owner: player.id })),
  );
  let moving = true;
  lab.server.onRound((world) => {
    if (moving) stir(world, dice);
  });
  const check = new Check(lab);
  for (const nickname of ["ann", "ben", "cay"]) lab.join(nickname, conditions);
  lab.run(500);
  check.examining = true;
  return {
    lab,
    check,
    stop: () => {
      moving = false;
    },
  };
}

describe("on a path without loss", () => {
  it.each(seeds(2021, 3))("seed %i: every pair is kept in every round", (seed) => {
    const { lab, check } = scenario(seed, { latencyMs: LATENCY_MS });
    lab.run(10_000);
    expect(check.failures.slice(0, 3)).toEqual([]);
    expect(check.checked).toBeGreaterThan(20_000);
    expect(lab.server.main.audit.decided).toBe(0);
    expect(lab.server.main.audit.deliveredUpTo(lab.server.roundNumber)).toBe(0);
  });
});

describe("on a path that loses a fifth in bursts", () => {
  it.each(seeds(3031, 4))("seed %i: the server's own count is never below what the clients find", (seed) => {
    const { lab, check, stop } = scenario(seed, { latencyMs: LATENCY_MS, burst: { loss: 0.2, meanBurst: 3 } });
    const { audit } = lab.server.main;
    for (let second = 0; second < 12; second++) {
      lab.run(1000);
      // What is lost shows with the acks of later frames: two seconds are enough for that on this path.
      const known = check.failures.filter(({ round }) => round < lab.server.roundNumber - 40).length;
      expect(audit.deliveredUpTo(lab.server.roundNumber)).toBeGreaterThanOrEqual(known);
    }
    expect(check.failures.length).toBeGreaterThan(0);
    expect(audit.decided).toBe(0);
    stop();
    lab.run(3000);
    expect(audit.open).toBe(0);
    expect(audit.delivered).toBeGreaterThanOrEqual(check.failures.length);
  });

  it("one lost frame is made good within a round trip, an ack and two rounds", () => {
    const { lab, check } = scenario(41, { latencyMs: LATENCY_MS });
    const [ann] = lab.clients;
    for (let i = 0; i < 40; i++) {
      check.failures.length = 0;
      const drop = ann!.path.down.dropNext(({ channel }) => channel === "unsequenced");
      const lostRound = lab.server.roundNumber + 1;
      lab.run(600);
      expect(drop.taken).toBe(1);
      const allowedMs = ROUND_MS + 2 * LATENCY_MS + FRAME_MS + 2 * ROUND_MS;
      const latest = Math.max(lostRound, ...check.failures.map(({ round }) => round));
      expect((latest - lostRound) * ROUND_MS).toBeLessThanOrEqual(allowedMs);
      expect(check.failures.filter(({ client }) => client !== "ann")).toEqual([]);
    }
  });
});
