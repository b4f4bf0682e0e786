/** The seam, from outside the server's package: a guest that journals, two that mirror a world, and what holds for all guests. */

import { lock, release } from "@nearfield/client/writing";
import { type Entity, zones } from "@nearfield/core";
import type { ObjectId } from "@nearfield/schema";
import { originOf, worldId } from "@nearfield/schema/internal";
import type { Guest, RoomSeam } from "@nearfield/server/seam";
import { describe, expect, it } from "vitest";
import { Lab } from "../../src/index.ts";
import type { LabOptions } from "../../src/internal/index.ts";
import { Chat, Crate, protocol, replicas, Say, Ship, spawnShip, stir, view } from "../scenario.ts";
import { seeds } from "../seeds.ts";
import { Journal } from "./journal.ts";
import { Lookout, Mirror } from "./mirror.ts";

const roundMs = 50;

function newLab(options: Partial<LabOptions> = {}): Lab {
  return new Lab({ protocol, view, roundMs, ...options });
}

/** Every command is answered in the round in which it is carried out, and changes a ship. */
function answeringLab(options: Partial<LabOptions> = {}, answered: (words: string) => void = () => {}): Lab {
  const lab = newLab(options);
  const ship = lab.world.spawn(Ship, { x: 1, y: 1 });
  lab.server.onCommand(Say, (_, { words }) => {
    ship.hull = (ship.hull + 1) % 128;
    lab.server.emit(Chat, { words });
    answered(words);
  });
  return lab;
}

describe("a guest that journals", () => {
  it("keeps what its round says from everybody until the round is safe", () => {
    const lab = answeringLab();
    const { guest: journal } = lab.server.main.invite((seam) => new Journal(seam));
    const ann = lab.join("ann");
    const heard: string[] = [];
    ann.client.onEvent(Chat, ({ words }) => heard.push(words));
    lab.run(500);
    journal.sync();
    lab.run(200);
    ann.client.send(Say, { words: "one" });
    lab.run(1000);
    expect(heard).toEqual([]);
    expect([...ann.client.world.all(Ship)][0]!.hull, "pictures do not wait").toBe(1);
    const before = journal.safe.length;
    journal.sync();
    lab.run(200);
    expect(heard).toEqual(["one"]);
    const [page] = journal.safe.slice(before);
    const [ship] = lab.world.all(Ship);
    expect(page!.changed).toEqual([lab.world.worldIdOf(ship!)]);
  });

  it.each(seeds(1, 20))("is ahead of everything that anybody hears (seed %i)", (seed) => {
    const rounds = new Map<string, number>();
    const lab = answeringLab({ seed }, (words) => rounds.set(words, lab.server.roundNumber));
    const { guest: journal } = lab.server.main.invite((seam) => new Journal(seam));
    const dice = lab.dice.fork("story");
    const early: string[] = [];
    const clients = [0, 1, 2].map((i) => lab.join(`p${i}`, { latencyMs: 30 * i, loss: 0.1 }));
    const heard = clients.map(({ client }) => {
      const list: string[] = [];
      client.onEvent(Chat, ({ words }) => {
        list.push(words);
        const round = rounds.get(words)!;
        if (!journal.safe.some((page) => page.round === round)) early.push(words);
      });
      return list;
    });
    lab.until(() => clients.every(({ client }) => client.state === "active"));
    for (let step = 0; step < 200; step++) {
      const from = dice.pick(clients);
      if (from.client.state === "active" && dice.chance(0.5)) from.client.send(Say, { words: `${step}` });
      if (dice.chance(0.15)) journal.sync();
      if (dice.chance(0.03)) from.breakLink();
      lab.run(roundMs);
    }
    for (let i = 0; i < 100; i++) {
      journal.sync();
      lab.run(roundMs);
    }
    expect(early).toEqual([]);
    for (const list of heard) expect(list).toEqual([...rounds.keys()]);
  });

  it("lets everything go when it leaves", () => {
    const lab = answeringLab();
    const { leave } = lab.server.main.invite((seam) => new Journal(seam));
    const ann = lab.join("ann");
    const heard: string[] = [];
    ann.client.onEvent(Chat, ({ words }) => heard.push(words));
    lab.run(500);
    ann.client.send(Say, { words: "one" });
    lab.run(500);
    expect(heard).toEqual([]);
    leave();
    leave();
    lab.run(200);
    expect(heard).toEqual(["one"]);
    expect(lab.server.main.guests).toEqual([]);
  });
});

describe("guests that mirror another server's world", () => {
  const wide = zones(Ship, { radii: [100, 300], bounds: [{ time: 0 }, { time: 200 }, { time: 500 }] });

  /** Server 1 owns ships; a room of server 2 shows them to its own players. */
  function twoServers(seed: number) {
    const home = newLab({ seed, serverNumber: 1 });
    const away = newLab({ seed: seed + 1000, serverNumber: 2 });
    const lookout = home.server.main.invite((seam) => new Lookout(seam, { ...wide, pivots: [{ point: [500, 500] }] }));
    const mirror = away.server.main.invite((seam) => new Mirror(seam, () => lookout.guest.take()));
    const run = (rounds: number, each: () => void = () => {}): void => {
      for (let i = 0; i < rounds; i++) {
        each();
        home.run(roundMs);
        away.run(roundMs);
      }
    };
    return { home, away, lookout, mirror, run };
  }

  it.each(seeds(1, 10))("show it whole, under ids that no server gives twice (seed %i)", (seed) => {
    const { home, away, run } = twoServers(seed);
    for (let i = 0; i < 30; i++) spawnShip(home.world, home.dice);
    const own = away.world.spawn(Ship, { x: 3, y: 4 });
    const ann = away.join("ann");
    run(100, () => stir(home.world, home.dice, 0.3));
    run(40);
    const mirrored = [...away.world.all(Ship)].filter((ship) => away.world.isForeign(ship));
    expect(mirrored).toHaveLength(home.world.count);
    for (const ship of mirrored) {
      const id = away.world.worldIdOf(ship);
      expect(originOf(id)).toBe(1);
      const primary = home.world.byWorldId(id)!;
      expect([ship.x, ship.y, ship.hull]).toEqual([primary["x"], primary["y"], primary["hull"]]);
    }
    expect(originOf(away.world.worldIdOf(own))).toBe(2);
    expect(replicas(ann.client.world).size).toBe(home.world.count + 1);
  });

  it("hand a ship over without its players noticing", () => {
    const { home, away, run } = twoServers(7);
    const ship = home.world.spawn(Ship, { x: 500, y: 500, hull: 9 });
    const ann = away.join("ann");
    run(20);
    const [copy] = away.world.all(Ship);
    const seen = [...ann.client.world.all(Ship)];
    expect(seen.map(({ hull }) => hull)).toEqual([9]);
    const gone: number[] = [];
    ann.client.onLeave(Ship, ({ id }) => gone.push(id));
    let seam: RoomSeam | undefined;
    away.server.main.invite((given): Guest => {
      seam = given;
      return { name: "hand-over" };
    });
    seam!.adopt(copy!);
    home.world.destroy(ship);
    run(20);
    copy!.hull = 10;
    run(20);
    expect(away.world.isForeign(copy!)).toBe(false);
    expect([...ann.client.world.all(Ship)]).toEqual(seen);
    expect(seen[0]!.hull).toBe(10);
    expect(gone).toEqual([]);
  });

  it("refuse an object that is here already", () => {
    const lab = newLab();
    const ship = lab.world.spawn(Ship, {});
    expect(() => lab.world.spawn(Ship, {}, { worldId: lab.world.worldIdOf(ship) })).toThrow("is here already");
  });
});

describe("a guest that routes commands", () => {
  it("takes them out of the room, has others carried out, and lets strangers stand in for it", () => {
    const lab = newLab({ serverNumber: 4 });
    const carried: string[] = [];
    const joined: string[] = [];
    lab.server.onJoin(({ nickname }) => void joined.push(nickname));
    lab.server.onLeave(({ nickname }) => void joined.push(`${nickname} left`));
    lab.server.onCommand(Say, (player, { words }) => void carried.push(`${player.nickname}: ${words}`));
    let seam!: RoomSeam;
    const { leave } = lab.server.main.invite((given) => {
      seam = given;
      given.routeCommands((_, __, { words }) => words === "elsewhere");
      return { name: "router" };
    });
    const ann = lab.join("ann");
    lab.run(500);
    const session = seam.takeSession();
    const { player, end } = seam.visit("bob", session);
    const ship = lab.world.spawn(Ship, {}, { owner: session });
    expect([player.id, player.owned()]).toEqual([session, [ship]]);
    for (const words of ["here", "elsewhere", "here too"]) ann.client.send(Say, { words });
    seam.carryOut(player, Say as never, { words: "from far" });
    lab.run(500);
    expect(carried).toEqual(expect.arrayContaining(["ann: here", "ann: here too", "bob: from far"]));
    expect(carried).toHaveLength(3);
    end();
    end();
    expect([player.presence, ship.alive, joined]).toEqual(["left", true, ["ann"]]);
    leave();
    ann.client.send(Say, { words: "elsewhere" });
    lab.run(500);
    expect(carried.at(-1)).toBe("ann: elsewhere");
  });

  it("is not asked about commands whose handler runs at the gateway", () => {
    const lab = newLab();
    const carried: string[] = [];
    const off = lab.server.onCommand(Say, (player, { words }) => void carried.push(`${player.nickname}: ${words}`), {
      where: "gateway",
    });
    lab.server.main.invite((seam) => {
      seam.routeCommands(() => true);
      return { name: "router" };
    });
    const ann = lab.join("ann");
    lab.run(500);
    ann.client.send(Say, { words: "who am I?" });
    lab.run(500);
    expect(carried).toEqual(["ann: who am I?"]);
    off();
    lab.server.onCommand(Say, (player) => void carried.push(player.nickname));
    ann.client.send(Say, { words: "go" });
    lab.run(500);
    expect(carried).toHaveLength(1);
  });
});

describe("a guest that routes locks", () => {
  it("is asked for locks of foreign objects, answers for them, and moves locks between books", async () => {
    const lab = newLab({ serverNumber: 4 });
    const asked: string[] = [];
    let seam!: RoomSeam;
    const { leave } = lab.server.main.invite((given) => {
      seam = given;
      given.locks.route({
        acquire: (player, { id }) => {
          asked.push(`${player.nickname} wants ${id}`);
          return asked.length > 1 ? "quota" : undefined;
        },
        release: (player, { id }, { mask }) => void asked.push(`${player.nickname} gives ${id}: ${mask}`),
      });
      return { name: "router" };
    });
    const far = seam.bring(Crate as never, worldId(9, 1), { x: 1, y: 1 }) as unknown as Entity;
    seam.cede(far);
    const near = lab.world.spawn(Crate, { x: 2, y: 2 }) as unknown as Entity;
    const { client } = lab.join("ann");
    lab.run(500);
    const [ann] = [...lab.server.main.players.values()];
    const answers: string[] = [];
    const ask = (id: ObjectId): void => {
      const note = (answer: string): void => void answers.push(answer);
      lock(client, client.world.get(id)!).then(
        () => note("granted"),
        (error: { readonly code?: string }) => note(error.code ?? "failed"),
      );
    };
    const run = async (): Promise<void> => {
      lab.run(500);
      await new Promise((resolve) => setImmediate(resolve));
    };
    ask(far.id);
    await run();
    expect([asked, answers]).toEqual([[`ann wants ${far.id}`], []]);
    seam.locks.grant(ann!, far);
    await run();
    expect(answers).toEqual(["granted"]);
    release(client, client.world.get(far.id)!);
    await run();
    expect(asked.at(-1)).toBe(`ann gives ${far.id}: 0`);
    ask(far.id);
    await run();
    expect(answers).toEqual(["granted", "quota"]);
    // The lock of an own object, in the books of this room: of a stranger, then of ann.
    const stranger = seam.takeSession();
    expect(seam.locks.acquire(near, stranger)).toBe("granted");
    ask(near.id);
    await run();
    expect(seam.locks.queueOf(near)!.sessions).toEqual([stranger, ann!.id]);
    const taken = seam.locks.take(near)!;
    expect([taken.sessions, taken.isTold, seam.locks.queueOf(near)]).toEqual([[stranger, ann!.id], true, undefined]);
    seam.locks.put(near, taken);
    seam.locks.leave(near, stranger);
    await run();
    expect(answers).toEqual(["granted", "quota", "granted"]);
    leave();
    ask(far.id);
    await run();
    expect(answers.at(-1)).toBe("elsewhere");
  });
});

describe("any guest", () => {
  it("is called at its places, in order, and not after it has left", () => {
    const lab = newLab();
    const calls: string[] = [];
    const places: Guest = {
      name: "list",
      roundBegins: (round) => void calls.push(`begins ${round}`),
      gameStepped: () => void calls.push("stepped"),
      committed: () => void calls.push("committed"),
      roundEnded: () => void calls.push("ended"),
      dismissed: () => void calls.push("dismissed"),
    };
    lab.server.onRound(() => void calls.push("game"));
    const { leave } = lab.server.main.invite(() => places);
    lab.step();
    leave();
    lab.step();
    expect(calls).toEqual(["begins 1", "game", "stepped", "committed", "ended", "dismissed", "game"]);
  });

  it("writes in gameStepped what is part of the round", () => {
    const lab = newLab();
    const ship = lab.world.spawn(Ship, {});
    lab.server.main.invite(() => ({
      name: "writer",
      gameStepped(round) {
        ship.hull = round;
      },
    }));
    const ann = lab.join("ann");
    lab.run(2000);
    expect([...ann.client.world.all(Ship)][0]!.hull).toBeGreaterThan(10);
  });

  it("that throws is reported by name, and the round goes on", () => {
    const reports: string[] = [];
    const lab = newLab({ onError: (_, where) => void reports.push(where) });
    let others = 0;
    lab.server.main.invite(() => ({
      name: "broken",
      roundBegins() {
        throw new Error("broken");
      },
    }));
    lab.server.main.invite(() => ({
      name: "whole",
      roundEnded() {
        others += 1;
      },
    }));
    lab.step(3);
    expect(reports[0]).toBe("main: guest broken: roundBegins");
    expect(others).toBe(3);
  });

  it("leaves when its room closes", () => {
    const lab = newLab();
    let left = 0;
    lab.server.createRoom("side").invite(() => ({
      name: "short",
      dismissed() {
        left += 1;
      },
    }));
    lab.server.closeRoom("side");
    expect(left).toBe(1);
  });

  it("takes its views with it", () => {
    const lab = newLab();
    let added: ReturnType<RoomSeam["addView"]> | undefined;
    const { leave } = lab.server.main.invite((seam) => {
      added = seam.addView(view);
      return { name: "looker" };
    });
    const { id } = added!;
    leave();
    expect(lab.server.main.model.addView(view)).toBe(id);
  });
});
