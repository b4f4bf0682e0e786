import { zones } from "@nearfield/core";
import { Lab } from "@nearfield/netlab";
import { object, Protocol, quantized } from "@nearfield/schema";
import type { Player } from "@nearfield/server";
import { describe, expect, it } from "vitest";
import { NetworkConditions } from "./network-conditions.ts";

const Ship = object("ship", { x: quantized(0, 1000, 0.1), y: quantized(0, 1000, 0.1) }, { position: ["x", "y"] });

/** Two ships that never rest, so that every round has something to send. */
function scene() {
  const lab = new Lab({
    protocol: new Protocol({ objects: [Ship] }),
    view: zones(Ship, { radii: [], bounds: [{ time: 0 }] }),
    roundMs: 20,
    seed: 3,
  });
  const time = { now: () => lab.clock.nowMs, after: (ms: number, task: () => void) => lab.clock.after(ms, task) };
  const network = new NetworkConditions(time, "seed");
  lab.server.wrapLinks(network.wrap);
  const ships = [0, 1].map((index) => lab.world.spawn(Ship, { x: 100 * index, y: 0 }));
  lab.server.onRound(() => {
    for (const ship of ships) ship.y = (ship.y + 1) % 1000;
  });
  const clients = ["ann", "bob"].map((name) => lab.join(name, { latencyMs: 5 }));
  lab.run(2000);
  const playerOf = (name: string): Player =>
    [...lab.server.main.players.values()].find(({ nickname }) => nickname === name)!;
  return { lab, network, clients, ann: playerOf("ann"), bob: playerOf("bob") };
}

const roundTripMs = ({ telemetry }: Player): number => telemetry.roundTripRounds * 20;

/** The share of packets lost while so much time passes. */
function lossWhile(lab: Lab, { telemetry }: Player, ms: number): number {
  const { packetsLost, packetsArrived } = telemetry;
  lab.run(ms);
  const lost = telemetry.packetsLost - packetsLost;
  return lost / (lost + telemetry.packetsArrived - packetsArrived);
}

describe("NetworkConditions", () => {
  it("offers every network by its title, and none", () => {
    const { network } = scene();
    expect(network.presets).toEqual(["none", "Wired", "Wi-Fi", "4G", "Satellite", "UMTS", "GPRS", "GPRS, on the move"]);
  });

  it("changes the round trip and the loss of one player, from now on and back", () => {
    const { lab, network, ann, bob } = scene();
    const untouchedMs = roundTripMs(ann);
    expect(untouchedMs).toBeLessThan(80);
    network.set(ann, "UMTS");
    lab.run(5000);
    expect(roundTripMs(ann)).toBeGreaterThan(untouchedMs + 300);
    expect(roundTripMs(ann)).toBeLessThan(untouchedMs + 450);
    network.set(ann, "4G");
    lab.run(5000);
    const loss = lossWhile(lab, ann, 20_000);
    expect(loss).toBeGreaterThan(0.015);
    expect(loss).toBeLessThan(0.045);
    expect(roundTripMs(ann)).toBeLessThan(untouchedMs + 100);
    network.set(ann, "none");
    lab.run(2000);
    expect(lossWhile(lab, ann, 5000)).toBe(0);
    expect(Math.abs(roundTripMs(ann) - untouchedMs)).toBeLessThan(5);
    expect(Math.abs(roundTripMs(bob) - untouchedMs)).toBeLessThan(5);
    expect(bob.telemetry.packetsLost).toBe(0);
    expect(ann.presence).toBe("here");
  });

  it("keeps a player even on the narrowest, and lets it catch up soon after", () => {
    const { lab, network, ann } = scene();
    const untouchedMs = roundTripMs(ann);
    network.set(ann, "GPRS, on the move");
    lab.run(30_000);
    expect(ann.presence).toBe("here");
    expect(roundTripMs(ann)).toBeGreaterThan(900);
    network.set(ann, "none");
    lab.run(5000);
    expect(Math.abs(roundTripMs(ann) - untouchedMs)).toBeLessThan(10);
  });

  it("stays with a player who comes back over another link, until it leaves", () => {
    const { lab, network, clients, ann } = scene();
    network.set(ann, "UMTS");
    const { address } = ann;
    clients[0]!.breakLink();
    lab.run(10_000);
    expect(ann.presence).toBe("here");
    expect(ann.address).not.toBe(address);
    expect(roundTripMs(ann)).toBeGreaterThan(300);
    const waiting = lab.clock.pending;
    clients[0]!.leave();
    lab.run(5000);
    expect(ann.presence).toBe("left");
    expect(lab.clock.pending).toBeLessThan(waiting);
  });

  it("says why a player cannot have any", () => {
    const { lab, network } = scene();
    const local = lab.server.localPlayer("bot");
    expect(() => network.set(local, "4G")).toThrow("bot is played by the server itself");
  });
});
