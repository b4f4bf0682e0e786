/**
 * Locks of this server's objects that players of other servers want, hold or have had. The room grants them, queues them and takes them back, as it does for its own clients;
 * here stands whose request each is and what became of it. That is part of the object: it travels in news, so gateways learn of it by the same fences and in the same order
 * as of the object itself; and in hand-overs, with the queue, so a lock survives a border.
 *
 * A gateway states what a player wants as a whole (`Locks`), and says it again until news shows it, so a statement may arrive twice or never. Each request has a
 * *ticket*. What became of it is told until the gateway does not name the ticket any more: so a release is carried out once. A statement counts only for the hop
 * that it names: an older one, from before the object was elsewhere meanwhile, does nothing.
 *
 * When the owner dies its locks end. What was released is known as far as the object's state includes it. Why so: docs/decisions/0043-locks-across-servers.md.
 */

import type { Entity } from "@nearfield/core";
import type { Refusal } from "@nearfield/protocol/internal";
import type { WorldId } from "@nearfield/schema";
import { originOf } from "@nearfield/schema/internal";
import type { RoomSeam } from "@nearfield/server/seam";
import type { Journal } from "../journal/journal.ts";
import type { Membership } from "../slices/membership.ts";
import type { Ledger } from "./ledger.ts";
import type { LockWishes } from "./lock-wishes.ts";
import type { Locks, StatedRequest } from "./messages.ts";
import { type Claim, isOpen } from "./objects-codec.ts";
import type { Sessions } from "./sessions.ts";

export interface LockClaimsOptions {
  readonly server: number;
  readonly seam: RoomSeam;
  readonly membership: Membership;
  readonly ledger: Ledger;
  readonly sessions: Sessions;
  readonly wishes: LockWishes;
  readonly journal: Journal;
  /** Everybody who has a copy of an own object is to be told of it. */
  readonly touch: (id: WorldId) => void;
  /** A player of another server wants nothing here any more. */
  readonly endVisit: (player: WorldId) => void;
}

export class LockClaims {
  readonly #options: LockClaimsOptions;
  /** Own objects with claims. */
  readonly #claimed = new Set<WorldId>();
  /** Players that stand in the room since they released something. */
  readonly #visitors = new Set<WorldId>();

  constructor(options: LockClaimsOptions) {
    this.#options = options;
  }

  /** A gateway states what a player of it wants of an object of this server. */
  stated({ player, nickname, avatar: id, hop, requests }: Locks): void {
    const { server, seam, ledger, sessions, touch } = this.#options;
    const entity = seam.world.byWorldId(id);
    if (entity === undefined || seam.world.isForeign(entity) || entity.type.write !== "locked") return;
    const record = ledger.own(id);
    if (record.hop !== hop || originOf(player) === server) return;
    if (requests.some(({ release }) => release !== undefined && release.type !== entity.type)) return;
    const own = record.claims.filter((claim) => claim.player === player);
    const claims = own.filter(({ ticket }) => requests.some((request) => request.ticket === ticket));
    if (own.some((claim) => isOpen(claim) && !claims.includes(claim)))
      seam.locks.leave(entity, sessions.numberOf(player));
    record.claims = [...record.claims.filter((claim) => claim.player !== player), ...claims];
    for (const request of requests) this.#carryOut(entity, id, player, nickname, request);
    this.#claimed.add(id);
    touch(id);
  }

  #carryOut(entity: Entity, id: WorldId, player: WorldId, nickname: string, { ticket, release }: StatedRequest): void {
    const { seam, ledger, sessions, journal } = this.#options;
    const record = ledger.own(id);
    const known = record.claims.find((claim) => claim.player === player && claim.ticket === ticket);
    if (known === undefined) {
      // Its lock was granted by a server that died.
      if (release !== undefined) record.claims = [...record.claims, { player, ticket, state: "elsewhere" }];
      else this.#ask(entity, id, player, ticket);
    } else if (known.state === "held" && release !== undefined) {
      const standIn = sessions.standIn(player, nickname);
      if (standIn === undefined) return;
      this.#visitors.add(player);
      this.#become(id, known, "released");
      journal.advanced(id);
      const onRefused = (refusal: Refusal): void => this.#become(id, known, refusal);
      seam.locks.carryOutRelease({ player: standIn, entity, write: release, onRefused });
    }
  }

  #ask(entity: Entity, id: WorldId, player: WorldId, ticket: number): void {
    const { seam, ledger, sessions } = this.#options;
    const session = sessions.numberOf(player);
    // Its last release is carried out in this round; the gateway asks again.
    if (seam.locks.queueOf(entity)?.sessions.includes(session) === true) return;
    const answer = seam.locks.acquire(entity, session);
    const record = ledger.own(id);
    record.claims = [...record.claims, { player, ticket, state: answer === "granted" ? "held" : answer }];
  }

  #become(id: WorldId, { player, ticket }: Claim, state: Claim["state"]): void {
    const record = this.#options.ledger.own(id);
    record.claims = record.claims.map((claim) =>
      claim.player === player && claim.ticket === ticket ? { player, ticket, state } : claim,
    );
  }

  /** Notes what became of each claim in this round. To be called at its end, before news is sent. */
  tick(): void {
    const { seam, ledger, touch } = this.#options;
    for (const id of this.#claimed) {
      const entity = seam.world.byWorldId(id);
      const record = ledger.get(id);
      if (entity === undefined || record === undefined || seam.world.isForeign(entity) || record.claims.length === 0) {
        this.#claimed.delete(id);
        continue;
      }
      const before = record.claims;
      record.claims = before.filter((claim) => this.#isKnown(entity, claim)).map((claim) => this.#look(entity, claim));
      if (record.claims.some((claim, i) => claim !== before[i]) || record.claims.length < before.length) touch(id);
    }
    this.#endVisits();
  }

  #endVisits(): void {
    const { ledger, endVisit } = this.#options;
    for (const player of this.#visitors) {
      const isHere = (id: WorldId): boolean => ledger.get(id)?.claims.some((claim) => claim.player === player) === true;
      if ([...this.#claimed].some(isHere)) continue;
      this.#visitors.delete(player);
      endVisit(player);
    }
  }

  /** Whether the player of a claim is still the player of a living gateway. If not, it wants the lock no more. */
  #isKnown(entity: Entity, claim: Claim): boolean {
    const { seam, membership, sessions } = this.#options;
    const { player } = claim;
    if (membership.alive.has(originOf(player)) && sessions.nowOf(player) === player) return true;
    if (isOpen(claim)) seam.locks.leave(entity, sessions.numberOf(player));
    return false;
  }

  #look(entity: Entity, claim: Claim): Claim {
    const { seam, sessions } = this.#options;
    if (!isOpen(claim)) return claim;
    const place = seam.locks.queueOf(entity)?.sessions.indexOf(sessions.numberOf(claim.player)) ?? -1;
    const state = place < 0 ? "timeout" : place === 0 ? "held" : "waiting";
    return state === claim.state ? claim : { ...claim, state };
  }

  /** An own object is about to be handed over: its lock goes with it. Own clients' requests become wishes of this gateway. */
  ceding(id: WorldId): void {
    const { seam, ledger, sessions, wishes } = this.#options;
    const entity = seam.world.byWorldId(id);
    if (entity === undefined || entity.type.write !== "locked") return;
    const record = ledger.own(id);
    const lock = seam.locks.take(entity);
    const open = (lock?.sessions ?? []).map((session, place): Claim => {
      const player = sessions.playerOf(session);
      const known = record.claims.find((claim) => claim.player === player && isOpen(claim));
      const ticket = known?.ticket ?? wishes.follow(session, entity, place === 0 && lock?.isTold === true);
      return { player, ticket, state: place === 0 ? "held" : "waiting" };
    });
    record.claims = [...record.claims.filter((claim) => !isOpen(claim)), ...open];
    record.heldMs = Math.round(lock?.heldMs ?? 0);
    this.#claimed.delete(id);
  }

  /** This server owns the object from now on, and its lock. */
  adopted(id: WorldId): void {
    const { seam, ledger, sessions, wishes } = this.#options;
    const entity = seam.world.byWorldId(id);
    const { claims, heldMs } = ledger.own(id);
    if (entity === undefined || claims.length === 0) return;
    const queue = claims.filter(isOpen).map(({ player }) => sessions.numberOf(player));
    seam.locks.put(entity, { sessions: queue, heldMs });
    wishes.notice(id, claims);
    this.#claimed.add(id);
  }

  /** A player of another server has left. */
  end(player: WorldId): void {
    const { seam, ledger, sessions } = this.#options;
    for (const id of this.#claimed) {
      const entity = seam.world.byWorldId(id);
      const record = ledger.get(id);
      if (entity === undefined || record === undefined || seam.world.isForeign(entity)) continue;
      if (record.claims.some((claim) => claim.player === player && isOpen(claim)))
        seam.locks.leave(entity, sessions.numberOf(player));
      record.claims = record.claims.filter((claim) => claim.player !== player);
    }
  }
}
