/**
 * Locks on objects (V §3.2). The holder of a lock may write the object; its writes travel with the release. Locks are granted in the order
 * of requests. A session gives its locks back when it leaves, and loses a lock that it holds too long. This class only keeps the books: the
 * caller sends the messages.
 *
 * Bounds: a number of locks per session, and a number of sessions that wait for one lock. Beyond them a request is refused, never queued.
 */

import type { Refusal } from "@nearfield/protocol/internal";
import type { ObjectId } from "@nearfield/schema";

export interface LockLimits {
  readonly locksPerPlayer: number;
  readonly waitingPerLock: number;
  /** Milliseconds after which a lock is taken back. */
  readonly lockMs: number;
}

interface HeldLock {
  holder: number;
  since: number;
  readonly waiting: number[];
}

/** A lock passed from one session to the next. */
export interface Passed {
  readonly id: ObjectId;
  readonly from: number;
  /** 0 if nobody waited. */
  readonly to: number;
}

/** A lock with everybody who wants it. */
export interface LockQueue {
  /** The holder, and then those who wait. */
  readonly sessions: readonly number[];
  /** How long the holder has had the lock, ms. */
  readonly heldMs: number;
}

export type LockAnswer = "granted" | "waiting" | Refusal;

export class LockTable {
  readonly #limits: LockLimits;
  readonly #locks = new Map<ObjectId, HeldLock>();
  /** Locks held or waited for, by session. */
  readonly #claims = new Map<number, number>();

  constructor(limits: LockLimits) {
    this.#limits = limits;
  }

  get size(): number {
    return this.#locks.size;
  }

  holder(id: ObjectId): number {
    return this.#locks.get(id)?.holder ?? 0;
  }

  acquire(id: ObjectId, session: number, nowMs: number): LockAnswer {
    const lock = this.#locks.get(id);
    if (lock?.holder === session) return "granted";
    if (lock?.waiting.includes(session) === true) return "waiting";
    if ((this.#claims.get(session) ?? 0) >= this.#limits.locksPerPlayer) return "quota";
    if (lock === undefined) {
      this.#locks.set(id, { holder: session, since: nowMs, waiting: [] });
      this.#claim(session, 1);
      return "granted";
    }
    if (lock.waiting.length >= this.#limits.waitingPerLock) return "queue-full";
    lock.waiting.push(session);
    this.#claim(session, 1);
    return "waiting";
  }

  /** Undefined if nobody holds the lock. */
  queueOf(id: ObjectId, nowMs: number): LockQueue | undefined {
    const lock = this.#locks.get(id);
    return lock && { sessions: [lock.holder, ...lock.waiting], heldMs: nowMs - lock.since };
  }

  /** Puts a lock as it was elsewhere. Nobody may have it here. No bound is judged again. */
  restore(id: ObjectId, { sessions, heldMs }: LockQueue, nowMs: number): void {
    const [holder, ...waiting] = sessions;
    if (holder === undefined) return;
    this.#locks.set(id, { holder, since: nowMs - heldMs, waiting });
    for (const session of sessions) this.#claim(session, 1);
  }

  /** A session wants this lock no more, whether it holds it or waits for it. */
  leave(id: ObjectId, session: number, nowMs: number): Passed | undefined {
    const lock = this.#locks.get(id);
    const place = lock?.waiting.indexOf(session) ?? -1;
    if (lock === undefined || place < 0) return this.release(id, session, nowMs);
    lock.waiting.splice(place, 1);
    this.#claim(session, -1);
    return undefined;
  }

  /** Undefined if the session does not hold the lock. */
  release(id: ObjectId, session: number, nowMs: number): Passed | undefined {
    const lock = this.#locks.get(id);
    if (lock === undefined || lock.holder !== session) return undefined;
    return this.#pass(id, lock, nowMs);
  }

  /** A session leaves: its locks pass to those who wait, and it waits for no lock any more. */
  releaseAll(session: number, nowMs: number): Passed[] {
    const passed: Passed[] = [];
    for (const id of this.#locks.keys()) {
      const lock = this.leave(id, session, nowMs);
      if (lock !== undefined) passed.push(lock);
    }
    return passed;
  }

  /** Takes back locks that were held too long. */
  expire(nowMs: number): Passed[] {
    const passed: Passed[] = [];
    for (const [id, lock] of this.#locks) {
      if (nowMs - lock.since >= this.#limits.lockMs) passed.push(this.#pass(id, lock, nowMs));
    }
    return passed;
  }

  /** The object is gone; returns who held the lock and who waited, in that order. */
  forget(id: ObjectId): readonly number[] {
    const lock = this.#locks.get(id);
    if (lock === undefined) return [];
    this.#locks.delete(id);
    const sessions = [lock.holder, ...lock.waiting];
    for (const session of sessions) this.#claim(session, -1);
    return sessions;
  }

  #pass(id: ObjectId, lock: HeldLock, nowMs: number): Passed {
    const from = lock.holder;
    this.#claim(from, -1);
    const next = lock.waiting.shift();
    if (next === undefined) {
      this.#locks.delete(id);
      return { id, from, to: 0 };
    }
    lock.holder = next;
    lock.since = nowMs;
    return { id, from, to: next };
  }

  #claim(session: number, change: number): void {
    const claims = (this.#claims.get(session) ?? 0) + change;
    if (claims === 0) this.#claims.delete(session);
    else this.#claims.set(session, claims);
  }
}
