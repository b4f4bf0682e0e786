/**
 * Players whose gateway died, or leaves, go on at another one. Their sessions are in the dead gateway's log, so its executor has them (`Journal.refugees`). A
 * client comes to any gateway with the secret of its session:
 *
 *     seek (to all) → found (by the executor, or by the gateway that leaves) → the player gets an id of this gateway → renamed (to all) → news of its avatar comes here → it is let in
 *
 * The avatar says which of the client's commands it includes; the client says the later ones again. It keeps most of its secret: should
 * this gateway die before its log has the session, the others still know it. Sessions that nobody asks for end after a while, and with them the objects of their players.
 */

import type { WorldId } from "@nearfield/schema";
import { numberOf, originOf, worldId } from "@nearfield/schema/internal";
import type { FoundSession } from "@nearfield/server/internal";
import type { RoomSeam } from "@nearfield/server/seam";
import type { KeptSession } from "../journal/entries.ts";
import type { Journal } from "../journal/journal.ts";
import type { Membership } from "../slices/membership.ts";
import type { Ledger } from "./ledger.ts";
import type { Statement } from "./messages.ts";
import type { Sessions } from "./sessions.ts";

/** A session that its client does not take up ends after this time, ms. */
const KEPT_MS = 30_000;
/** A client whose session is not found within this time is refused, ms. Longer than a dead gateway is missed. */
const PATIENCE_MS = 8000;
const ROUNDS_TO_SAY_AGAIN = 4;
const ROUNDS_TO_COME_IN = 3;
/** The share of a secret that stays the same for as long as its session: 96 of the usual 128 bits. */
const LASTING = 0.75;

/** What is known of the session that a seeker looks for, and how far it has come here. */
interface Coming {
  found: KeptSession | undefined;
  /** Ids that the player had at other gateways. Servers that did not hear of its last change know an older one. */
  readonly former: Set<WorldId>;
  /**
   * The player's number here, once its session was found; the round in which it got it; whether this server's log has it; and whether what the player owns here goes by it. Objects that went by a number which
   * no log has would belong to nobody if this server died.
   */
  session: number;
  takenInRound: number;
  isLogged: boolean;
  isRenamed: boolean;
  /** When the others were asked, and told, last. */
  saidInRound: number;
}

/** A client that waits to be let in. */
interface Seeker {
  readonly token: Uint8Array;
  readonly isAfresh: boolean;
  readonly answer: (found: FoundSession | undefined) => void;
  /** Whether its client still waits for the answer. */
  readonly isWaiting: () => boolean;
  readonly untilRound: number;
  /** The same one while clients come again with one secret. */
  readonly coming: Coming;
}

export interface RefugeOptions {
  readonly server: number;
  readonly seam: RoomSeam;
  readonly membership: Membership;
  readonly ledger: Ledger;
  readonly sessions: Sessions;
  readonly journal: Journal;
  readonly send: (to: number, statement: Statement) => void;
  /** This server has sent its clients away: they go on elsewhere. */
  readonly isOut: () => boolean;
  /** An own object belongs to another player now. */
  readonly touch: (id: WorldId) => void;
}

export class Refuge {
  /** Players that went on here. */
  count = 0;
  readonly #options: RefugeOptions;
  readonly #seekers = new Set<Seeker>();
  /** Players that were brought here and are not in yet, since their links may be gone; with the round. */
  readonly #brought = new Map<WorldId, number>();
  /** Old and new ids of players that were renamed in this round. */
  readonly #renames: (readonly [WorldId, WorldId])[] = [];
  /** When refugees came here, by their round. */
  readonly #since = new Map<WorldId, number>();

  constructor(options: RefugeOptions) {
    this.#options = options;
    options.seam.seekSessions((token, isAfresh, answer, isWaiting) => this.#seek(token, isAfresh, answer, isWaiting));
  }

  #seek(token: Uint8Array, isAfresh: boolean, answer: Seeker["answer"], isWaiting: () => boolean): void {
    const { roundNumber, roundMs } = this.#options.seam;
    const untilRound = roundNumber + Math.ceil(PATIENCE_MS / roundMs);
    // A client that comes again over a new link goes on where its old one waited: there is one player for each secret.
    const earlier = [...this.#seekers].find((seeker) => isSame(seeker.token, token));
    if (earlier !== undefined) this.#end(earlier, undefined);
    const taken = { session: 0, takenInRound: 0, isLogged: false, isRenamed: false };
    const coming = earlier?.coming ?? { found: undefined, former: new Set<WorldId>(), ...taken, saidInRound: -1 };
    coming.saidInRound = -1;
    this.#seekers.add({ token, isAfresh, answer, isWaiting, untilRound, coming });
  }

  /** To be called in every round, after messages were read. */
  tick(round: number): void {
    for (const seeker of this.#seekers) {
      const { coming } = seeker;
      if (coming.found === undefined) this.#learn(seeker, this.#known(seeker.token));
      if (coming.found !== undefined && this.#options.membership.isHeld) this.#bringHere(seeker, coming.found, round);
      if (!this.#seekers.has(seeker)) continue;
      const isHalfTaken = coming.session !== 0 && !coming.isRenamed;
      if ((round >= seeker.untilRound || !seeker.isWaiting()) && !isHalfTaken) this.#end(seeker, undefined);
      else if (round >= coming.saidInRound + ROUNDS_TO_SAY_AGAIN) {
        coming.saidInRound = round;
        this.#ask(seeker);
      }
    }
    this.#noteComers();
    this.#endForgotten(round);
  }

  /** Another gateway looks for a session. */
  sought(from: number, token: Uint8Array): void {
    const session = this.#known(token);
    if (session !== undefined) this.#options.send(from, { kind: "found", session });
  }

  found(session: KeptSession): void {
    for (const seeker of this.#seekers) if (isSame(seeker.token, session.token)) this.#learn(seeker, session);
  }

  #learn({ coming }: Seeker, session: KeptSession | undefined): void {
    if (session === undefined) return;
    const { server, sessions } = this.#options;
    coming.found ??= session;
    for (const id of [session.player, sessions.nowOf(session.player)]) {
      if (coming.former.has(id) || id === worldId(server, coming.session)) continue;
      coming.former.add(id);
      if (coming.isRenamed) this.renamed(id, worldId(server, coming.session));
    }
  }

  /** A player goes on under another id from the end of this round on: what it asked for in this round under the old one is carried out before. */
  renamed(player: WorldId, to: WorldId): void {
    this.#renames.push([player, to]);
  }

  /** To be called at the end of every round, before news is sent. */
  endRound(): void {
    for (const [player, to] of this.#renames.splice(0)) this.#rename(player, to);
  }

  /** What the player owns here is the new id's. */
  #rename(player: WorldId, to: WorldId): void {
    this.#brought.delete(player);
    const { server, seam, ledger, sessions, journal, touch } = this.#options;
    const { world } = seam;
    sessions.rename(player, to);
    journal.refugees.delete(player);
    for (const [id, record] of ledger) {
      const entity = world.byWorldId(id);
      if (record.player !== player || entity === undefined || world.isForeign(entity)) continue;
      record.player = to;
      // Its new gateway counts steps from 1 on.
      record.stepped = 0;
      record.said = 0;
      world.setOwner(entity, sessions.numberOf(to));
      touch(id);
    }
    if (originOf(player) === server) seam.release(numberOf(player));
    sessions.end(player);
  }

  /** A session that may go on elsewhere: of a dead gateway's player, or of an own player who is not linked to this server. */
  #known(token: Uint8Array): KeptSession | undefined {
    const { journal, seam, isOut } = this.#options;
    const isFree = ({ player }: KeptSession): boolean =>
      isOut() || seam.players.get(numberOf(player))?.presence === "away";
    const isOurs = ({ token: other }: KeptSession): boolean => isSame(other, token);
    const refugee = [...journal.refugees.values()].find(
      (session) => isOurs(session) && !this.#isComing(session.player),
    );
    return refugee ?? [...journal.sessions.values()].find((session) => isOurs(session) && isFree(session));
  }

  /** Whether a client waits here to go on as this player, or is just being let in. */
  #isComing(player: WorldId): boolean {
    if (this.#brought.has(player)) return true;
    const { server } = this.#options;
    return [...this.#seekers].some(({ coming: { session } }) => session !== 0 && worldId(server, session) === player);
  }

  #ask({ token, coming }: Seeker): void {
    const { server, membership, send } = this.#options;
    const { former, session, isLogged } = coming;
    for (const other of membership.alive.keys()) {
      if (other === server) continue;
      // Also once it was found: somebody else may know of it by another id.
      send(other, { kind: "seek", token });
      if (!isLogged) continue;
      for (const player of former) send(other, { kind: "renamed", player, to: worldId(server, session) });
    }
  }

  /** Others forget the session when they hear that its player goes on here. So this server's log has it first. */
  #bringHere(seeker: Seeker, found: KeptSession, round: number): void {
    const { server, seam, ledger, sessions, journal } = this.#options;
    const { coming } = seeker;
    if (coming.session === 0) {
      coming.session = seam.takeSession();
      coming.takenInRound = round;
      const player = worldId(server, coming.session);
      journal.refugees.set(player, { ...found, player });
    }
    if (!coming.isLogged && round > coming.takenInRound) {
      // What was noted in an earlier round is on its way to the log by now.
      journal.afterAll(() => {
        if (!coming.isLogged) coming.saidInRound = -1;
        coming.isLogged = true;
      });
    }
    if (!coming.isLogged) return;
    const player = worldId(server, coming.session);
    if (!coming.isRenamed) {
      coming.isRenamed = true;
      for (const former of coming.former) this.renamed(former, player);
    }
    for (const [id, record] of ledger) {
      const entity = seam.world.byWorldId(id);
      if (record.player !== player || entity === undefined) continue;
      const base = seeker.isAfresh ? this.#lastOf(player) : found.base;
      sessions.countFrom(coming.session, base);
      this.count += 1;
      this.#brought.set(player, round);
      return this.#end(seeker, {
        session: coming.session,
        lastingToken: lastingOf(seeker.token),
        nickname: found.nickname,
        role: found.isSpectator ? "spectator" : "player",
        identity: found.account === undefined ? undefined : { account: found.account },
        heard: seeker.isAfresh ? 0 : record.applied - base,
        pivot: entity.id,
      });
    }
  }

  /** Number of the player's last command or write that an object here includes. */
  #lastOf(player: WorldId): number {
    let last = 0;
    for (const [, record] of this.#options.ledger)
      if (record.player === player) last = Math.max(last, record.applied, record.written);
    return last;
  }

  /** A player that is in is no refugee any more. */
  #noteComers(): void {
    const { seam, journal } = this.#options;
    for (const [player, broughtInRound] of this.#brought) {
      const isIn = seam.players.has(numberOf(player));
      if (isIn) journal.refugees.delete(player);
      if (isIn || seam.roundNumber > broughtInRound + ROUNDS_TO_COME_IN) this.#brought.delete(player);
    }
  }

  #end(seeker: Seeker, found: FoundSession | undefined): void {
    this.#seekers.delete(seeker);
    seeker.answer(found);
  }

  #endForgotten(round: number): void {
    const { journal, seam, server, membership, send } = this.#options;
    const { refugees } = journal;
    for (const player of this.#since.keys()) if (!refugees.has(player)) this.#since.delete(player);
    for (const player of refugees.keys()) {
      const since = this.#since.get(player) ?? round;
      this.#since.set(player, since);
      if ((round - since) * seam.roundMs < KEPT_MS) continue;
      refugees.delete(player);
      for (const other of membership.alive.keys()) if (other !== server) send(other, { kind: "left", player });
    }
  }
}

/** Whether two secrets are of one session. */
function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && lastingOf(a).every((byte, i) => byte === b[i]);
}

/** What of a session's secret every gateway keeps. The rest is new at each, so that a client notices that it is at another one. */
function lastingOf(token: Uint8Array): Uint8Array {
  return token.subarray(0, Math.floor(token.length * LASTING));
}
