/** What a server of a cluster knows of the others, and how slices follow a crowd. */

import { Dice, Lab } from "@nearfield/netlab";
import { VirtualClock } from "@nearfield/netlab/internal";
import { describe, expect, it } from "vitest";
import { ClusterGuest, LocalHub } from "../src/internal/index.ts";
import { ClusterLab, protocol, ROUND_MS, Ship, SIZE } from "./cluster-lab.ts";

describe("a server of a cluster", () => {
  it("has copies only of what its players' views reach, with the lead", () => {
    const cluster = new ClusterLab({ seed: 1 });
    cluster.startInColumns(2);
    const [low, high] = cluster.servers;
    for (let x = 5; x < SIZE; x += 10) {
      const { world } = (x < SIZE / 2 ? low! : high!).lab;
      world.spawn(Ship, { x, y: 500 });
    }
    cluster.run(500);
    expect([low!.lab.world.count, high!.lab.world.count]).toEqual([50, 50]);
    low!.lab.server.onJoin((player) => player.setPivots([{ point: [450, 500] }]));
    const { client } = cluster.join(low!, "ann");
    cluster.run(1000);
    // Range 200 around 450, and a lead of 80: the copies reach to 730. The client has what is in range.
    expect(low!.lab.world.count).toBe(50 + 23);
    expect(high!.lab.world.count).toBe(50);
    expect([...client.world.all(Ship)]).toHaveLength(40);
    client.leave();
    cluster.run(1000);
    expect(low!.lab.world.count).toBe(50);
  });

  it("refuses a view with a set that reaches everywhere, and says why", () => {
    const clock = new VirtualClock();
    const dice = new Dice(1);
    const hub = new LocalHub({ clock, random: () => dice.next() });
    const reports: unknown[] = [];
    const view = { sets: [{ match: "everything" as const, bounds: [{ time: 0 }] }], pivots: [] };
    const onError = (error: unknown): void => void reports.push(error);
    const lab = new Lab({ protocol, view, roundMs: ROUND_MS, serverNumber: 1, clock, onError });
    const options = { bus: hub.join("one"), server: 1, now: () => clock.nowMs, lead: 10 };
    lab.server.main.invite((seam) => new ClusterGuest(seam, options));
    lab.server.onJoin((player) => player.setPivots([{ point: [0, 0] }]));
    lab.join("ann");
    clock.advance(2000);
    expect(reports[0]).toMatchObject({ code: "no-range" });
  });

  it("shares a moving crowd with the others: the busiest has at most 1.3 times the mean, ten seconds after a shift", () => {
    const cluster = new ClusterLab({ seed: 3, balances: true });
    for (let i = 0; i < 4; i++) cluster.start();
    cluster.run(1000);
    const { dice } = cluster;
    const [first] = cluster.servers;
    for (let i = 0; i < 200; i++) first!.lab.world.spawn(Ship, { x: dice.range(0, SIZE), y: dice.range(0, SIZE) });
    const loads = (): number[] =>
      cluster.servers.map(({ lab: { world } }) => [...world.all(Ship)].filter((ship) => !world.isForeign(ship)).length);
    const imbalance = (): number => Math.max(...loads()) / 50;
    cluster.run(10_000);
    expect(imbalance()).toBeLessThanOrEqual(1.3);
    // Everybody goes to one corner.
    for (const { lab } of cluster.servers) {
      for (const ship of lab.world.all(Ship)) {
        if (!lab.world.isForeign(ship)) Object.assign(ship, { x: ship.x / 4, y: ship.y / 4 });
      }
    }
    cluster.run(10_000);
    expect(loads().reduce((sum, load) => sum + load)).toBe(200);
    expect(imbalance()).toBeLessThanOrEqual(1.3);
  });
});
