/**
 * Events across borders. What the game emits here is told to this server's players by the room, and to the servers whose players may hear it, in the same
 * round. There it is filtered like an event of their own: by place and zone for each player. A reliable event leaves when its round is in this server's log.
 *
 * An event near a place goes to the servers that stated a view near it, if the place lies in a slice of this server and the event's radius is within
 * `eventReach`; else to all.
 */

import { originOf } from "@nearfield/schema/internal";
import { along, near, to, toAll } from "@nearfield/server";
import type { Audience, EmittedEvent } from "@nearfield/server/internal";
import type { RoomSeam } from "@nearfield/server/seam";
import type { Journal } from "../journal/journal.ts";
import type { Membership } from "../slices/membership.ts";
import type { Forwarder } from "./forwarder.ts";
import type { Heard, Hearers, Statement } from "./messages.ts";
import type { Sessions } from "./sessions.ts";

export interface EventsOptions {
  readonly server: number;
  readonly seam: RoomSeam;
  readonly membership: Membership;
  readonly sessions: Sessions;
  readonly forwarder: Forwarder;
  readonly journal: Journal;
  /** World units: the largest radius of an event, or of a zone that one names, for which views near this server's slices are stated to it. */
  readonly reach: number;
  readonly send: (to: number, statement: Statement) => void;
}

export class Events {
  /** Events that were sent to other servers, once for each. */
  sent = 0;
  readonly #options: EventsOptions;

  constructor(options: EventsOptions) {
    this.#options = options;
    options.seam.onEmit((event) => this.#emitted(event));
  }

  /** An event of another server. */
  heard({ type, values, unreliable, hearers }: Heard): void {
    this.#options.seam.relay({ type, values, unreliable, audience: this.#audienceOf(hearers) });
  }

  #emitted({ type, values, unreliable, audience }: EmittedEvent): void {
    const { server, membership, journal, send } = this.#options;
    if (!membership.isHeld) return;
    for (const [other, hearers] of this.#receivers(audience)) {
      if (other === server) continue;
      this.sent += 1;
      const tell = (): void => send(other, { kind: "heard", type, values, unreliable, hearers });
      if (unreliable) tell();
      else journal.afterAll(tell);
    }
  }

  *#receivers(audience: Audience): Iterable<readonly [number, Hearers]> {
    const { membership, forwarder, reach } = this.#options;
    if (audience.kind === "to") {
      yield* this.#gateways(audience.players);
      return;
    }
    const places =
      audience.kind === "near" ? [audience.point] : audience.kind === "along" ? [audience.from, audience.to] : [];
    const radius = audience.kind === "near" ? audience.radius : reach;
    const isKnown = places.length > 0 && radius > 0 && radius <= reach && places.every((place) => this.#isOwn(place));
    const servers = isKnown ? forwarder.serversNear(places, radius) : membership.alive.keys();
    for (const other of servers) yield [other, audience];
  }

  /** The gateways of visitors, each with its players. */
  *#gateways(players: Extract<Audience, { kind: "to" }>["players"]): Iterable<readonly [number, Hearers]> {
    const { sessions } = this.#options;
    const visitors = players.filter(({ id }) => sessions.isVisitor(id)).map(({ id }) => sessions.playerOf(id));
    for (const gateway of new Set(visitors.map((player) => originOf(player))))
      yield [gateway, { kind: "to", players: visitors.filter((player) => originOf(player) === gateway) }];
  }

  #isOwn(place: readonly number[]): boolean {
    const { membership, server } = this.#options;
    return membership.map?.at(place[0] ?? 0, place[1] ?? 0, place[2] ?? 0).owner === server;
  }

  #audienceOf(hearers: Hearers): Audience {
    const { seam, sessions } = this.#options;
    switch (hearers.kind) {
      case "to":
        return to(...hearers.players.flatMap((player) => seam.players.get(sessions.numberOf(player)) ?? []));
      case "near":
        return near(hearers.point, hearers.radius);
      case "along":
        return along(hearers.from, hearers.to, { zone: hearers.zone });
      default:
        return toAll();
    }
  }
}
