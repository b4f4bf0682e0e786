/** Action spaces over real sockets: a server, and members in Node that meet over data channels of `node-datachannel` on loopback. */

import { join } from "@nearfield/client/node";
import { zones } from "@nearfield/core";
import { Pods } from "@nearfield/netlab/internal";
import { nodePeers } from "@nearfield/rollback/node";
import { checksumOf, TIMELINES } from "@nearfield/rollback/session";
import { object, Protocol, uint } from "@nearfield/schema";
import { type NodeServer, serve } from "@nearfield/server/node";
import { afterEach, expect, test } from "vitest";
import {
  enterSpace,
  type Invitation,
  onInvitation,
  type Space,
  spaceCommands,
  spaceEvents,
} from "../../src/peer/index.ts";
import { ActionSpaces } from "../../src/spaces/index.ts";

const Dot = object("dot", { x: uint(8), y: uint(8) }, { position: ["x", "y"] });
const protocol = new Protocol({ objects: [Dot], commands: spaceCommands, events: spaceEvents });
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
