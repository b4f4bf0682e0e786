import { describe, expect, it } from "vitest";
import { MOST_WAITING, Outbox } from "./outbox.ts";
import type { Request } from "./requests.ts";

const ink = (key: number, length: number): Request => ({
  kind: "draw",
  key,
  whole: key,
  x: 0,
  y: 0,
  colour: 0,
  size: 0,
  ink: new Uint8Array(length),
});
const move = (key: number, dx: number): Request => ({ kind: "move", keys: [key], dx, dy: 0 });

describe("the outbox", () => {
  it("keeps what is not confirmed, in order", () => {
    const outbox = new Outbox();
    const sent: Request[] = [];
    outbox.add(ink(1, 2));
    outbox.add(ink(2, 2));
    outbox.pump(0, (request) => sent.push(request));
    expect(outbox.waiting).toBe(0);
    outbox.confirm(1);
    expect(outbox.entries.map(({ request }) => request)).toEqual([ink(2, 2)]);
    outbox.confirm(2);
    expect(outbox.entries).toEqual([]);
  });

  it("merges what waits: the newest ink of a piece, the sum of moves", () => {
    const outbox = new Outbox();
    outbox.add(ink(1, 2));
    outbox.add(ink(1, 5));
    outbox.add(move(1, 3));
    outbox.add(move(1, 4));
    expect(outbox.entries.map(({ request }) => request)).toEqual([ink(1, 5), move(1, 7)]);
  });

  it("does not change what is under way", () => {
    const outbox = new Outbox();
    outbox.add(move(1, 3));
    outbox.pump(0, () => 1);
    outbox.add(move(1, 4));
    expect(outbox.entries.map(({ request }) => request)).toEqual([move(1, 3), move(1, 4)]);
  });

  it("sends again in a new session what the old one did not confirm", () => {
    const outbox = new Outbox();
    outbox.add(ink(1, 2));
    outbox.add(ink(2, 2));
    let number = 0;
    outbox.pump(0, () => ++number);
    outbox.confirm(1);
    outbox.renew();
    expect(outbox.waiting).toBe(1);
    const again: Request[] = [];
    outbox.pump(0, (request) => again.push(request));
    expect(again).toEqual([ink(2, 2)]);
  });

  it("makes up for a long time at a steady rate, and has a bound", () => {
    const outbox = new Outbox();
    for (let key = 0; key < MOST_WAITING; key++) expect(outbox.add(ink(key, 1))).toBeDefined();
    expect(outbox.add(ink(MOST_WAITING, 1))).toBeUndefined();
    let sent = 0;
    outbox.pump(0, () => ++sent);
    const first = sent;
    outbox.pump(1000, () => ++sent);
    expect(sent - first).toBeLessThanOrEqual(60);
    expect(sent).toBeLessThan(MOST_WAITING);
  });
});
