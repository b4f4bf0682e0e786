/**
 * Writes and removals by owners of objects that other servers own. The gateway numbers them by the client's reliable messages, sends them to the owner, and keeps
 * them until news of the object includes them; only then they are confirmed to the client. The owner carries each out once and in order, and hands the last
 * number on with the object.
 *
 * Whether a write was accepted, the gateway sees in its copy. A field that is as its player wrote it is no news for that player: no echo. When a write is confirmed
 * and the copy is different, because the write was refused, corrected or overwritten, the client is sent the copy's field. That must not happen earlier: a client
 * ignores what a frame says of a field that it wrote later than the frame includes. Why a write was refused comes as a message of its own.
 */

import type { Entity } from "@nearfield/core";
import type { ObjectId, WorldId } from "@nearfield/schema";
import { numberOf, originOf } from "@nearfield/schema/internal";
import type { Player } from "@nearfield/server";
import type { RoutedWrite } from "@nearfield/server/internal";
import type { RoomSeam } from "@nearfield/server/seam";
import type { Journal } from "../journal/journal.ts";
import type { Ledger } from "./ledger.ts";
import type { Statement, WriteRefused, Writes } from "./messages.ts";
import type { Entry } from "./objects-codec.ts";
import { Routed } from "./routed-commands.ts";
import type { Sessions } from "./sessions.ts";
import { type OwnFields, type OwnWrite, otherFields, ownFields } from "./written-fields.ts";

/** A refusal is said so often, once in each round: a message may be lost. */
const REFUSED_TIMES = 3;

/** Writes of one player to one object. */
interface Stream {
  readonly object: ObjectId;
  readonly routed: Routed<OwnWrite>;
  /** Number of the last write that the object includes, as its owner told. */
  included: number;
  /** Writes that the object includes, and that are not confirmed to the client yet. */
  answered: OwnWrite[];
}

export interface RoutedWritesOptions {
  readonly server: number;
  readonly seam: RoomSeam;
  readonly ledger: Ledger;
  readonly sessions: Sessions;
  readonly send: (to: number, statement: Statement) => void;
  readonly journal: Journal;
  /** Everybody who has a copy of an own object is to be told of it. */
  readonly touch: (id: WorldId) => void;
  /** Confirms to a player's client what may be confirmed. Returns the number of its last message that is. */
  readonly cap: (session: number) => number;
}

export class RoutedWrites {
  readonly #options: RoutedWritesOptions;
  /** By session number and object. */
  readonly #streams = new Map<number, Map<WorldId, Stream>>();
  /** What other servers' players are told for some rounds. */
  #refusals: { readonly statement: WriteRefused; times: number }[] = [];
  /** The last refusal that each object's player was told of. */
  readonly #told = new Map<WorldId, WriteRefused>();

  constructor(options: RoutedWritesOptions) {
    this.#options = options;
    options.seam.routeWrites((player, entity, write, number) => this.#route(player, entity, write, number));
  }

  // ── the gateway of the player ──────────────────────────────────────────────────────────────────────────────────

  #route(player: Player, entity: Entity, write: RoutedWrite, saidAs: number): boolean {
    const { seam, sessions, cap } = this.#options;
    const connection = seam.connections.get(player.id);
    if (connection === undefined) return false;
    const { token } = connection;
    const number = sessions.count(player.id, token, saidAs);
    const { routed } = this.#stream(player.id, entity);
    if (!routed.add({ number, write, token })) player.kick("the server of its object has not answered for too long");
    else cap(player.id);
    return true;
  }

  #stream(session: number, entity: Entity): Stream {
    const { seam, ledger } = this.#options;
    const streams = this.#streams.get(session) ?? new Map<WorldId, Stream>();
    this.#streams.set(session, streams);
    const id = seam.world.worldIdOf(entity);
    const known = streams.get(id);
    if (known !== undefined) return known;
    const included = ledger.get(id)?.written ?? 0;
    const fresh = { object: entity.id, routed: new Routed<OwnWrite>(id, included), included, answered: [] };
    streams.set(id, fresh);
    return fresh;
  }

  /** Number of the oldest write of a player that waits for its answer; undefined if none does. */
  oldestOf(session: number): number | undefined {
    let oldest: number | undefined;
    for (const { routed } of this.#streams.get(session)?.values() ?? [])
      if (routed.oldest !== undefined) oldest = Math.min(oldest ?? routed.oldest, routed.oldest);
    return oldest;
  }

  /** The fields of an entry that its player, one of this server, has just written so. */
  ownOf(entry: Entry): OwnFields | undefined {
    const stream = this.#streamOf(entry.player, entry.id);
    if (stream === undefined) return undefined;
    const session = numberOf(entry.player);
    const now = this.#options.seam.connections.get(session)?.token;
    const writes = [...stream.answered, ...stream.routed.waiting].filter(({ token }) => token === now);
    return ownFields(session, entry, writes);
  }

  /** Another server has told of its objects. */
  hear(from: number, entries: readonly Entry[]): void {
    for (const { id, player, hop, written } of entries) {
      const stream = this.#streamOf(player, id);
      const record = this.#options.ledger.get(id);
      if (stream === undefined || record?.source !== from || record.hop !== hop) continue;
      stream.included = Math.max(stream.included, written);
    }
  }

  #streamOf(player: WorldId, id: WorldId): Stream | undefined {
    if (player === 0 || originOf(player) !== this.#options.server) return undefined;
    return this.#streams.get(numberOf(player))?.get(id);
  }

  /** A write of a player of this server was refused. */
  refused(message: WriteRefused): void {
    const { server, seam } = this.#options;
    const { player: who, id, number, refusal } = message;
    const player = originOf(who) === server ? seam.players.get(numberOf(who)) : undefined;
    const entity = seam.world.byWorldId(id);
    const told = this.#told.get(id);
    if (player === undefined || entity === undefined || (told?.player === who && told.number >= number)) return;
    this.#told.set(id, message);
    seam.tellRefused(player, entity.id, refusal);
  }

  /** Carries out what waited for objects that are here now, and answers clients what their owners have told. */
  settle(): void {
    const { seam, cap } = this.#options;
    for (const id of this.#told.keys()) if (seam.world.byWorldId(id) === undefined) this.#told.delete(id);
    for (const [session, streams] of this.#streams) {
      const player = seam.players.get(session);
      if (player !== undefined) {
        for (const [id, stream] of streams) this.#look(player, id, stream);
        const upTo = cap(session);
        for (const [id, stream] of streams) {
          this.#compare(player, id, stream, upTo);
          if (stream.routed.isEmpty && stream.answered.length === 0) streams.delete(id);
        }
      }
      if (player === undefined || streams.size === 0) this.#streams.delete(session);
    }
  }

  #look(player: Player, id: WorldId, stream: Stream): void {
    const { seam, ledger } = this.#options;
    const { object, routed, answered, included } = stream;
    const entity = seam.world.byWorldId(id);
    const record = ledger.get(id);
    if (entity === undefined || record?.player !== player.worldId) {
      const refusal = entity === undefined ? "gone" : "not-owner";
      const lost = routed.confirm(Number.POSITIVE_INFINITY);
      // What was written before a removal needs no answer.
      const removal = lost.findLastIndex(({ write }) => write === undefined);
      for (let i = removal + 1; i < lost.length; i++) seam.tellRefused(player, object, refusal);
      answered.push(...lost);
    } else if (seam.world.isForeign(entity)) answered.push(...routed.confirm(included));
    else {
      answered.push(...routed.confirm(record.written));
      const writes = routed.takeAfter(record.written);
      record.written = writes.at(-1)?.number ?? record.written;
      // The player is linked to this server, and the room tells it of refusals.
      const onRefused = (): void => {};
      if (writes.length > 0)
        seam.carryOutWrites({ player, entity, writes: writes.map(({ write }) => write), onRefused });
    }
  }

  /** Of writes that are confirmed, up to this number, the client is sent the fields that are not as it wrote them. */
  #compare(player: Player, id: WorldId, stream: Stream, upTo: number): void {
    const { seam } = this.#options;
    const now = seam.connections.get(player.id)?.token;
    stream.answered = stream.answered.filter(({ token }) => token === now);
    const confirmed = stream.answered.filter(({ number }) => number <= upTo);
    if (confirmed.length === 0) return;
    stream.answered = stream.answered.filter(({ number }) => number > upTo);
    const entity = seam.world.byWorldId(id);
    if (entity === undefined) return;
    const mask = otherFields(entity, confirmed);
    if (mask !== 0) seam.sendBack(player, entity, mask);
  }

  sendAll(round: number): void {
    const { server, seam, ledger, send } = this.#options;
    for (const [session, streams] of this.#streams) {
      const player = seam.players.get(session);
      for (const [avatar, { routed }] of streams) {
        const owner = ledger.get(avatar)?.source;
        if (player === undefined || owner === undefined || owner === server) continue;
        const due = routed.toSend(owner, round);
        if (due === undefined) continue;
        send(owner, { kind: "writes", player: player.worldId, nickname: player.nickname, avatar, ...due });
      }
    }
    for (const refusal of this.#refusals) {
      send(originOf(refusal.statement.player), refusal.statement);
      refusal.times -= 1;
    }
    this.#refusals = this.#refusals.filter(({ times }) => times > 0);
  }

  // ── the owner of the object ────────────────────────────────────────────────────────────────────────────────────

  /** A gateway sends writes of a player to an object of this server. */
  carryOut({ player, nickname, avatar: id, confirmed, after, list }: Writes): void {
    const { seam, ledger, sessions, journal, touch } = this.#options;
    const entity = seam.world.byWorldId(id);
    if (entity === undefined || seam.world.isForeign(entity)) return;
    const record = ledger.own(id);
    const standIn = sessions.standIn(player, nickname);
    if (standIn === undefined || record.player !== player) return;
    const isWritable = (write: RoutedWrite): boolean => write?.type === entity.type && entity.type.write === "owner";
    if (!list.every(({ write }) => write === undefined || isWritable(write))) return;
    record.written = Math.max(record.written, confirmed);
    if (after > record.written) return;
    const fresh = list.filter(({ number }) => number > record.written);
    touch(id);
    if (fresh.length === 0) return;
    record.written = fresh.at(-1)!.number;
    journal.advanced(id);
    seam.carryOutWrites({
      player: standIn,
      entity,
      writes: fresh.map(({ write }) => write),
      onRefused: (index, refusal) => {
        const { number } = fresh[index]!;
        const statement: WriteRefused = { kind: "writeRefused", player, id, number, refusal };
        this.#refusals.push({ statement, times: REFUSED_TIMES });
      },
    });
  }
}
