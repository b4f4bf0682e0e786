/**
 * Sessions: joining and leaving at any time, names, rooms and their states, what becomes of objects, a server that
 * plays along, and coming back.
 */

import { explain, proposeView, setPivots } from "@nearfield/client/views";
import { add, lock, onRefused, remove } from "@nearfield/client/writing";
import { along, near, toAll } from "@nearfield/server";
import { describe, expect, it } from "vitest";
import { Lab } from "../src/index.ts";
import { ROUGH } from "./conditions.ts";
import {
  Chat,
  Crate,
  differences,
  Probe,
  protocol,
  Say,
  Score,
  Ship,
  Shot,
  Steer,
  spawnShip,
  stir,
  view,
} from "./scenario.ts";

describe("joining and leaving", () => {
  it("happens at any time; names are unique in a room; leavers' objects go, others learn of it", () => {
    const lab = new Lab({ protocol, view, roundMs: 50 });
    const left: string[] = [];
    lab.server.onJoin((player) => player.pivotOn(lab.world.spawn(Ship, { x: 5, y: 5 }, { owner: player.id })));
    lab.server.onLeave((player, reason) => left.push(`${player.nickname}: ${reason.code}`));
    const first = lab.join("ann");
    lab.run(500);
    const second = lab.join("ann");
    lab.run(500);
    expect([first.client.nickname, second.client.nickname]).toEqual(["ann", "ann-2"]);
    expect(first.world.count).toBe(2);
    const destroyed: number[] = [];
    first.client.onDestroy(Ship, (ship) => destroyed.push(ship.x));
    second.leave();
    lab.run(500);
    expect(left).toEqual(["ann-2: left"]);
    expect(lab.world.count).toBe(1);
    expect(first.world.count).toBe(1);
    expect(destroyed).toEqual([5]);
    const third = lab.join("ann-2");
    lab.run(500);
    expect(third.client.nickname).toBe("ann-2");
    expect(third.client.world.session).not.toBe(second.client.world.session);
  });

  it("cleans names: no invisible characters, no turned text, never too long for a nickname's field", () => {
    const lab = new Lab({ protocol, view, roundMs: 50 });
    const wanted = ["  ann\u202e\u200b", "ann", "中".repeat(40), "中".repeat(32)];
    const clients = wanted.map((nickname) => lab.join(nickname));
    lab.run(500);
    expect(clients.map(({ client }) => client.nickname)).toEqual([
      "ann",
      "ann-2",
      "中".repeat(32),
      `${"中".repeat(30)}-2`,
    ]);
    expect(lab.server.localPlayer("ann\u2066").nickname).toBe("ann-3");
    expect(() => lab.server.localPlayer("\u200b")).toThrow(/visible/);
    expect(() => lab.join("\u200b")).toThrow(/visible/);
  });

  it("keeps leavers' objects, and refuses taken names, where the game says so", () => {
    const lab = new Lab({ protocol, view, roundMs: 50, objectsOfLeavers: "keep", takenNickname: "refuse" });
    lab.server.onJoin((player) => player.pivotOn(lab.world.spawn(Ship, { x: 5, y: 5 }, { owner: player.id })));
    const [ann, ben] = [lab.join("ann"), lab.join("ben")];
    const refused = lab.join("ann");
    lab.run(500);
    expect(refused.client.reason?.code).toBe("nickname");
    ann.leave();
    lab.run(500);
    expect([...lab.world.all(Ship)].map(({ owner }) => owner)).toEqual([0, ben.world.session]);
    expect(differences(lab, ben)).toEqual([]);
  });

  it("is told to a player that is ended by the game, with the text", () => {
    const lab = new Lab({ protocol, view, roundMs: 50 });
    lab.server.onCommand(Say, (player) => player.kick("no shouting"));
    const ann = lab.join("ann");
    const ben = lab.join("ben");
    lab.run(200);
    ann.client.send(Say, { words: "AAA" });
    ann.client.send(Say, { words: "BBB" });
    lab.run(200);
    expect(ann.client.reason).toEqual({ code: "kicked", detail: "no shouting" });
    expect(ben.client.state).toBe("active");
    expect(() => ann.client.send(Say, { words: "?" })).toThrow(/has ended: no shouting/);
  });

  it("ends cleanly for everybody when the server closes", async () => {
    const lab = new Lab({ protocol, view, roundMs: 50 });
    const clients = ["ann", "ben"].map((nickname) => lab.join(nickname, { latencyMs: 20 }));
    lab.run(300);
    const ben = clients[1]!.client;
    const waiting = proposeView(ben, view);
    await lab.server.close("good night");
    await lab.server.close();
    lab.run(200);
    for (const { client } of clients) expect(client.reason).toEqual({ code: "closing", detail: "good night" });
    await expect(waiting).rejects.toMatchObject({ code: "closing" });
  });
});

describe("coming back", () => {
  it("keeps session, name and objects, and brings only what changed", () => {
    const lab = new Lab({ protocol, view, roundMs: 50, seed: 3 });
    const dice = lab.dice.fork("game");
    for (let i = 0; i < 300; i++) spawnShip(lab.world, dice);
    lab.server.onJoin((player) => player.pivotOn(lab.world.spawn(Ship, { x: 5, y: 5 }, { owner: player.id })));
    const ann = lab.join("ann", { latencyMs: 30 });
    lab.run(1000);
    const player = [...lab.server.main.players.values()][0]!;
    const { session: number } = ann.world;
    const bytesToJoin = player.telemetry.bytesOut;
    const wholeBefore = player.telemetry.recordsWhole;
    const states: string[] = [];
    ann.client.onState((state) => states.push(state));
    ann.setReachable(false);
    ann.breakLink();
    lab.run(3000);
    expect(player.presence).toBe("away");
    const [moved] = [...lab.world.all(Ship)];
    moved!.x = 77;
    ann.setReachable(true);
    lab.until(() => ann.client.state === "active");
    lab.run(1000);
    expect(states).toEqual(["reconnecting", "active"]);
    expect(ann.world.session).toBe(number);
    expect(player.presence).toBe("here");
    expect(differences(lab, ann)).toEqual([]);
    expect(player.telemetry.recordsWhole).toBe(wholeBefore);
    expect(player.telemetry.bytesOut - bytesToJoin).toBeLessThan(bytesToJoin / 4);
  });

  it("is too late after the time that the session is kept; its objects are gone", () => {
    const lab = new Lab({ protocol, view, roundMs: 50, times: { resumeMs: 2000 } });
    lab.server.onJoin((player) => player.pivotOn(lab.world.spawn(Ship, { x: 5, y: 5 }, { owner: player.id })));
    const ann = lab.join("ann");
    lab.run(500);
    ann.setReachable(false);
    ann.breakLink();
    lab.run(2500);
    expect(lab.world.count).toBe(0);
    expect(ann.client.reason?.code).toBe("session-gone");
  });

  it("takes a session over from a link that only looks alive", () => {
    const lab = new Lab({ protocol, view, roundMs: 50 });
    const ann = lab.join("ann", { latencyMs: 10 }, { reconnect: { silentMs: 500 } });
    lab.run(500);
    ann.path.down.cut();
    ann.path.up.cut();
    lab.run(4000);
    expect(ann.client.state).toBe("active");
    expect(lab.server.playerCount).toBe(1);
    expect(lab.server.main.telemetry.resumes).toBe(1);
  });

  it("a client that never acknowledges is disconnected, and the session kept for a while", () => {
    const lab = new Lab({ protocol, view, roundMs: 50, times: { ackMs: 1000 } });
    const ann = lab.join("ann", {}, { reconnect: { silentMs: 60_000 } });
    lab.run(500);
    const states: string[] = [];
    ann.client.onState((state) => states.push(state));
    ann.path.up.cut();
    lab.run(3000);
    expect(states).toEqual(["reconnecting", "active"]);
    expect(lab.server.main.telemetry.resumes).toBe(1);
  });
});

describe("rooms", () => {
  it("are worlds of their own", () => {
    const lab = new Lab({ protocol, view, roundMs: 50 });
    const cellar = lab.server.createRoom("cellar");
    cellar.onJoin((player) => player.pivotOn(cellar.world.spawn(Ship, { x: 1, y: 1 }, { owner: player.id })));
    const chats: string[] = [];
    const main = lab.join("ann");
    const below = lab.join("ann", {}, { room: "cellar" });
    const also = lab.join("ben", {}, { room: "cellar" });
    for (const { client, nickname } of [main, below, also])
      client.onEvent(Chat, ({ words }) => chats.push(`${nickname}: ${words}`));
    lab.run(300);
    expect([main.client.nickname, below.client.nickname]).toEqual(["ann", "ann"]);
    expect([main.world.count, below.world.count, also.world.count]).toEqual([0, 2, 2]);
    cellar.emit(Chat, { words: "dark here" });
    lab.run(200);
    expect(chats.sort()).toEqual(["ann: dark here", "ben: dark here"]);
    lab.server.closeRoom("cellar");
    lab.run(200);
    expect([main.client.state, below.client.reason?.code]).toEqual(["active", "closing"]);
    expect(() => lab.server.createRoom("main")).toThrow(/exists already/);
  });

  it("are set up, active, then idle (V §4): objects can be added before, nothing moves unless active", async () => {
    const lab = new Lab({ protocol, view, roundMs: 50, state: "setup", clientMayAdd: [Probe] });
    let steps = 0;
    let commands = 0;
    lab.server.onRound(() => {
      steps += 1;
    });
    lab.server.onCommand(Steer, () => {
      commands += 1;
    });
    const crate = lab.world.spawn(Crate, { x: 1, y: 1 });
    const [ann, ben] = [lab.join("ann"), lab.join("ben")];
    const states: string[] = [];
    ben.client.onRoomState((state) => states.push(state));
    lab.run(300);
    const added = add(ann.client, Probe, { x: 9, y: 9 });
    ann.client.send(Steer, { heading: 1 });
    const denied = lock(ann.client, ann.world.get(crate.id)!);
    lab.run(300);
    await expect(denied).rejects.toMatchObject({ code: "not-active" });
    const probe = await added;
    expect(ben.world.get(probe.id)!["x"]).toBe(9);
    expect([steps, commands, ann.client.roomState]).toEqual([0, 0, "setup"]);
    lab.server.main.enable();
    ann.client.send(Steer, { heading: 1 });
    lab.run(300);
    expect([steps > 0, commands, ann.client.roomState]).toEqual([true, 1, "active"]);
    lab.server.main.disable();
    lab.run(200);
    const before = steps;
    const refusals: string[] = [];
    onRefused(ann.client, (_, refusal) => refusals.push(refusal));
    probe.x = 500;
    lab.run(500);
    expect(refusals).toEqual(["not-active"]);
    expect([steps, probe.x, ann.client.roomState]).toEqual([before, 9, "idle"]);
    expect(states).toEqual(["active", "idle"]);
  });
});

describe("objects of a client's own (F §4.2.2)", () => {
  it("are added and removed where the type allows it, up to a quota", async () => {
    const lab = new Lab({ protocol, view, roundMs: 50, clientMayAdd: [Probe], limits: { objectsPerPlayer: 2 } });
    const [ann, ben] = [lab.join("ann", { latencyMs: 30 }), lab.join("ben")];
    lab.run(300);
    const outcomes: string[] = [];
    const note = (promise: Promise<{ id: number }>): void =>
      void promise.then(
        () => outcomes.push("added"),
        (error: { code: string }) => outcomes.push(error.code),
      );
    const first = add(ann.client, Probe, { x: 10, mode: "scan" });
    note(first);
    note(add(ann.client, Probe, {}));
    note(add(ann.client, Probe, {}));
    note(add(ann.client, Score, {}));
    lab.run(500);
    const probe = await first;
    await Promise.resolve();
    expect(outcomes.sort()).toEqual(["added", "added", "not-allowed", "quota"]);
    expect([probe.x, probe.mode, ann.world.isMine(probe)]).toEqual([10, "scan", true]);
    expect(ben.world.count).toBe(2);
    remove(ann.client, probe);
    lab.run(500);
    expect([probe.alive, ben.world.count]).toEqual([false, 1]);
    await expect(add(ann.client, Probe, { x: "far" as unknown as number })).rejects.toThrow(/probe\.x/);
  });
});

describe("a server that is also a player (V §3.1)", () => {
  it("commands and hears like everybody, and reads the primaries", () => {
    const lab = new Lab({ protocol, view, roundMs: 50 });
    const said: string[] = [];
    lab.server.onCommand(Say, (player, { words }) => said.push(`${player.nickname}: ${words}`));
    lab.server.onJoin((player) => player.pivotOn(lab.world.spawn(Ship, { x: 100, y: 100 }, { owner: player.id })));
    const host = lab.server.localPlayer("host");
    const guest = lab.join("guest");
    const heard: number[] = [];
    host.onEvent(Shot, ({ number }) => heard.push(number));
    lab.run(300);
    host.send(Say, { words: "welcome" });
    guest.client.send(Say, { words: "hello" });
    lab.server.emit(Shot, { x: 1, y: 1, number: 1 }, toAll());
    lab.server.emit(Shot, { x: 1, y: 1, number: 2 }, near([100, 100], 5));
    lab.server.emit(Shot, { x: 1, y: 1, number: 3 }, near([500, 500], 5));
    lab.server.emit(Shot, { x: 1, y: 1, number: 4 }, along([110, 100], [900, 900], { zone: 0 }));
    lab.run(300);
    expect(said.sort()).toEqual(["guest: hello", "host: welcome"]);
    expect(heard).toEqual([1, 2, 4]);
    expect(host.owned().map(({ id }) => guest.world.get(id)!["x"])).toEqual([100]);
    host.leave();
    lab.run(300);
    expect([lab.server.playerCount, guest.world.count]).toEqual([1, 1]);
  });
});

describe("the game's own mistakes", () => {
  it("are reported and do not stop the round", () => {
    const errors: string[] = [];
    const lab = new Lab({
      protocol,
      view,
      roundMs: 50,
      onError: (error, where) => errors.push(`${where}: ${String(error)}`),
    });
    const dice = lab.dice.fork("game");
    for (let i = 0; i < 5; i++) spawnShip(lab.world, dice);
    lab.server.onCommand(Say, () => {
      throw new Error("oops");
    });
    lab.server.onRound((world) => stir(world, dice));
    lab.server.onRound(() => {
      if (lab.server.roundNumber === 10) throw new Error("slip");
    });
    const ann = lab.join("ann", ROUGH);
    lab.run(1000);
    ann.client.send(Say, { words: "x" });
    lab.run(3000);
    expect(errors.sort()).toEqual(["main: command say: Error: oops", "main: onRound: Error: slip"]);
    expect(ann.client.state).toBe("active");
    lab.server.main.disable();
    lab.run(5000);
    expect(differences(lab, ann)).toEqual([]);
  });

  it("show at start where they can", () => {
    const bad = {
      sets: [{ match: "everything", radii: [1], bounds: [{ time: 5 }, { time: 1 }] }],
      pivots: [],
    } as const;
    expect(() => new Lab({ protocol, view: bad, roundMs: 50 })).toThrow(/bounds\[1\]\[0\]\.time/);
    expect(() => new Lab({ protocol, view, roundMs: 0 })).toThrow();
    expect(() => new Lab({ protocol, view, roundMs: 50, limits: { players: 0 } })).toThrow(/limits\.players/);
    const lab = new Lab({ protocol, view, roundMs: 50 });
    lab.server.onCommand(Say, () => {});
    expect(() => lab.server.onCommand(Say, () => {})).toThrow(/say: has a handler/);
    expect(() => lab.server.emit(Chat, { words: 5 as unknown as string })).toThrow(/chat\.words/);
  });
});

describe("hooks of the game that throw", () => {
  it("are reported, and refuse what they were asked", () => {
    const errors: string[] = [];
    const fail = (): never => {
      throw new Error("oops");
    };
    const lab = new Lab({
      protocol,
      view,
      roundMs: 50,
      onError: (_, where) => errors.push(where),
      visible: (_, entity) => (entity.type.name === "crate" ? fail() : true),
      mayPivot: fail,
      mayExplain: fail,
    });
    lab.server.onWrite(Probe, (_, __, { x }) => ({ speed: x }) as object);
    lab.server.onJoin((player) => player.pivotOn(lab.world.spawn(Probe, { x: 5, y: 5 }, { owner: player.id })));
    lab.world.spawn(Crate, { x: 1, y: 1 });
    const ann = lab.join("ann");
    lab.run(300);
    explain(ann.client, 1);
    setPivots(ann.client, [{ point: [1, 1] }]);
    const [probe] = [...ann.world.all(Probe)];
    probe!.x = 9;
    lab.run(300);
    expect(new Set(errors)).toEqual(new Set(["main: visible", "main: mayPivot", "main: mayExplain", "main: onWrite"]));
    expect([probe!.x, ann.world.count, ann.client.state]).toEqual([5, 1, "active"]);
  });
});
