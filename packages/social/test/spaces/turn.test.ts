/**
 * TURN by a real server (coturn, on loopback): two members in Node meet although neither can be reached but through that server's relay. Without it the same two members
 * stay on the game server's. What STUN answers on loopback is a machine's own address, so nothing can be told of it here.
 */

import type { OpenPeers } from "@nearfield/rollback/mesh";
import { nodePeers } from "@nearfield/rollback/node";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { noTurn, TurnServer } from "../../../../test/turn-server.ts";
import { type NodeMember, NodeStage } from "./node-stage.ts";

const skipped = noTurn === undefined ? "" : ` (skipped: ${noTurn})`;
describe.skipIf(noTurn !== undefined)(`with coturn${skipped}`, () => {
  let turn: TurnServer;
  let stage: NodeStage | undefined;
  beforeAll(async () => {
    turn = await TurnServer.start();
  });
  afterAll(() => turn?.stop());
  afterEach(() => stage?.close());

  /** A machine that tells others only of the ways of this type. Whether it heard of such a way itself is noted. */
  async function only(type: string, heard: string[]): Promise<OpenPeers> {
    const open = (await nodePeers({ host: "127.0.0.1" }))!;
    return (request, events) =>
      open(request, {
        ...events,
        onDescription: (description) => {
          const candidates = description.candidates.filter((candidate) => candidate.type === type);
          heard.push(...description.candidates.map((candidate) => candidate.type));
          events.onDescription({ ...description, candidates });
        },
      });
  }

  test("members whose only way is the relay of a TURN server meet there", async () => {
    stage = await NodeStage.open();
    const heard: string[] = [];
    const members: NodeMember[] = [];
    for (const name of ["ann", "bob"])
      members.push(await stage.member(name, { peers: await only("relay", heard), iceServers: [turn.turn] }));
    stage.fight();
    await stage.untilDirect(members);
    expect(heard).toContain("relay");
    expect(turn.allocations).toBeGreaterThanOrEqual(2);
    const { tail } = members[0]!.space!;
    await stage.holds(() => members.every(({ space }) => space!.tail > tail + 40));
    expect(stage.isAlike(members)).toBe(true);
  });

  test("without the TURN server they have no way, and the game's server relays", async () => {
    stage = await NodeStage.open();
    const members: NodeMember[] = [];
    for (const name of ["ann", "bob"])
      members.push(await stage.member(name, { peers: await only("relay", []), iceServers: [turn.stun] }));
    stage.fight();
    await stage.holds(() => members.every(({ space }) => (space?.tail ?? 0) > 60));
    expect(members.map(({ space }) => space!.peers.map(({ state }) => state))).toEqual([["relayed"], ["relayed"]]);
  });
});
