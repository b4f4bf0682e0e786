/**
 * Larger worlds of *plain* views, those that the engine's hot loops judge: one pivot, several or a group, round or square zones, either clock,
 * `displacement`, `path`, `relative` and `predicted`, set by set. What they are made for is what small worlds seldom meet: rings and the wrapped grid, objects and pivots that leap, objects that rest long
 * and stir, plans as far ahead as they go, slots used again. A world is a function of its recipe, so a smaller recipe is a simpler world.
 */

import { angle, type ObjectId, object, Protocol, quantized, uint } from "@nearfield/schema";
import { generationOf } from "@nearfield/schema/internal";
import { type Bound, type Entity, type Pivot, World } from "../src/index.ts";
import {
  Cause,
  type ConsistencyModel,
  DecisionKind,
  type Decisions,
  type ModelOptions,
  type ObjectSetSettings,
  type ViewId,
} from "../src/internal/index.ts";
import { Fog, type FogKind } from "./fogs.ts";
import { Digits, ROUND_MS } from "./scenario.ts";
import { acknowledgeTogether, type Send, withholdTogether } from "./small-world.ts";

const REACH = 2000;
const axis = quantized(-REACH, REACH, 0.1);
const pace = quantized(-200, 200, 0.05);
/** So coarse that much of how it changes does not show in wire form. */
const fuel = quantized(-10, 40, 0.5);
const Walker = object(
  "walker",
  { x: axis, y: axis, vx: pace, vy: pace, heading: angle(8), hull: uint(7), fuel },
  { position: ["x", "y"], velocity: ["vx", "vy"], orientation: "heading" },
);
const Flyer = object(
  "flyer",
  { x: axis, y: axis, z: axis, vx: pace, vy: pace, vz: pace, hull: uint(7), fuel },
  { position: ["x", "y", "z"], velocity: ["vx", "vy", "vz"] },
);
/** So coarse that rounding to wire form is as much as some bounds allow. */
const coarse = quantized(-REACH, REACH, 0.5);
const Crate = object("crate", { x: coarse, y: coarse, hull: uint(7) }, { position: ["x", "y"] });
const Score = object("score", { points: uint(16) });
/** Without a third axis the engine compares in two dimensions, by other code. */
const FLAT: Protocol = new Protocol({ objects: [Walker, Crate, Score] });
const DEEP: Protocol = new Protocol({ objects: [Walker, Crate, Flyer, Score] });

export const MOODS = ["busy", "quiet", "running", "turnover"] as const;

export interface Recipe {
  readonly seed: number;
  readonly objects: number;
  readonly views: number;
  readonly rounds: number;
  readonly deep: boolean;
  /**
   * busy: all sorts; quiet: long rests; running: most leap in every round; turnover: many die and others take their slots; loosened: one
   * crowd, few leap, and the bounds of most views are loosened most of the time, so that many pairs wait unseen.
   */
  readonly mood: (typeof MOODS)[number] | "loosened";
  /** What hides objects from views. */
  readonly fog: FogKind;
  /** Bytes run short: views have budgets, bounds are loosened, decisions withheld. */
  readonly pressed: boolean;
  /** The share of its bound at which a pair rides along; for the models, the world does not know it. */
  readonly ripe: number;
}

/** What was met; a test that met too little proves too little. */
export interface Met {
  decisions: number;
  /** Sends by time, more rounds after the one before than a plan may lie ahead. */
  late: number;
  pivotLeaps: number;
  slotsReused: number;
  losses: number;
  /** Decisions of objects so far out that the grid has wrapped around more than once. */
  farOut: number;
  /** Decisions that were withheld, and those of pairs that had waited; decisions while bounds were loosened. */
  withheld: number;
  waited: number;
  loosened: number;
  /** Decisions of pairs that rode along. */
  ripe: number;
  /** Times that the bounds of a view were tightened, and that a view was paused. */
  tightened: number;
  pauses: number;
  /** Times that a view sat out a round. */
  satOut: number;
  /** Objects that left a view because they were hidden, by the kind of fog. */
  hiddenAsked: number;
  hiddenTold: number;
  hiddenTeams: number;
  hiddenWalls: number;
}

export function nothingMet(): Met {
  return {
    decisions: 0,
    late: 0,
    pivotLeaps: 0,
    slotsReused: 0,
    losses: 0,
    farOut: 0,
    withheld: 0,
    waited: 0,
    loosened: 0,
    ripe: 0,
    tightened: 0,
    pauses: 0,
    satOut: 0,
    ...{ hiddenAsked: 0, hiddenTold: 0, hiddenTeams: 0, hiddenWalls: 0 },
  };
}

const HIDDEN = {
  clear: undefined,
  asked: "hiddenAsked",
  told: "hiddenTold",
  teams: "hiddenTeams",
  walls: "hiddenWalls",
} as const;

/** Bounds by zone; as many of the first as a set has zones. */
const LADDERS: readonly (readonly Bound[])[] = [
  [
    { time: 100, sequence: 1, value: 1 },
    { time: 500, sequence: 5, value: 5 },
    { time: 2500, sequence: 10, value: 20 },
  ],
  [
    { time: 200, value: 1 },
    { time: 1000, value: 4 },
    { time: 20_000, value: 15 },
  ],
  [{ value: 0.5 }, { value: 3 }, {}],
  [{ sequence: 3 }, { sequence: 7 }, { sequence: 300 }],
  [{ time: 12_700, value: 30 }, { time: 12_750, value: 40 }, { time: 16_000 }],
  [{ time: 12_800 }, { time: 12_900 }, { time: 13_100 }],
  [{ time: 0 }, { time: 100, sequence: 4 }, { time: 150, sequence: 4.5 }],
  [
    { time: 50, sequence: 1, value: 1 },
    { time: 100, value: 2 },
    { time: 150, value: 3 },
    { time: 300, value: 3 },
    { time: 400, value: 4 },
    {},
  ],
  [{ time: 700, value: 0.2 }, { time: 701, value: 0.25 }, { value: 0.3 }],
];

/** Metrics of pictures that stay as they were sent. */
const STILL: readonly string[] = ["displacement", "displacement", "path", "relative:hull", "relative:fuel"];
/** Of those that go on by themselves. */
const MOVING: readonly string[] = ["predicted", "predicted", "predicted:fading"];

interface Dweller {
  readonly dice: Digits;
  entity: Entity;
  /** Units a round; rounds until it changes its mind; whether it moves until then. */
  stepX: number;
  stepY: number;
  stepZ: number;
  mind: number;
  moves: boolean;
  /** Whether its velocity says how it moves, or is what it was once. */
  truthful: boolean;
  /** By how much its fuel changes in a round until it changes its mind. */
  burns: number;
}

interface Looker {
  readonly id: ViewId;
  readonly lossy: boolean;
  readonly dice: Digits;
  pivots: readonly Pivot[];
  /** Share of its decisions that is withheld, how far its outer bounds are loosened, and the chance that either changes in a round. */
  withheld: number;
  outer: number;
  readonly turns: number;
  paused: boolean;
  /** Share of the rounds that it sits out. */
  readonly out: number;
}

type Place = { x: number; y: number; z: number };
type Fields = Place & {
  vx: number;
  vy: number;
  vz: number;
  hull: number;
  fuel: number;
  heading: number;
  points: number;
};

type CameraPivot = Extract<Pivot, { camera: unknown }>;

/** From a slit to all that a player sees of a map. */
function someSize(dice: Digits): [number, number] {
  return [dice.pick([6, 30, 90]), dice.pick([3, 20, 70])];
}

export class PlainWorld {
  readonly world: World;
  readonly models: readonly ConsistencyModel[];
  readonly #recipe: Recipe;
  readonly #isPressed: boolean;
  readonly #isLoosened: boolean;
  readonly #met: Met;
  readonly #fog: Fog;
  readonly #isVisible: ReturnType<Fog["judgeOn"]>;
  readonly #dice: Digits;
  readonly #dwellers: Dweller[] = [];
  #lookers: Looker[] = [];
  #inFlight: Send[] = [];
  readonly #lastSend = new Map<string, number>();
  #looked = 0;
  round = 0;

  constructor(
    recipe: Recipe,
    met: Met,
    build: (world: World, options: Pick<ModelOptions, "visible">) => readonly ConsistencyModel[],
  ) {
    this.#recipe = recipe;
    this.#met = met;
    this.#isPressed = recipe.pressed || recipe.mood === "loosened";
    this.#isLoosened = recipe.mood === "loosened";
    this.#dice = new Digits([recipe.seed, 1, 0, 0, 0]);
    this.world = new World({ protocol: recipe.deep ? DEEP : FLAT });
    this.world.predicate("weak", (entity) => (entity as Entity & Fields).hull < 30);
    this.#fog = new Fog(recipe.fog, REACH, 20);
    this.#isVisible = this.#fog.judgeOn(this.world);
    const { visible } = this.#fog;
    this.models = build(this.world, { ...(visible && { visible }) });
    for (let index = 0; index < recipe.objects; index++) this.#dwellers.push(this.#dweller(index));
    for (let index = 0; index < recipe.views; index++) this.#look();
  }

  get views(): readonly ViewId[] {
    return this.#lookers.map(({ id }) => id);
  }

  /** Plays a round on all models; `compare` then sees what they decided. */
  play(compare: (view: ViewId) => void): void {
    this.#tellFates();
    this.#turnOver();
    for (const dweller of this.#dwellers) this.#live(dweller);
    for (const looker of this.#lookers) this.#lookAround(looker);
    for (const looker of this.#lookers) this.#takeTurn(looker);
    this.#fog.stir(this.#dice, this.world, this.views, this.models);
    this.world.commit(0);
    this.round++;
    for (const model of this.models) model.round(this.round);
    for (const looker of this.#lookers) {
      compare(looker.id);
      const decisions = this.models[0]!.decisions(looker.id);
      this.#countHidden(looker, decisions);
      this.#noteDecisions(looker, decisions);
    }
  }

  #noteDecisions({ id: view, lossy, withheld, outer }: Looker, { count, ids, causes, waits }: Decisions): void {
    this.#met.decisions += count;
    if (outer > 1) this.#met.loosened += count;
    const held = new Set<ObjectId>();
    for (let i = 0; i < count; i++) {
      const id = ids[i]! as ObjectId;
      if (waits[i]! > 0) this.#met.waited++;
      if (causes[i] === Cause.ripe) this.#met.ripe++;
      if (withheld > 0 && this.#dice.next() < withheld) {
        this.#met.withheld++;
        held.add(id);
        continue;
      }
      const key = `${view} ${id}`;
      if (causes[i] === Cause.time && this.round - (this.#lastSend.get(key) ?? this.round) > 254) this.#met.late++;
      this.#lastSend.set(key, this.round);
      const place = this.world.get(id) as (Entity & Fields) | undefined;
      if (place !== undefined && Math.abs(place.x) > REACH / 2) this.#met.farOut++;
      if (lossy) this.#inFlight.push({ view, id, round: this.round });
    }
    for (const model of this.models) withholdTogether(model, view, held, this.round);
  }

  #countHidden({ id: view }: Looker, { count, ids, kinds }: Decisions): void {
    const hidden = HIDDEN[this.#recipe.fog];
    if (hidden === undefined) return;
    for (let i = 0; i < count; i++) {
      const entity = kinds[i] === DecisionKind.leave ? this.world.get(ids[i]! as ObjectId) : undefined;
      if (entity !== undefined && !this.#isVisible(view, entity, this.round)) this.#met[hidden]++;
    }
  }

  #tellFates(): void {
    const dice = this.#dice;
    const arrived: Send[] = [];
    this.#inFlight = this.#inFlight.filter((send) => {
      const { view, id, round } = send;
      const fate = dice.next();
      if (fate < 0.3) return true;
      if (fate < 0.4) {
        this.#met.losses++;
        for (const model of this.models) model.lose(view, id, round);
      } else arrived.push(send);
      return false;
    });
    for (const model of this.models) acknowledgeTogether(model, arrived);
  }

  // ── objects ────────────────────────────────────────────────────────────────────────────────────────────────────

  #dweller(index: number): Dweller {
    const dice = new Digits([this.#recipe.seed, 2, index, 0, 0]);
    const still = { stepX: 0, stepY: 0, stepZ: 0, mind: 0, moves: false, truthful: true, burns: 0 };
    return { dice, entity: this.#spawn(dice), ...still };
  }

  #spawn(dice: Digits): Entity {
    const options = { owner: dice.next() < 0.1 ? 1 + dice.below(3) : 0, tags: dice.next() < 0.2 ? ["vip"] : [] };
    const kind = dice.next();
    const { x, y, z } = somewhere(dice, this.#isLoosened);
    const hull = dice.below(100);
    const fuel = dice.below(40);
    const entity = (kind < 0.03
      ? this.world.spawn(Score, { points: 1 }, options)
      : this.#recipe.deep && kind < 0.4
        ? this.world.spawn(Flyer, { x, y, z, hull, fuel }, options)
        : this.world.spawn(Walker, { x, y, hull, fuel }, options)) as unknown as Entity;
    if (generationOf(entity.id) > 0) this.#met.slotsReused++;
    return entity;
  }

  /** Now and then more die at once than slots rest, and as many are born. */
  #turnOver(): void {
    if (this.#isLoosened && this.#dice.next() < 0.3) {
      const dweller = this.#dice.pick(this.#dwellers);
      this.world.destroy(dweller.entity);
      dweller.entity = this.#spawn(dweller.dice);
    }
    if (this.#recipe.mood !== "turnover" || this.round % 12 !== 5) return;
    const dying = this.#dwellers.filter(({ dice }) => dice.next() < 0.5);
    for (const { entity } of dying) this.world.destroy(entity);
    for (const dweller of dying) dweller.entity = this.#spawn(dweller.dice);
  }

  #live(dweller: Dweller): void {
    const { dice } = dweller;
    if (--dweller.mind < 0) this.#changeMind(dweller);
    const fields = dweller.entity as Entity & Fields;
    if (!("x" in fields)) {
      if (dice.next() < 0.05) (fields as Fields).points = dice.below(100);
      return;
    }
    if (dweller.moves) {
      fields.x = within(fields.x + dweller.stepX);
      fields.y = within(fields.y + dweller.stepY);
      if ("z" in fields) fields.z = within(fields.z + dweller.stepZ);
    }
    if (dweller.truthful && "vx" in fields) tellVelocity(fields, dweller);
    if (dweller.burns !== 0 && "fuel" in fields) fields.fuel = Math.max(-10, Math.min(40, fields.fuel + dweller.burns));
    const chance = dice.next();
    const calm = this.#recipe.mood === "quiet" ? 0.1 : this.#isLoosened ? 0.2 : 1;
    if (chance < 0.01 * calm) fields.hull = dice.below(100);
    else if (chance < 0.015 * calm) this.#leap(fields, dice);
    else if (chance < 0.02 * calm) this.#fidget(fields);
    else if (chance < 0.025 * calm && "heading" in fields) fields.heading = dice.next() * 6;
    else if (chance < 0.0275 * calm) this.world.setOwner(dweller.entity, dice.below(4));
    else if (chance < 0.03 * calm) this.world.tag(dweller.entity, "vip");
    else if (chance < 0.03 * calm + (this.#isLoosened ? 0.05 : 0.005)) this.#writtenByClient(fields, dice);
  }

  /** A client that holds its lock writes it, who may be one that looks at it. */
  #writtenByClient(fields: Entity & Fields, dice: Digits): void {
    this.world.commit(0);
    fields.hull = dice.below(100);
    this.world.commit(1 + dice.below(3));
  }

  #changeMind(dweller: Dweller): void {
    const { dice } = dweller;
    const { mood } = this.#recipe;
    dweller.moves = dice.next() < (mood === "quiet" ? 0.3 : this.#isLoosened ? 0.5 : 0.7);
    dweller.mind = mood === "quiet" && !dweller.moves ? dice.below(400) : dice.below(40);
    const speed = mood === "running" ? dice.pick([0.4, 6, 8]) : dice.pick([0.01, 0.06, 0.3, 0.9, 1.3]);
    dweller.stepX = (dice.next() * 2 - 1) * speed;
    dweller.stepY = (dice.next() * 2 - 1) * speed;
    dweller.stepZ = (dice.next() * 2 - 1) * speed * 0.3;
    dweller.truthful = dice.next() < 0.8;
    const burns = dice.next() < (mood === "quiet" ? 0.03 : 0.15);
    dweller.burns = burns ? (dice.next() * 2 - 1) * dice.pick([0.02, 0.2, 2]) : 0;
  }

  #leap(fields: Entity & Fields, dice: Digits): void {
    const { x, y } =
      dice.next() < 0.5 ? somewhere(dice, this.#isLoosened) : { x: fields.x + dice.next() * 60 - 30, y: fields.y };
    fields.x = within(x);
    fields.y = within(y);
  }

  /** Several updates in one round. */
  #fidget(fields: Entity & Fields): void {
    for (let i = 0; i < 3; i++) {
      fields.x = within(fields.x + (i % 2 === 0 ? 0.3 : -0.3));
      this.world.commit(0);
    }
  }

  // ── views ──────────────────────────────────────────────────────────────────────────────────────────────────────

  #look(): void {
    const dice = new Digits([this.#recipe.seed, 3, this.#looked++, 0, 0]);
    const lossy = dice.next() < (this.#isLoosened ? 0.9 : 0.5);
    const pivots = this.#somePivots(dice);
    const budgeted = this.#isPressed && lossy && dice.next() < 0.8;
    const options = { session: dice.below(4), assumeDelivered: !lossy, budgeted };
    const settings = { sets: this.#someSets(dice), pivots };
    const [id] = this.models.map((model) => model.addView(settings, options));
    const withheld = budgeted ? this.#someShare(dice) : 0;
    const turns = dice.pick([0.08, 0.02]);
    const out = this.#recipe.seed % 3 === 0 ? dice.pick([0.3, 0.7, 0.9]) : 0;
    const looker: Looker = { id: id!, lossy, dice, pivots, withheld, outer: 1, turns, paused: false, out };
    this.#lookers.push(looker);
    if (this.#isLoosened) this.#press(looker);
  }

  /** Its bytes run shorter, or less short. */
  #press(looker: Looker): void {
    const { id, dice, lossy } = looker;
    const kind = dice.below(4);
    if (kind > 0 || !lossy) {
      const before = looker.outer;
      looker.outer = dice.pick(this.#isLoosened ? [1, 1.5, 3, 8, 8, 8] : [1, 1, 1.5, 3, 8]);
      if (looker.outer < before) this.#met.tightened++;
      const inner = looker.outer === 1 ? 1 : dice.pick([1, 1, 1.25]);
      for (const model of this.models) model.loosen(id, looker.outer, inner);
      return;
    }
    const budgeted = dice.next() < 0.8;
    looker.withheld = budgeted ? this.#someShare(dice) : 0;
    const spare = dice.pick([0, 2, 10, 1000]);
    for (const model of this.models) {
      model.setBudgeted(id, budgeted);
      model.setSpare(id, spare);
    }
  }

  /** Of decisions, that is withheld. */
  #someShare(dice: Digits): number {
    return dice.pick(this.#isLoosened ? [0, 0, 0.1, 0.5] : [0, 0.3, 0.8]);
  }

  #takeTurn({ id, dice, out, paused }: Looker): void {
    if (out === 0 || dice.next() >= out) return;
    if (!paused) this.#met.satOut++;
    for (const model of this.models) model.sitOut(id);
  }

  #pauseOrResume(looker: Looker): void {
    looker.paused = !looker.paused;
    if (looker.paused) this.#met.pauses++;
    for (const model of this.models) {
      if (looker.paused) model.pause(looker.id);
      else model.resume(looker.id);
    }
  }

  #lookAround(looker: Looker): void {
    const { id, dice } = looker;
    if (this.#isPressed && dice.next() < looker.turns) this.#press(looker);
    if (this.#isLoosened && dice.next() < 0.02) {
      const wanted = dice.pick(this.#dwellers).entity.id;
      for (const model of this.models) model.demand(id, wanted);
    }
    if (this.#isPressed && dice.next() < (looker.paused ? 0.3 : 0.01)) this.#pauseOrResume(looker);
    if (looker.pivots.some((pivot) => "point" in pivot || "camera" in pivot) && dice.next() < 0.6) {
      this.#setPivots(
        looker,
        looker.pivots.map((pivot) =>
          "point" in pivot ? this.#wander(dice, pivot) : "camera" in pivot ? this.#pan(dice, pivot) : pivot,
        ),
      );
    }
    const chance = dice.next();
    if (chance < 0.006) this.#setPivots(looker, this.#somePivots(dice));
    else if (chance < 0.01) {
      const settings = { sets: this.#someSets(dice), pivots: looker.pivots };
      for (const model of this.models) model.changeView(id, settings);
    } else if (chance < 0.012) {
      for (const model of this.models) model.removeView(id);
      this.#lookers = this.#lookers.filter((other) => other !== looker);
      this.#inFlight = this.#inFlight.filter(({ view }) => view !== id);
      this.#look();
    }
  }

  #setPivots(looker: Looker, pivots: readonly Pivot[]): void {
    looker.pivots = pivots;
    for (const model of this.models) model.setPivots(looker.id, pivots);
  }

  #wander(dice: Digits, pivot: Extract<Pivot, { point: readonly number[] }>): Pivot {
    const far = dice.next() < 0.04 ? 400 : 0.7;
    if (far > 1) this.#met.pivotLeaps++;
    return {
      ...pivot,
      point: pivot.point.map((at) => within(at + (dice.next() * 2 - 1) * far)),
      ...(dice.next() < 0.5 && { orientation: [dice.next() - 0.5, dice.next() - 0.5] }),
    };
  }

  /** A camera moves in most rounds, and zooms or turns in some. */
  #pan(dice: Digits, pivot: CameraPivot): Pivot {
    const far = dice.next() < 0.04 ? 400 : 0.7;
    if (far > 1) this.#met.pivotLeaps++;
    const [x, y] = pivot.camera.map((at) => within(at + (dice.next() * 2 - 1) * far));
    return {
      ...pivot,
      camera: [x!, y!],
      ...(dice.next() < 0.1 && { size: someSize(dice) }),
      ...(dice.next() < 0.1 && { rotation: dice.next() * 7 }),
    };
  }

  /** Mostly one; of several, some are seldom without a place. */
  #somePivots(dice: Digits): Pivot[] {
    const kind = dice.next();
    if (kind < 0.02) return [];
    return Array.from({ length: kind < 0.6 ? 1 : 2 + dice.below(3) }, () => this.#somePivot(dice));
  }

  /** Members of a group are neighbours, or anybody. */
  #someGroup(dice: Digits, scale: number): Pivot {
    const members = Array.from({ length: 1 + dice.below(7) }, () => dice.pick(this.#dwellers).entity);
    const at = somewhere(dice, this.#isLoosened);
    const isNear = (entity: Entity): boolean => Math.abs((entity as Entity & Fields).x - at.x) < 40;
    const near = this.#dwellers.filter(({ entity }) => isNear(entity)).map(({ entity }) => entity);
    const group = (near.length > 1 && dice.next() < 0.8 ? near.slice(0, 8) : members).map(({ id }) => id);
    return {
      ...{ group, margin: dice.pick([0, 3, 12]), coefficients: dice.pick([[], [1.5], [2, 3]]), scale },
      ...(dice.next() < 0.7 && { spread: dice.pick([10, 25]) }),
    };
  }

  #someCamera(dice: Digits, scale: number): Pivot {
    const { x, y } = somewhere(dice, this.#isLoosened);
    const rotation = dice.pick([0, Math.PI / 2, dice.next() * 7]);
    return { camera: [x, y], size: someSize(dice), rotation, coefficients: dice.pick([[], [1.5], [2, 3]]), scale };
  }

  #somePivot(dice: Digits): Pivot {
    const scale = dice.pick([1, 1, 1, 0.5, 1.5]);
    const kind = dice.next();
    if (kind < 0.2) return this.#someGroup(dice, scale);
    if (kind < 0.4) return this.#someCamera(dice, scale);
    if (dice.next() < 0.6) return { object: dice.pick(this.#dwellers).entity.id, scale };
    const { x, y } = somewhere(dice, this.#isLoosened);
    return { point: [x, y], orientation: [dice.next() - 0.5, dice.next() - 0.5], scale };
  }

  #someSets(dice: Digits): ObjectSetSettings[] {
    const ranged = dice.next() < 0.6;
    const matches: ObjectSetSettings["match"][] = [
      ...(dice.next() < 0.3 ? [{ tag: "vip" }] : []),
      ...(dice.next() < 0.3 ? [{ predicate: "weak" }] : []),
      "everything",
    ];
    const metrics = dice.pick([STILL, MOVING, [...STILL, ...MOVING]]);
    return matches.map((match) => ({ ...someSet(dice, match, ranged), metric: dice.pick(metrics) }));
  }
}

function someSet(dice: Digits, match: ObjectSetSettings["match"], ranged: boolean): ObjectSetSettings {
  const ladder = dice.pick(LADDERS);
  const zones = 1 + dice.below(ladder.length);
  const apart = (60 / ladder.length) * (0.8 + 0.4 * dice.next());
  const sectors = dice.next() < 0.3 ? [70, 180].slice(0, 1 + dice.below(2)) : [];
  return {
    match,
    radii: Array.from({ length: zones - 1 }, (_, zone) => (zone + 0.7) * apart),
    sectors,
    bounds: ladder
      .slice(0, zones)
      .map((bound) => [bound, ...sectors.map((_, sector) => looser(bound, 2 ** (sector + 1)))]),
    strict: dice.next() < 0.3,
    own: dice.pick(["changes", "changes", "bounds"]),
    shape: dice.pick(["round", "round", "square"]),
    clock: dice.pick(["refresh", "refresh", "firstMiss"]),
    ...(dice.next() < 0.1 && { pivots: dice.pick([[0], [1], [0, 2]]) }),
    ...(ranged && { range: dice.pick([60, 80]) }),
  };
}

function looser({ time, sequence, value }: Bound, factor: number): Bound {
  return {
    ...(time !== undefined && { time: time * factor }),
    ...(sequence !== undefined && { sequence: sequence * factor }),
    ...(value !== undefined && { value: value * factor }),
  };
}

/** Mostly in one of a few crowds, which lie far apart, or all in the first. */
function somewhere(dice: Digits, isOneCrowd = false): Place {
  const [x, y] = dice.pick([
    [0, 0],
    ...(isOneCrowd
      ? []
      : [
          [1500, -900],
          [-1993, 1700],
        ]),
  ]) as [number, number];
  const spread = dice.next() < 0.1 ? 400 : 70;
  const at = (middle: number): number => within(middle + (dice.next() * 2 - 1) * spread);
  return { x: at(x), y: at(y), z: dice.next() * 30 };
}

/** Of one that stands still it is 0 at times, and at times what it will be again. */
function tellVelocity(fields: Fields, { stepX, stepY, stepZ, moves, mind }: Dweller): void {
  const perSecond = moves || mind % 2 === 0 ? 1000 / ROUND_MS : 0;
  fields.vx = stepX * perSecond;
  fields.vy = stepY * perSecond;
  if ("vz" in fields) fields.vz = stepZ * perSecond;
}

function within(position: number): number {
  return Math.max(-REACH, Math.min(REACH, position));
}

const urgency = new Float64Array(1);
const urgencyBits = new Int32Array(urgency.buffer);

/** The decisions of a view as one number, whatever their order: equal where the decisions are. */
export function checksum({ count, ids, kinds, causes, zones, urgencies, waits, settled }: Decisions): number {
  let sum = count;
  for (let i = 0; i < count; i++) {
    const rest = (settled[i]! << 24) | (kinds[i]! << 16) | (causes[i]! << 8) | zones[i]!;
    urgency[0] = urgencies[i]!;
    const pressing = Math.imul(urgencyBits[0]!, 0x27d4eb2f) ^ urgencyBits[1]! ^ Math.imul(waits[i]!, 0x165667b1);
    let hash = Math.imul(ids[i]! ^ Math.imul((rest ^ pressing) + 1, 0x9e3779b1), 0x85ebca6b);
    hash ^= hash >>> 15;
    sum = (sum + Math.imul(hash, 0xc2b2ae35)) | 0;
  }
  return sum;
}
