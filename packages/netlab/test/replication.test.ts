/** The first thing of all: a field changes on the server, bytes leave, a client has it. */

import { zones } from "@nearfield/core";
import { angle, command, event, object, Protocol, quantized, uint } from "@nearfield/schema";
import { describe, expect, it } from "vitest";
import { Lab } from "../src/index.ts";

const Ship = object(
  "ship",
  { x: quantized(0, 5000, 0.01), y: quantized(0, 5000, 0.01), heading: angle(10), hull: uint(7) },
  { position: ["x", "y"], orientation: "heading" },
);
const Steer = command("steer", { heading: angle(10) });
const Shot = event("shot", { x: quantized(0, 5000, 1), y: quantized(0, 5000, 1) });
const protocol = new Protocol({ objects: [Ship], commands: [Steer], events: [Shot] });
const view = zones(Ship, { radii: [100], bounds: [{ time: 0 }, { time: 500 }] });

describe("replication over a perfect link", () => {
  it("brings a new object, its changes and its end to a client", () => {
    const lab = new Lab({ protocol, view, roundMs: 50, seed: 1 });
    const ship = lab.world.spawn(Ship, { x: 10, y: 20, hull: 100 });
    const ann = lab.join("ann");
    lab.run(200);
    expect(ann.client.state).toBe("active");
    const replica = ann.world.get(ship.id)!;
    expect([replica["x"], replica["y"], replica["hull"]]).toEqual([10, 20, 100]);
    ship.x = 30;
    lab.run(1000);
    expect(replica["x"]).toBe(30);
    lab.world.destroy(ship);
    lab.run(200);
    expect(replica.alive).toBe(false);
    expect(ann.world.count).toBe(0);
  });

  it("carries commands up and events down", () => {
    const lab = new Lab({ protocol, view, roundMs: 50, seed: 1 });
    const heard: number[] = [];
    lab.server.onJoin((player) => player.pivotOn(lab.world.spawn(Ship, { x: 1, y: 1 }, { owner: player.id })));
    lab.server.onCommand(Steer, (player, { heading }) => {
      player.owned()[0]!["heading"] = heading;
      lab.server.emit(Shot, { x: 7, y: 8 });
    });
    const ann = lab.join("ann");
    ann.client.onEvent(Shot, ({ x }) => heard.push(x));
    lab.run(200);
    ann.client.send(Steer, { heading: Math.PI / 2 });
    lab.run(200);
    expect(heard).toEqual([7]);
    const [mine] = [...ann.world.all(Ship)];
    expect(mine!.heading).toBeCloseTo(Math.PI / 2, 2);
    expect(ann.world.isMine(mine!)).toBe(true);
  });
});
