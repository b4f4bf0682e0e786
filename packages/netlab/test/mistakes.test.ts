/** Mistakes in options are told at the call, before anything is opened, and say what to do. */

import { ClientError } from "@nearfield/client";
import { join } from "@nearfield/client/node";
import { object, uint } from "@nearfield/schema";
import { Server, ServerError } from "@nearfield/server";
import { type ServeOptions, serve } from "@nearfield/server/node";
import { describe, expect, it } from "vitest";
import { Lab } from "../src/index.ts";
import { Probe, protocol, Ship, view } from "./scenario.ts";

const Stranger = object("stranger", { size: uint(3) });
const good: ServeOptions = { protocol, view, roundMs: 50, host: "127.0.0.1", udp: false };

/** What a program without types, or with a slip in it, might pass. */
type Slip = Record<string, unknown>;

const serveMistakes: readonly [string, Slip | undefined, RegExp][] = [
  ["nothing", undefined, /^serve\(\): needs an object with at least protocol, view and roundMs$/],
  ["no protocol", { protocol: undefined }, /^serve\(\): protocol is undefined; .*new Protocol\(/],
  ["no protocol but a type", { protocol: {} }, /^serve\(\): protocol is an object; /],
  ["no view", { view: undefined }, /^serve\(\): view is undefined; .*zones\(Ship/],
  ["no roundMs", { roundMs: undefined }, /^serve\(\): roundMs is undefined, .*50 makes 20 rounds a second$/],
  ["a roundMs of text", { roundMs: "50" }, /^serve\(\): roundMs is "50", /],
  ["tickRate", { tickRate: 20 }, /^serve\(\): unknown key "tickRate"; did you mean roundMs\? Known: /],
  ["maxPlayers", { maxPlayers: 20 }, /did you mean limits: \{ players \}\?/],
  ["roundMS", { roundMS: 20 }, /unknown key "roundMS"; did you mean "roundMs"\?/],
  ["a port of text", { port: "3000" }, /^serve\(\): port is "3000", .*from 0 to 65535; Number\(…\) makes one of it$/],
  ["a port that is too large", { port: 70_000 }, /^serve\(\): port is 70000, /],
  ["a port that is no number", { port: Number.NaN }, /^serve\(\): port is NaN, /],
  ["a path without a slash", { path: "play" }, /^serve\(\): path is "play", but must begin with a slash/],
  ["an unknown limit", { limits: { player: 5 } }, /^limits: unknown key "player"; did you mean "players"\?/],
  ["an unknown time", { times: { resumeMS: 5 } }, /^times: unknown key "resumeMS"; did you mean "resumeMs"\?/],
  [
    "an unknown option of links",
    { links: { origin: [] } },
    /^serve\(\): links: unknown key "origin"; did you mean "origins"\?/,
  ],
  ["an unknown bound of links", { links: { limits: { keptByte: 1 } } }, /links\.limits: .* did you mean "keptBytes"\?/],
  [
    "an origin with a path",
    { links: { origins: ["https://game.example/"] } },
    /"https:\/\/game\.example\/"; an origin is/,
  ],
  ["an unknown option of udp", { udp: { prt: 1 } }, /^serve\(\): udp: unknown key "prt"; did you mean "port"\?/],
  ["a udp port of text", { udp: { port: "1" } }, /^serve\(\): udp.port is "1", /],
  ["a state that there is not", { state: "running" }, /state is "running", but must be "setup" or "active"$/],
  ["spectators: true", { spectators: true }, /spectators is true, but must be "nobody" or "anybody" or a function$/],
  [
    "what becomes of leavers",
    { objectsOfLeavers: "drop" },
    /objectsOfLeavers is "drop", but must be "destroy" or "keep"$/,
  ],
  [
    "a type of another protocol",
    { clientMayAdd: [Probe, Stranger] },
    /clientMayAdd: "stranger" is no object type of this/,
  ],
  ["a target of another protocol", { lagCompensation: { targets: [Stranger] } }, /lagCompensation.targets: "stranger"/],
  [
    "an option of lag compensation",
    { lagCompensation: { targets: [Ship], cap: 1 } },
    /lagCompensation: unknown key "cap"/,
  ],
  ["a hook that is none", { authenticate: true }, /authenticate is true, but must be a function$/],
  ["a judge that is none", { mayPivot: "all" }, /mayPivot is "all", but must be a function$/],
];

const joinMistakes: readonly [string, Slip | undefined, RegExp][] = [
  ["nothing", undefined, /^join\(\): needs an object with at least protocol and nickname$/],
  ["no protocol", { protocol: undefined }, /^protocol is missing; /],
  ["no nickname", { nickname: undefined }, /^nickname is undefined, /],
  ["a role that there is not", { role: "god" }, /^role is "god", but must be "player" or "spectator"$/],
  ["name", { name: "ann" }, /^join\(\): unknown key "name"; did you mean nickname\?/],
  ["token", { token: "x" }, /did you mean credentials\?/],
  ["framems", { framems: 5 }, /did you mean "frameMs"\?/],
  ["frames that stand still", { frameMs: 0 }, /^join\(\): frameMs is 0, /],
  ["an unknown option of the link", { link: { timeout: 5 } }, /^join\(\): link: unknown key "timeout"/],
  [
    "an unknown time to reconnect",
    { reconnect: { firstMS: 5 } },
    /^reconnect: unknown key "firstMS"; did you mean "firstMs"\?/,
  ],
  ["a time before now", { reconnect: { firstMs: -5 } }, /^reconnect.firstMs is -5, /],
  ["a room without a name", { room: "" }, /^room is "", /],
  ["credentials that are none", { credentials: 7 }, /^credentials: must be text of at most 3072 bytes/],
];

describe("serve", () => {
  it.each(serveMistakes)("with %s", async (_, slip, message) => {
    const options = slip === undefined ? undefined : { ...good, ...slip };
    const error = await serve(options as ServeOptions).then(
      (server) => server.close(),
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ServerError);
    expect(error).toMatchObject({ code: "bad-option", message: expect.stringMatching(message) });
  });

  it("without mistakes starts, with every key that it knows", async () => {
    const server = await serve({ ...good, port: 0, threads: 0, limits: {}, times: {}, links: {}, path: "/play" });
    await server.close();
  });
});

describe("join", () => {
  const open = { protocol, nickname: "ann" };

  it.each(joinMistakes)("with %s", async (_, slip, message) => {
    const options = slip === undefined ? undefined : { ...open, ...slip };
    const error = await join("ws://127.0.0.1:9", options as typeof open).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ClientError);
    expect(error).toMatchObject({ code: "bad-option", message: expect.stringMatching(message) });
  });

  it.each(["localhost:3001", "3001", "", "ftp://game.example"])("with address %j", async (url) => {
    const error = await join(url, open).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: "bad-option",
      message: expect.stringMatching(/must begin with ws:\/\/ or wss:\/\//),
    });
  });
});

describe("a server and its rooms", () => {
  const tokenSource = (): Uint8Array => new Uint8Array(16);

  it("refuse what they do not know", () => {
    const make = (slip: Slip): Server => new Server({ protocol, view, roundMs: 50, tokenSource, ...slip } as never);
    expect(() => make({ port: 3000 })).toThrow(/^new Server\(\): unknown key "port"/);
    expect(() => make({ protocol: undefined })).toThrow(/^new Server\(\): protocol is undefined/);
    const room = (slip: Slip) => () => make({}).createRoom("arena", slip as never);
    expect(room({ stat: "setup" })).toThrow(/^createRoom\("arena"\): unknown key "stat"; did you mean "state"\?/);
    expect(room({ roundMs: 20 })).toThrow(/^createRoom\("arena"\): unknown key "roundMs"/);
    expect(room({ takenNickname: "no" })).toThrow(/^createRoom\("arena"\): takenNickname is "no"/);
    expect(() => new Lab({ protocol, view, roundMs: 50, seeds: 3 } as never)).toThrow(/unknown key "seeds"/);
  });
});

it("a pivot on nothing says what it takes", () => {
  const lab = new Lab({ protocol, view, roundMs: 50 });
  const player = lab.server.localPlayer("ann");
  expect(() => player.pivotOn(undefined as never)).toThrow(
    /^pivotOn: there is no object; it takes what spawn returned/,
  );
});
