/**
 * No replica goes back in time. The primaries' whole history is kept, and after every merge each replica must be, in
 * all its fields, what its primary was in the very round that the replica says it has; and that round never falls. So
 * no field is ever newer or older than the others, and ids that are reused never mix two objects.
 */

import type { ObjectId } from "@nearfield/schema";
import { describe, expect, it } from "vitest";
import { Lab, type LabClient } from "../src/index.ts";
import { ROUGH } from "./conditions.ts";
import { primaries, protocol, replicas, Ship, spawnShip, stir, view } from "./scenario.ts";
import { seeds } from "./seeds.ts";

class History {
  readonly #rounds: Map<ObjectId, string>[] = [];

  record(round: number, state: Map<ObjectId, string>): void {
    this.#rounds[round] = state;
  }

  at(round: number, id: ObjectId): string | undefined {
    return this.#rounds[round]?.get(id);
  }
}

function watch(client: LabClient, history: History, faults: string[]): void {
  const newest = new Map<ObjectId, number>();
  client.client.activity((world) => {
    for (const [id, state] of replicas(world)) {
      const round = world.roundOf(id);
      if (round < (newest.get(id) ?? 0))
        faults.push(`${client.nickname}: ${id} fell from round ${newest.get(id)} to ${round}`);
      newest.set(id, round);
      const was = history.at(round, id);
      if (was !== state) faults.push(`${client.nickname}: ${id} is ${state}, but was ${was} in round ${round}`);
    }
  });
}

describe.each(seeds(1011, 4))("seed %i", (seed) => {
  it("every replica is its primary as of one round, and the rounds ascend", () => {
    const lab = new Lab({ protocol, view, roundMs: 50, seed });
    const dice = lab.dice.fork("game");
    const history = new History();
    const faults: string[] = [];
    for (let i = 0; i < 40; i++) spawnShip(lab.world, dice);
    lab.server.onJoin((player) => player.pivotOn(lab.world.spawn(Ship, { x: 500, y: 500 }, { owner: player.id })));
    lab.server.onRound((world) => {
      stir(world, dice, 0.7);
      // Ids come round: far more objects than slots.
      for (let i = 0; i < 70; i++) world.destroy(world.spawn(Ship));
    });
    lab.clock.every(50, () => history.record(lab.server.roundNumber, primaries(lab.world)));
    for (const nickname of ["ann", "ben"]) watch(lab.join(nickname, ROUGH), history, faults);
    watch(lab.join("cay", { latencyMs: 20 }), history, faults);
    lab.run(6000);
    lab.clients[0]!.breakLink();
    lab.run(6000);
    expect(faults.slice(0, 3)).toEqual([]);
    expect(lab.clients.every(({ client }) => client.state === "active" && client.counters.applied > 100)).toBe(true);
  });
});
