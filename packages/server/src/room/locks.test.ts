import { objectId } from "@nearfield/schema/internal";
import { beforeEach, describe, expect, it } from "vitest";
import { LockTable } from "./locks.ts";

const crate = objectId(1, 0);
const barrel = objectId(2, 0);
const sack = objectId(3, 0);

describe("the lock table", () => {
  let locks: LockTable;

  beforeEach(() => {
    locks = new LockTable({ locksPerPlayer: 2, waitingPerLock: 2, lockMs: 10 });
  });

  it("grants in the order of asking", () => {
    expect([locks.acquire(crate, 1, 0), locks.acquire(crate, 2, 0), locks.acquire(crate, 3, 0)]).toEqual([
      "granted",
      "waiting",
      "waiting",
    ]);
    expect(locks.release(crate, 1, 1)).toEqual({ id: crate, from: 1, to: 2 });
    expect(locks.holder(crate)).toBe(2);
    expect(locks.release(crate, 2, 1)).toEqual({ id: crate, from: 2, to: 3 });
    expect(locks.release(crate, 3, 1)).toEqual({ id: crate, from: 3, to: 0 });
    expect(locks.size).toBe(0);
  });

  it("asks of the holder and of those in line change nothing", () => {
    locks.acquire(crate, 1, 0);
    locks.acquire(crate, 2, 0);
    expect([locks.acquire(crate, 1, 5), locks.acquire(crate, 2, 5)]).toEqual(["granted", "waiting"]);
    locks.release(crate, 1, 6);
    expect(locks.release(crate, 2, 6)).toEqual({ id: crate, from: 2, to: 0 });
  });

  it("belongs to its holder alone", () => {
    locks.acquire(crate, 1, 0);
    expect(locks.release(crate, 2, 0)).toBeUndefined();
    expect(locks.holder(crate)).toBe(1);
  });

  it("refuses past its bounds", () => {
    locks.acquire(crate, 1, 0);
    locks.acquire(barrel, 1, 0);
    expect(locks.acquire(sack, 1, 0)).toBe("quota");
    locks.acquire(crate, 2, 0);
    locks.acquire(crate, 3, 0);
    expect(locks.acquire(crate, 4, 0)).toBe("queue-full");
    locks.release(crate, 1, 0);
    expect(locks.acquire(sack, 1, 0)).toBe("granted");
  });

  it("passes on when its holder leaves, skipping those who left before", () => {
    locks.acquire(crate, 1, 0);
    locks.acquire(crate, 2, 0);
    locks.acquire(crate, 3, 0);
    expect(locks.releaseAll(2, 1)).toEqual([]);
    expect(locks.releaseAll(1, 1)).toEqual([{ id: crate, from: 1, to: 3 }]);
  });

  it("is taken back after its time, counted from the grant", () => {
    locks.acquire(crate, 1, 0);
    locks.acquire(crate, 2, 5);
    expect(locks.expire(9)).toEqual([]);
    expect(locks.expire(10)).toEqual([{ id: crate, from: 1, to: 2 }]);
    expect(locks.expire(19)).toEqual([]);
    expect(locks.expire(20)).toEqual([{ id: crate, from: 2, to: 0 }]);
  });

  it("goes with its object, and frees everybody's quota", () => {
    locks.acquire(crate, 1, 0);
    locks.acquire(crate, 2, 0);
    expect(locks.forget(crate)).toEqual([1, 2]);
    expect(locks.forget(crate)).toEqual([]);
    for (const session of [1, 2]) {
      expect([locks.acquire(barrel, session, 0), locks.acquire(sack, session, 0)]).not.toContain("quota");
      locks.releaseAll(session, 0);
    }
  });

  it("goes elsewhere with its queue and its time, and counts for everybody there", () => {
    locks.acquire(crate, 1, 0);
    locks.acquire(crate, 2, 3);
    const queue = locks.queueOf(crate, 6)!;
    expect(queue).toEqual({ sessions: [1, 2], heldMs: 6 });
    const there = new LockTable({ locksPerPlayer: 1, waitingPerLock: 2, lockMs: 10 });
    there.restore(crate, queue, 100);
    expect([there.acquire(barrel, 1, 100), there.acquire(barrel, 2, 100)]).toEqual(["quota", "quota"]);
    expect(there.expire(103)).toEqual([]);
    expect(there.expire(104)).toEqual([{ id: crate, from: 1, to: 2 }]);
    expect(there.queueOf(crate, 105)).toEqual({ sessions: [2], heldMs: 1 });
  });

  it("is left by whoever holds it or waits for it", () => {
    for (const session of [1, 2, 3]) locks.acquire(crate, session, 0);
    expect(locks.leave(crate, 2, 1)).toBeUndefined();
    expect(locks.leave(crate, 2, 1)).toBeUndefined();
    expect(locks.leave(crate, 1, 1)).toEqual({ id: crate, from: 1, to: 3 });
    expect(locks.acquire(crate, 2, 2)).toBe("waiting");
  });
});
