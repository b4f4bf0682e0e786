/** Writes and removals by owners whose objects are on other servers: carried out once and in order, answered, and not echoed. */

import { enableWriting, onRefused, remove } from "@nearfield/client/writing";
import type { WorldId } from "@nearfield/schema";
import { describe, expect, it } from "vitest";
import { seeds } from "../../netlab/test/seeds.ts";
import { decodeMessage, encodeMessage } from "../src/guest/messages-codec.ts";
import {
  Buoy,
  ClusterLab,
  type ClusterServer,
  Coin,
  Hit,
  protocol,
  ROUND_MS,
  type Roamer,
  Ship,
  SIZE,
} from "./cluster-lab.ts";

const BORDER = 500;
/** The way of a write to another server and of its answer back: the path, up to a round at each server and at the gateway again, the bus, a frame. */
const THERE_AND_BACK_MS = 2 * 20 + 4 * ROUND_MS + 2 * 16;
/** Longer than a dead server is missed and its objects are brought back. */
const TAKE_OVER_MS = 8000;

interface Scene {
  readonly cluster: ClusterLab;
  readonly gateway: ClusterServer;
  readonly roamer: Roamer;
  readonly id: WorldId;
  /** The notes that servers have let through, in this order. */
  readonly accepted: number[];
  readonly refusals: string[];
  /** The buoy as the player's client has it. */
  readonly own: () => { note: number; readonly x: number };
  /** The buoy as its owner has it. */
  readonly primary: () => { note: number; x: number };
}

/** A player of the first of some servers in columns, with a ship there and a buoy just beyond the first border. Notes from 200 on are refused, those from 100 on made 99. `mints`: each leaves a coin, which is durable. */
function scene(seed: number, columns = 2, mints = false): Scene {
  const cluster = new ClusterLab({ seed });
  cluster.startInColumns(columns);
  const [gateway] = cluster.servers;
  const border = columns === 2 ? BORDER : 1000 / columns;
  const accepted: number[] = [];
  const refusals: string[] = [];
  for (const { lab } of cluster.servers)
    lab.server.onWrite(Buoy, (_, { x, y }, { note }) => {
      if (note === undefined || note >= 200) return false;
      accepted.push(note);
      if (mints) lab.world.spawn(Coin, { x, y, number: note });
      return note < 100 || { note: 99 };
    });
  const { world, server } = gateway!.lab;
  server.onJoin((player) => {
    player.pivotOn(world.spawn(Ship, { x: border - 30, y: 500 }, { owner: player.id }));
    world.spawn(Buoy, { x: border + 20, y: 500 }, { owner: player.id });
  });
  const roamer = cluster.roam(gateway!, "ann");
  enableWriting(roamer.client);
  onRefused(roamer.client, (_, refusal) => refusals.push(refusal));
  cluster.run(1500);
  const id = world.worldIdOf(roamer.client.mine(Buoy)!.id);
  const own = () => roamer.client.mine(Buoy)!;
  const primary = () => cluster.primaries(id)[0]!.ship as unknown as { note: number; x: number };
  return { cluster, gateway: gateway!, roamer, id, accepted, refusals, own, primary };
}

/** How often the gateway sends the player its buoy from now on. */
function countSends({ gateway, id }: Scene): () => number {
  let sends = 0;
  gateway.lab.server.main.invite(({ model, players, world }) => ({
    name: "counter",
    roundEnded: () => {
      const object = world.byWorldId(id)?.id;
      for (const { view } of players.values()) {
        const { ids, count } = model.decisions(view);
        for (let i = 0; i < count; i++) if (ids[i] === object) sends += 1;
      }
    },
  }));
  return () => sends;
}

function upTo(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i + 1);
}

describe("an owner's write to an object of another server", () => {
  it("is carried out there, is confirmed then, and comes back to nobody who wrote it", () => {
    const { cluster, roamer, own, primary, ...rest } = scene(1);
    const sends = countSends({ cluster, roamer, own, primary, ...rest });
    own().note = 3;
    cluster.run(16);
    const after = roamer.client.send(Hit, { number: 1 });
    cluster.run(20 + ROUND_MS);
    expect(roamer.client.confirmed).toBeLessThan(after);
    cluster.run(THERE_AND_BACK_MS);
    expect(primary().note).toBe(3);
    expect(roamer.client.confirmed).toBeGreaterThanOrEqual(after);
    own().note = 4;
    cluster.run(500);
    expect([primary().note, own().note]).toEqual([4, 4]);
    expect(rest.refusals).toEqual([]);
    expect(sends()).toBe(0);
    primary().note = 50;
    cluster.run(500);
    expect([own().note, sends()]).toEqual([50, 1]);
  });

  it("is undone at once where it was refused, and the client is told why, once", () => {
    const { cluster, own, primary, refusals } = scene(2);
    own().note = 7;
    cluster.run(500);
    own().note = 201;
    cluster.run(THERE_AND_BACK_MS);
    expect([own().note, primary().note]).toEqual([7, 7]);
    cluster.run(500);
    expect(refusals).toEqual(["invalid"]);
    own().note = 8;
    cluster.run(500);
    expect([own().note, primary().note, refusals.length]).toEqual([8, 8, 1]);
  });

  it("is corrected at once where the game says so, also while a command to a third server waits", () => {
    const { cluster, own, primary, roamer, gateway } = scene(3, 3);
    // The ship goes to the third server, which hears nothing for a while.
    const [ship] = [...gateway.lab.server.main.players.values()][0]!.owned(Ship);
    ship!.x = 690;
    primary().x = 640;
    cluster.run(500);
    const third = cluster.servers[2]!;
    third.bus.pause();
    roamer.client.send(Hit, { number: 1 });
    cluster.run(16);
    own().note = 150;
    cluster.run(700);
    expect(primary().note).toBe(99);
    third.bus.resume();
    cluster.run(1000);
    expect(own().note).toBe(99);
    expect(roamer.client.mine(Ship)!.hits).toBe(1);
  });

  it.each(seeds(1, 4))("is carried out once and in order while the object crosses back and forth (seed %i)", (seed) => {
    const { cluster, own, primary, accepted, id, gateway, refusals } = scene(seed);
    const owners = new Set<number>();
    for (const note of upTo(90)) {
      own().note = note;
      cluster.run(cluster.dice.range(16, 60));
      const [here] = cluster.primaries(id);
      if (here !== undefined) owners.add(here.server.number);
      if (here !== undefined && note % 7 === 0) primary().x = here.server === gateway ? BORDER + 20 : BORDER - 20;
    }
    cluster.run(1000);
    expect([...owners].sort()).toEqual([1, 2]);
    expect(gateway.guest.transfers).toBeGreaterThan(3);
    expect(accepted).toEqual(upTo(90));
    expect([own().note, primary().note]).toEqual([90, 90]);
    expect(refusals).toEqual([]);
  });

  it.each(seeds(1, 6))("leaves client and owner alike, whatever is refused, corrected or late (seed %i)", (seed) => {
    const { cluster, own, accepted, id, roamer } = scene(seed, 3);
    const { dice } = cluster;
    const ship = () => roamer.client.mine(Ship)!;
    const said: number[] = [];
    cluster.primaries(cluster.servers[0]!.lab.world.worldIdOf(ship().id))[0]!.ship.vx = 80;
    for (const i of upTo(200)) {
      // Each once: two of ten are refused, four are corrected to 99.
      const note = (i * 101) % 251;
      if (note === 99) continue;
      own().note = note;
      said.push(note);
      if (dice.chance(0.2)) roamer.client.send(Hit, { number: 1 });
      cluster.run(dice.range(17, 50));
      for (const { ship: buoy } of cluster.primaries(id)) buoy.x = Math.min(SIZE, ship().x + dice.range(-60, 60));
      if (!dice.chance(0.05)) continue;
      const { bus } = cluster.servers[1 + dice.int(2)]!;
      bus.pause();
      cluster.run(dice.range(50, 500));
      bus.resume();
    }
    cluster.run(1400);
    expect(accepted).toEqual(said.filter((note) => note < 200));
    const [primary] = cluster.primaries(id);
    expect(own().note).toBe((primary!.ship as unknown as { note: number }).note);
  });

  it("is carried out once, however often the bus brings it", () => {
    const { cluster, own, primary, accepted } = scene(5);
    for (const { bus } of cluster.servers) {
      const publish = bus.publish.bind(bus);
      bus.publish = (subject, payload) => {
        publish(subject, payload);
        publish(subject, payload);
      };
    }
    for (const note of upTo(40)) {
      own().note = note;
      cluster.run(40);
    }
    own().note = 210;
    cluster.run(1000);
    expect(accepted).toEqual(upTo(40));
    expect([own().note, primary().note]).toEqual([40, 40]);
  });

  it("is not confirmed by a server whose fence is old", () => {
    const { cluster, own, roamer } = scene(10);
    const { bus } = cluster.servers[1]!;
    const publish = bus.publish.bind(bus);
    bus.publish = (subject, payload) => {
      const message = decodeMessage(protocol, payload);
      if (message.kind !== "news") return publish(subject, payload);
      publish(
        subject,
        encodeMessage(protocol, { ...message, slices: message.slices.map(({ id }) => ({ id, fence: 0 })) }),
      );
    };
    own().note = 5;
    cluster.run(16);
    const after = roamer.client.send(Hit, { number: 1 });
    cluster.run(1000);
    expect(roamer.client.confirmed).toBeLessThan(after);
  });

  it("waits for the server that brings the object back, if its owner dies", () => {
    const { cluster, own, primary, accepted, roamer } = scene(6, 3);
    for (const note of upTo(90)) {
      own().note = note;
      cluster.run(50);
      if (note === 30) cluster.kill(cluster.servers[1]!);
    }
    cluster.run(TAKE_OVER_MS);
    expect(roamer.client.state).toBe("active");
    expect([own().note, primary().note]).toEqual([90, 90]);
    // A write that only the dead server had carried out is carried out again.
    expect([...new Set(accepted)]).toEqual(upTo(90));
    expect(accepted.length).toBeLessThan(95);
  });

  it.each(seeds(30, 4))("leaves what is durable once, if its owner dies (seed %i)", (seed) => {
    const { cluster, own } = scene(seed, 3, true);
    const owner = cluster.servers[1]!;
    const publish = owner.bus.publish.bind(owner.bus);
    for (const note of upTo(60)) {
      own().note = note;
      cluster.run(cluster.dice.range(17, 60));
      if (note !== 30) continue;
      // Its last writes are in its log, and nobody hears of them.
      owner.bus.publish = (subject, payload) => {
        if (decodeMessage(protocol, payload).kind !== "news") publish(subject, payload);
      };
      cluster.run(200);
      cluster.kill(owner);
    }
    cluster.run(TAKE_OVER_MS);
    const coins = cluster.living.flatMap(({ lab: { world } }) =>
      [...world.all(Coin)].filter((coin) => !world.isForeign(coin)).map(({ number }) => number),
    );
    expect(coins.toSorted((a, b) => a - b)).toEqual(upTo(60));
  });

  it("is carried out once or given up if the player's gateway dies, and the client goes on at another one", () => {
    const { cluster, gateway, own, primary, accepted, roamer, id } = scene(7, 3);
    cluster.run(1000);
    for (const note of upTo(30)) {
      own().note = note;
      cluster.run(50);
    }
    cluster.kill(gateway);
    cluster.run(TAKE_OVER_MS);
    expect(roamer.client.state).toBe("active");
    expect(roamer.server).not.toBe(gateway);
    // The last ones had not left the gateway.
    expect(accepted.length).toBeGreaterThan(26);
    expect(accepted).toEqual(upTo(accepted.length));
    expect([own().note, primary().note]).toEqual([accepted.length, accepted.length]);
    own().note = 60;
    cluster.run(1000);
    expect([own().note, primary().note]).toEqual([60, 60]);
    expect(cluster.primaries(id)).toHaveLength(1);
  });
});

describe("a removal of an own object of another server", () => {
  it("is carried out there, after the writes before it", () => {
    const { cluster, own, roamer, accepted, id, refusals } = scene(8);
    own().note = 5;
    remove(roamer.client, roamer.client.mine(Buoy)!);
    cluster.run(THERE_AND_BACK_MS);
    expect(accepted).toEqual([5]);
    expect(cluster.primaries(id)).toEqual([]);
    expect(roamer.client.mine(Buoy)).toBeUndefined();
    expect(refusals).toEqual([]);
    const confirmed = roamer.client.send(Hit, { number: 1 });
    cluster.run(500);
    expect(roamer.client.confirmed).toBeGreaterThanOrEqual(confirmed);
  });

  it("makes later writes come back as gone", () => {
    const { cluster, own, gateway, id, refusals } = scene(9);
    const { server, ship: buoy } = cluster.primaries(id)[0]!;
    expect(server).not.toBe(gateway);
    own().note = 5;
    cluster.run(30);
    server.lab.world.destroy(buoy);
    cluster.run(1000);
    expect(refusals).toEqual(["gone"]);
  });
});
