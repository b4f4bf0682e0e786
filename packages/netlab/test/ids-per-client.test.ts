/**
 * Rooms in which each client has ids of its own (`idsPerClient`): replicas are right on rough paths, ids in messages reach the objects they mean, and no byte depends on objects
 * that a client does not see.
 */

import { setPivots, viewOf } from "@nearfield/client/views";
import { add, lock, release, remove } from "@nearfield/client/writing";
import type { Entity } from "@nearfield/core";
import type { ObjectId } from "@nearfield/schema";
import { describe, expect, it } from "vitest";
import { Lab, type LabClient } from "../src/index.ts";
import type { LabPacket } from "../src/internal/index.ts";
import { ROUGH } from "./conditions.ts";
import { Crate, Probe, primaries, protocol, replicas, rest, Score, Ship, spawnShip, stir, view } from "./scenario.ts";
import { seeds } from "./seeds.ts";

type LabOptions = ConstructorParameters<typeof Lab>[0];

const ROUND_MS = 50;

function setUp(more: Partial<LabOptions> = {}): Lab {
  return new Lab({ protocol, view, roundMs: ROUND_MS, idsPerClient: true, ...more });
}

/** What is wrong with a replica: objects are found by what their client calls them. */
function faults(lab: Lab, client: LabClient, isVisible: (entity: Entity) => boolean): string[] {
  const player = [...lab.server.main.players.values()].find(({ nickname }) => nickname === client.nickname)!;
  const held = replicas(client.world);
  const wrong: string[] = [];
  for (const [id, fields] of primaries(lab.world)) {
    const entity = lab.world.get(id)!;
    if (!isVisible(entity)) continue;
    const name = player.idOf(entity);
    const has = name === undefined ? undefined : held.get(name);
    if (has !== fields) wrong.push(`${id}, called ${name}: ${has ?? "missing"} instead of ${fields}`);
    else held.delete(name!);
  }
  for (const name of held.keys()) wrong.push(`${name}: still here`);
  return wrong;
}

describe.each(seeds(1, 8))("seed %i", (seed) => {
  it("replicas are right on a rough path, while objects are born, die, and come and go in the fog", () => {
    const isSeen = ({ x }: { readonly x: number }, side: number): boolean => x < 500 === (side === 0);
    const sideOf = new Map<number, number>();
    const lab = setUp({
      seed,
      visible: (player, entity) =>
        entity.type !== (Ship as unknown) || isSeen(entity as unknown as { x: number }, sideOf.get(player.id)!),
    });
    const dice = lab.dice.fork("game");
    for (let i = 0; i < 60; i++) spawnShip(lab.world, dice);
    lab.world.spawn(Score, { name: "round one" });
    lab.server.onJoin((player) => void sideOf.set(player.id, player.id % 2));
    let moving = true;
    lab.server.onRound((world) => {
      if (!moving) return;
      for (let turn = 0; turn < 4; turn++) stir(world, dice, 0.2);
    });
    const clients = [lab.join("ann", ROUGH), lab.join("ben", ROUGH)];
    lab.run(8000);
    clients[0]!.breakLink();
    lab.run(4000);
    moving = false;
    rest(lab);
    for (const client of clients) {
      expect([client.client.state, client.client.reason]).toEqual(["active", undefined]);
      const player = [...lab.server.main.players.values()].find(({ nickname }) => nickname === client.nickname)!;
      const side = sideOf.get(player.id)!;
      const isVisible = (entity: Entity): boolean =>
        entity.type !== (Ship as unknown) || isSeen(entity as unknown as { x: number }, side);
      expect(faults(lab, client, isVisible)).toEqual([]);
      expect(client.world.count).toBeGreaterThan(5);
    }
    expect(lab.server.main.audit.faults).toBe(0);
  });

  it("sends the same bytes whether or not there are objects that a client does not see", () => {
    const packetsOf = (hidden: number): string[] => {
      const log: string[] = [];
      const onPacket = ({ atMs, client, direction, channel, bytes }: LabPacket): void => {
        if (direction === "down") log.push(`${atMs} ${client} ${channel} ${Buffer.from(bytes).toString("hex")}`);
      };
      const lab = setUp({ seed, onPacket, visible: (_, entity) => !entity.tags.has("secret") });
      const dice = lab.dice.fork("game");
      const secretDice = lab.dice.fork("secrets");
      lab.server.onRound((world) => {
        for (let i = 0; i < hidden; i++) {
          const at = { x: secretDice.range(0, 1000), y: secretDice.range(0, 1000) };
          world.spawn(Ship, at, { tags: ["secret"] });
        }
        const secrets = [...world.all(Ship)].filter(({ tags }) => tags.has("secret"));
        for (const ship of secrets) {
          ship.x = secretDice.range(0, 1000);
          if (secretDice.chance(0.1)) world.destroy(ship);
        }
        const seen = [...world.all(Ship)].filter(({ tags }) => !tags.has("secret"));
        for (const ship of seen.sort((a, b) => world.worldIdOf(a) - world.worldIdOf(b))) {
          ship.x = dice.range(0, 1000);
          if (dice.chance(0.02)) world.destroy(ship);
        }
        for (let i = 0; i < 3; i++) spawnShip(world, dice);
      });
      lab.join("ann");
      lab.join("ben", { latencyMs: 40, jitterMs: 10 });
      lab.run(6000);
      return log;
    };
    const without = packetsOf(0);
    expect(without.length).toBeGreaterThan(100);
    expect(packetsOf(7)).toEqual(without);
  });
});

describe("ids in messages", () => {
  it("mean what the client means: pivots, writes, locks, objects of its own", async () => {
    const lab = setUp({ clientMayAdd: [Probe], visible: (_, entity) => !entity.tags.has("secret") });
    for (let i = 0; i < 50; i++) lab.world.spawn(Ship, { x: i, y: i }, { tags: ["secret"] });
    const crate = lab.world.spawn(Crate, { x: 5, y: 5, label: "tea" });
    lab.server.onJoin((player) => player.pivotOn(lab.world.spawn(Ship, { x: 500, y: 500 }, { owner: player.id })));
    const ann = lab.join("ann");
    lab.until(() => ann.client.state === "active" && [...ann.world.all(Crate)].length === 1);
    const [player] = [...lab.server.main.players.values()];
    const own = [...ann.world.all(Ship)][0]!;
    const seen = [...ann.world.all(Crate)][0]!;
    // The view, which is told before the frame, names the ship.
    expect([own.id, seen.id]).toEqual([1, 2]);
    expect(player!.entityOf(seen.id)).toBe(crate);
    expect([player!.idOf(crate), player!.entityOf(17)]).toEqual([seen.id, undefined]);
    expect(viewOf(ann.client)?.settings.pivots).toEqual([{ object: own.id }]);

    setPivots(ann.client, [{ object: own.id, scale: 1 }]);
    lab.run(300);
    expect(player!.settings.pivots).toMatchObject([{ object: player!.owned()[0]!.id }]);

    const locking = lock(ann.client, seen);
    lab.run(300);
    await locking;
    seen.label = "coffee";
    release(ann.client, seen);
    lab.run(300);
    expect(crate.label).toBe("coffee");

    const adding = add(ann.client, Probe, { x: 9, y: 9 });
    lab.run(300);
    const probe = await adding;
    probe.mode = "scan";
    lab.run(300);
    const primary = [...lab.world.all(Probe)][0]!;
    expect([primary.mode, player!.entityOf(probe.id)]).toEqual(["scan", primary]);
    remove(ann.client, probe);
    lab.run(300);
    expect(lab.world.get(primary.id)).toBe(undefined);
    expect(ann.client.state).toBe("active");
  });

  it("that name nothing reach nothing: a guess finds no hidden object", async () => {
    const lab = setUp({ visible: (_, entity) => !entity.tags.has("secret") });
    const crates = Array.from({ length: 20 }, () => lab.world.spawn(Crate, { x: 1, y: 1 }, { tags: ["secret"] }));
    lab.world.spawn(Crate, { x: 2, y: 2 });
    const ann = lab.join("ann");
    lab.until(() => ann.client.state === "active" && ann.world.count === 1);
    const [player] = [...lab.server.main.players.values()];
    for (const { id } of crates.slice(2)) expect(player!.entityOf(id)).toBe(undefined);
    const guess = { ...[...ann.world.all(Crate)][0]!, id: crates[9]!.id as ObjectId, type: Crate };
    const locking = lock(ann.client, guess as never).catch((error: unknown) => (error as { code: string }).code);
    lab.run(500);
    expect(await locking).toBe("gone");
  });
});
