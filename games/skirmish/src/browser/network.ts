/**
 * The page's side of the wire: it joins, tells by its status how that went, hands out replicas and events, and sends commands and the camera. Only this
 * file and `roster.ts` know the client library. After a lost connection the client itself reconnects, and everything goes on.
 */

import { type Client, present, type Replicated } from "@nearfield/client";
import { join } from "@nearfield/client/browser";
import { setPivots } from "@nearfield/client/views";
import { PageLink } from "@nearfield/kit";
import type { Fields, Values } from "@nearfield/schema";
import {
  Blast,
  Building,
  CancelTraining,
  Match,
  Order,
  Ore,
  Purse,
  protocol,
  Rally,
  Ready,
  Refused,
  Rematch,
  Side,
  Train,
  UnderAttack,
  Unit,
  unitPresentation,
  Works,
} from "../shared.ts";
import { NO_SIDE } from "../state.ts";
import { COEFFICIENTS } from "../views.ts";
import type { CameraRectangle } from "./picture.ts";
import { Roster } from "./roster.ts";

export type MatchReplica = Replicated<typeof Match.shape>;
export type PurseReplica = Replicated<typeof Purse.shape>;
export type WorksReplica = Replicated<typeof Works.shape>;
export type BuildingValues = Readonly<Values<typeof Building.shape>>;
type Told<T extends { readonly shape: Fields }> = Values<T["shape"]>;

/** What happened, to be seen and heard once. */
export interface NetworkHandlers {
  refused(told: Told<typeof Refused>): void;
  blast(told: Told<typeof Blast>): void;
  underAttack(told: Told<typeof UnderAttack>): void;
  unitCame(id: number, side: number): void;
  unitFell(id: number, side: number): void;
  buildingCame(id: number, building: BuildingValues): void;
  buildingChanged(id: number, building: BuildingValues): void;
  buildingFell(id: number, building: BuildingValues): void;
  /** It is out of sight, and may still stand. */
  buildingHidden(id: number, building: BuildingValues): void;
  /** A new client: whatever was known before counts no more. */
  joined(): void;
}

export interface NetworkOptions {
  readonly url: string;
  readonly nickname: string;
  readonly role: "player" | "spectator";
  readonly handlers: NetworkHandlers;
}

export class Network extends PageLink {
  readonly #options: NetworkOptions;
  readonly units: Roster<typeof Unit.shape> = new Roster(Unit);
  readonly buildings: Roster<typeof Building.shape> = new Roster(Building);
  readonly ore: Roster<typeof Ore.shape> = new Roster(Ore);
  readonly works: Roster<typeof Works.shape> = new Roster(Works);
  readonly sides: Roster<typeof Side.shape> = new Roster(Side);
  readonly #purses = new Roster(Purse);
  readonly #matches = new Roster(Match);
  readonly #asked = { x: 0, y: 0, width: 0, height: 0, rotation: 0 };

  constructor(options: NetworkOptions) {
    const { url, nickname, role } = options;
    super((rejoining) => join(url, { protocol, nickname, role, ...rejoining }));
    this.#options = options;
  }

  get role(): "player" | "spectator" {
    return this.#options.role;
  }

  get match(): MatchReplica | undefined {
    return alive(this.#matches.list[0]);
  }

  /** What the own side has. A spectator sees every purse, and has none. */
  get purse(): PurseReplica | undefined {
    return this.role === "player" ? alive(this.#purses.list[0]) : undefined;
  }

  /** `NO_SIDE` for spectators, and before the server has given one. */
  get ownSide(): number {
    return this.purse?.side ?? NO_SIDE;
  }

  /** What a building trains, if the client may know. */
  worksOf(building: number): WorksReplica | undefined {
    const replica = this.buildings.get(building);
    if (replica === undefined) return undefined;
    const { x, y } = replica;
    for (const works of this.works.list) if (works.alive && works.x === x && works.y === y) return works;
    return undefined;
  }

  /** How many units are in a building's queue, the one in the making included. */
  queueOf(building: number): number {
    const works = this.worksOf(building);
    return works === undefined || works.training === "none" ? 0 : works.waiting.length + 1;
  }

  /** What the screen shows now; the client sends it when it has moved by enough. */
  showCamera({ at, size, rotation }: CameraRectangle): void {
    const client = this.client;
    if (client === undefined || client.state === "ended") return;
    const asked = this.#asked;
    const isSame =
      asked.x === at[0] &&
      asked.y === at[1] &&
      asked.width === size[0] &&
      asked.height === size[1] &&
      asked.rotation === rotation;
    if (isSame) return;
    [asked.x, asked.y, asked.width, asked.height, asked.rotation] = [...at, ...size, rotation];
    setPivots(client, [{ camera: at, size, rotation, coefficients: COEFFICIENTS }]);
  }

  order(values: Told<typeof Order>): void {
    this.#live?.send(Order, values);
  }

  train(values: Told<typeof Train>): void {
    this.#live?.send(Train, values);
  }

  cancelTraining(building: number): void {
    this.#live?.send(CancelTraining, { building });
  }

  rally(values: Told<typeof Rally>): void {
    this.#live?.send(Rally, values);
  }

  ready(): void {
    this.#live?.send(Ready, {});
  }

  rematch(): void {
    this.#live?.send(Rematch, {});
  }

  /** The client, unless it has ended: while it reconnects, commands wait. */
  get #live(): Client | undefined {
    return this.client?.state === "ended" ? undefined : this.client;
  }

  protected override joined(client: Client): void {
    this.#asked.width = 0;
    present(client, Unit, unitPresentation);
    for (const roster of [this.units, this.buildings, this.ore, this.works, this.sides, this.#purses, this.#matches])
      roster.follow(client);
    const { handlers } = this.#options;
    handlers.joined();
    client.onEvent(Refused, (told) => handlers.refused(told));
    client.onEvent(Blast, (told) => handlers.blast(told));
    client.onEvent(UnderAttack, (told) => handlers.underAttack(told));
    client.onSpawn(Unit, ({ id, side }) => handlers.unitCame(id, side));
    client.onDestroy(Unit, ({ id, side }) => handlers.unitFell(id, side));
    client.onSpawn(Building, (building) => handlers.buildingCame(building.id, building));
    client.onUpdate(Building, (building) => handlers.buildingChanged(building.id, building));
    client.onDestroy(Building, (last) => handlers.buildingFell(last.id, last));
    client.onLeave(Building, (last) => handlers.buildingHidden(last.id, last));
  }
}

function alive<T extends { readonly alive: boolean }>(replica: T | undefined): T | undefined {
  return replica?.alive ? replica : undefined;
}
