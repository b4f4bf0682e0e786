/** Lag compensation in a room: who is asked of, who is not, and what a mistake in its options is told. */

import { type Entity, zones } from "@nearfield/core";
import { bool, command, object, Protocol, quantized } from "@nearfield/schema";
import type { LagCompensationOptions, Sighting } from "@nearfield/server/internal";
import { describe, expect, it } from "vitest";
import { Lab } from "../src/index.ts";

const place = quantized(0, 1000, 0.1);
const Ship = object("ship", { x: place, y: place }, { position: ["x", "y"] });
const Score = object("score", { points: place });
const Fire = command("fire", { now: bool() });
const protocol = new Protocol({ objects: [Ship, Score], commands: [Fire] });

function open(lagCompensation?: LagCompensationOptions): Lab {
  const view = zones(Ship, { bounds: [{ time: 0, value: 0 }], range: 200, radii: [] });
  const lagged = lagCompensation === undefined ? {} : { lagCompensation };
  return new Lab({ protocol, view, roundMs: 50, seed: 5, spectators: "anybody", ...lagged });
}

describe("a room with lag compensation", () => {
  it("answers in the handler of a reliable command as well", () => {
    const lab = open({ targets: [Ship], presentation: { model: "hold", convergence: "snap" } });
    const target = lab.world.spawn(Ship, { x: 100, y: 100 });
    const far = lab.world.spawn(Ship, { x: 900, y: 900 });
    lab.server.onJoin((player) => player.pivotOn(lab.world.spawn(Ship, { x: 100, y: 150 }, { owner: player.id })));
    lab.server.onRound(() => {
      target.x = 100 + (lab.server.roundNumber % 100);
    });
    const seen: Sighting[] = [];
    lab.server.onCommand(Fire, (player) => {
      const claim = { renderMs: Number.NaN };
      for (const ship of [target, far]) seen.push(lab.server.main.seenBy(player, ship, claim));
      const own = player.owned()[0] as unknown as Entity<typeof Ship.shape>;
      seen.push(lab.server.main.seenBy(player, own, claim));
    });
    const ann = lab.join("ann", { latencyMs: 100 });
    lab.run(3000);
    const shown = (ann.world.get(target.id) as unknown as { x: number }).x;
    ann.client.send(Fire, { now: true });
    lab.run(500);
    expect(seen[0]).toMatchObject({ basis: "seen", x: shown, clampedMs: 0 });
    // How long the client waits for its next frame is known on average only: to half of it.
    expect(seen[0]!.backMs).toBeGreaterThanOrEqual(100 - 4);
    expect(seen[0]!.backMs).toBeLessThanOrEqual(200);
    expect(seen[1]).toMatchObject({ basis: "present", why: "unseen", x: 900, backMs: 0 });
    expect(seen[2]).toMatchObject({ basis: "present", why: "unseen", y: 150 });
  });

  it("lets a player of the server's own process see the present", () => {
    const lab = open({ targets: [Ship] });
    const target = lab.world.spawn(Ship, { x: 100, y: 100 });
    const player = lab.server.localPlayer("bot");
    lab.run(100);
    expect(lab.server.main.seenBy(player, target, { renderMs: 0 })).toMatchObject({ basis: "present", why: "local" });
  });

  it("waits for no spectator, for nobody who is away, and for a newcomer no longer than the cap", () => {
    const lab = open({ targets: [Ship], capMs: 400 });
    const behind = (): number => lab.server.roundNumber * 50 - lab.server.main.earliestShotMs;
    expect(behind()).toBe(0);
    lab.join("eve", { latencyMs: 150 }, { role: "spectator" });
    lab.run(2000);
    expect(behind()).toBe(0);
    const ann = lab.join("ann", { latencyMs: 150 });
    lab.until(() => lab.server.main.players.size === 2);
    expect(behind()).toBe(400);
    lab.run(2000);
    expect(behind()).toBeGreaterThan(150);
    expect(behind()).toBeLessThan(210);
    ann.setReachable(false);
    ann.breakLink();
    lab.run(200);
    expect(behind()).toBe(0);
  });

  it("names what is wrong with its options, and that it was not asked for", () => {
    expect(() => open({ targets: [Score] })).toThrow("object score has no position");
    expect(() => open({ targets: [Ship], capMs: Number.NaN })).toThrow("capMs is NaN");
    expect(() => open({ targets: [Ship], renderLagMs: 9999 })).toThrow("renderLagMs is 9999");
    expect(() => open({ targets: [Ship], maxSends: 0 })).toThrow("maxSends is 0");
    const lab = open({ targets: [Ship] });
    const player = lab.server.localPlayer("bot");
    const score = lab.world.spawn(Score, { points: 1 });
    expect(() => lab.server.main.seenBy(player, score, { renderMs: 0 })).toThrow("named as a target");
    expect(() => open().server.main.earliestShotMs).toThrow("without the option lagCompensation");
  });
});
