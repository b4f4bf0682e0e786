/** Stepped commands that no honest client sends: each ends that connection with its reason. And one who hurries gains nothing. */

import { zones } from "@nearfield/core";
import {
  type Commands,
  encodeFromClient,
  MOST_AHEAD_MS,
  MOST_COMMANDS,
  type SteppedCommand,
} from "@nearfield/protocol/internal";
import { command, type ObjectId, object, Protocol, quantized, uint } from "@nearfield/schema";
import { objectId } from "@nearfield/schema/internal";
import { describe, expect, it } from "vitest";
import { Lab } from "../src/index.ts";
import { RawClient } from "./raw-client.ts";

const Ship = object("ship", { x: quantized(0, 1_000_000, 0.1), y: quantized(0, 1000, 0.1) }, { position: ["x", "y"] });
const Rock = object("rock", { x: quantized(0, 1000, 1), y: quantized(0, 1000, 1) }, { position: ["x", "y"] });
const Go = command("go", { speed: uint(4) });
const Say = command("say", { word: uint(4) });
const protocol = new Protocol({ objects: [Ship, Rock], commands: [Go, Say] });
const view = zones(Ship, { radii: [500], bounds: [{ time: 0 }, { time: 500 }] });

interface Stage {
  readonly lab: Lab;
  readonly raw: RawClient;
  readonly own: ObjectId;
  readonly foreign: ObjectId;
  readonly rock: ObjectId;
  readonly ran: number[];
}

function stage(role: "player" | "spectator" = "player"): Stage {
  const lab = new Lab({ protocol, view, roundMs: 50, seed: 9, spectators: "anybody", times: { ackMs: 1e9 } });
  const ran: number[] = [];
  lab.server.steps(Ship, Go, (ship, { speed }, dtMs) => {
    ran.push(dtMs);
    ship.x += (speed * dtMs) / 10;
  });
  const foreign = lab.world.spawn(Ship, { x: 1, y: 1 }, { owner: 999 });
  const own: ObjectId[] = [];
  const rock: ObjectId[] = [];
  lab.server.onJoin((player) => {
    if (player.nickname !== "raw") return;
    own.push(lab.world.spawn(Ship, { x: 2, y: 2 }, { owner: player.id }).id);
    rock.push(lab.world.spawn(Rock, { x: 2, y: 2 }, { owner: player.id }).id);
  });
  lab.join("honest", { latencyMs: 10 });
  const raw = new RawClient(lab, protocol);
  raw.hello({ role });
  lab.run(200);
  return { lab, raw, own: own[0]!, foreign: foreign.id, rock: rock[0]!, ran };
}

function go(id: ObjectId, count: number, stepMs = 16, speed = 1): SteppedCommand[] {
  return Array.from({ length: count }, () => ({ id, type: Go as never, values: { speed }, stepMs }));
}

function commands(first: number, list: readonly SteppedCommand[]): Commands {
  return { kind: "commands", first, list };
}

describe("the connection ends", () => {
  const cases: [string, string, (stage: Stage) => void][] = [
    [
      "a gap in the numbers that no client leaves",
      "unexpected",
      ({ raw, own }) => raw.control(commands(1 + MOST_COMMANDS, go(own, 1))),
    ],
    ["numbers out of nowhere", "unexpected", ({ raw, own }) => raw.control(commands(30_000, go(own, 1)))],
    [
      "more than can wait",
      "flood",
      ({ raw, own }) => {
        for (let i = 0; i < 3; i++) raw.control(commands(1 + i * 400, go(own, 400, 4)));
      },
    ],
    ["more time than can wait", "flood", ({ raw, own }) => raw.control(commands(1, go(own, 9, 250)))],
    [
      "the same over and over",
      "flood",
      ({ raw, own }) => {
        for (let i = 0; i < 40; i++) raw.control(commands(1, go(own, 400, 4)));
      },
    ],
    ["an object of somebody else", "foreign-object", ({ raw, foreign }) => raw.control(commands(1, go(foreign, 1)))],
    ["an object that never was", "foreign-object", ({ raw }) => raw.control(commands(1, go(objectId(900, 3), 1)))],
    ["a type without steps", "unknown-command", ({ raw, rock }) => raw.control(commands(1, go(rock, 1)))],
    [
      "another command than its own",
      "unknown-command",
      ({ raw, own }) => raw.control(commands(1, [{ id: own, type: Say as never, values: { word: 1 }, stepMs: 16 }])),
    ],
    ["no commands at all", "malformed", ({ raw }) => raw.control(commands(1, []))],
    ["steps too short", "malformed", ({ raw, own }) => raw.control(commands(1, go(own, 1, 3)))],
    ["steps too long", "malformed", ({ raw, own }) => raw.control(commands(1, go(own, 1, 251)))],
    [
      "too many in a message",
      "malformed",
      ({ raw, own }) => raw.bytes("reliable", encodeFromClient(commands(1, go(own, MOST_COMMANDS + 1, 4)), protocol)),
    ],
    [
      "the sequenced channel",
      "malformed",
      ({ raw, own }) => raw.bytes("sequenced", encodeFromClient(commands(1, go(own, 1)), protocol)),
    ],
  ];

  it.each(cases)("%s: %s", (_, code, act) => {
    const staged = stage();
    act(staged);
    staged.lab.run(300);
    expect(staged.raw.closeCode).toBe(code);
    expect([...staged.lab.server.main.players.values()].map(({ nickname }) => nickname)).toEqual(["honest"]);
  });

  it("a spectator's commands: unexpected", () => {
    const { lab, raw, foreign } = stage("spectator");
    raw.control(commands(1, go(foreign, 1)));
    lab.run(300);
    expect(raw.closeCode).toBe("unexpected");
  });
});

describe("bad timing is forgiven", () => {
  it("commands for an object that is gone, or was given away, are passed over", () => {
    const { lab, raw, own, ran } = stage();
    raw.control(commands(1, go(own, 2)));
    lab.run(100);
    lab.world.setOwner(lab.world.get(own)!, 0);
    raw.control(commands(3, go(own, 2)));
    lab.run(100);
    lab.world.destroy(lab.world.get(own)!);
    raw.control(commands(5, go(own, 2)));
    lab.run(100);
    expect([raw.closeCode, ran.length]).toEqual([undefined, 2]);
  });

  it("after a gap in the numbers nothing is taken, and the client is told to send again", () => {
    const { lab, raw, own, ran } = stage();
    raw.control(commands(3, go(own, 2)));
    lab.run(100);
    expect([raw.closeCode, ran.length]).toEqual([undefined, 0]);
    const frames = raw.received.filter((message) => message.kind === "frame").map(({ frame }) => frame.header);
    expect(frames.at(-1)).toMatchObject({ commands: 1, again: true });
    raw.control(commands(1, go(own, 4)));
    lab.run(100);
    expect([raw.closeCode, ran.length]).toEqual([undefined, 4]);
  });

  it("in a room that is not active they are passed over", () => {
    const { lab, raw, own, ran } = stage();
    lab.server.main.disable();
    raw.control(commands(1, go(own, 2)));
    lab.run(100);
    expect([raw.closeCode, ran.length]).toEqual([undefined, 0]);
  });

  it("old and repeated runs are recognised, where the numbers wrap too", () => {
    const { lab, raw, own, ran } = stage();
    let sent = 0;
    while (sent < 66_000) {
      const first = Math.max(1, sent - 9);
      raw.control(commands(first % 65_536, go(own, sent + 12 - first + 1, 4)));
      raw.control(commands(first % 65_536, go(own, 3, 4)));
      sent += 12;
      lab.run(50);
    }
    expect([raw.closeCode, ran.length]).toEqual([undefined, sent]);
  });

  it("an exception in the game's step is reported, and the next command counts", () => {
    const errors: unknown[] = [];
    const lab = new Lab({ protocol, view, roundMs: 50, seed: 9, onError: (error) => errors.push(error) });
    let ran = 0;
    lab.server.steps(Ship, Go, () => {
      ran += 1;
      if (ran === 1) throw new Error("a fault of the game");
    });
    const own: ObjectId[] = [];
    lab.server.onJoin((player) => own.push(lab.world.spawn(Ship, {}, { owner: player.id }).id));
    const raw = new RawClient(lab, protocol);
    raw.hello();
    lab.run(200);
    raw.control(commands(1, go(own[0]!, 3)));
    lab.run(200);
    expect([ran, errors.length, raw.closeCode]).toEqual([3, 1, undefined]);
  });
});

describe("one who hurries", () => {
  it("gains the time of one silence, and no more however long it goes on", () => {
    const { lab, raw, own, ran } = stage();
    const beganMs = lab.clock.nowMs;
    let sent = 0;
    // Twice the time that passes, as long as the server takes it.
    while (raw.closeCode === undefined && lab.clock.nowMs < beganMs + 60_000) {
      raw.control(commands((sent + 1) % 65_536, go(own, 2, 50)));
      sent += 2;
      lab.run(50);
    }
    const stepped = ran.reduce((sum, dtMs) => sum + dtMs, 0);
    expect(stepped).toBeLessThanOrEqual(lab.clock.nowMs - beganMs + MOST_AHEAD_MS + 100);
    expect(raw.closeCode).toBe("flood");
  });
});
