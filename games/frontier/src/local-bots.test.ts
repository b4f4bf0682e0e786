import { Lab } from "@nearfield/netlab";
import { describe, expect, it } from "vitest";
import { FrontierHost, frontierOptions } from "./host.ts";
import { LocalBots } from "./local-bots.ts";
import { distance } from "./rules.ts";
import { Hero } from "./shared.ts";

describe("LocalBots", () => {
  it("walk about and are counted apart from people", () => {
    const { protocol, view, roundMs } = frontierOptions;
    const lab = new Lab({ protocol, view: view!, roundMs: roundMs!, seed: 5 });
    const host = new FrontierHost(lab.server.main, { seed: 5 });
    new LocalBots(lab.server, { seed: 5, count: 3 });
    lab.join("ann", { latencyMs: 5 });
    lab.run(1000);
    expect(host.players).toEqual({ people: 1, bots: 3 });
    const bots = [...lab.world.all(Hero)].filter(({ bot }) => bot);
    expect(bots.map(({ name }) => name)).toEqual(["Alder", "Birch", "Cedar"]);
    const before = bots.map(({ x, y }) => ({ x, y }));
    lab.run(2000);
    for (const [index, hero] of bots.entries()) expect(distance(hero, before[index]!)).toBeGreaterThan(50);
  });
});
