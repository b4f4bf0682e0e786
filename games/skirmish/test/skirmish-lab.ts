/** A server with Skirmish on virtual time, and players who do what a test says. */

import { present, type Replicated } from "@nearfield/client";
import { Lab, type LabClient } from "@nearfield/netlab";
import type { LabOptions } from "@nearfield/netlab/internal";
import type { ObjectId } from "@nearfield/schema";
import {
  Building,
  type BuildingKind,
  Match,
  Order,
  type OrderName,
  Purse,
  Ready,
  Refused,
  Side,
  SkirmishHost,
  type SkirmishHostOptions,
  Unit,
  type UnitKind,
  unitPresentation,
} from "../src/index.ts";

export type SeenUnit = Replicated<typeof Unit.shape>;
export type SeenBuilding = Replicated<typeof Building.shape>;

export interface Skirmish {
  readonly lab: Lab;
  readonly host: SkirmishHost;
}

export function setUp(options: Partial<SkirmishHostOptions> = {}, lab: Partial<LabOptions> = {}): Skirmish {
  const host = new SkirmishHost({ seed: 1, map: "small", sides: 2, ...options });
  const made = new Lab({ ...host.serverOptions, seed: 1, ...lab });
  host.open(made.server);
  return { lab: made, host };
}

export interface WishedOrder {
  readonly what: OrderName;
  readonly x?: number;
  readonly y?: number;
  readonly target?: number;
  readonly building?: BuildingKind;
  readonly queued?: boolean;
}

export class TestPlayer {
  readonly lab: LabClient;
  readonly refusals: string[] = [];

  constructor({ lab }: Skirmish, name: string, ...rest: Parameters<Lab["join"]> extends [string, ...infer R] ? R : []) {
    this.lab = lab.join(name, ...rest);
    present(this.lab.client, Unit, unitPresentation);
    this.lab.client.onEvent(Refused, ({ reason }) => this.refusals.push(reason));
  }

  get match(): Replicated<typeof Match.shape> {
    return [...this.lab.world.all(Match)][0]!;
  }

  get sides(): Replicated<typeof Side.shape>[] {
    return [...this.lab.world.all(Side)].sort((a, b) => a.side - b.side);
  }

  get purses(): Replicated<typeof Purse.shape>[] {
    return [...this.lab.world.all(Purse)];
  }

  /** Its own side; `undefined` without one. */
  get side(): number | undefined {
    return this.purses[0]?.side;
  }

  get units(): SeenUnit[] {
    return [...this.lab.world.all(Unit)];
  }

  get buildings(): SeenBuilding[] {
    return [...this.lab.world.all(Building)];
  }

  ownUnits(kind?: UnitKind): SeenUnit[] {
    return this.units.filter((unit) => unit.side === this.side && (kind === undefined || unit.kind === kind));
  }

  ownBuilding(kind: BuildingKind): SeenBuilding | undefined {
    return this.buildings.find((building) => building.side === this.side && building.kind === kind);
  }

  ready(): void {
    this.lab.client.send(Ready, {});
  }

  order(units: readonly { readonly id: ObjectId }[] | readonly number[], order: WishedOrder): void {
    const ids = units.map((unit) => (typeof unit === "number" ? unit : unit.id));
    const values = { x: 0, y: 0, target: 0, building: "tower", queued: false, ...order } as const;
    this.lab.client.send(Order, { ...values, units: ids });
  }
}

/** Joins players, lets the match begin, and waits until each has its side. */
export function begin(skirmish: Skirmish, ...names: string[]): TestPlayer[] {
  const players = names.map((name) => new TestPlayer(skirmish, name));
  skirmish.lab.until(() => players.every((player) => player.side !== undefined));
  for (const player of players) player.ready();
  skirmish.lab.until(() => players.every((player) => player.match.phase === "play"));
  return players;
}
