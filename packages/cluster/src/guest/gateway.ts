/**
 * The players that are linked to this server, wherever their avatars are. Their commands go to the owner of the avatar, and are confirmed to the client once
 * that owner has carried them out and made their effects safe. Whoever leaves is said to the owner of its objects.
 */

import type { CommandType, WorldId } from "@nearfield/schema";
import { numberOf, originOf } from "@nearfield/schema/internal";
import type { Player } from "@nearfield/server";
import type { RoomSeam } from "@nearfield/server/seam";
import type { Journal } from "../journal/journal.ts";
import type { Ledger } from "./ledger.ts";
import type { NumberedCommand, Statement } from "./messages.ts";
import type { Entry } from "./objects-codec.ts";
import { Routed } from "./routed-commands.ts";
import type { Sessions } from "./sessions.ts";

/** A player that left is said so often, once in each round: a message may be lost. */
const LEFT_TIMES = 3;

export interface GatewayOptions {
  readonly server: number;
  readonly seam: RoomSeam;
  readonly ledger: Ledger;
  readonly sessions: Sessions;
  readonly journal: Journal;
  readonly send: (to: number, statement: Statement) => void;
  /** Number of the oldest write of a player of this server that waits for its answer. */
  readonly oldestWrite: (session: number) => number | undefined;
}

export class Gateway {
  readonly #options: GatewayOptions;
  /** By session number. */
  readonly #routed = new Map<number, Routed<NumberedCommand>>();
  /** Players whose avatar came back in this round with commands waiting: later ones must stay behind them. */
  readonly #returned = new Set<number>();
  readonly #left = new Map<WorldId, { readonly to: number; times: number }>();

  constructor(options: GatewayOptions) {
    this.#options = options;
  }

  beginRound(): void {
    this.#returned.clear();
  }

  /** Returns whether a command is taken from the room: its avatar lives on another server. */
  route(player: Player, type: CommandType, values: Readonly<{ [field: string]: unknown }>, saidAs: number): boolean {
    const { seam, ledger, sessions, journal } = this.#options;
    const connection = seam.connections.get(player.id);
    if (connection === undefined) return false;
    const number = sessions.count(player.id, connection.token, saidAs);
    const { world } = seam;
    const [avatar] = player.owned();
    let routed = this.#routed.get(player.id);
    if (avatar === undefined) {
      if (routed === undefined) return false;
      this.#add(player, routed, number, type, values);
      return true;
    }
    const id = world.worldIdOf(avatar);
    if (!world.isForeign(avatar)) {
      ledger.own(id).applied = number;
      journal.advanced(id);
      if (!this.#returned.has(player.id)) return false;
      seam.carryOut(player, type, values);
      return true;
    }
    if (routed?.avatar !== id) {
      routed = new Routed<NumberedCommand>(id, ledger.get(id)?.safe ?? 0);
      this.#routed.set(player.id, routed);
    }
    this.#add(player, routed, number, type, values);
    return true;
  }

  /** Other servers have told of avatars of this server's players. */
  hear(entries: readonly Entry[]): void {
    for (const { player, applied, unsafe, id } of entries) {
      if (player === 0 || originOf(player) !== this.#options.server) continue;
      const session = numberOf(player);
      const routed = this.#routed.get(session);
      if (routed?.avatar !== id) continue;
      routed.confirm(applied - unsafe);
      this.cap(session);
    }
  }

  /** Carries out what waited for avatars that are here now. */
  carryOutReturned(): void {
    const { seam, ledger, journal } = this.#options;
    const { world, players } = seam;
    for (const [session, routed] of this.#routed) {
      const entity = world.byWorldId(routed.avatar);
      const player = players.get(session);
      if (routed.isEmpty || entity === undefined || player === undefined || world.isForeign(entity)) continue;
      const record = ledger.own(routed.avatar);
      for (const { number, type, values } of routed.takeAfter(record.applied)) {
        seam.carryOut(player, type, values);
        record.applied = number;
        journal.advanced(routed.avatar);
      }
      this.cap(session);
      this.#returned.add(session);
    }
  }

  sendCommands(round: number): void {
    const { seam, ledger, server, send } = this.#options;
    for (const [session, routed] of this.#routed) {
      const player = seam.players.get(session);
      const owner = ledger.get(routed.avatar)?.source;
      if (player === undefined) this.#routed.delete(session);
      if (player === undefined || owner === undefined || owner === server) continue;
      const due = routed.toSend(owner, round);
      if (due === undefined) continue;
      const { avatar } = routed;
      send(owner, { kind: "commands", player: player.worldId, nickname: player.nickname, avatar, ...due });
    }
  }

  /** The room removed a copy. If its player is gone its owner is told. */
  copyRemoved(id: WorldId): void {
    const { server, seam, ledger } = this.#options;
    const record = ledger.get(id);
    if (record === undefined || record.player === 0 || originOf(record.player) !== server) return;
    if (seam.players.has(numberOf(record.player))) return;
    this.#left.set(record.player, { to: record.source, times: LEFT_TIMES });
    this.#routed.delete(numberOf(record.player));
  }

  sendLeft(): void {
    for (const [player, left] of this.#left) {
      this.#options.send(left.to, { kind: "left", player });
      left.times -= 1;
      if (left.times === 0) this.#left.delete(player);
    }
  }

  #add(
    player: Player,
    routed: Routed<NumberedCommand>,
    number: number,
    type: CommandType,
    values: Readonly<{ [field: string]: unknown }>,
  ): void {
    if (!routed.add({ number, type, values })) player.kick("the server of its avatar has not answered for too long");
    else this.cap(player.id);
  }

  /**
   * Nothing is confirmed to the client from the oldest waiting command or write on: if this server dies, the client says them again elsewhere. Returns the number
   * of the last one that is confirmed.
   */
  cap(session: number): number {
    const { seam, sessions, oldestWrite } = this.#options;
    const numbers = [this.#routed.get(session)?.oldest, oldestWrite(session)].filter((number) => number !== undefined);
    const oldest = numbers.length === 0 ? undefined : Math.min(...numbers);
    const player = seam.players.get(session);
    const base = sessions.baseOf(session);
    return player === undefined ? 0 : base + seam.confirmUpTo(player, oldest && oldest - 1 - base);
  }
}
