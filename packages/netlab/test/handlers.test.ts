/** What a game looks up by type, on both sides, and handlers that are taken back. */

import { predict, type Replicated } from "@nearfield/client";
import { explain, onExplanations, onLoosened, onViewSet, proposeView } from "@nearfield/client/views";
import { onRefused } from "@nearfield/client/writing";
import type { Entity } from "@nearfield/core";
import { object, Protocol, uint } from "@nearfield/schema";
import { describe, expect, expectTypeOf, it } from "vitest";
import { Lab, type LabClient } from "../src/index.ts";
import { Chat, Probe, protocol, Say, Score, Ship, Shot, Steer, view } from "./scenario.ts";

function setUp(): { lab: Lab; ann: LabClient; ben: LabClient } {
  const lab = new Lab({ protocol, view, roundMs: 50 });
  lab.server.onJoin((player) => {
    player.pivotOn(lab.world.spawn(Ship, { x: 5, y: 5 }, { owner: player.id }));
    lab.world.spawn(Probe, { x: 1, y: 1 }, { owner: player.id });
    lab.world.spawn(Probe, { x: 2, y: 2 }, { owner: player.id });
  });
  const [ann, ben] = [lab.join("ann"), lab.join("ben")];
  lab.until(() => ann.world.count === 6 && ben.world.count === 6);
  return { lab, ann, ben };
}

describe("looked up by type", () => {
  it("a client's own objects, one or all, as they come and go and change hands", () => {
    const { lab, ann, ben } = setUp();
    const ship = ann.client.mine(Ship);
    expectTypeOf(ship).toEqualTypeOf<Replicated<typeof Ship.shape> | undefined>();
    expect(ship).toMatchObject({ x: 5, owner: ann.world.session });
    expect(ann.client.allMine(Probe).map(({ x }) => x)).toEqual([1, 2]);
    expect(ann.client.mine(Score)).toBeUndefined();
    const primary = lab.world.get(Ship, ship!.id)!;
    lab.world.setOwner(primary, ben.world.session);
    lab.run(300);
    expect(ann.client.mine(Ship)).toBeUndefined();
    expect(ben.client.allMine(Ship)).toHaveLength(2);
    lab.world.destroy(primary);
    lab.run(300);
    expect(ben.client.allMine(Ship)).toHaveLength(1);
  });

  it("one object by its id: undefined where it is of another type, or gone", () => {
    const { lab, ann } = setUp();
    const { id } = ann.client.mine(Ship)!;
    expectTypeOf(lab.world.get(Ship, id)).toEqualTypeOf<Entity<typeof Ship.shape> | undefined>();
    expectTypeOf(ann.world.get(Ship, id)).toEqualTypeOf<Replicated<typeof Ship.shape> | undefined>();
    expect([lab.world.get(Ship, id)?.x, ann.world.get(Ship, id)?.x]).toEqual([5, 5]);
    expect([lab.world.get(Probe, id), ann.world.get(Probe, id)]).toEqual([undefined, undefined]);
    expect([lab.world.get(id)?.id, ann.world.get(id)?.id]).toEqual([id, id]);
    lab.world.destroy(lab.world.get(id)!);
    expect(lab.world.get(Ship, id)).toBeUndefined();
  });

  it("what a player owns", () => {
    const { lab } = setUp();
    const [player] = [...lab.server.main.players.values()];
    expectTypeOf(player!.owned(Probe)).toEqualTypeOf<Entity<typeof Probe.shape>[]>();
    expect(player!.owned(Probe).map(({ x }) => x)).toEqual([1, 2]);
    expect(player!.owned()).toHaveLength(3);
    expect(player!.owned(Score)).toEqual([]);
  });
});

describe("a handler", () => {
  it("of a client runs until it is taken back", () => {
    const { lab, ann } = setUp();
    const { client } = ann;
    const heard: string[] = [];
    const offs = [
      client.activity(() => heard.push("activity")),
      client.onEvent(Chat, () => heard.push("event")),
      client.onSpawn(Ship, () => heard.push("spawn")),
      client.onUpdate(Ship, () => heard.push("update")),
      client.onLeave(Ship, () => heard.push("leave")),
      client.onDestroy(Ship, () => heard.push("destroy")),
      client.onState(() => heard.push("state")),
      client.onLink(() => heard.push("link")),
      client.onRoomState(() => heard.push("room state")),
      onViewSet(client, () => heard.push("view")),
      onRefused(client, () => heard.push("refused")),
      onLoosened(client, () => heard.push("loosened")),
      onExplanations(client, () => heard.push("explanations")),
    ];
    const happen = (): void => {
      const ship = lab.world.spawn(Ship, { x: 9, y: 9 });
      lab.server.emit(Chat, { words: "hi" });
      void proposeView(client, view).catch(() => {});
      explain(client, 1);
      lab.run(300);
      ship.x = 11;
      lab.run(300);
      lab.world.destroy(ship);
      lab.server.main.disable();
      lab.run(300);
      lab.server.main.enable();
      ann.breakLink();
      lab.run(2000);
    };
    happen();
    const before = ["activity", "event", "spawn", "update", "destroy", "state", "link", "room state", "view"];
    expect([...before, "explanations"].filter((what) => !heard.includes(what))).toEqual([]);
    heard.length = 0;
    for (const off of offs) off();
    happen();
    expect(heard).toEqual([]);
  });

  it("of a server runs until it is taken back; of a command there may be another then", async () => {
    const lab = new Lab({ protocol, view, roundMs: 50 });
    const { server } = lab;
    const heard: string[] = [];
    server.steps(Ship, Steer, () => {});
    const offs = [
      server.onJoin((player) => {
        heard.push("join");
        player.pivotOn(lab.world.spawn(Ship, { x: 5, y: 5 }, { owner: player.id }));
        lab.world.spawn(Probe, {}, { owner: player.id });
      }),
      server.onLeave(() => heard.push("leave")),
      server.onRound(() => heard.push("round")),
      server.onCommand(Say, () => heard.push("command")),
      server.onStep(Ship, Steer, () => heard.push("step")),
      server.onWrite(Probe, () => {
        heard.push("write");
        return true;
      }),
      server.onUpdate(Probe, () => heard.push("update")),
      server.onClose(() => void heard.push("close")),
    ];
    const ann = lab.join("ann");
    lab.until(() => ann.client.hasJoined);
    const steered = predict(ann.client, ann.client.mine(Ship)!, Steer, () => {});
    const happen = (): void => {
      steered.command({ heading: 1 });
      ann.client.mine(Probe)!.x += 10;
      lab.run(300);
    };
    ann.client.send(Say, { words: "hi" });
    lab.run(50);
    happen();
    expect(["join", "round", "command", "step", "write", "update"].filter((what) => !heard.includes(what))).toEqual([]);
    for (const off of offs) off();
    heard.length = 0;
    server.onCommand(Say, () => heard.push("another"));
    server.onWrite(Probe, () => true);
    offs[3]!();
    ann.client.send(Say, { words: "hi" });
    happen();
    const ben = lab.join("ben");
    lab.run(300);
    ben.leave();
    lab.run(300);
    const host = server.localPlayer("host");
    host.onEvent(Shot, () => heard.push("shot"))();
    server.emit(Shot, { x: 1, y: 1, number: 1 });
    lab.run(100);
    await server.close();
    expect(heard).toEqual(["another"]);
  });

  it("for a type that the protocol does not have is refused at the call", () => {
    const { lab, ann } = setUp();
    const Rock = object("rock", { size: uint(3) });
    expect(new Protocol({ objects: [Rock] }).objects).toHaveLength(1);
    expect(() => ann.client.onSpawn(Rock, () => {})).toThrow(/rock/);
    expect(() => ann.client.onUpdate(Rock, () => {})).toThrow(/rock/);
    expect(() => ann.client.onLeave(Rock, () => {})).toThrow(/rock/);
    expect(() => ann.client.onDestroy(Rock, () => {})).toThrow(/rock/);
    expect(() => lab.server.onUpdate(Rock, () => {})).toThrow(/rock/);
  });
});
