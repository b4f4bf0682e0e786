/** Bad input: each gets a typed reason, its connection ends or its view is clamped, and nobody else notices. */

import { proposeView } from "@nearfield/client/views";
import type { ViewSettings } from "@nearfield/core";
import { type ObjectId, Protocol } from "@nearfield/schema";
import { objectId } from "@nearfield/schema/internal";
import { describe, expect, it } from "vitest";
import { Lab, type LabClient } from "../src/index.ts";
import { RawClient } from "./raw-client.ts";
import { Crate, differences, Probe, protocol, Say, Score, Ship, Steer, spawnShip, stir, view } from "./scenario.ts";

interface Stage {
  readonly lab: Lab;
  readonly honest: LabClient;
  readonly raw: RawClient;
  readonly ship: ObjectId;
  readonly crate: ObjectId;
  readonly probe: ObjectId;
}

/** A running game with an honest player, and a stranger that has said hello. */
function stage(): Stage {
  const lab = new Lab({
    protocol,
    view,
    roundMs: 50,
    seed: 5,
    limits: { messagesPerRound: 100, bytesPerRound: 20_000 },
  });
  const dice = lab.dice.fork("game");
  for (let i = 0; i < 10; i++) spawnShip(lab.world, dice);
  const crate = lab.world.spawn(Crate, { x: 3, y: 3, label: "apples" });
  const probe = lab.world.spawn(Probe, { x: 5, y: 5 }, { owner: 999 });
  lab.server.onCommand(Steer, () => {});
  lab.server.onRound((world) => stir(world, dice));
  const honest = lab.join("honest", { latencyMs: 10 });
  const raw = new RawClient(lab, protocol);
  raw.hello();
  lab.run(300);
  const [ship] = [...lab.world.all(Ship)];
  return { lab, honest, raw, ship: ship!.id, crate: crate.id, probe: probe.id };
}

/** The stranger is gone for that reason; the honest player has not noticed. */
function expectEnded({ lab, honest, raw }: Stage, code: string): void {
  lab.run(300);
  expect(raw.verdict?.code).toBe(code);
  expect(raw.closeCode).toBe(code);
  expect([...lab.server.main.players.values()].map(({ nickname }) => nickname)).toEqual(["honest"]);
  lab.server.main.disable();
  lab.run(2000);
  expect(honest.client.state).toBe("active");
  expect(differences(lab, honest)).toEqual([]);
}

const none: ViewSettings = { sets: [{ match: "everything", bounds: [{}] }], pivots: [] };

describe("a stranger", () => {
  const cases: [string, string, (raw: RawClient) => void][] = [
    ["of another version", "version", (raw) => raw.hello({ version: 999 })],
    ["of another schema", "schema", (raw) => raw.hello({ hash: 1 })],
    ["without a name", "nickname", (raw) => raw.hello({ nickname: "  " })],
    ["with a name that cannot be seen", "nickname", (raw) => raw.hello({ nickname: "\u202e\u200b\u0007" })],
    ["for a room that is not there", "room", (raw) => raw.hello({ room: "cellar" })],
    [
      "with a session nobody knows",
      "session-gone",
      (raw) =>
        raw.hello({
          resume: { token: new Uint8Array(16), attempt: 2, heard: 0, packets: { newest: 0, runs: [] }, afresh: false },
        }),
    ],
    ["that talks before hello", "unexpected", (raw) => raw.control({ kind: "leave" })],
    ["that sends noise", "malformed", (raw) => raw.bytes("reliable", Uint8Array.of(255, 3, 9))],
    ["that is silent", "silent", () => {}],
  ];
  it.each(cases)("%s is refused with %s", (_, code, act) => {
    const lab = new Lab({ protocol, view, roundMs: 50, seed: 5 });
    const raw = new RawClient(lab, protocol);
    act(raw);
    lab.run(6000);
    expect([raw.verdict?.code, raw.closeCode]).toEqual([code, code]);
    expect(lab.server.playerCount).toBe(0);
  });

  it("is refused when the server is full, and when too many wait at the door", () => {
    const lab = new Lab({ protocol, view, roundMs: 50, seed: 5, limits: { players: 1, strangers: 2 } });
    lab.join("first");
    lab.run(200);
    const second = new RawClient(lab, protocol);
    second.hello();
    lab.run(200);
    expect(second.verdict?.code).toBe("full");
    const waiting = [1, 2, 3].map((number) => new RawClient(lab, protocol, `raw ${number}`));
    lab.run(50);
    expect(waiting.map(({ closeCode }) => closeCode)).toEqual([undefined, undefined, "full"]);
  });
});

describe("a client that breaks the rules is ended", () => {
  const never = objectId(900_000, 3);
  const cases: [string, string, (stage: Stage) => void][] = [
    ["noise on the reliable channel", "malformed", ({ raw }) => raw.bytes("reliable", Uint8Array.of(31, 1, 2, 3))],
    [
      "noise on the sequenced channel",
      "malformed",
      ({ raw }) => raw.bytes("sequenced", Uint8Array.of(1, 0, 0, 255, 255, 255)),
    ],
    [
      "noise on the unsequenced channel",
      "malformed",
      ({ raw }) => raw.bytes("unsequenced", new Uint8Array(40).fill(170)),
    ],
    ["an empty message", "malformed", ({ raw }) => raw.bytes("reliable", new Uint8Array(0))],
    ["an absurd size", "malformed", ({ raw }) => raw.bytes("reliable", new Uint8Array(10_000).fill(1))],
    ["a second hello", "unexpected", ({ raw }) => raw.hello()],
    [
      "acks of packets never sent",
      "unexpected",
      ({ raw }) => raw.control({ kind: "ack", heard: 0, packets: { newest: 30_000, runs: [1] }, waitedMs: 0 }),
    ],
    [
      "confirming messages never sent",
      "unexpected",
      ({ raw }) => raw.control({ kind: "ack", heard: 99, packets: { newest: 0, runs: [] }, waitedMs: 0 }),
    ],
    [
      "a gap in the reliable stream",
      "malformed",
      ({ raw }) => {
        for (let i = 0; i < 3; i++) raw.say({ kind: "lock", id: never });
        raw.bytes("reliable", Uint8Array.of(5, 200, 0));
      },
    ],
    [
      "a command without a handler",
      "unknown-command",
      ({ raw }) => raw.say({ kind: "command", type: Say, values: { words: "hi" } }),
    ],
    [
      "a write to an id that never was",
      "foreign-object",
      ({ raw }) => raw.say({ kind: "write", id: never, fields: { type: Probe, mask: 1, wires: [1] } }),
    ],
    [
      "a write to somebody else's object",
      "foreign-object",
      ({ raw, probe }) => raw.say({ kind: "write", id: probe, fields: { type: Probe, mask: 1, wires: [1] } }),
    ],
    [
      "a write to the server's object",
      "foreign-object",
      ({ raw, ship }) => raw.say({ kind: "write", id: ship, fields: { type: Ship, mask: 1, wires: [1] } }),
    ],
    [
      "a write as a wrong type",
      "foreign-object",
      ({ raw, ship }) => raw.say({ kind: "write", id: ship, fields: { type: Score, mask: 1, wires: [1] } }),
    ],
    ["a lock on what is not locked", "foreign-object", ({ raw, ship }) => raw.say({ kind: "lock", id: ship })],
    ["a lock on an id that never was", "foreign-object", ({ raw }) => raw.say({ kind: "lock", id: never })],
    ["removing somebody else's object", "foreign-object", ({ raw, probe }) => raw.say({ kind: "remove", id: probe })],
    [
      "a view whose bounds tighten outward",
      "bad-view",
      ({ raw }) => {
        const set = { match: "everything", radii: [10], bounds: [{ time: 500 }, { time: 100 }] } as const;
        raw.say({ kind: "proposeView", request: 1, settings: { sets: [set], pivots: [] } });
      },
    ],
    [
      "a view without a last set",
      "bad-view",
      ({ raw }) =>
        raw.say({
          kind: "proposeView",
          request: 1,
          settings: { sets: [{ match: { type: "ship" }, bounds: [{}] }], pivots: [] },
        }),
    ],
    [
      "a view with a negative bound",
      "bad-view",
      ({ raw }) =>
        raw.say({
          kind: "proposeView",
          request: 1,
          settings: { ...none, sets: [{ match: "everything", bounds: [{ time: -1 }] }] },
        }),
    ],
    [
      "a pivot of no place",
      "bad-view",
      ({ raw }) => raw.control({ kind: "pivots", number: 1, pivots: [{ point: [1, Number.POSITIVE_INFINITY] }] }),
    ],
    [
      "too many messages",
      "flood",
      ({ raw }) => {
        for (let i = 0; i < 200; i++) raw.control({ kind: "ping", stamp: i });
      },
    ],
    [
      "too many bytes",
      "flood",
      ({ raw }) => {
        for (let i = 0; i < 30; i++) raw.bytes("unsequenced", new Uint8Array(1000));
      },
    ],
  ];
  it.each(cases)("%s → %s", (_, code, act) => {
    const scene = stage();
    act(scene);
    expectEnded(scene, code);
  });

  it("a spectator that gives commands", () => {
    const lab = new Lab({ protocol, view, roundMs: 50, seed: 5, spectators: "anybody" });
    lab.server.onCommand(Steer, () => {});
    const raw = new RawClient(lab, protocol);
    raw.hello({ role: "spectator" });
    lab.run(200);
    raw.say({ kind: "command", type: Steer, values: { heading: 1 } });
    lab.run(200);
    expect(raw.verdict?.code).toBe("unexpected");
  });
});

describe("a view that asks for more than it may", () => {
  it("is clamped, and the client is told what was changed", async () => {
    const { lab, honest } = stage();
    const sets = [{ match: "everything", bounds: [{ time: 0, sequence: 1 }] }] as const;
    const answer = proposeView(honest.client, { sets, pivots: [{ point: [1, 1] }] });
    lab.run(300);
    const { settings, clamped } = await answer;
    expect(settings.pivots).toEqual([]);
    expect(settings.sets[0]!.radii).toEqual([100, 300]);
    expect(settings.sets[0]!.bounds).toEqual([{ time: 0, sequence: 1 }, { time: 200, value: 20 }, { time: 500 }]);
    expect(clamped.join("\n")).toMatch(
      /time: 0 is stricter than 500[\s\S]*sequence: 1 is stricter than Infinity[\s\S]*pivots\[0\]/,
    );
  });

  it("throws in the client's own code, naming the place, if it breaks the rules of a view", () => {
    const { honest } = stage();
    const sets = [{ match: "everything", radii: [10], bounds: [{ time: 500 }, { time: 100 }] }] as const;
    expect(() => proposeView(honest.client, { sets, pivots: [] })).toThrow(/sets\[0\]\.bounds\[1\]\[0\]\.time/);
  });

  it("is refused, without ending, if it names what the server does not know", async () => {
    const { lab, honest } = stage();
    const sets = [{ match: { predicate: "secret" }, bounds: [{}] }, ...none.sets];
    const answer = proposeView(honest.client, { sets, pivots: [] });
    lab.run(300);
    await expect(answer).rejects.toMatchObject({ code: "view-refused" });
    expect(honest.client.state).toBe("active");
  });
});

it("a server with another schema is refused by name in the client", () => {
  const lab = new Lab({ protocol, view, roundMs: 50, seed: 5 });
  const other = new Protocol({ objects: [Ship] });
  const raw = new RawClient(lab, other);
  raw.hello();
  lab.run(200);
  expect(raw.verdict).toMatchObject({ code: "schema", detail: expect.stringContaining("different objects") });
});
