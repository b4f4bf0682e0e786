/** Locks of objects on other servers: granted in order, carried over borders with their objects, given back once, and ended when a server dies. */

import { lock, onRefused, release } from "@nearfield/client/writing";
import type { WorldId } from "@nearfield/schema";
import { describe, expect, it } from "vitest";
import { decodeMessage, encodeMessage } from "../src/guest/messages-codec.ts";
import { ClusterLab, type ClusterServer, Crate, Hit, protocol, ROUND_MS, type Roamer, Ship } from "./cluster-lab.ts";

const BORDER = 500;
/** The way of a request to another server and of its answer back: the path, up to a round at each server and at the gateway again, the bus, a frame. */
const THERE_AND_BACK_MS = 2 * 20 + 4 * ROUND_MS + 2 * 16;
const LOCK_MS = 10_000;
/** Longer than a dead server is missed and its objects are brought back. */
const TAKE_OVER_MS = 8000;

type Values = { x: number; weight: number; mark: number };

/** A player at a gateway of its own, and what it has heard of the crate's lock. */
interface Person {
  readonly roamer: Roamer;
  readonly gateway: ClusterServer;
  /** "granted", or why not; and what was refused or lost later. */
  readonly heard: string[];
  readonly crate: () => Values & { readonly id: number };
  readonly ask: () => void;
  readonly give: (values?: Partial<Values>) => void;
  readonly holds: () => boolean;
}

interface Scene {
  readonly cluster: ClusterLab;
  readonly people: readonly Person[];
  readonly id: WorldId;
  /** Weights that were let through, in this order. */
  readonly accepted: number[];
  /** The crate as its owner has it. */
  readonly primary: () => Values;
  readonly run: (ms: number) => Promise<void>;
}

/** Three servers in columns, with a player of each near the second border, and a crate just beyond that border. Weights from 200 on are refused, those from 100 on made 99. */
async function scene(seed: number): Promise<Scene> {
  const cluster = new ClusterLab({ seed });
  cluster.startInColumns(4);
  const accepted: number[] = [];
  for (const { lab } of cluster.servers) {
    lab.server.onWrite(Crate, (_, __, { weight }) => {
      if (weight === undefined) return true;
      if (weight >= 200) return false;
      accepted.push(weight);
      return weight < 100 || { weight: 99 };
    });
    const x = BORDER - 30;
    lab.server.onJoin((player) => player.pivotOn(lab.world.spawn(Ship, { x, y: 500 }, { owner: player.id })));
  }
  const third = cluster.servers[2]!;
  const people = cluster.servers.slice(0, 3).map((gateway, i) => personAt(cluster, gateway, `player ${i}`));
  const crate = third.lab.world.spawn(Crate, { x: BORDER + 20, y: 500 });
  const id = third.lab.world.worldIdOf(crate);
  const run = async (ms: number): Promise<void> => {
    cluster.run(ms);
    // What was promised meanwhile is heard.
    await new Promise((resolve) => setImmediate(resolve));
  };
  await run(1500);
  const primary = () => cluster.primaries(id)[0]!.ship as unknown as Values;
  return { cluster, people, id, accepted, primary, run };
}

function personAt(cluster: ClusterLab, gateway: ClusterServer, nickname: string): Person {
  const roamer = cluster.roam(gateway, nickname);
  const { client } = roamer;
  const heard: string[] = [];
  onRefused(client, (_, refusal) => heard.push(refusal));
  const crate = () => [...client.world.all(Crate)][0]! as unknown as Values & { readonly id: number };
  const entity = () => [...client.world.all(Crate)][0]!;
  const ask = (): void => {
    lock(client, entity()).then(
      () => heard.push("granted"),
      (error: { readonly code?: string }) => heard.push(error.code ?? "failed"),
    );
  };
  const give = (values: Partial<Values> = {}): void => {
    Object.assign(crate(), values);
    release(client, entity());
  };
  const holds = (): boolean => client.world.isLocked(entity());
  return { roamer, gateway, heard, crate, ask, give, holds };
}

describe("a lock of an object on another server", () => {
  it("is granted with the object as its owner has it, and its writes travel with the release", async () => {
    const { cluster, people, primary, accepted, run } = await scene(1);
    const [ann] = people;
    let sends = 0;
    ann!.gateway.lab.server.main.invite(({ model, players }) => ({
      name: "counter",
      roundEnded: () => {
        for (const { view } of players.values()) {
          const { ids, count } = model.decisions(view);
          for (let i = 0; i < count; i++) if (ids[i] === ann!.crate().id) sends += 1;
        }
      },
    }));
    primary().weight = 5;
    ann!.ask();
    await run(THERE_AND_BACK_MS);
    expect([ann!.heard, ann!.crate().weight]).toEqual([["granted"], 5]);
    await run(500);
    sends = 0;
    ann!.give({ weight: 6 });
    cluster.run(16);
    const after = ann!.roamer.client.send(Hit, { number: 1 });
    cluster.run(20 + ROUND_MS);
    expect(ann!.roamer.client.confirmed).toBeLessThan(after);
    await run(THERE_AND_BACK_MS);
    expect([primary().weight, ann!.crate().weight, accepted]).toEqual([6, 6, [6]]);
    expect(ann!.roamer.client.confirmed).toBeGreaterThanOrEqual(after);
    expect(sends).toBe(0);
    ann!.ask();
    await run(THERE_AND_BACK_MS);
    expect(ann!.heard).toEqual(["granted", "granted"]);
  });

  it("passes on in the order of asking, whoever is linked where", async () => {
    const { people, accepted, run } = await scene(2);
    const [ann, bob, cat] = people;
    const order: string[] = [];
    for (const person of [cat!, ann!, bob!]) {
      person.ask();
      await run(300);
    }
    for (let weight = 1; weight <= 3; weight++) {
      const holders = people.filter(({ holds }) => holds());
      expect(holders).toHaveLength(1);
      order.push(holders[0]!.roamer.server.name);
      holders[0]!.give({ weight });
      await run(300);
    }
    expect(order).toEqual([cat!, ann!, bob!].map(({ gateway }) => gateway.name));
    expect(accepted).toEqual([1, 2, 3]);
    expect(people.filter(({ holds }) => holds())).toEqual([]);
  });

  it("brings back what the game refuses or corrects, with the reason, and passes on all the same", async () => {
    const { people, primary, run } = await scene(3);
    const [ann, bob] = people;
    ann!.ask();
    await run(300);
    bob!.ask();
    await run(300);
    ann!.give({ weight: 201 });
    await run(THERE_AND_BACK_MS);
    expect([ann!.crate().weight, primary().weight]).toEqual([0, 0]);
    await run(300);
    expect([ann!.heard, bob!.heard]).toEqual([["granted", "invalid"], ["granted"]]);
    bob!.give({ weight: 150 });
    await run(500);
    expect([bob!.crate().weight, ann!.crate().weight, primary().weight]).toEqual([99, 99, 99]);
    expect(bob!.heard).toEqual(["granted"]);
  });

  it("may be asked for again while the last release is on its way", async () => {
    const { people, accepted, run } = await scene(4);
    const [ann] = people;
    ann!.ask();
    await run(300);
    for (let weight = 1; weight <= 10; weight++) {
      ann!.give({ weight });
      ann!.ask();
      await run(400);
      expect(ann!.holds()).toBe(true);
    }
    expect(accepted).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it("is taken back after its time; what comes later is refused and undone", async () => {
    const { people, primary, run } = await scene(5);
    const [ann, bob] = people;
    ann!.ask();
    await run(300);
    bob!.ask();
    await run(LOCK_MS - 700);
    expect([ann!.holds(), bob!.holds()]).toEqual([true, false]);
    // Its release crosses the news that the lock is lost.
    ann!.crate().weight = 7;
    for (let i = 0; i < 40 && !bob!.holds(); i++) {
      if (ann!.holds() && i === 11) ann!.give();
      await run(ROUND_MS);
    }
    await run(500);
    expect(bob!.holds()).toBe(true);
    expect([ann!.holds(), ann!.crate().weight, primary().weight]).toEqual([false, primary().weight, primary().weight]);
  });

  it("ends with its object, and with the player who holds it", async () => {
    const { cluster, people, id, run } = await scene(6);
    const [ann, bob, cat] = people;
    ann!.ask();
    await run(300);
    bob!.ask();
    await run(300);
    ann!.roamer.client.leave();
    await run(500);
    expect(bob!.heard).toEqual(["granted"]);
    cat!.ask();
    await run(300);
    const { server, ship } = cluster.primaries(id)[0]!;
    server.lab.world.destroy(ship);
    await run(500);
    expect([bob!.heard, cat!.heard]).toEqual([["granted", "gone"], ["gone"]]);
  });

  it("is not granted by a server whose fence is old", async () => {
    const { cluster, people, run } = await scene(7);
    const { bus } = cluster.servers[2]!;
    const publish = bus.publish.bind(bus);
    bus.publish = (subject, payload) => {
      const message = decodeMessage(protocol, payload);
      if (message.kind !== "news") return publish(subject, payload);
      const slices = message.slices.map((slice) => ({ ...slice, fence: 0 }));
      publish(subject, encodeMessage(protocol, { ...message, slices }));
    };
    people[0]!.ask();
    await run(1000);
    expect(people[0]!.heard).toEqual([]);
  });

  it("is granted and given back once, however often the bus brings it", async () => {
    const { cluster, people, accepted, run } = await scene(8);
    for (const { bus } of cluster.servers) {
      const publish = bus.publish.bind(bus);
      bus.publish = (subject, payload) => {
        publish(subject, payload);
        publish(subject, payload);
      };
    }
    for (let weight = 1; weight <= 9; weight++) {
      const person = people[weight % 3]!;
      person.ask();
      await run(400);
      person.give({ weight });
    }
    await run(500);
    expect(accepted).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  });

  it("is refused beyond the limit of a player", async () => {
    const { cluster, people, run } = await scene(9);
    const { world } = cluster.servers[2]!.lab;
    for (let i = 0; i < 16; i++) world.spawn(Crate, { x: BORDER + 20, y: 400 + 10 * i });
    await run(500);
    const { client } = people[0]!.roamer;
    const answers = [...client.world.all(Crate)].map((crate) =>
      lock(client, crate).then(
        () => "granted",
        (error: { readonly code?: string }) => error.code ?? "failed",
      ),
    );
    await run(500);
    const heard = await Promise.all(answers);
    expect([heard.filter((answer) => answer === "granted").length, heard.at(-1)]).toEqual([16, "quota"]);
  });
});

describe("a lock whose object crosses a border", () => {
  it("stays with its holder and its queue, and with the time that it was held", async () => {
    const { cluster, people, primary, accepted, id, run } = await scene(11);
    const [ann, bob, cat] = people;
    for (const person of [cat!, ann!, bob!]) {
      person.ask();
      await run(200);
    }
    const owners: string[] = [];
    for (const x of [BORDER - 20, BORDER + 20, BORDER - 20]) {
      primary().x = x;
      await run(500);
      owners.push(cluster.primaries(id)[0]!.server.name);
      expect([ann!.holds(), bob!.holds(), cat!.holds()]).toEqual([false, false, true]);
    }
    expect(owners).toEqual(["server 2", "server 3", "server 2"]);
    cat!.give({ weight: 1 });
    await run(500);
    ann!.give({ weight: 2, x: BORDER + 20 });
    await run(500);
    expect(bob!.holds()).toBe(true);
    expect(cluster.primaries(id)[0]!.server.name).toBe("server 3");
    bob!.give({ weight: 3 });
    await run(500);
    expect(accepted).toEqual([1, 2, 3]);
    expect(people.map(({ heard }) => heard)).toEqual([["granted"], ["granted"], ["granted"]]);
    ann!.ask();
    await run(4000);
    primary().x = BORDER - 20;
    await run(LOCK_MS - 4000 + 400);
    expect(ann!.heard).toEqual(["granted", "granted", "timeout"]);
  });

  it("takes a release that is on its way, once", async () => {
    const { cluster, people, primary, accepted, run } = await scene(12);
    for (let weight = 1; weight <= 40; weight++) {
      const person = people[cluster.dice.int(3)]!;
      person.ask();
      await run(400);
      expect(person.holds()).toBe(true);
      person.give({ weight });
      await run(cluster.dice.range(10, 120));
      primary().x = BORDER + cluster.dice.pick([-20, 20]);
    }
    await run(600);
    expect(accepted).toHaveLength(40);
    expect(new Set(accepted).size).toBe(40);
  });

  it("is asked for again after a release, wherever the object is when the two arrive", async () => {
    const { cluster, people, primary, accepted, run } = await scene(13);
    cluster.hub.setDelay([80, 120]);
    const [, bob] = people;
    for (let weight = 1; weight <= 24; weight++) {
      bob!.ask();
      await run(600);
      bob!.give({ weight });
      bob!.ask();
      await run(weight * 8);
      primary().x = weight % 2 === 0 ? BORDER + 20 : BORDER - 20;
      await run(900);
      expect(bob!.holds(), `after release ${weight}`).toBe(true);
      bob!.give();
      await run(600);
    }
    expect(accepted).toHaveLength(24);
  });
});

describe("a lock when a server dies", () => {
  it("ends with its owner: the holder is told, and who waits gets it from the server that brings the object back", async () => {
    const { cluster, people, primary, run } = await scene(21);
    const [ann, bob] = people;
    ann!.ask();
    await run(300);
    bob!.ask();
    await run(300);
    cluster.kill(cluster.servers[2]!);
    await run(TAKE_OVER_MS);
    expect([ann!.heard, bob!.heard]).toEqual([["granted", "elsewhere"], ["granted"]]);
    bob!.give({ weight: 4 });
    await run(500);
    expect([primary().weight, ann!.crate().weight]).toEqual([4, 4]);
  });

  it("refuses a release that its owner did not live to carry out, and undoes it", async () => {
    const { cluster, people, primary, accepted, run } = await scene(22);
    const [ann] = people;
    ann!.ask();
    await run(300);
    cluster.kill(cluster.servers[2]!);
    ann!.give({ weight: 4 });
    await run(TAKE_OVER_MS);
    expect(ann!.heard).toEqual(["granted", "elsewhere"]);
    expect([ann!.crate().weight, primary().weight, accepted]).toEqual([0, 0, []]);
  });

  it("ends with the gateway of its holder, who is told at the next one", async () => {
    const { cluster, people, run } = await scene(23);
    const [ann, bob] = people;
    ann!.ask();
    await run(300);
    bob!.ask();
    await run(300);
    cluster.kill(cluster.servers[0]!);
    await run(TAKE_OVER_MS);
    expect(ann!.roamer.client.state).toBe("active");
    expect([ann!.heard, bob!.heard]).toEqual([["granted", "elsewhere"], ["granted"]]);
    expect(ann!.holds()).toBe(false);
  });

  it("is not asked for at another gateway by a client whose own one died before it answered", async () => {
    const { cluster, people, run } = await scene(24);
    const [ann] = people;
    ann!.ask();
    await run(16);
    cluster.kill(cluster.servers[0]!);
    await run(TAKE_OVER_MS);
    expect([ann!.roamer.client.state, ann!.heard]).toEqual(["active", ["elsewhere"]]);
    ann!.ask();
    await run(500);
    expect(ann!.heard).toEqual(["elsewhere", "granted"]);
  });
});
