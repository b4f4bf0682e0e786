/** The same game on one server and on two, on virtual time: a border in the middle of the country changes nothing that a player could notice. */

import { ClusterGuest, LocalHub, type SliceMap } from "@nearfield/cluster/internal";
import { Dice, Lab } from "@nearfield/netlab";
import { VirtualClock } from "@nearfield/netlab/internal";
import { describe, expect, it } from "vitest";
import { CLUSTER_SETTINGS, FrontierHost, frontierOptions } from "../src/host.ts";
import { Beast, Bolt, COUNTRY, Go, Gold, Hero, ROUND_MS, Say } from "../src/shared.ts";

const MIDDLE = COUNTRY / 2;

/** Servers side by side; one has no cluster at all. */
function startServers(count: number): { readonly clock: VirtualClock; readonly labs: readonly Lab[] } {
  const clock = new VirtualClock();
  const dice = new Dice(1);
  const hub = new LocalHub({ clock, random: () => dice.next(), delayMs: [0.3, 3], patienceMs: 1000 });
  const guests: ClusterGuest[] = [];
  const labs = Array.from({ length: count }, (_, i) => {
    const lab = new Lab({ ...frontierOptions, seed: `lab ${i}`, serverNumber: i + 1, clock });
    if (count === 1) {
      new FrontierHost(lab.server.main, { seed: 1 });
      return lab;
    }
    const bus = hub.join(`server ${i + 1}`);
    const options = { ...CLUSTER_SETTINGS, bus, server: i + 1, now: () => clock.nowMs, balances: false };
    const { guest } = lab.server.main.invite((seam) => new ClusterGuest(seam, options));
    guests.push(guest);
    new FrontierHost(lab.server.main, { seed: i + 1, owns: (x, y) => guest.owns(x, y) });
    return lab;
  });
  clock.advance(2000);
  // The first server owns everything until it cuts the country in two.
  guests[0]?.membership.propose((map) => (map as SliceMap).split("r", 0, MIDDLE, 2));
  clock.advance(1000);
  return { clock, labs };
}

describe.each([1, 2])("on %i server(s)", (count) => {
  it("a hero walks, shoots and speaks from one end of the middle to the other, without a break", () => {
    const { clock, labs } = startServers(count);
    const { client } = labs[0]!.join("ann", { latencyMs: 10 });
    clock.advance(1000);
    const start = ownHeroes(labs);
    expect(start).toHaveLength(1);
    Object.assign(start[0]!, { x: MIDDLE - 150, y: 1000 });
    clearOf(labs);
    clock.advance(300);
    client.send(Go, { moveX: 127, moveY: 0, heading: 0, fires: true });
    let [least, most] = [Number.POSITIVE_INFINITY, 0];
    let bolts = 0;
    let last = client.mine(Hero)!.x;
    const id = client.mine(Hero)!.id;
    for (let step = 0; step < 40; step++) {
      clock.advance(ROUND_MS);
      const own = client.mine(Hero)!;
      expect(own.id).toBe(id);
      if (step === 20) client.send(Say, { words: "over the border" });
      if (step > 4) [least, most] = [Math.min(least, own.x - last), Math.max(most, own.x - last)];
      last = own.x;
      bolts = Math.max(bolts, [...client.world.all(Bolt)].length);
    }
    clock.advance(300);
    const own = client.mine(Hero)!;
    expect(own.x).toBeGreaterThan(MIDDLE + 100);
    expect(own.says).toBe("over the border");
    // 8.5 units a round. A step may show one round late and the next one with it, but no more.
    expect(least).toBeGreaterThanOrEqual(0);
    expect(most).toBeLessThanOrEqual(26);
    expect(bolts).toBeGreaterThan(1);
    expect(ownHeroes(labs)).toHaveLength(1);
  });

  it("a bolt strikes a beast beyond the border, once, and the gold belongs to whoever walks over it", () => {
    const { clock, labs } = startServers(count);
    const { client } = labs[0]!.join("ann");
    clock.advance(1000);
    Object.assign(ownHeroes(labs)[0]!, { x: MIDDLE - 100, y: 1000 });
    clearOf(labs);
    const there = labs.at(-1)!.world;
    there.spawn(Beast, { x: MIDDLE + 30, y: 1000, den: 0, health: 40, turn: 127 });
    clock.advance(500);
    const isIt = ({ x, y }: { x: number; y: number }): boolean => Math.hypot(x - MIDDLE - 30, y - 1000) < 40;
    const health = (): number[] =>
      labs.flatMap(({ world }) =>
        own(world, Beast)
          .filter(isIt)
          .map((one) => one.health),
      );
    client.send(Go, { moveX: 0, moveY: 0, heading: 0, fires: true });
    clock.advance(ROUND_MS * 3);
    client.send(Go, { moveX: 0, moveY: 0, heading: 0, fires: false });
    clock.advance(1000);
    expect(health()).toEqual([20]);
    client.send(Go, { moveX: 0, moveY: 0, heading: 0, fires: true });
    clock.advance(1000);
    expect(health()).toEqual([]);
    expect(labs.flatMap(({ world }) => own(world, Gold))).toHaveLength(1);
    client.send(Go, { moveX: 127, moveY: 0, heading: 0, fires: false });
    clock.advance(2000);
    expect(client.mine(Hero)!.gold).toBeGreaterThan(0);
    expect(labs.flatMap(({ world }) => own(world, Gold))).toEqual([]);
  });
});

it("dens keep as many beasts on two servers as on one", () => {
  const beasts = [1, 2].map((count) => {
    const { clock, labs } = startServers(count);
    clock.advance(60_000);
    return labs.flatMap(({ world }) => own(world, Beast)).length;
  });
  expect(beasts).toEqual([192, 192]);
});

function own<T extends typeof Hero | typeof Beast | typeof Gold>(world: Lab["world"], type: T) {
  return [...world.all(type as typeof Beast)].filter((entity) => !world.isForeign(entity));
}

function ownHeroes(labs: readonly Lab[]) {
  return labs.flatMap(({ world }) => [...world.all(Hero)].filter((hero) => !world.isForeign(hero)));
}

/** No beast is in the way. */
function clearOf(labs: readonly Lab[]): void {
  for (const { world } of labs) for (const beast of own(world, Beast)) world.destroy(beast);
}
