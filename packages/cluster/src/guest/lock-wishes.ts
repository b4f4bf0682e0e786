/**
 * Locks that players of this server want, hold or give back, of objects that other servers own. Their owner is told of all that a player wants of one lock (`Locks`), once and then
 * again until the copy here shows it; the copy says what became of it (`lock-claims.ts`). So a lock is granted here when the copy includes the grant, and with it the state that was
 * granted; and a release is confirmed to the client when the copy includes it.
 *
 * When such an object comes here, wishes become ordinary requests of this room; when it goes, they become wishes again. Why so: docs/decisions/0043-locks-across-servers.md.
 */

import type { Entity } from "@nearfield/core";
import type { FieldsOfObject, Refusal } from "@nearfield/protocol/internal";
import type { ObjectId, WorldId } from "@nearfield/schema";
import { numberOf, originOf, worldId } from "@nearfield/schema/internal";
import type { Player } from "@nearfield/server";
import type { RoomSeam } from "@nearfield/server/seam";
import type { Ledger, Record } from "./ledger.ts";
import type { Statement } from "./messages.ts";
import { type Claim, type ClaimState, type Entry, isOpen } from "./objects-codec.ts";
import type { Sessions } from "./sessions.ts";
import { type OwnFields, type OwnWrite, otherFields, ownFields } from "./written-fields.ts";

/** What the owner is not known to have heard is said again after this many rounds. */
const ROUNDS_TO_SAY_AGAIN = 8;

interface LockRequest {
  readonly ticket: number;
  /** The secret of the client that asked. Another one (the page was loaded anew) knows nothing of it. */
  readonly token: Uint8Array;
  /** The client was told that it holds the lock. */
  isHeld: boolean;
  /** It has given the lock back, with these writes. */
  release: ReleaseWrite | undefined;
}

interface ReleaseWrite extends OwnWrite {
  readonly write: FieldsOfObject;
}

/** What one player wants of the lock of one object. */
interface Wish {
  readonly object: ObjectId;
  /** At most one that is given back, and one more. */
  requests: LockRequest[];
  /** Releases that were carried out or refused, and are not confirmed to the client yet. */
  answered: OwnWrite[];
  /** It is other than what the owner was told. */
  isNew: boolean;
  /** To whom it was said, of which hop, and when. */
  saidTo: number;
  saidHop: number;
  saidInRound: number;
}

export interface LockWishesOptions {
  readonly server: number;
  readonly seam: RoomSeam;
  readonly ledger: Ledger;
  readonly sessions: Sessions;
  readonly send: (to: number, statement: Statement) => void;
  /** Confirms to a player's client what may be confirmed. Returns the number of its last message that is. */
  readonly cap: (session: number) => number;
}

export class LockWishes {
  readonly #options: LockWishesOptions;
  /** By session number and object. */
  readonly #wishes = new Map<number, Map<WorldId, Wish>>();
  /** Counts all requests. */
  #tickets = 0;

  constructor(options: LockWishesOptions) {
    this.#options = options;
    options.seam.locks.route({
      acquire: (player, entity) => this.#acquire(player, entity),
      release: (player, entity, write, saidAs) => this.#release(player, entity, write, saidAs),
    });
  }

  // ── what clients ask for ───────────────────────────────────────────────────────────────────────────────────────

  #acquire(player: Player, entity: Entity): Refusal | undefined {
    const { seam } = this.#options;
    const wish = this.#wish(player.id, entity);
    const last = wish.requests.at(-1);
    if (last !== undefined && last.release === undefined) {
      if (last.isHeld) seam.locks.grant(player, entity);
      return undefined;
    }
    const { mostPerPlayer } = seam.locks;
    const wanted = [...this.#wishes.get(player.id)!.values()].filter(({ requests }) =>
      requests.some(({ release }) => release === undefined),
    );
    if (wanted.length >= mostPerPlayer) return "quota";
    this.#add(player.id, wish, false);
    return undefined;
  }

  #release(player: Player, entity: Entity, write: FieldsOfObject, saidAs: number): Refusal | undefined {
    const { sessions, cap } = this.#options;
    const wish = this.#wish(player.id, entity);
    const held = wish.requests.at(-1);
    if (held?.isHeld !== true || held.release !== undefined) return "not-locked";
    held.release = { number: sessions.count(player.id, held.token, saidAs), write, token: held.token };
    wish.isNew = true;
    cap(player.id);
    return undefined;
  }

  /** A client of this server holds or awaits the lock of an object that goes to another server. Returns the ticket of its request from now on. */
  follow(session: number, entity: Entity, isHeld: boolean): number {
    return this.#add(session, this.#wish(session, entity), isHeld);
  }

  #add(session: number, wish: Wish, isHeld: boolean): number {
    const token = this.#options.seam.connections.get(session)?.token ?? new Uint8Array();
    this.#tickets += 1;
    wish.requests.push({ ticket: this.#tickets, token, isHeld, release: undefined });
    wish.isNew = true;
    return this.#tickets;
  }

  #wish(session: number, entity: Entity): Wish {
    const wishes = this.#wishes.get(session) ?? new Map<WorldId, Wish>();
    this.#wishes.set(session, wishes);
    const id = this.#options.seam.world.worldIdOf(entity);
    const known = wishes.get(id);
    if (known !== undefined) return known;
    const said = { isNew: false, saidTo: -1, saidHop: -1, saidInRound: 0 };
    const fresh = { object: entity.id, requests: [], answered: [], ...said };
    wishes.set(id, fresh);
    return fresh;
  }

  /** Number of the oldest release of a player that waits for its answer; undefined if none does. */
  oldestOf(session: number): number | undefined {
    const numbers = [...(this.#wishes.get(session)?.values() ?? [])].flatMap(({ requests }) =>
      requests.flatMap(({ release }) => release?.number ?? []),
    );
    return numbers.length === 0 ? undefined : Math.min(...numbers);
  }

  // ── what owners tell ───────────────────────────────────────────────────────────────────────────────────────────

  /** The fields of an entry that a player of this server has just written so, with a release. */
  ownOf(entry: Entry): OwnFields | undefined {
    if (entry.type.write !== "locked") return undefined;
    for (const [session, wishes] of this.#wishes) {
      const wish = wishes.get(entry.id);
      if (wish === undefined) continue;
      const now = this.#options.seam.connections.get(session)?.token;
      const writes = [...wish.answered, ...wish.requests.flatMap(({ release }) => release ?? [])];
      const fields = ownFields(
        session,
        entry,
        writes.filter(({ token }) => token === now),
      );
      if (fields !== undefined) return fields;
    }
    return undefined;
  }

  /** Another server has told of its objects. */
  hear(from: number, entries: readonly Entry[]): void {
    for (const { id, type, hop, claims } of entries) {
      if (type.write !== "locked") continue;
      const record = this.#options.ledger.get(id);
      if (record?.source !== from || record.hop !== hop) continue;
      record.claims = claims;
      this.notice(id, claims);
    }
  }

  /** What players of this server want is looked at, also if nothing of it is known here any more: then its owner must hear so. */
  notice(id: WorldId, claims: readonly Claim[]): void {
    const { server, seam } = this.#options;
    const entity = seam.world.byWorldId(id);
    for (const { player } of claims)
      if (entity !== undefined && originOf(player) === server) this.#wish(numberOf(player), entity);
  }

  /** Tells clients what became of their wishes, and takes wishes for objects that are here now into the room. */
  settle(): void {
    const { seam, cap } = this.#options;
    for (const [session, wishes] of this.#wishes) {
      const player = seam.players.get(session);
      const now = seam.connections.get(session)?.token;
      for (const [id, wish] of wishes) {
        this.#forgetOthers(wish, player === undefined ? undefined : now);
        this.#look(session, player, id, wish);
      }
      const upTo = player === undefined ? 0 : cap(session);
      for (const [id, wish] of wishes) {
        if (player !== undefined) this.#compare(player, id, wish, upTo);
        if (this.#isDone(session, id, wish)) wishes.delete(id);
      }
      if (wishes.size === 0) this.#wishes.delete(session);
    }
  }

  /** What another client of the player asked for, or a player that has left, counts no more. */
  #forgetOthers(wish: Wish, now: Uint8Array | undefined): void {
    const left = wish.requests.filter(({ token }) => token === now);
    if (left.length < wish.requests.length) wish.isNew = true;
    wish.requests = left;
    wish.answered = wish.answered.filter(({ token }) => token === now);
  }

  #look(session: number, player: Player | undefined, id: WorldId, wish: Wish): void {
    const { seam, ledger } = this.#options;
    const entity = seam.world.byWorldId(id);
    const record = ledger.get(id);
    if (entity === undefined || record === undefined) {
      for (const request of wish.requests) this.#end(player, wish, request, "gone");
      wish.requests = [];
      wish.isNew = false;
    } else if (seam.world.isForeign(entity))
      wish.requests = wish.requests.filter((request) =>
        this.#goesOn(player, entity, wish, request, this.#stateOf(session, record, request)),
      );
    else this.#bringHome(session, player, entity, record, wish);
  }

  #stateOf(session: number, { claims }: Record, { ticket }: LockRequest): ClaimState | undefined {
    return claims.find((claim) => claim.player === this.#idOf(session) && claim.ticket === ticket)?.state;
  }

  #idOf(session: number): WorldId {
    return worldId(this.#options.server, session);
  }

  /** Whether a request is still open, as its owner tells. */
  #goesOn(
    player: Player | undefined,
    entity: Entity,
    wish: Wish,
    request: LockRequest,
    state: ClaimState | undefined,
  ): boolean {
    const { isHeld, release } = request;
    if (state === "waiting") return true;
    if (state === "held") {
      if (isHeld || player === undefined) return true;
      request.isHeld = true;
      this.#options.seam.locks.grant(player, entity);
      return true;
    }
    // The owner has not heard of it. If it had granted the lock, that one died.
    if (state === undefined && (!isHeld || release !== undefined)) return true;
    this.#end(player, wish, request, state ?? "elsewhere");
    return false;
  }

  #end(player: Player | undefined, wish: Wish, { isHeld, release }: LockRequest, state: ClaimState): void {
    const { seam } = this.#options;
    wish.isNew = true;
    if (release !== undefined) wish.answered.push(release);
    if (player === undefined) return;
    const refusal = state === "released" || state === "held" || state === "waiting" ? undefined : state;
    if (release === undefined) seam.locks[isHeld ? "lose" : "deny"](player, wish.object, refusal ?? "not-locked");
    else if (refusal !== undefined) seam.tellRefused(player, wish.object, refusal);
  }

  /** The object is here now, and its lock. */
  #bringHome(session: number, player: Player | undefined, entity: Entity, record: Record, wish: Wish): void {
    const { locks } = this.#options.seam;
    const who = this.#idOf(session);
    const later: LockRequest[] = [];
    for (const request of wish.requests) {
      const state = this.#stateOf(session, record, request);
      const { release, isHeld } = request;
      if (player === undefined) continue;
      if (state === "held" && release !== undefined) {
        wish.answered.push(release);
        // The player is linked to this server, and the room tells it of refusals.
        locks.carryOutRelease({ player, entity, write: release.write, onRefused: () => {} });
      } else if (state === "held") {
        if (!isHeld) locks.grant(player, entity);
      } else if (state === undefined && locks.queueOf(entity)?.sessions.includes(session) === true) {
        // Its last release is carried out in this round.
        later.push(request);
      } else if (state === undefined && !isHeld) {
        const answer = locks.acquire(entity, session);
        if (answer !== "granted" && answer !== "waiting") locks.deny(player, wish.object, answer);
      } else if (state !== "waiting") this.#end(player, wish, request, state ?? "elsewhere");
    }
    const isKnown = ({ ticket }: Claim): boolean => wish.requests.some((request) => request.ticket === ticket);
    const own = record.claims.filter((claim) => claim.player === who);
    if (own.some((claim) => isOpen(claim) && !isKnown(claim))) locks.leave(entity, session);
    record.claims = record.claims.filter((claim) => claim.player !== who);
    wish.requests = later;
    wish.isNew = false;
  }

  /** Of releases that are confirmed, up to this number, the client is sent the fields that are not as it wrote them. */
  #compare(player: Player, id: WorldId, wish: Wish, upTo: number): void {
    const { seam } = this.#options;
    const confirmed = wish.answered.filter(({ number }) => number <= upTo);
    if (confirmed.length === 0) return;
    wish.answered = wish.answered.filter(({ number }) => number > upTo);
    const entity = seam.world.byWorldId(id);
    const mask = entity === undefined ? 0 : otherFields(entity, confirmed);
    if (entity !== undefined && mask !== 0) seam.sendBack(player, entity, mask);
  }

  #isDone(session: number, id: WorldId, wish: Wish): boolean {
    if (wish.isNew || wish.requests.length > 0 || wish.answered.length > 0) return false;
    const record = this.#options.ledger.get(id);
    return record === undefined || this.#isHeard(session, record, wish);
  }

  /** Whether the copy shows all that the player wants now, and nothing else. */
  #isHeard(session: number, { claims }: Record, { requests }: Wish): boolean {
    const own = claims.filter(({ player }) => player === this.#idOf(session));
    return (
      own.length === requests.length &&
      requests.every(({ ticket, release }) => {
        const state = own.find((claim) => claim.ticket === ticket)?.state;
        return state !== undefined && (release === undefined || state !== "held");
      })
    );
  }

  // ── what owners are told ───────────────────────────────────────────────────────────────────────────────────────

  sendAll(round: number): void {
    const { server, seam, ledger, send } = this.#options;
    for (const [session, wishes] of this.#wishes) {
      for (const [id, wish] of wishes) {
        const record = ledger.get(id);
        if (record === undefined || record.source === server) continue;
        const { source: owner, hop } = record;
        const isDue = owner !== wish.saidTo || hop !== wish.saidHop || round >= wish.saidInRound + ROUNDS_TO_SAY_AGAIN;
        if (!wish.isNew && (!isDue || this.#isHeard(session, record, wish))) continue;
        Object.assign(wish, { isNew: false, saidTo: owner, saidHop: hop, saidInRound: round });
        const nickname = seam.players.get(session)?.nickname ?? "";
        const requests = wish.requests.map(({ ticket, release }) => ({ ticket, release: release?.write }));
        send(owner, { kind: "locks", player: this.#idOf(session), nickname, avatar: id, hop, requests });
      }
    }
  }
}
