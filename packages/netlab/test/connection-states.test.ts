/**
 * docs/connection-states.md against what happens: scripted scenarios with both sides in one lab. Each scenario names
 * the way it takes; together they must take every transition that the page lists, and no other.
 */

import { readFileSync } from "node:fs";
import type { Client } from "@nearfield/client";
import { explain } from "@nearfield/client/views";
import { REASONS, ROOM_STATES } from "@nearfield/protocol/internal";
import { type Player, type Room, refuse } from "@nearfield/server";
import type { Authenticate, Identity } from "@nearfield/server/internal";
import { describe, expect, it } from "vitest";
import { Lab, type LabClient } from "../src/index.ts";
import type { LabClientOptions, LabOptions } from "../src/internal/index.ts";
import { RawClient } from "./raw-client.ts";
import { protocol, Say, view } from "./scenario.ts";

const page = readFileSync(new URL("../../../docs/connection-states.md", import.meta.url), "utf8");

/** The text under a heading of the page. */
function section(title: string): string {
  const text = page.split(/^## /m).find((part) => part.startsWith(`${title}\n`));
  if (text === undefined) throw new Error(`docs/connection-states.md has no section "${title}"`);
  return text;
}

/** Rows `from | to` or `from → to`. */
function listedChanges(title: string): Set<string> {
  const rows = section(title).matchAll(/^\| `(\w+)` *(?:\||→) `(\w+)` *\|/gm);
  return new Set([...rows].map(([, from, to]) => `${from} → ${to}`));
}

/** The first cells of a section's tables, word by word. */
function listedWords(title: string): Set<string> {
  const cells = [...section(title).matchAll(/^\| (`[^|]*) \|/gm)].map(([, cell]) => cell!);
  return new Set(cells.flatMap((cell) => [...cell.matchAll(/`([\w-]+)`/g)].map(([, word]) => word!)));
}

function changesOf(way: readonly string[]): string[] {
  return way.slice(1).map((state, index) => `${way[index]} → ${state}`);
}

/** A lab that writes down every state of its players and of the clients it was told to watch. */
class WatchedLab extends Lab {
  readonly players: Player[] = [];
  readonly playerWays: string[][] = [];
  readonly clientWays: string[][] = [];

  constructor(options: Partial<LabOptions> = {}) {
    super({ protocol, view, roundMs: 50, ...options });
    this.server.onJoin((player) => this.#watchPlayer(player));
    this.server.onCommand(Say, (player) => player.kick("no shouting"));
  }

  /** Joins a client and lets it settle. */
  enter(nickname: string, options: LabClientOptions = {}, settleMs = 500): LabClient {
    const member = this.join(nickname, { latencyMs: 10 }, options);
    this.#watchClient(member.client);
    this.run(settleMs);
    return member;
  }

  /** Breaks the link, for good or until it is `reachable` again. */
  lose(member: LabClient): void {
    member.setReachable(false);
    member.breakLink();
    this.run(100);
  }

  #watchClient(client: Client): void {
    const way: string[] = [client.state];
    this.clientWays.push(way);
    client.onState((state) => way.push(state));
  }

  /** What lasts less than a millisecond, such as the change of links when a session is taken over, is not seen. */
  #watchPlayer(player: Player): void {
    const way: string[] = [player.presence];
    this.players.push(player);
    this.playerWays.push(way);
    this.clock.every(1, () => {
      if (player.presence !== way.at(-1)) way.push(player.presence);
    });
  }
}

interface Scenario {
  readonly name: string;
  readonly client: string;
  readonly player: string;
  readonly options?: Partial<LabOptions>;
  readonly play: (lab: WatchedLab) => void;
}

const scenarios: readonly Scenario[] = [
  {
    name: "joins and leaves",
    client: "connecting active ended",
    player: "here away left",
    play: (lab) => lab.enter("ann").client.leave(),
  },
  {
    name: "is refused",
    client: "connecting ended",
    player: "",
    play: (lab) => void lab.enter("ann", { room: "cellar" }),
  },
  {
    name: "leaves before it is let in",
    client: "connecting ended",
    player: "",
    play: (lab) => lab.enter("ann", {}, 5).client.leave(),
  },
  {
    name: "loses its link and comes back",
    client: "connecting active reconnecting active",
    player: "here away here",
    play: (lab) => {
      const ann = lab.enter("ann");
      lab.lose(ann);
      ann.setReachable(true);
    },
  },
  {
    name: "hears nothing, and takes its session over from a link that only looks alive",
    client: "connecting active reconnecting active",
    player: "here",
    play: (lab) => {
      const ann = lab.enter("ann", { reconnect: { silentMs: 500 } });
      ann.path.down.cut();
      ann.path.up.cut();
    },
  },
  {
    name: "is not heard, and is hung up on",
    client: "connecting active reconnecting active",
    player: "here away here",
    options: { times: { ackMs: 1000 } },
    play: (lab) => lab.enter("ann", { reconnect: { silentMs: 60_000 } }).path.up.cut(),
  },
  {
    name: "does not come back in time",
    client: "connecting active reconnecting ended",
    player: "here away left",
    options: { times: { resumeMs: 1000 } },
    play: (lab) => lab.lose(lab.enter("ann")),
  },
  {
    name: "gives up while it has no link",
    client: "connecting active reconnecting ended",
    player: "here away left",
    options: { times: { resumeMs: 1000 } },
    play: (lab) => {
      const ann = lab.enter("ann");
      lab.lose(ann);
      ann.client.leave();
    },
  },
  {
    name: "is kicked",
    client: "connecting active ended",
    player: "here left",
    play: (lab) => void lab.enter("ann").client.send(Say, { words: "AAA" }),
  },
  {
    name: "is kicked while it has no link",
    client: "connecting active reconnecting ended",
    player: "here away left",
    play: (lab) => {
      const ann = lab.enter("ann");
      lab.lose(ann);
      lab.players[0]!.kick("too long");
      ann.setReachable(true);
    },
  },
  {
    name: "breaks the protocol",
    client: "connecting active ended",
    player: "here left",
    options: { limits: { messagesPerRound: 20 } },
    play: (lab) => {
      const { client } = lab.enter("ann");
      for (let i = 0; i < 50; i++) explain(client, 1);
    },
  },
];

function play({ options, play: act }: Scenario): WatchedLab {
  const lab = new WatchedLab(options);
  act(lab);
  lab.run(5000);
  return lab;
}

describe("a client and its player", () => {
  it.each(scenarios)("$name", (scenario) => {
    const lab = play(scenario);
    expect(lab.clientWays.map((way) => way.join(" "))).toEqual([scenario.client]);
    expect(lab.playerWays.map((way) => way.join(" ")).join()).toBe(scenario.player);
  });

  it("all leave when the server closes, those away too", async () => {
    const lab = new WatchedLab();
    lab.enter("ann");
    lab.lose(lab.enter("ben"));
    await lab.server.close();
    lab.clock.advance(40);
    expect(lab.playerWays.map((way) => way.join(" "))).toEqual(["here left", "here away left"]);
  });

  it("take every way that the page lists, and no other", () => {
    const labs = scenarios.map(play);
    const of = (ways: readonly string[][]): Set<string> => new Set(ways.flatMap(changesOf));
    expect(of(labs.flatMap((lab) => lab.clientWays))).toEqual(listedChanges("The client's connection"));
    expect(of(labs.flatMap((lab) => lab.playerWays))).toEqual(listedChanges("The player, as the server sees it"));
  });
});

describe("a stranger at the door", () => {
  const few = { limits: { players: 2, strangers: 2, messagesPerRound: 20, perAddress: 1 } };
  const refusals: Record<string, (raw: RawClient, lab: Lab) => void> = {
    silent: () => {},
    malformed: (raw) => raw.bytes("reliable", Uint8Array.of(255, 3, 9)),
    unexpected: (raw) => raw.control({ kind: "leave" }),
    flood: (raw) => {
      for (let i = 0; i < 50; i++) raw.hello();
    },
    version: (raw) => raw.hello({ version: 999 }),
    schema: (raw) => raw.hello({ hash: 1 }),
    nickname: (raw) => raw.hello({ nickname: " " }),
    room: (raw) => raw.hello({ room: "cellar" }),
    full: (raw, lab) => {
      lab.join("first");
      lab.run(200);
      lab.join("second");
      lab.run(200);
      raw.hello();
    },
    "too-many": (raw, lab) => {
      new RawClient(lab, protocol, "first", "203.0.113.7:1").hello();
      lab.run(200);
      raw.hello();
    },
    "session-gone": (raw) =>
      raw.hello({
        resume: { token: new Uint8Array(16), attempt: 2, heard: 0, packets: { newest: 0, runs: [] }, afresh: false },
      }),
    closing: (_, lab) => void lab.server.close(),
    credentials: (raw) => raw.hello({ credentials: "wrong" }),
    expired: (raw) => raw.hello({ credentials: "expired" }),
    denied: (raw) => raw.hello({ role: "spectator" }),
    unavailable: (raw) => raw.hello({ credentials: "slow" }),
  };
  const authenticate: Authenticate = ({ credentials }) => {
    if (credentials === "wrong") return refuse("credentials");
    if (credentials === "expired") return refuse("expired");
    return credentials === "slow" ? new Promise<Identity>(() => {}) : { account: "somebody" };
  };

  it.each(Object.keys(refusals))("is refused with %s", (code) => {
    const lab = new Lab({ protocol, view, roundMs: 50, authenticate, ...few });
    const raw = new RawClient(lab, protocol, "raw", "203.0.113.7:2");
    refusals[code]!(raw, lab);
    if (code === "closing") lab.clock.advance(40);
    else lab.run(6000);
    expect(raw.closeCode).toBe(code);
  });

  it("is refused for the reasons that the page lists", () => {
    expect(new Set(Object.keys(refusals))).toEqual(listedWords("At the door"));
  });
});

describe("a room", () => {
  it("takes every way that the page lists, and no other", () => {
    const happened = new Set<string>();
    const states = new Set<string>();
    const steps: ((room: Room) => void)[] = [(room) => room.enable(), (room) => room.disable()];
    for (const state of ["setup", "active"] as const) {
      for (let code = 0; code < 2 ** 4; code++) {
        const lab = new Lab({ protocol, view, roundMs: 50, state });
        const ann = lab.join("ann");
        lab.run(200);
        const way: string[] = [lab.server.main.state];
        ann.client.onRoomState((next) => way.push(next));
        for (let at = 0; at < 4; at++) {
          steps[(code >> at) & 1]!(lab.server.main);
          lab.run(200);
          expect(ann.client.roomState).toBe(lab.server.main.state);
        }
        for (const change of changesOf(way)) happened.add(change);
        for (const visited of way) states.add(visited);
      }
    }
    expect(happened).toEqual(listedChanges("The room"));
    expect(states).toEqual(new Set(ROOM_STATES));
    expect(listedWords("The room")).toEqual(states);
  });
});

describe("the reasons", () => {
  it("are all on the page", () => {
    expect(listedWords("Why a connection ends")).toEqual(new Set(REASONS));
  });
});
