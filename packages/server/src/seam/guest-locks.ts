/**
 * The locks of a room, as a guest reads and changes them: so that the lock of an object can be asked for at one server and held at another, and can go with
 * its object. The books are the room's own. Sessions of other servers' players, from `RoomSeam.takeSession`, stand in them like any others, but nobody tells
 * these players of anything: the guest reads in the books what became of their requests.
 */

import type { Entity } from "@nearfield/core";
import type { Refusal } from "@nearfield/protocol/internal";
import type { ObjectId } from "@nearfield/schema";
import type { LockAnswer, LockQueue } from "../room/locks.ts";
import type { RoomCore } from "../room/room-core.ts";
import type { LockRoute, RoutedRelease } from "../room/routed-locks.ts";
import type { Player } from "../session/player.ts";

/** A lock that was taken out of the books. */
export interface TakenLock extends LockQueue {
  /** Whether the holder was told that it holds the lock. */
  readonly isTold: boolean;
}

export class GuestLocks {
  readonly #core: RoomCore;
  readonly #until: (end: () => void) => () => void;

  /** @param until notes what ends when the guest leaves. */
  constructor(core: RoomCore, until: (end: () => void) => () => void) {
    this.#core = core;
    this.#until = until;
  }

  /** Locks that a player may hold or wait for at once. */
  get mostPerPlayer(): number {
    return this.#core.host.resolved.limits.locksPerPlayer;
  }

  /** Asks `route` whenever a client wants, or gives back, the lock of an object that another server owns. One guest at a time may route. Returns a function that ends this. */
  route(route: LockRoute): () => void {
    const core = this.#core;
    core.lockRoute = route;
    return this.#until(() => {
      if (core.lockRoute === route) core.lockRoute = undefined;
    });
  }

  // ── own objects ────────────────────────────────────────────────────────────────────────────────────────────────

  /** Undefined if nobody holds the lock. */
  queueOf(entity: Entity): LockQueue | undefined {
    return this.#core.locks.queueOf(entity.id, this.#core.host.elapsedMs);
  }

  /** Asks for the lock in the name of a session. A player of this server is told when it has it. */
  acquire(entity: Entity, session: number): LockAnswer {
    const { state, locks, host, pendingGrants } = this.#core;
    if (state !== "active") return "not-active";
    const answer = locks.acquire(entity.id, session, host.elapsedMs);
    if (answer === "granted") pendingGrants.push({ id: entity.id, from: 0, to: session });
    return answer;
  }

  /** The session wants the lock no more. What was written under it is lost. */
  leave(entity: Entity, session: number): void {
    const passed = this.#core.locks.leave(entity.id, session, this.#core.host.elapsedMs);
    if (passed !== undefined) this.#core.pendingGrants.push(passed);
  }

  /** Gives a lock back in this round's merge, or the next one's, with what was written under it, as if this player had sent it. */
  carryOutRelease(release: RoutedRelease): void {
    this.#core.routedReleases.push(release);
  }

  /** Takes the lock out of the books, because its object goes to another server. Nobody is told. */
  take(entity: Entity): TakenLock | undefined {
    const { locks, pendingGrants } = this.#core;
    const queue = this.queueOf(entity);
    if (queue === undefined) return undefined;
    locks.forget(entity.id);
    const untold = pendingGrants.filter(({ id }) => id === entity.id);
    for (const grant of untold) pendingGrants.splice(pendingGrants.indexOf(grant), 1);
    return { ...queue, isTold: untold.length === 0 };
  }

  /** Puts a lock into the books as it was at another server. Nobody is told. */
  put(entity: Entity, queue: LockQueue): void {
    this.#core.locks.restore(entity.id, queue, this.#core.host.elapsedMs);
  }

  // ── what players of this server are told ───────────────────────────────────────────────────────────────────────

  /** The player holds the lock: it is told so at the end of this round, with the object as it is then. */
  grant(player: Player, entity: Entity): void {
    this.#core.pendingGrants.push({ id: entity.id, from: 0, to: player.id });
  }

  /** The player does not get the lock. */
  deny(player: Player, id: ObjectId, refusal: Refusal): void {
    const session = this.#core.sessions.get(player.id);
    if (session !== undefined) this.#core.tell(session, { kind: "lockDenied", id, refusal });
  }

  /** The player holds the lock no more. */
  lose(player: Player, id: ObjectId, refusal: Refusal): void {
    const session = this.#core.sessions.get(player.id);
    if (session !== undefined) this.#core.tell(session, { kind: "lockLost", id, refusal });
  }
}
