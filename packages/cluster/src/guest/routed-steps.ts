/**
 * Stepped commands (`predict`) for objects that other servers own. The gateway sends each to the owner, which steps the object with the game's own function; the client is told
 * that a command was applied when the copy that it is sent includes it. So what it predicts stands on the state that it is sent, as on one server; the answer takes the way
 * over the bus, and up to a round, longer. A held command is repeated by the gateway.
 */

import type { Entity } from "@nearfield/core";
import type { WorldId } from "@nearfield/schema";
import { numberOf, originOf } from "@nearfield/schema/internal";
import type { Player } from "@nearfield/server";
import type { RoutedStep } from "@nearfield/server/internal";
import type { RoomSeam } from "@nearfield/server/seam";
import type { Ledger } from "./ledger.ts";
import type { NumberedStep, Statement, Steps } from "./messages.ts";
import type { Entry } from "./objects-codec.ts";
import { Routed } from "./routed-commands.ts";
import type { Sessions } from "./sessions.ts";

interface Stream {
  readonly player: number;
  readonly routed: Routed<NumberedStep>;
  /** Steps that were sent to other servers since the player joined. */
  count: number;
}

export interface RoutedStepsOptions {
  readonly server: number;
  readonly seam: RoomSeam;
  readonly ledger: Ledger;
  readonly sessions: Sessions;
  readonly send: (to: number, statement: Statement) => void;
}

export class RoutedSteps {
  readonly #options: RoutedStepsOptions;
  /** By object. */
  readonly #streams = new Map<WorldId, Stream>();

  constructor(options: RoutedStepsOptions) {
    this.#options = options;
    options.seam.routeSteps((player, entity, step) => this.#route(player, entity, step));
  }

  #route(player: Player, entity: Entity, { type, values, stepMs }: RoutedStep): boolean {
    const { seam, ledger } = this.#options;
    const id = seam.world.worldIdOf(entity);
    const known = this.#streams.get(id);
    const stepped = ledger.get(id)?.stepped ?? 0;
    const stream = known ?? { player: player.id, routed: new Routed<NumberedStep>(id, stepped), count: stepped };
    this.#streams.set(id, stream);
    const number = stream.count + 1;
    if (!stream.routed.add({ number, said: seam.stepsOf(player), type, values, stepMs })) return false;
    stream.count = number;
    this.#report(player.id);
    return true;
  }

  /** Other servers have told of objects of this server's players. */
  hear(entries: readonly Entry[]): void {
    for (const { id, stepped } of entries) {
      const stream = this.#streams.get(id);
      if (stream === undefined) continue;
      if (stream.routed.confirm(stepped).length > 0) this.#show(id, stream.player);
      this.#report(stream.player);
    }
  }

  /** With the confirmation the client gets the state that it stands for: whether it predicted that one is not known here. */
  #show(id: WorldId, session: number): void {
    const { seam } = this.#options;
    const [player, entity] = [seam.players.get(session), seam.world.byWorldId(id)];
    if (player !== undefined && entity !== undefined) seam.sendWhole(player, entity);
  }

  /** An own object is about to be handed over: it includes everything that was carried out here. */
  ceding(id: WorldId): void {
    const { server, seam, ledger } = this.#options;
    const record = ledger.get(id);
    if (record === undefined || record.player === 0 || originOf(record.player) !== server) return;
    const player = seam.players.get(numberOf(record.player));
    if (player === undefined) return;
    record.stepped = this.#streams.get(id)?.count ?? 0;
    record.said = Math.max(0, seam.stepsOf(player));
  }

  /** Carries out what waited for objects that are here now. */
  carryOutReturned(): void {
    const { seam, ledger } = this.#options;
    for (const [id, { player: session, routed }] of this.#streams) {
      const player = seam.players.get(session);
      const entity = seam.world.byWorldId(id);
      if (player === undefined) this.#streams.delete(id);
      if (player === undefined || entity === undefined || seam.world.isForeign(entity) || routed.isEmpty) continue;
      for (const step of routed.takeAfter(ledger.own(id).stepped)) seam.carryOutStep(player, entity, step);
      this.#report(session);
    }
  }

  sendAll(round: number): void {
    const { server, seam, ledger, send } = this.#options;
    for (const [avatar, { player: session, routed }] of this.#streams) {
      const player = seam.players.get(session);
      const owner = ledger.get(avatar)?.source;
      if (player === undefined || owner === undefined || owner === server) continue;
      const due = routed.toSend(owner, round);
      if (due === undefined) continue;
      send(owner, { kind: "steps", player: player.worldId, nickname: player.nickname, avatar, ...due });
    }
  }

  /** A gateway sends steps for an object of this server. */
  carryOut({ player, nickname, avatar, confirmed, after, list }: Steps): void {
    const { seam, ledger, sessions } = this.#options;
    const entity = seam.world.byWorldId(avatar);
    if (entity === undefined || seam.world.isForeign(entity)) return;
    const record = ledger.own(avatar);
    const standIn = sessions.standIn(player, nickname);
    if (standIn === undefined || record.player !== player) return;
    record.stepped = Math.max(record.stepped, confirmed);
    if (after > record.stepped) return;
    for (const step of list) {
      if (step.number <= record.stepped) continue;
      record.stepped = step.number;
      record.said = step.said;
      seam.carryOutStep(standIn, entity, step);
    }
  }

  /** The client is told of as many commands as its objects include, as far as they are known here. */
  #report(session: number): void {
    const { seam, ledger } = this.#options;
    const player = seam.players.get(session);
    if (player === undefined) return;
    let included: number | undefined;
    for (const [id, stream] of this.#streams) {
      if (stream.player !== session || stream.routed.isEmpty) continue;
      included = Math.min(included ?? Number.POSITIVE_INFINITY, ledger.get(id)?.said ?? 0);
    }
    seam.reportSteps(player, included);
  }
}
