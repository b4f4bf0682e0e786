/**
 * The game's link to its server, over the client library. It joins at once and tells by its status how that went; a lost connection is taken up again by
 * the client itself, with the same avatar.
 */

import type { Client } from "@nearfield/client";
import { join } from "@nearfield/client/browser";
import { explain, onExplanations } from "@nearfield/client/views";
import { Joining, type LinkStatus } from "@nearfield/kit";
import type { RoomDots } from "../dots.ts";
import { type Heading, roomAt } from "../maze.ts";
import {
  Again,
  Died,
  Eaten,
  ExtraLife,
  GhostObject,
  MatchObject,
  PacObject,
  Power,
  protocol,
  Rest,
  RoomObject,
  ScoreObject,
  Turn,
} from "../shared.ts";
import type { Divergence, GameLink, GhostReplica, MatchReplica, Moment, PacReplica, ScoreLine } from "./link.ts";

/** Rounds between two sets of figures on the debug channel: ten a second. */
const FIGURES_EVERY_ROUNDS = 2;

export class NetworkLink implements GameLink {
  readonly #joining: Joining;
  #handler: ((moment: Moment) => void) | undefined;
  #watching = false;
  #asked = "";
  readonly #rooms = new Map<number, RoomDots>();
  readonly #figures = new Map<number, Divergence>();

  constructor(url: string, nickname: string) {
    this.#joining = new Joining(
      (options) => join(url, { protocol, nickname, ...options }),
      (client) => this.#joined(client),
    );
  }

  get status(): LinkStatus {
    return this.#joining.status;
  }

  get #client(): Client | undefined {
    return this.#joining.client;
  }

  get pingMs(): number | undefined {
    return this.#client && this.#client.roundTripMs >= 0 ? this.#client.roundTripMs : undefined;
  }

  get match(): MatchReplica | undefined {
    for (const match of this.#client?.world.all(MatchObject) ?? []) return match;
    return undefined;
  }

  get timeMs(): number {
    return this.#client?.clock.timeMs ?? 0;
  }

  own(): PacReplica | undefined {
    return this.#client?.mine(PacObject);
  }

  pacs(): Iterable<PacReplica> {
    return this.#client?.world.all(PacObject) ?? [];
  }

  ghosts(): Iterable<GhostReplica> {
    return this.#client?.world.all(GhostObject) ?? [];
  }

  scores(): Iterable<ScoreLine> {
    return this.#client?.world.all(ScoreObject) ?? [];
  }

  room(room: number): RoomDots | undefined {
    return this.#rooms.get(room);
  }

  divergences(): readonly Divergence[] {
    if (this.#watching) this.#ask();
    return [...this.#figures.values()];
  }

  turn(want: Heading): void {
    // A key pressed while the connection is lost would be obeyed much too late.
    if (this.#client?.state === "active") this.#client.send(Turn, { want });
  }

  again(): void {
    if (this.#client?.state === "active") this.#client.send(Again, {});
  }

  rest(on: boolean): void {
    if (this.#client && this.#client.state !== "ended") this.#client.send(Rest, { on });
  }

  watch(on: boolean): void {
    this.#watching = on;
    this.#asked = "";
    this.#figures.clear();
    if (!on && this.#client?.state === "active") explain(this.#client, 0);
  }

  onMoment(handler: (moment: Moment) => void): void {
    this.#handler = handler;
  }

  close(): void {
    this.#joining.close();
  }

  #joined(client: Client): void {
    this.#rooms.clear();
    this.watch(this.#watching);
    client.onSpawn(RoomObject, (room) => this.#rooms.set(roomAt(room.x, room.y), room));
    client.onEvent(Eaten, (values) => this.#handler?.({ kind: "eaten", ...values }));
    client.onEvent(Died, (values) => this.#handler?.({ kind: "died", ...values }));
    client.onEvent(Power, (values) => this.#handler?.({ kind: "power", ...values }));
    client.onEvent(ExtraLife, (values) => this.#handler?.({ kind: "extraLife", ...values }));
    onExplanations(client, (_, list) => {
      for (const { id, zone, bound, divergence } of list) this.#figures.set(id, { id, zone, bound, divergence });
    });
  }

  /** Asks for figures of the opponents, again whenever somebody came or went. */
  #ask(): void {
    if (this.#client?.state !== "active") return;
    const { world } = this.#client;
    const ids = [...world.all(PacObject)].filter((pac) => !world.isMine(pac)).map((pac) => pac.id);
    if (ids.join() === this.#asked) return;
    this.#asked = ids.join();
    this.#figures.clear();
    explain(this.#client, ids.length > 0 ? FIGURES_EVERY_ROUNDS : 0, ids);
  }
}
