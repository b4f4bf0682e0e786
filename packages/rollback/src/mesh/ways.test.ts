/** How ways to others are made, and made anew, when news of seats and signals cross on their way. */

import { decodeSignal, type OpenPeer, type PeerEvents } from "@nearfield/transport/internal";
import { expect, test } from "vitest";
import { Columns, perPlayer } from "../state/columns.ts";
import { Mesh } from "./mesh.ts";
import { emptySeat } from "./seat.ts";
import { SpacePlayer } from "./space-player.ts";

const description = {
  ufrag: "abcd",
  pwd: "a".repeat(22),
  fingerprint: Array.from({ length: 32 }, () => "0A").join(":"),
  candidates: [],
};

/** Peers whose descriptions are complete when `describeAll` is called; no channel ever opens. */
function describedLater(): { readonly openPeer: OpenPeer; readonly describeAll: () => void } {
  const made: PeerEvents[] = [];
  const openPeer: OpenPeer = (_request, events) => {
    made.push(events);
    return { bufferedAmount: 0, accept: () => {}, send: () => {}, close: () => {} };
  };
  return {
    openPeer,
    describeAll: () => {
      for (const { onDescription } of made.splice(0)) onDescription(description);
    },
  };
}

test("an offer that crosses the news of the other's new visit puts nobody out", () => {
  const peers = describedLater();
  const sent: Uint8Array[] = [];
  const refused: number[] = [];
  const mesh = (own: number) =>
    new Mesh({
      own,
      openPeer: peers.openPeer,
      iceServers: [],
      random: () => 0,
      now: () => 0,
      port: { relay: () => true, signal: (_to, bytes) => sent.push(bytes) },
      onMessage: () => {},
      onRefused: (from) => refused.push(from),
    });
  const [ann, bob] = [mesh(0), mesh(1)];
  ann.meet(1, 1);
  peers.describeAll();
  // Bob comes anew while the offer is under way: it reaches his new way to Ann, and so does the one that follows when Ann hears of his visit.
  bob.meet(0, 1);
  ann.meet(1, 2);
  peers.describeAll();
  for (const offer of sent.splice(0)) bob.signalled(0, offer);
  expect(refused).toEqual([]);
  peers.describeAll();
  const answers = sent.map((bytes) => decodeSignal(bytes));
  expect(answers).toMatchObject([{ kind: "answer", attempt: ann.pairWith(1)!.attempt }]);
});

test("a player offers a way once, also where the server tells of the others first", () => {
  const peers = describedLater();
  const offered: number[] = [];
  const fight = { state: new Columns(3, { x: perPlayer(Uint8Array) }), advance: () => {} };
  const player = new SpacePlayer(
    {
      form: { slots: 3, own: 0, absent: [], stepMs: 50, startMs: 0 },
      fight,
      session: { inputBytes: 1 },
      openPeer: peers.openPeer,
      random: () => 0,
      now: () => 0,
    },
    { relay: () => true, signal: (to) => offered.push(to), report: () => {}, enter: () => {} },
  );
  for (const address of [1, 2, 0]) {
    player.seat({ ...emptySeat(address), visit: 1, entry: 1, isIn: true });
    peers.describeAll();
  }
  expect(offered).toEqual([1, 2]);
});
