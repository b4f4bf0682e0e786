/** Who gets in: the game is asked, in its own time; roles are granted; and a client that lost everything but its ticket goes on. */

import { lock } from "@nearfield/client/writing";
import type { Player } from "@nearfield/server";
import { refuse } from "@nearfield/server";
import type { Authenticate, Identity, Refused, Visitor } from "@nearfield/server/internal";
import { describe, expect, it } from "vitest";
import { Lab } from "../src/index.ts";
import type { LabOptions } from "../src/internal/index.ts";
import { RawClient } from "./raw-client.ts";
import { Chat, Crate, differences, protocol, Say, Ship, stir, view } from "./scenario.ts";

function setUp(options: Partial<LabOptions> = {}): { lab: Lab; players: Player[]; errors: string[] } {
  const errors: string[] = [];
  const lab = new Lab({
    protocol,
    view,
    roundMs: 50,
    onError: (error, where) => errors.push(`${where}: ${String(error)}`),
    ...options,
  });
  const players: Player[] = [];
  lab.server.onJoin((player) => {
    players.push(player);
    if (player.role === "player") player.pivotOn(lab.world.spawn(Ship, { x: 5, y: 5 }, { owner: player.id }));
  });
  return { lab, players, errors };
}

async function pass(lab: Lab, ms: number): Promise<void> {
  for (let left = ms; left > 0; left -= 10) {
    lab.run(10);
    await Promise.resolve();
    await Promise.resolve();
  }
}

describe("authenticate", () => {
  it("is shown the credentials, the address and what is asked for, and names the player", () => {
    const seen: Visitor[] = [];
    const { lab, players } = setUp({
      authenticate: (visitor) => {
        seen.push(visitor);
        return { account: visitor.credentials.slice(6), attributes: { level: 3 } };
      },
    });
    const ann = lab.join("ann", {}, { credentials: "token ann@example" });
    lab.run(200);
    expect(ann.client.hasJoined).toBe(true);
    const asked = { nickname: "ann", room: "main", role: "player", origin: undefined };
    expect(seen).toEqual([{ ...asked, credentials: "token ann@example", address: "memory:1" }]);
    expect(players[0]!.identity).toEqual({ account: "ann@example", attributes: { level: 3 } });
  });

  it("may take its time: the client waits at the door, and the round after the answer lets it in", async () => {
    let answer: (identity: Identity) => void = () => {};
    const authenticate: Authenticate = () =>
      new Promise<Identity>((resolve) => {
        answer = resolve;
      });
    const { lab, players } = setUp({ authenticate });
    const ann = lab.join("ann", {}, { credentials: "x" });
    await pass(lab, 2000);
    expect([ann.client.state, players.length]).toEqual(["connecting", 0]);
    answer({ account: "ann" });
    expect(players).toHaveLength(0);
    await pass(lab, 200);
    expect(players[0]!.identity?.account).toBe("ann");
    expect(ann.client.mine(Ship)).toBeDefined();
  });

  it.each(["credentials", "expired", "denied", "unavailable"] as const)("refuses with %s, and its words", (reason) => {
    const { lab, players } = setUp({ authenticate: () => refuse(reason, "come back on Monday") });
    const ann = lab.join("ann");
    lab.run(200);
    expect(ann.client.reason).toEqual({ code: reason, detail: "come back on Monday" });
    expect(players).toEqual([]);
  });

  it("that takes too long, fails or answers nonsense is a refusal, and the game's host is told", async () => {
    const stories: [Authenticate, RegExp | undefined][] = [
      [() => new Promise(() => {}), undefined],
      [() => Promise.reject(new Error("no database")), /authenticate: Error: no database/],
      [
        () => {
          throw new Error("a mistake");
        },
        /authenticate: Error: a mistake/,
      ],
      [() => ({ user: "ann" }) as unknown as Identity, /must return \{ account: string/],
      [() => ({ account: "ann", role: "god" }) as unknown as Identity, /role "god"/],
      [async () => undefined as unknown as Refused, /must return/],
    ];
    for (const [authenticate, told] of stories) {
      const { lab, errors, players } = setUp({ authenticate, times: { authenticateMs: 1000 } });
      const ann = lab.join("ann");
      await pass(lab, 900);
      if (told === undefined) expect(ann.client.state).toBe("connecting");
      await pass(lab, 300);
      expect(ann.client.reason?.code).toBe("unavailable");
      expect(players).toEqual([]);
      if (told === undefined) expect(errors).toEqual([]);
      else expect(errors.join()).toMatch(told);
    }
  });

  it("is not asked for rooms that do not exist, nor for sessions that go on, and its answer to one who left is dropped", async () => {
    let asked = 0;
    const answers: ((identity: Identity) => void)[] = [];
    const { lab, players } = setUp({
      authenticate: () => {
        asked += 1;
        return new Promise<Identity>((resolve) => answers.push(resolve));
      },
    });
    lab.join("lost", {}, { room: "nowhere" });
    await pass(lab, 200);
    expect(asked).toBe(0);
    const ann = lab.join("ann");
    const ben = lab.join("ben");
    await pass(lab, 200);
    ben.leave();
    for (const answer of answers) answer({ account: "somebody" });
    await pass(lab, 200);
    expect(players.map(({ nickname }) => nickname)).toEqual(["ann"]);
    ann.breakLink();
    await pass(lab, 2000);
    expect(ann.client.state).toBe("active");
    expect(asked).toBe(2);
  });

  it("keeps no more strangers waiting than the door has places", async () => {
    const { lab } = setUp({ authenticate: () => new Promise(() => {}), limits: { strangers: 5 } });
    const clients = Array.from({ length: 8 }, (_, i) => lab.join(`ann ${i}`));
    await pass(lab, 500);
    expect(clients.filter(({ client }) => client.state === "connecting").length).toBeGreaterThanOrEqual(5);
    expect(lab.server.playerCount).toBe(0);
  });
});

describe("credentials", () => {
  it("may be as long as a signed token, and no longer; a function is asked before each attempt", async () => {
    const { lab, players } = setUp({ authenticate: ({ credentials }) => ({ account: `${credentials.length}` }) });
    lab.join("ann", {}, { credentials: "x".repeat(3072) });
    expect(() => lab.join("eve", {}, { credentials: "x".repeat(3073) })).toThrow(/3072 bytes/);
    let asked = 0;
    lab.join("ben", {}, { credentials: async () => "y".repeat(++asked) });
    await pass(lab, 500);
    expect(players.map(({ identity }) => identity?.account).toSorted()).toEqual(["1", "3072"]);
  });

  it("that cannot be fetched end the attempt, with the reason", async () => {
    const { lab } = setUp();
    const fail = (): Promise<string> => Promise.reject(new Error("logged out"));
    const ann = lab.join("ann", {}, { credentials: fail });
    await pass(lab, 8000);
    expect(ann.client.reason?.code).toBe("link");
    expect(ann.client.reason?.detail).toMatch(/logged out/);
  });
});

describe("a spectator", () => {
  it("is granted by the server: by default nobody is", () => {
    const { lab } = setUp();
    const eye = lab.join("eye", {}, { role: "spectator" });
    const raw = new RawClient(lab, protocol);
    raw.hello({ role: "spectator" });
    lab.run(200);
    expect(eye.client.reason?.code).toBe("denied");
    expect(raw.verdict?.code).toBe("denied");
  });

  it("by a room's option, a function of it, or its identity", () => {
    const spectators = ({ nickname }: Visitor): boolean => nickname === "eye";
    const { lab } = setUp({ spectators });
    lab.server.createRoom("open", { spectators: "anybody" });
    const ask = (nickname: string, room = "main") => lab.join(nickname, {}, { role: "spectator", room });
    const [eye, eve, open] = [ask("eye"), ask("eve"), ask("eve", "open")];
    lab.run(200);
    expect([eye, eve, open].map(({ client }) => client.reason?.code ?? client.role)).toEqual([
      "spectator",
      "denied",
      "spectator",
    ]);
    const { lab: other, players } = setUp({ authenticate: () => ({ account: "a", role: "spectator" }) });
    const ann = other.join("ann");
    other.run(200);
    expect([ann.client.role, players[0]!.role]).toEqual(["spectator", "spectator"]);
    expect(ann.client.mine(Ship)).toBeUndefined();
  });
});

describe("a client that has nothing but its ticket", () => {
  it("goes on as the same player, sees the whole world, and holds no locks", async () => {
    const { lab, players } = setUp({ seed: 4 });
    const dice = lab.dice.fork("game");
    lab.server.onRound((world) => stir(world, dice));
    lab.server.onCommand(Say, (_, { words }) => lab.server.emit(Chat, { words }));
    const crate = lab.world.spawn(Crate, { x: 5, y: 5 });
    for (let i = 0; i < 30; i++) lab.world.spawn(Ship, { x: dice.range(0, 1000), y: dice.range(0, 1000) });
    const first = lab.join("ann", { latencyMs: 30, loss: 0.1 });
    await pass(lab, 1500);
    void lock(first.client, first.world.get(crate.id)!).catch(() => {});
    await pass(lab, 500);
    const { ticket } = first.client;
    const ship = first.client.mine(Ship)!.id;
    first.setReachable(false);
    first.breakLink();
    first.hide();
    await pass(lab, 1000);
    expect(players[0]!.presence).toBe("away");

    const again = lab.join("ann", { latencyMs: 30, loss: 0.1 }, { ticket });
    let own: number | undefined;
    void again.client.untilJoined().then(() => {
      own = again.client.mine(Ship)?.id;
    });
    await pass(lab, 1500);
    expect(own).toBe(ship);
    expect([again.client.nickname, again.world.session]).toEqual(["ann", players[0]!.id]);
    expect([players.length, players[0]!.presence, lab.server.main.telemetry.resumes]).toEqual([1, "here", 1]);
    const heard: string[] = [];
    again.client.onEvent(Chat, ({ words }) => heard.push(words));
    again.client.send(Say, { words: "back" });
    const held = lock(again.client, again.world.get(crate.id)!);
    await pass(lab, 1000);
    expect(heard).toEqual(["back"]);
    expect((await held).id).toBe(crate.id);
    lab.server.main.disable();
    await pass(lab, 8000);
    expect(differences(lab, again)).toEqual([]);
    expect(again.client.ticket).not.toBe(ticket);
  });

  it("gives its lock to the client that waits for it, for the whole time that a lock may be held", async () => {
    const { lab } = setUp();
    const crate = lab.world.spawn(Crate, { x: 5, y: 5 });
    const [ann, ben] = [lab.join("ann"), lab.join("ben")];
    await pass(lab, 20_000);
    void lock(ann.client, ann.world.get(crate.id)!).catch(() => {});
    await pass(lab, 200);
    let isHeld = false;
    void lock(ben.client, ben.world.get(crate.id)!).then(() => {
      isHeld = true;
    });
    const { ticket } = ann.client;
    ann.setReachable(false);
    ann.breakLink();
    ann.hide();
    await pass(lab, 200);
    lab.join("ann", {}, { ticket });
    await pass(lab, 1000);
    expect(isHeld).toBe(true);
    await pass(lab, 8000);
    expect(ben.world.isLocked(crate)).toBe(true);
    await pass(lab, 2000);
    expect(ben.world.isLocked(crate)).toBe(false);
  });

  it("joins anew where the ticket is unknown, in use, of another room or of another account", async () => {
    const { lab, players } = setUp({ authenticate: ({ credentials }) => ({ account: credentials }) });
    lab.server.createRoom("arena").onJoin((player) => players.push(player));
    const first = lab.join("ann", {}, { credentials: "ann" });
    await pass(lab, 300);
    const { ticket } = first.client;
    const copy = lab.join("ann", {}, { credentials: "ann", ticket });
    const odd = lab.join("odd", {}, { ticket: "no ticket" });
    const old = lab.join("old", {}, { ticket: "00112233445566778899aabbccddeeff" });
    await pass(lab, 1500);
    first.setReachable(false);
    first.breakLink();
    await pass(lab, 200);
    const thief = lab.join("eve", {}, { credentials: "eve", ticket });
    const elsewhere = lab.join("ann", {}, { credentials: "ann", ticket, room: "arena" });
    await pass(lab, 1500);
    const clients = [copy, odd, old, thief, elsewhere];
    expect(clients.map(({ client }) => client.hasJoined)).toEqual([true, true, true, true, true]);
    expect(new Set([first, ...clients].map(({ world }) => world.session)).size).toBe(6);
    expect(players[0]!.presence).toBe("away");
  });
});
