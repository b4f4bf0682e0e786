/**
 * Views from the client's side: pivots that move on a lossy path, spectators, objects that leave and come back, fog,
 * explanations.
 */

import { explain, onExplanations, onViewSet, setPivots } from "@nearfield/client/views";
import { limitsOf, zones } from "@nearfield/core";
import { describe, expect, it } from "vitest";
import { Lab } from "../src/index.ts";
import { ROUGH } from "./conditions.ts";
import { protocol, Ship, view } from "./scenario.ts";

const ranged = zones(Ship, { radii: [50], bounds: [{ time: 0 }, { time: 100 }], range: 100 });

describe("pivots", () => {
  it("of a spectator go anywhere, and reach the server even if most messages are lost", () => {
    const lab = new Lab({ protocol, view: ranged, roundMs: 50, seed: 2, spectators: "anybody" });
    for (let x = 0; x < 1000; x += 50) lab.world.spawn(Ship, { x, y: 0 });
    const eye = lab.join("eye", { latencyMs: 30, loss: 0.6 }, { role: "spectator" });
    lab.until(() => eye.client.state === "active", 30_000);
    for (let i = 0; i < 30; i++) {
      const x = (i * 370) % 950;
      setPivots(eye.client, [{ point: [x, 0] }]);
      const expected = [...lab.world.all(Ship)].filter((ship) => Math.abs(ship.x - x) <= 100).map(({ id }) => id);
      lab.until(() => expected.every((id) => eye.world.get(id) !== undefined), 20_000);
    }
    setPivots(eye.client, [{ point: [500, 0] }]);
    lab.run(20_000);
    expect([...eye.world.all(Ship)].map(({ x }) => x).sort((a, b) => a - b)).toEqual([400, 450, 500, 550, 600]);
  });

  it("are sent until confirmed, then no more", () => {
    const seen: number[] = [];
    const lab = new Lab({
      protocol,
      view: ranged,
      roundMs: 50,
      spectators: "anybody",
      onPacket: ({ direction, channel, bytes, atMs }) => {
        if (direction === "up" && channel === "sequenced" && (bytes[0]! & 31) === 2) seen.push(atMs);
      },
    });
    const eye = lab.join("eye", { latencyMs: 40 }, { role: "spectator" });
    lab.run(500);
    setPivots(eye.client, [{ point: [5, 5] }]);
    lab.run(1000);
    expect(seen.length).toBeGreaterThan(0);
    expect(Math.max(...seen)).toBeLessThan(500 + 40 + 50 + 40 + 50);
  });

  it("on somebody else's object are left out for a player, and it is told", () => {
    const lab = new Lab({ protocol, view, roundMs: 50 });
    const other = lab.world.spawn(Ship, { x: 1, y: 1 });
    const ann = lab.join("ann");
    const clamped: string[] = [];
    onViewSet(ann.client, (set) => clamped.push(...set.clamped));
    lab.run(200);
    setPivots(ann.client, [{ object: other.id }]);
    lab.run(200);
    expect(clamped).toEqual(["pivots[0]: this view may not be centred there"]);
    expect(ann.client.state).toBe("active");
  });

  it("on an object that changes hands are asked about again; those of the game stay", () => {
    const lab = new Lab({ protocol, view, roundMs: 50 });
    const ships = [1, 2].map((x) => lab.world.spawn(Ship, { x, y: 1 }));
    const [ann, bob] = [lab.join("ann"), lab.join("bob")];
    const told: string[] = [];
    onViewSet(ann.client, (set) => told.push(...set.clamped));
    lab.run(200);
    const [first, second] = lab.server.main.players.values();
    for (const [index, player] of [first!, second!].entries()) lab.world.setOwner(ships[index]!, player.id);
    second!.pivotOn(ships[1]!);
    lab.run(200);
    setPivots(ann.client, [{ object: ships[0]!.id }]);
    lab.run(200);
    expect(first!.settings.pivots).toEqual([{ object: ships[0]!.id }]);
    lab.world.setOwner(ships[0]!, bob.world.session);
    lab.world.setOwner(ships[1]!, ann.world.session);
    lab.run(200);
    expect(first!.settings.pivots).toEqual([]);
    expect(told).toEqual(["pivots[0]: this view may not be centred there"]);
    expect(second!.settings.pivots).toEqual([{ object: ships[1]!.id }]);
  });

  it("of a group are clamped to what the room grants groups", () => {
    const lab = new Lab({ protocol, view, roundMs: 50, viewLimits: limitsOf(view, { groups: 30 }) });
    lab.server.onJoin((player) => player.pivotOn(lab.world.spawn(Ship, { x: 1, y: 1 }, { owner: player.id })));
    const ann = lab.join("ann");
    lab.run(200);
    const [ship] = [...ann.world.all(Ship)];
    setPivots(ann.client, [{ group: [ship!.id], margin: 1e6, coefficients: [1.5, 40], scale: 3 }]);
    lab.run(200);
    const [player] = [...lab.server.main.players.values()];
    expect(player!.settings.pivots).toEqual([
      { group: [ship!.id], margin: 100, coefficients: [1.5, 40], scale: 1, spread: 30 },
    ]);
  });
});

describe("existence", () => {
  it("objects leave and come back with the range; leaving is not being destroyed", () => {
    const lab = new Lab({ protocol, view: ranged, roundMs: 50, seed: 4 });
    const wanderer = lab.world.spawn(Ship, { x: 0, y: 0 });
    lab.server.onJoin((player) => player.pivotOn(lab.world.spawn(Ship, { x: 0, y: 0 }, { owner: player.id })));
    const ann = lab.join("ann", ROUGH);
    const log: string[] = [];
    ann.client.onSpawn(Ship, (ship) => ship.id === wanderer.id && log.push("came"));
    ann.client.onLeave(Ship, (ship) => ship.id === wanderer.id && log.push(`left at ${Math.round(ship.x / 10) * 10}`));
    ann.client.onDestroy(Ship, (ship) => ship.id === wanderer.id && log.push("destroyed"));
    lab.run(2000);
    for (const x of [300, 50, 300, 90]) {
      wanderer.x = x;
      lab.run(3000);
    }
    lab.world.destroy(wanderer);
    lab.run(3000);
    expect(log).toEqual(["came", "left at 0", "came", "left at 50", "came", "destroyed"]);
  });

  it("what may not be known is never sent, not even as an id", () => {
    const lab = new Lab({
      protocol,
      view,
      roundMs: 50,
      visible: (player, entity) => entity.owner === player.id || entity["shields"] === false,
    });
    const spy = lab.world.spawn(Ship, { x: 1, y: 1, shields: true });
    const [ann, ben] = [lab.join("ann"), lab.join("ben")];
    lab.run(500);
    expect([ann.world.count, ben.world.count]).toEqual([0, 0]);
    spy.shields = false;
    lab.run(500);
    expect(ann.world.get(spy.id)!["x"]).toBe(1);
    lab.world.setOwner(spy, ben.world.session);
    spy.shields = true;
    lab.run(500);
    expect([ann.world.count, ben.world.count]).toEqual([0, 1]);
  });
});

describe("explanations", () => {
  it("say why each object was last sent, also that it rode along with what was due", () => {
    const sets = [{ match: "everything" as const, bounds: [{ value: 10 }] }];
    const lab = new Lab({ protocol, view: { sets, pivots: [{ point: [0, 0] }] }, roundMs: 50, ripe: 0.5 });
    const [fast, slow] = [lab.world.spawn(Ship, { x: 100, y: 0 }), lab.world.spawn(Ship, { x: 100, y: 300 })];
    lab.server.onRound(() => {
      fast.x += 0.5;
      slow.x += 0.4;
    });
    const ann = lab.join("ann");
    lab.run(300);
    const causes = new Map<number, Set<string | undefined>>();
    const sent: [cause: string | undefined, lastSend: number][] = [];
    onExplanations(ann.client, (_, list) => {
      for (const { id, cause, lastSend } of list) {
        causes.set(id, (causes.get(id) ?? new Set()).add(cause));
        if (id === slow.id) sent.push([cause, lastSend]);
      }
    });
    explain(ann.client, 3);
    lab.run(6000);
    // The slow one has reached four fifths of its bound whenever the fast one is due.
    expect([...causes.get(fast.id)!].sort()).toEqual(["creation", "value"]);
    expect([...causes.get(slow.id)!].sort()).toEqual(["creation", "ripe"]);
    expect(sent.at(-1)![1]).toBeGreaterThan(sent[0]![1]);
  });

  it("tell bound and divergence of chosen objects, or of all in turn, apart from the game's traffic", () => {
    const lab = new Lab({ protocol, view, roundMs: 50 });
    lab.server.onJoin((player) => player.pivotOn(lab.world.spawn(Ship, { x: 0, y: 0 }, { owner: player.id })));
    const far = lab.world.spawn(Ship, { x: 900, y: 0 });
    for (let i = 0; i < 60; i++) lab.world.spawn(Ship, { x: i, y: 500 });
    lab.server.onRound(() => {
      far.y += 0.5;
    });
    const ann = lab.join("ann");
    lab.run(300);
    const player = [...lab.server.main.players.values()][0]!;
    const zonesSeen = new Map<number, Set<number>>();
    const rounds: number[] = [];
    onExplanations(ann.client, (round, list) => {
      rounds.push(round);
      for (const { id, zone, bound, divergence } of list) {
        expect(divergence.time).toBeLessThanOrEqual(bound.time);
        zonesSeen.set(id, (zonesSeen.get(id) ?? new Set()).add(zone));
      }
    });
    explain(ann.client, 2, [far.id]);
    lab.run(1000);
    expect([...zonesSeen.keys()]).toEqual([far.id]);
    expect([...zonesSeen.get(far.id)!]).toEqual([2]);
    expect(rounds.every((round) => round % 2 === 0)).toBe(true);
    explain(ann.client, 1);
    lab.run(1000);
    expect(zonesSeen.size).toBe(lab.world.count);
    explain(ann.client, 0);
    lab.run(200);
    const { debugBytesOut } = player.telemetry;
    expect(debugBytesOut).toBeGreaterThan(1000);
    const before = player.telemetry.bytesOut;
    lab.run(1000);
    expect(player.telemetry.debugBytesOut).toBe(debugBytesOut);
    expect(player.telemetry.bytesOut - before).toBeLessThan(1000);
  });
});
