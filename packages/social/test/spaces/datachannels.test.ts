/** Action spaces over real sockets: a server, and members in Node, players and observers, that meet over data channels of `node-datachannel` on loopback. */

import type { Client } from "@nearfield/client";
import { join } from "@nearfield/client/node";
import { zones } from "@nearfield/core";
import { Pods } from "@nearfield/netlab/internal";
import { nodePeers } from "@nearfield/rollback/node";
import { checksumOf, TIMELINES } from "@nearfield/rollback/session";
import { ed25519 } from "@nearfield/rollback/trust";
import { object, Protocol, uint } from "@nearfield/schema";
import { type NodeServer, serve } from "@nearfield/server/node";
import { MemoryStore } from "@nearfield/store/node";
import { afterEach, expect, test } from "vitest";
import { socialMessages } from "../../src/client/index.ts";
import { openSocial } from "../../src/node/index.ts";
import {
  enterSpace,
  type Invitation,
  type ObservedSpace,
  observePaid,
  onInvitation,
  type Space,
  spaceCommands,
  spaceEvents,
  tellKey,
} from "../../src/peer/index.ts";
import { type ActionSpace, ActionSpaces } from "../../src/spaces/index.ts";
import { PlainPasswords } from "../stand-ins.ts";
import { bout } from "./paid-stage.ts";

const Dot = object("dot", { x: uint(8), y: uint(8) }, { position: ["x", "y"] });
const protocol = new Protocol({
  objects: [Dot],
  commands: [...spaceCommands, ...socialMessages.commands],
  events: [...spaceEvents, ...socialMessages.events],
});
const view = zones(Dot, { radii: [100], bounds: [{ time: 100 }, { time: 1000 }] });
const STEP_MS = 20;

interface Member {
  space: Space | undefined;
  readonly checksums: Map<number, number>;
}

let server: NodeServer | undefined;
const stops: (() => void)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0)) stop();
  await server?.close();
});

const holds = (condition: () => boolean): Promise<void> => expect.poll(condition, { interval: 5 }).toBe(true);

async function member(url: string, nickname: string): Promise<Member> {
  const client = await join(url, { protocol, nickname, udp: false });
  const peers = await nodePeers({ host: "127.0.0.1" });
  const self: Member = { space: undefined, checksums: new Map() };
  const enter = async (invitation: Invitation): Promise<void> => {
    const fight = new Pods(invitation.slots, 200);
    const space = await enterSpace(client, invitation, {
      fight,
      session: { inputBytes: 1, ...TIMELINES.hybrid, stallMs: 30_000 },
      peers,
      onSettled: (state, _checksum, saved) => self.checksums.set(state, checksumOf(saved)),
    });
    self.space = space;
    const timer = setInterval(() => space.tick(client.clock.timeMs, Uint8Array.of(space.head & 8 ? 17 : 18)), 5);
    stops.push(() => {
      clearInterval(timer);
      space.leave();
      client.leave();
    });
  };
  onInvitation(client, (invitation) => void enter(invitation));
  return self;
}

test("members in Node meet over data channels", async () => {
  server = await serve({ protocol, view, roundMs: 20, host: "127.0.0.1", udp: false });
  const spaces = new ActionSpaces(server);
  const members = await Promise.all(["ann", "bob", "cid"].map((name) => member(server!.url, name)));
  const space = spaces.open({ players: [...server.main.players.values()], stepMs: STEP_MS, seed: 1, startInMs: 500 });
  await holds(() =>
    members.every((one) => (one.space?.peers ?? [{ state: "" }]).every(({ state }) => state === "direct")),
  );
  const { tail } = members[0]!.space!;
  await holds(() => members.every((one) => one.space!.tail > tail + 60));
  const [first, ...others] = members;
  for (const { checksums } of others)
    for (const [state, sum] of checksums)
      if (first!.checksums.has(state)) expect(first!.checksums.get(state)).toBe(sum);
  expect(members.map((one) => one.space!.session!.desyncs)).toEqual([[], [], []]);
  // What the server relayed at first is little: the channels opened, and carry the rest.
  expect(space.seats[0]!.counters.droppedFrames).toBe(0);
  await holds(() => members[0]!.space!.peers[0]!.traffic!.directFrames > 60);
});

/** A login over a socket: it plays what it is invited to, or observes it. */
async function hero(url: string, nickname: string, token: string) {
  const client: Client = await join(url, { protocol, nickname, credentials: token, udp: false });
  const peers = await nodePeers({ host: "127.0.0.1" });
  const verifier = ed25519(crypto.subtle);
  const signer = await verifier.createSigner();
  const self: { space?: Space; observed?: ObservedSpace } = {};
  tellKey(client, signer.publicKey);
  const enter = async (invitation: Invitation): Promise<void> => {
    if (invitation.isObserver) {
      self.observed = await observePaid(client, invitation, { paid: { rules: bout, verifier }, peers });
      return;
    }
    const session = { inputBytes: 1, ...TIMELINES.hybrid, stallMs: 30_000 };
    const paid = { rules: bout, verifier, signer };
    const space = await enterSpace(client, invitation, { fight: bout.fight(invitation), session, paid, peers });
    self.space = space;
    const timer = setInterval(() => space.tick(client.clock.timeMs, Uint8Array.of(space.head & 8 ? 17 : 18)), 5);
    stops.push(() => clearInterval(timer));
  };
  onInvitation(client, (invitation) => void enter(invitation));
  stops.push(() => {
    self.space?.leave();
    self.observed?.leave();
    client.leave();
  });
  return self;
}

test("an observer in Node checks a fight over data channels, with Ed25519, and its players are paid", async () => {
  const store = new MemoryStore();
  const social = openSocial({
    store,
    secret: "only for tests: thirty-two bytes or more",
    goods: { gold: "stack" },
    passwords: new PlainPasswords(),
  });
  const { authenticate } = social;
  server = await serve({ protocol, view, roundMs: 20, host: "127.0.0.1", udp: false, authenticate });
  social.attach(server.main);
  const verdicts: unknown[] = [];
  const paid = social.openPaidSpaces(new ActionSpaces(server), {
    kinds: { bout },
    onVerdict: (_, verdict) => verdicts.push(verdict),
  });
  const names = ["ann", "bob", "eve"];
  const logins = await Promise.all(names.map((name) => social.accounts.register(name, "a good password", name)));
  const heroes = [];
  for (const [at, { token }] of logins.entries()) heroes.push(await hero(server.url, names[at]!, token));
  const [ann, bob, eve] = heroes;
  await holds(() => server!.main.players.size === 3);
  const players = [...server.main.players.values()].filter(({ nickname }) => nickname !== "eve");
  // The keys have arrived when the space can be opened.
  let space: ActionSpace | undefined;
  const open = { kind: "bout", players, stepMs: STEP_MS, seed: 1, startInMs: 1500 };
  await expect
    .poll(async () => {
      space ??= await paid.open(open).catch(() => undefined);
      return space !== undefined;
    })
    .toBe(true);
  await holds(() => eve!.observed?.ways.length === 2 && eve!.observed.ways.every(({ state }) => state === "direct"));
  await holds(() => [ann, bob].every((one) => one!.space !== undefined && one!.space.tail > 96));
  await holds(() => [ann, bob].every((one) => one!.space!.openClaims === 0));
  expect(eve!.observed!.observer.disputes).toEqual([]);
  await holds(() => eve!.observed!.ways.every(({ traffic }) => traffic!.directFrames > 60));
  expect(verdicts).toEqual([]);
  for (const { account } of logins.slice(0, 2))
    expect(await social.goods.list(account)).toMatchObject([{ item: "gold" }]);
  expect(space!.seats.some(({ insider }) => insider !== undefined)).toBe(false);
});
