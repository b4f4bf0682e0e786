/**
 * Who shot whom, end to end: ann shoots bob, and bob, who does not know it yet, shoots cay a moment later. Bob's link is fast, so the
 * server hears of his shot first. All players must be told the same, and the truth: only that ann killed bob.
 */

import { predict } from "@nearfield/client";
import { type Entity, zones } from "@nearfield/core";
import { bool, command, event, float64, object, Protocol, quantized, uint } from "@nearfield/schema";
import { LifeCycle } from "@nearfield/server";
import { describe, expect, it } from "vitest";
import { Lab, type LabClient } from "../src/index.ts";

const place = quantized(0, 1000, 0.1);
const Ship = object("ship", { x: place, y: place }, { position: ["x", "y"] });
const Act = command("act", { fires: bool(), target: uint(32), renderMs: float64() });
const Killed = event("killed", { attacker: uint(32), target: uint(32) });
const protocol = new Protocol({ objects: [Ship], commands: [Act], events: [Killed] });
const ROUND_MS = 50;
const IDLE = { fires: false, target: 0, renderMs: 0 };

interface Gunner {
  readonly client: LabClient;
  readonly heard: string[];
  readonly id: number;
  fireAt(target: number): void;
}

/** Ann at a trip of 300 ms, bob and cay at 20; how long blows are held, and whether the server asks how early one can still come. */
function standoff(windowMs: number, asks: boolean): { lab: Lab; ann: Gunner; bob: Gunner; cay: Gunner } {
  const view = zones(Ship, { bounds: [{ time: 0, value: 0 }] });
  const lagCompensation = { targets: [Ship], capMs: 500 };
  const lab = new Lab({ protocol, view, roundMs: ROUND_MS, seed: 3, lagCompensation });
  const life = new LifeCycle({ windowMs });
  const room = lab.server.main;
  lab.server.onJoin((player) => {
    const ship = lab.world.spawn(Ship, { x: 100 * player.id, y: 500 }, { owner: player.id });
    life.enter(ship.id, 100, lab.server.timeMs);
    player.pivotOn(ship);
  });
  lab.server.steps(Ship, Act, () => {});
  lab.server.onStep(Ship, Act, (player, own, { fires, target, renderMs }) => {
    const aimed = [...lab.world.all(Ship)].find(({ id }) => id === target);
    if (!fires || aimed === undefined) return;
    const { atMs } = room.seenBy(player, aimed, { renderMs });
    life.strike({ atMs, attacker: own.id, target: aimed.id, damage: 100 });
  });
  lab.server.onRound(() => {
    const earliestMs = asks ? room.earliestShotMs : Number.NEGATIVE_INFINITY;
    life.settle(
      lab.server.timeMs,
      ({ attacker, target, killed }) => killed && room.emit(Killed, { attacker: attacker!, target }),
      earliestMs,
    );
  });
  const [ann, bob, cay] = [join(lab, "ann", 150), join(lab, "bob", 10), join(lab, "cay", 10)];
  lab.run(8000);
  return { lab, ann: gunner(ann), bob: gunner(bob), cay: gunner(cay) };
}

function join(lab: Lab, nickname: string, latencyMs: number): LabClient {
  const client = lab.join(nickname, { latencyMs });
  lab.until(() => client.world.count > 0);
  return client;
}

function gunner(client: LabClient): Gunner {
  const own = [...client.world.all(Ship)].find((ship: Entity<typeof Ship.shape>) => client.world.isMine(ship))!;
  const me = predict(client.client, own, Act, () => {});
  const heard: string[] = [];
  let aim: number | undefined;
  client.client.onEvent(Killed, ({ attacker, target }) => heard.push(`${attacker} killed ${target}`));
  client.client.activity((world) => {
    me.command(aim === undefined ? IDLE : { fires: true, target: aim, renderMs: world.renderMs });
    aim = undefined;
  });
  const fireAt = (target: number): void => {
    aim = target;
  };
  return { client, heard, id: own.id, fireAt };
}

/** Ann shoots bob, and so many ms later bob shoots cay. What each was told of it. */
function shootOut(windowMs: number, asks: boolean, laterMs = 32): { told: string[][]; truth: string; lie: string } {
  const { lab, ann, bob, cay } = standoff(windowMs, asks);
  ann.fireAt(bob.id);
  lab.run(laterMs);
  bob.fireAt(cay.id);
  lab.run(3000);
  const told = [ann, bob, cay].map(({ heard }) => heard);
  return { told, truth: `${ann.id} killed ${bob.id}`, lie: `${bob.id} killed ${cay.id}` };
}

describe("a life cycle with a local rollback window", () => {
  it("tells everybody only that ann killed bob", () => {
    const { told, truth } = shootOut(500, false);
    expect(told).toEqual([[truth], [truth], [truth]]);
  });

  it("waits no longer than a shot can still be granted", () => {
    const { told, truth } = shootOut(10_000, true);
    expect(told).toEqual([[truth], [truth], [truth]]);
  });

  it("publishes both where bob shot before ann's shot struck", () => {
    const { lab, ann, bob, cay } = standoff(500, true);
    bob.fireAt(cay.id);
    lab.run(64);
    ann.fireAt(bob.id);
    lab.run(3000);
    const both = [`${bob.id} killed ${cay.id}`, `${ann.id} killed ${bob.id}`];
    expect([ann.heard, bob.heard, cay.heard]).toEqual([both, both, both]);
  });

  it("with a window shorter than ann's way, tells the faster story, and sticks to it", () => {
    const { told, lie } = shootOut(100, false);
    expect(told).toEqual([[lie], [lie], [lie]]);
  });
});
