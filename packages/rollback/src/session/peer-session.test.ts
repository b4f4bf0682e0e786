import { describe, expect, test } from "vitest";
import { PeerSession } from "./peer-session.ts";

const STEP_MS = 50;
const INPUT = Uint8Array.of(1);

function two(): [PeerSession, PeerSession] {
  const session = (own: number) => new PeerSession({ own, players: 2, inputBytes: 1, stepMs: STEP_MS, startMs: 0 });
  return [session(0), session(1)];
}

/** Both tick and hear each other from one time to another. */
function play([ann, bob]: readonly [PeerSession, PeerSession], fromMs: number, toMs: number): void {
  for (let nowMs = fromMs; nowMs <= toMs; nowMs += STEP_MS) {
    ann.tick(nowMs, INPUT);
    bob.tick(nowMs, INPUT);
    ann.receive(1, bob.messageTo(0));
    bob.receive(0, ann.messageTo(1));
  }
}

describe("a machine that paused", () => {
  test("suspects nobody before it has read what came meanwhile", () => {
    const peers = two();
    const [ann, bob] = peers;
    play(peers, 0, 1000);
    // The machine did nothing for ten seconds. Its timers run before its sockets are read.
    ann.tick(11_000, INPUT);
    expect([...ann.suspects]).toEqual([]);
    bob.tick(11_000, INPUT);
    play(peers, 11_050, 16_000);
    expect([...ann.suspects, ...bob.suspects]).toEqual([]);
    expect(ann.timeline.head).toBe(320);
  });

  test("suspects who is silent once it has listened for long enough itself", () => {
    const peers = two();
    const [ann] = peers;
    play(peers, 0, 1000);
    for (let nowMs = 1050; nowMs <= 3950; nowMs += STEP_MS) ann.tick(nowMs, INPUT);
    expect([...ann.suspects]).toEqual([]);
    for (let nowMs = 4000; nowMs <= 4150; nowMs += STEP_MS) ann.tick(nowMs, INPUT);
    expect([...ann.suspects]).toEqual([1]);
  });
});
