/**
 * Players whose gateway died, or leaves, go on at another one. Their sessions are in the dead gateway's log, so its executor has them (`Journal.refugees`). A
 * client comes to any gateway with the secret of its session:
 *
 *     seek (to all) → found (by the executor, or by the gateway that leaves) → the player gets an id of this gateway → renamed (to all) → news of its avatar comes here → it is let in
 *
 * The avatar says which of the client's commands it includes; the client says the later ones again. Sessions that nobody asks for end after a while,
 * and with them the objects of their players.
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

interface Seeker {
  readonly token: Uint8Array;
  readonly isAfresh: boolean;
  readonly answer: (found: FoundSession | undefined) => void;
  readonly untilRound: number;
  saidInRound: number;
  found: KeptSession | undefined;
  /** The player's number here, once its session was found. */
  session: number;
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
  /** Players that were brought here, with their old secrets and the round: a link may be gone before its client hears of its new secret. */
  readonly #brought = new Map<WorldId, { readonly session: KeptSession; readonly round: number }>();
  /** When refugees came here, by their round. */
  readonly #since = new Map<WorldId, number>();

  constructor(options: RefugeOptions) {
    this.#options = options;
    options.seam.seekSessions((token, isAfresh, answer) => this.#seek(token, isAfresh, answer));
  }

  #seek(token: Uint8Array, isAfresh: boolean, answer: Seeker["answer"]): void {
    const { roundNumber, roundMs } = this.#options.seam;
    const untilRound = roundNumber + Math.ceil(PATIENCE_MS / roundMs);
    // A client that comes again over a new link goes on where its old one waited: there is one player for each secret.
    const earlier = [...this.#seekers].find((seeker) => isSame(seeker.token, token));
    if (earlier !== undefined) this.#end(earlier, undefined);
    const { found, session } = earlier ?? { found: undefined, session: 0 };
    this.#seekers.add({ token, isAfresh, answer, untilRound, saidInRound: -1, found, session });
  }

  /** To be called in every round, after messages were read. */
  tick(round: number): void {
    for (const seeker of this.#seekers) {
      seeker.found ??= this.#known(seeker.token);
      if (seeker.found !== undefined) this.#bringHere(seeker, seeker.found);
      if (!this.#seekers.has(seeker)) continue;
      if (round >= seeker.untilRound) this.#giveUp(seeker);
      else if (round >= seeker.saidInRound + ROUNDS_TO_SAY_AGAIN) {
        seeker.saidInRound = round;
        this.#ask(seeker);
      }
    }
    this.#keepUnclaimed(round);
    this.#endForgotten(round);
  }

  /** Another gateway looks for a session. */
  sought(from: number, token: Uint8Array): void {
    const session = this.#known(token);
    if (session !== undefined) this.#options.send(from, { kind: "found", session });
  }

  found(session: KeptSession): void {
    for (const seeker of this.#seekers) if (isSame(seeker.token, session.token)) seeker.found ??= session;
  }

  /** A player goes on under another id: what it owns here is that one's. */
  renamed(player: WorldId, to: WorldId): void {
    this.#brought.delete(player);
    const { server, seam, ledger, sessions, journal, touch } = this.#options;
    const { world } = seam;
    sessions.rename(player, to);
    journal.refugees.delete(player);
    if (originOf(player) === server) seam.release(numberOf(player));
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
    sessions.end(player);
  }

  /** A session that may go on elsewhere: of a dead gateway's player, or of an own player who is not linked to this server. */
  #known(token: Uint8Array): KeptSession | undefined {
    const { journal, seam, isOut } = this.#options;
    const isFree = ({ player }: KeptSession): boolean =>
      isOut() || seam.players.get(numberOf(player))?.presence === "away";
    for (const session of journal.refugees.values()) if (isSame(session.token, token)) return session;
    const brought = [...this.#brought.values()].map(({ session }) => session);
    return [...journal.sessions.values(), ...brought].find(
      (session) => isSame(session.token, token) && isFree(session),
    );
  }

  #ask(seeker: Seeker): void {
    const { server, membership, send } = this.#options;
    const { token, found, session } = seeker;
    for (const other of membership.alive.keys()) {
      if (other === server) continue;
      if (found === undefined) send(other, { kind: "seek", token });
      else send(other, { kind: "renamed", player: found.player, to: worldId(server, session) });
    }
  }

  #bringHere(seeker: Seeker, found: KeptSession): void {
    const { server, seam, ledger, sessions } = this.#options;
    if (seeker.session === 0) {
      seeker.session = seam.takeSession();
      seeker.saidInRound = -1;
      this.renamed(found.player, worldId(server, seeker.session));
    }
    const player = worldId(server, seeker.session);
    for (const [id, record] of ledger) {
      const entity = seam.world.byWorldId(id);
      if (record.player !== player || entity === undefined) continue;
      const base = seeker.isAfresh ? record.applied : found.base;
      sessions.countFrom(seeker.session, base);
      this.count += 1;
      this.#brought.set(player, { session: { ...found, player }, round: seam.roundNumber });
      return this.#end(seeker, {
        session: seeker.session,
        nickname: found.nickname,
        role: found.isSpectator ? "spectator" : "player",
        identity: found.account === undefined ? undefined : { account: found.account },
        heard: record.applied - base,
        pivot: entity.id,
      });
    }
  }

  /** The client has waited for too long. What was brought here of it waits for it as before. */
  #giveUp(seeker: Seeker): void {
    const { server, journal } = this.#options;
    const player = worldId(server, seeker.session);
    if (seeker.session !== 0) journal.refugees.set(player, { ...seeker.found!, player });
    this.#end(seeker, undefined);
  }

  /** A player that was brought here and is not in, since its link was gone, can be looked for again. */
  #keepUnclaimed(round: number): void {
    const { seam, journal } = this.#options;
    for (const [player, { session, round: toldInRound }] of this.#brought) {
      if (round < toldInRound + ROUNDS_TO_COME_IN || seam.players.has(numberOf(player))) continue;
      this.#brought.delete(player);
      // It may also have been in and left.
      if (round === toldInRound + ROUNDS_TO_COME_IN) journal.refugees.set(player, session);
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

function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
