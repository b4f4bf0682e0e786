/**
 * A room in which everything happens that an auditor must understand: all kinds of sets, metrics, clocks and pivots, things hidden and out of
 * range, owners and tags that change, objects that come, go, rest, leap and steer, clients that join, leave, write, change their views,
 * are short of bytes and lose packets. All by dice, so a run is a function of its seed.
 */

import type { Entity, ViewSettings, World } from "@nearfield/core";
import type { ConsistencyModel, ModelOptions } from "@nearfield/core/internal";
import { angle, type ObjectId, object, Protocol, quantized, uint } from "@nearfield/schema";
import type { Player } from "@nearfield/server";
import { type Dice, Lab, type LabClient } from "../../src/index.ts";
import type { LabOptions } from "../../src/internal/index.ts";
import { ROUGH } from "../conditions.ts";

export const ROUND_MS = 50;
const SIZE = 1000;
const axis = quantized(-SIZE, 2 * SIZE, 0.1);

export const Ship = object(
  "ship",
  { x: axis, y: axis, heading: angle(10), hull: uint(7) },
  { position: ["x", "y"], orientation: "heading" },
);
export const Comet = object(
  "comet",
  { x: axis, y: axis, vx: quantized(-400, 400, 0.5), vy: quantized(-400, 400, 0.5) },
  { position: ["x", "y"], velocity: ["vx", "vy"] },
);
export const Probe = object("probe", { x: axis, y: axis, mode: uint(3) }, { position: ["x", "y"], write: "owner" });
export const Score = object("score", { points: uint(16) });
export const protocol = new Protocol({ objects: [Ship, Comet, Probe, Score] });

const HIDDEN = "hidden";
const FLAG = "flag";

/** What the room's own kernel judges: one pivot, round zones, the `refresh` clock. */
export const plainView: ViewSettings = {
  sets: [
    {
      match: "everything",
      radii: [120, 300],
      bounds: [{ sequence: 1 }, { time: 200, value: 20 }, { time: 600, value: 60 }],
      range: 450,
    },
  ],
  pivots: [],
};

/** One of everything. */
export const generalView: ViewSettings = {
  sets: [
    { match: { type: "comet" }, radii: [200], bounds: [{ value: 3 }, { value: 10 }], metric: "predicted", range: 600 },
    { match: { tag: FLAG }, radii: [200], bounds: [{ time: 100 }, { time: 400 }], clock: "firstMiss" },
    { match: { type: "probe" }, bounds: [{ value: 8 }], metric: "path", range: 400 },
    { match: { predicate: "wounded" }, bounds: [{ value: 40 }], metric: "relative:hull", range: 500 },
    {
      match: "everything",
      radii: [120, 300],
      sectors: [120],
      bounds: [
        [{ sequence: 1 }, { time: 120 }],
        [{ time: 220, value: 15 }, { time: 420 }],
        [{ time: 520, value: 60 }, { time: 1020 }],
      ],
      strict: true,
      range: 450,
    },
  ],
  pivots: [],
};

/** Everything is replicated; what is far is judged by value alone. */
const wideView: ViewSettings = {
  sets: [
    {
      match: "everything",
      radii: [150, 400],
      bounds: [{ sequence: 1 }, { value: 10 }, { value: 40 }],
      shape: "square",
    },
  ],
  pivots: [],
};

/** A corner of the world, where everything may wait: most of its rounds are silent, so ripe pairs ride along. */
const calmView: ViewSettings = {
  sets: [{ match: "everything", bounds: [{ time: 2000, value: 60 }], range: 250 }],
  pivots: [{ point: [0, 0] }],
};

export type Plant = (world: World, options: ModelOptions) => ConsistencyModel;

export interface RoomPlan {
  /** The model, if it is another than the engine. */
  readonly plant?: Plant;
  /** Bytes per second for one of the clients; default: none is short. */
  readonly budget?: number;
  /** One client's path loses packets. Default false. */
  readonly lossy?: boolean;
  /** Clients come, go and lose their links. Default false. */
  readonly restless?: boolean;
  /** Some objects are hidden from everybody, now and then. Default false: where something may be hidden, the engine looks at all pairs. */
  readonly hides?: boolean;
  readonly auditSample?: number;
  /** Every round takes twice the time that it may take, so clients take turns. Default false. */
  readonly strained?: boolean;
  /** One more client looks on from a corner where little is due. Default false. */
  readonly calm?: boolean;
}

/** How each client looks at the world, by its name. */
const LOOKS: Record<string, (audited: AuditedRoom, player: Player) => ViewSettings> = {
  ann: ({ lab }, player) => ({ ...plainView, pivots: [{ object: shipFor(lab.world, player).id }] }),
  ben: ({ lab }, player) => ({ ...generalView, pivots: [{ object: shipFor(lab.world, player).id }] }),
  cay: ({ lab }, player) => {
    const group = [0, 1, 2].map(() => shipFor(lab.world, player).id);
    return { ...plainView, pivots: [{ group, margin: 80, coefficients: [2] }] };
  },
  dee: () => ({ ...wideView, pivots: [{ point: [500, 500] }] }),
};

const ONLOOKER = "eli";

function shipFor(world: World, player: Player): { readonly id: ObjectId } {
  return world.spawn(Ship, { x: 400 + (player.id % 5) * 50, y: 500, hull: 100 }, { owner: player.id });
}

/** A processor that works for 60 ms in every round. The server reads it at a round's beginning and at its end. */
function slowProcessor(): () => number {
  let readings = 0;
  return () => 60 * (readings++ >> 1) + (readings % 2 === 0 ? 60 : 0);
}

export class AuditedRoom {
  readonly lab: Lab;
  readonly #dice: Dice;
  readonly #plan: RoomPlan;
  readonly #steps = new Map<ObjectId, readonly [number, number]>();
  #rounds = 0;
  #joined = 0;

  constructor(seed: number, plan: RoomPlan = {}) {
    this.#plan = plan;
    const options: LabOptions = {
      protocol,
      view: plainView,
      roundMs: ROUND_MS,
      seed,
      ...(plan.hides === true && { visible: (_, entity: Entity) => !entity.tags.has(HIDDEN) }),
      ...(plan.plant !== undefined && { model: plan.plant }),
      ...(plan.auditSample !== undefined && { auditSample: plan.auditSample }),
      ...(plan.strained === true && { processorMs: slowProcessor() }),
    };
    this.lab = new Lab(options);
    this.#dice = this.lab.dice.fork("game");
    this.#people();
    this.lab.server.onRound((world) => this.#step(world));
    this.lab.server.onJoin((player) => this.#welcome(player));
    this.lab.server.onWrite(Probe, () => !this.#dice.chance(0.1));
    for (const name of Object.keys(LOOKS)) this.join(name);
    if (plan.calm === true) this.join(ONLOOKER);
  }

  get audit(): Lab["server"]["main"]["audit"] {
    return this.lab.server.main.audit;
  }

  join(nickname: string): LabClient {
    const isRough = this.#plan.lossy === true && nickname !== "ann";
    return this.lab.join(nickname, isRough ? ROUGH : { latencyMs: 20 });
  }

  /** Runs until the auditor has found something, so many rounds at most; how many that took, `Infinity` if it found nothing. */
  roundsToFind(most: number): number {
    for (let round = 1; round <= most; round++) {
      this.lab.step();
      if (this.audit.faults > 0) return round;
    }
    return Number.POSITIVE_INFINITY;
  }

  // ── what happens ───────────────────────────────────────────────────────────────────────────────────────────────

  #people(): void {
    const { world } = this.lab;
    const dice = this.#dice;
    world.predicate(
      "wounded",
      (entity) => entity.type.name === Ship.name && (entity as unknown as { hull: number }).hull < 40,
    );
    for (let i = 0; i < 40; i++) this.#spawn(world);
    for (let i = 0; i < 3; i++) world.spawn(Score);
    for (let i = 0; i < 6; i++) world.spawn(Probe, { x: dice.range(300, 700), y: dice.range(300, 700) });
  }

  #spawn(world: World): void {
    const dice = this.#dice;
    const place = { x: dice.range(0, SIZE), y: dice.range(0, SIZE) };
    if (dice.chance(0.3)) world.spawn(Comet, { ...place, vx: dice.range(-100, 100), vy: dice.range(-100, 100) });
    else world.spawn(Ship, { ...place, hull: 20 + dice.int(100), heading: dice.range(0, 6) });
  }

  #welcome(player: Player): void {
    const name = player.nickname.replace(/-\d+$/, "");
    if (name === ONLOOKER) return player.setView(calmView);
    player.setView(LOOKS[name]!(this, player));
    this.lab.world.spawn(Probe, { x: 500, y: 500 }, { owner: player.id });
    if (name === "ben" && this.#plan.budget !== undefined) player.setBudget(this.#plan.budget);
  }

  #step(world: World): void {
    this.#rounds += 1;
    for (const ship of [...world.all(Ship)]) this.#steer(world, ship);
    for (const comet of world.all(Comet)) this.#fly(comet);
    for (const probe of world.all(Probe)) if (probe.owner === 0) this.#wander(probe);
    for (const score of world.all(Score)) if (this.#dice.chance(0.1)) score.points += 1;
    if (this.#dice.chance(0.2)) this.#spawn(world);
    this.#look();
    this.#write();
    if (this.#plan.restless === true) this.#comeAndGo();
  }

  #steer(world: World, ship: Entity<(typeof Ship)["shape"]>): void {
    const dice = this.#dice;
    const { id, tags } = ship;
    if (!this.#steps.has(id) || dice.chance(0.05)) {
      const [pace, way] = [dice.chance(0.3) ? 0 : dice.range(1, 8), dice.range(0, 2 * Math.PI)];
      this.#steps.set(id, [pace * Math.cos(way), pace * Math.sin(way)]);
    }
    const [dx, dy] = this.#steps.get(id)!;
    if (dx !== 0 || dy !== 0) {
      ship.x = within(ship.x + dx);
      ship.y = within(ship.y + dy);
    }
    if (dice.chance(0.01)) [ship.x, ship.y] = [dice.range(0, SIZE), dice.range(0, SIZE)];
    if (dice.chance(0.1)) ship.heading = dice.range(0, 6);
    if (dice.chance(0.05)) ship.hull = 1 + dice.int(120);
    if (dice.chance(0.02)) tags.has(FLAG) ? world.untag(ship, FLAG) : world.tag(ship, FLAG);
    if (ship.owner !== 0) return;
    if (dice.chance(0.01)) tags.has(HIDDEN) ? world.untag(ship, HIDDEN) : world.tag(ship, HIDDEN);
    if (dice.chance(0.005)) world.destroy(ship);
  }

  #fly(comet: Entity<(typeof Comet)["shape"]>): void {
    const dice = this.#dice;
    if (dice.chance(0.05)) [comet.vx, comet.vy] = [dice.range(-150, 150), dice.range(-150, 150)];
    // One that says that it flies and does not: its picture must be put to rest.
    if (comet.vx > 120) return;
    comet.x = within(comet.x + (comet.vx * ROUND_MS) / 1000);
    comet.y = within(comet.y + (comet.vy * ROUND_MS) / 1000);
  }

  #wander(probe: Entity<(typeof Probe)["shape"]>): void {
    probe.x = within(probe.x + this.#dice.range(-3, 3));
    if (this.#dice.chance(0.1)) probe.mode = this.#dice.int(8);
  }

  /** Views move and change. */
  #look(): void {
    const dice = this.#dice;
    for (const player of this.lab.server.main.players.values()) {
      const { nickname, settings } = player;
      if (nickname === ONLOOKER) continue;
      if (nickname.startsWith("dee")) {
        if (dice.chance(0.3)) player.setPivots([{ point: [dice.range(300, 700), dice.range(300, 700)] }]);
        continue;
      }
      if (dice.chance(0.02))
        player.setView({ ...(dice.chance(0.5) ? plainView : generalView), pivots: settings.pivots });
      // Cay looks around her group for as long as she is there: a fault in how groups are followed must have time to show.
      if (nickname.startsWith("cay")) continue;
      const [own] = player.owned(Ship);
      if (own !== undefined && dice.chance(0.02)) player.pivotOn(own, { scale: dice.range(0.7, 1.5) });
    }
  }

  /** Clients write what is theirs. */
  #write(): void {
    for (const { client } of this.lab.clients) {
      if (client.state !== "active" || !this.#dice.chance(0.3)) continue;
      for (const probe of client.world.all(Probe)) {
        if (client.world.isMine(probe)) probe.x = within(probe.x + this.#dice.range(-5, 5));
      }
    }
  }

  #comeAndGo(): void {
    const dice = this.#dice;
    const { clients } = this.lab;
    if (dice.chance(0.01) && clients.length < 12) this.join(`${Object.keys(LOOKS)[dice.int(4)]!}-${++this.#joined}`);
    const here = clients.filter(({ client }) => client.state === "active");
    if (here.length <= 2) return;
    // Chance alone left some rooms without a broken link for 250 rounds.
    if (dice.chance(0.03) || this.#rounds % 40 === 0) here[dice.int(here.length)]!.breakLink();
    if (dice.chance(0.003)) here[dice.int(here.length)]!.leave();
  }
}

function within(at: number): number {
  return Math.max(0, Math.min(SIZE, at));
}
