/**
 * A bot that plays as people do: over a connection, by what it was sent. It digs, raises troopers and sends them to what it sees of others, or else
 * anywhere. The bots that fill a match play better (`bot.ts`); this one is there to have many players on a server.
 */

import type { Client, Replicated } from "@nearfield/client";
import { setPivots } from "@nearfield/client/views";
import { Dice } from "@nearfield/kit";
import { Building, Match, Order, Purse, Ready, Rematch, Train, Unit } from "../shared.ts";
import { BUILDINGS, MAP_SIZES, type OrderName, type Phase, UNITS } from "../state.ts";
import { cameraAt } from "../views.ts";

/** Rounds between two thoughts. */
const THINKS_EVERY = 20;
const BUILDERS = 6;
/** Troopers that set out together. */
const SQUAD = 4;
/** How far from its base it tries to build. */
const YARD = 160;

type UnitReplica = Replicated<typeof Unit.shape>;
type BuildingReplica = Replicated<typeof Building.shape>;

export class RemoteBot {
  orders = 0;
  wins = 0;
  readonly #client: Client;
  readonly #dice: Dice;
  #rounds = 0;
  #phase: Phase | undefined;

  constructor(client: Client, seed: number) {
    this.#client = client;
    this.#dice = new Dice(seed, "remote bot");
    client.activity(() => this.#look());
  }

  #look(): void {
    const [match] = this.#client.world.all(Match);
    const [purse] = this.#client.world.all(Purse);
    if (!match || !purse) return;
    if (match.phase !== this.#phase) {
      this.#phase = match.phase;
      if (match.phase === "waiting") this.#client.send(Ready, {});
      if (match.phase === "over") this.#client.send(Rematch, {});
      if (match.phase === "over" && match.winner === purse.side) this.wins++;
    }
    if (match.phase === "play" && this.#rounds++ % THINKS_EVERY === 0) this.#think(purse, MAP_SIZES[match.map]);
  }

  #think({ side, ore }: { readonly side: number; readonly ore: number }, size: number): void {
    const { world } = this.#client;
    const units = [...world.where(Unit, (unit) => unit.side === side)];
    const buildings = [...world.where(Building, (building) => building.side === side && building.built === 100)];
    const base = buildings.find(({ kind }) => kind === "base");
    const builders = units.filter(({ kind }) => kind === "builder");
    const idle = builders.filter(({ doing }) => doing === "idle");
    if (idle.length > 0) this.#order(idle, "gather", idle[0]!);
    if (!base) return;
    setPivots(this.#client, [cameraAt(base.x, base.y)]);
    const barracks = buildings.find(({ kind }) => kind === "barracks");
    if (builders.length < BUILDERS && ore >= UNITS.builder.cost) this.#train(base, "builder");
    else if (barracks && ore >= UNITS.trooper.cost) this.#train(barracks, "trooper");
    else if (!barracks && builders.length > 0 && ore >= BUILDINGS.barracks.cost)
      this.#order(builders.slice(0, 1), "build", this.#near(base));
    const troopers = units.filter(({ kind, doing }) => kind === "trooper" && doing === "idle");
    if (troopers.length >= SQUAD) this.#order(troopers, "attackMove", this.#aim(side, size));
  }

  /** A building of somebody else that it sees, or any place. */
  #aim(side: number, size: number): { readonly x: number; readonly y: number } {
    const [seen] = this.#client.world.where(Building, (building) => building.side !== side);
    return seen ?? { x: this.#dice.next() * size, y: this.#dice.next() * size };
  }

  #near({ x, y }: BuildingReplica): { readonly x: number; readonly y: number } {
    const aside = () => (2 * this.#dice.next() - 1) * YARD;
    return { x: Math.max(0, x + aside()), y: Math.max(0, y + aside()) };
  }

  #order(units: readonly UnitReplica[], what: OrderName, { x, y }: { readonly x: number; readonly y: number }): void {
    const ids = units.map(({ id }) => id);
    this.#client.send(Order, { units: ids, what, x, y, target: 0, building: "barracks", queued: false });
    this.orders++;
  }

  #train(building: BuildingReplica, kind: "builder" | "trooper"): void {
    this.#client.send(Train, { building: building.id, kind, count: 1 });
    this.orders++;
  }
}
