/** Action spaces over real sockets: a server, and members in Node, players and observers, that meet over data channels of `node-datachannel` on loopback. */

import type { Client } from "@nearfield/client";
import { join } from "@nearfield/client/node";
import { nodePeers } from "@nearfield/rollback/node";
import { TIMELINES } from "@nearfield/rollback/session";
import { ed25519 } from "@nearfield/rollback/trust";
import { MemoryStore } from "@nearfield/store/node";
import { afterEach, expect, test } from "vitest";
import { openSocial } from "../../src/node/index.ts";
import {
  enterSpace,
  type Invitation,
  type ObservedSpace,
  observePaid,
  onInvitation,
  type Space,
  tellKey,
} from "../../src/peer/index.ts";
import type { ActionSpace } from "../../src/spaces/index.ts";
import { PlainPasswords } from "../stand-ins.ts";
import { type NodeMember, NodeStage, protocol, STEP_MS } from "./node-stage.ts";
import { bout } from "./paid-stage.ts";

let stage: NodeStage | undefined;
afterEach(() => stage?.close());

test("members in Node meet over data channels", async () => {
  stage = await NodeStage.open();
  const members: NodeMember[] = [];
  for (const name of ["ann", "bob", "cid"])
    members.push(await stage.member(name, { peers: await nodePeers({ host: "127.0.0.1" }) }));
  const space = stage.fight();
  await stage.untilDirect(members);
  const { tail } = members[0]!.space!;
  await stage.holds(() => members.every((one) => one.space!.tail > tail + 60));
  expect(stage.isAlike(members)).toBe(true);
  expect(members.map((one) => one.space!.session!.desyncs)).toEqual([[], [], []]);
  // What the server relayed at first is little: the channels opened, and carry the rest.
  expect(space.seats[0]!.counters.droppedFrames).toBe(0);
  await stage.holds(() => members[0]!.space!.peers[0]!.traffic!.directFrames > 60);
});

/** A login over a socket: it plays what it is invited to, or observes it. */
async function hero(stage: NodeStage, nickname: string, token: string) {
  const client: Client = await join(stage.server.url, { protocol, nickname, credentials: token, udp: false });
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
    stage.onClose(() => clearInterval(timer));
  };
  onInvitation(client, (invitation) => void enter(invitation));
  stage.onClose(() => {
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
  stage = await NodeStage.open({ authenticate });
  const { server, spaces } = stage;
  const holds = (condition: () => boolean): Promise<void> => stage!.holds(condition);
  social.attach(server.main);
  const verdicts: unknown[] = [];
  const paid = social.openPaidSpaces(spaces, {
    kinds: { bout },
    onVerdict: (_, verdict) => verdicts.push(verdict),
  });
  const names = ["ann", "bob", "eve"];
  const logins = await Promise.all(names.map((name) => social.accounts.register(name, "a good password", name)));
  const heroes = [];
  for (const [at, { token }] of logins.entries()) heroes.push(await hero(stage, names[at]!, token));
  const [ann, bob, eve] = heroes;
  await holds(() => server.main.players.size === 3);
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
