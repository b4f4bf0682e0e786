/**
 * Worlds to measure on: a number of moving objects, a number of views centred on the first of them, one set of zones for all. They are seeded, so
 * that every run of a plan is the same. Every version of the engine is measured by the plans A to D. In the variants of A everything moves as in
 * A, but views ask for more.
 */

import { type Bound, type Entity, type Pivot, type ViewSettings, World } from "@nearfield/core";
import type { ModelOptions } from "@nearfield/core/internal";
import { Dice } from "@nearfield/netlab";
import type { NumericField } from "@nearfield/schema";
import {
  angle,
  type Fields,
  type ObjectId,
  type ObjectType,
  object,
  Protocol,
  quantized,
  slotOf,
} from "@nearfield/schema";

export const ROUND_MS = 50;

export interface WorkloadPlan {
  readonly name: string;
  readonly about: string;
  readonly views: number;
  readonly objects: number;
  /** Edge of the square world, in world units. */
  readonly side: number;
  /** All objects stay within this distance of the middle. Default: the whole square. */
  readonly crowdRadius?: number;
  /** Share of the objects that move in a round, drawn anew in each. */
  readonly moving: number;
  readonly radii: readonly number[];
  /** One more than there are radii. */
  readonly bounds: readonly Bound[];
  /** Default: none; every view holds every object. */
  readonly range?: number;
  /** Slices of the field of view, of pivots that turn in every round. Default: none, `bounds` hold all round. */
  readonly sectors?: { readonly degrees: readonly number[]; readonly bounds: readonly (readonly Bound[])[] };
  /** Default: `displacement`; `predicted` by the velocities that the objects then have, `relative:hull` by a number that changes whenever they move. */
  readonly metric?: "predicted" | "path" | "relative:hull";
  /** Default: `refresh`. */
  readonly clock?: "firstMiss";
  /** Default: `round`. */
  readonly shape?: "square";
  /** Pivots of each view: its own object, and the objects that were nearest to that one at the start. Default 1. */
  readonly pivots?: number;
  /** Objects and views belong to so many teams by turns, and views see what their team's units see. Default: everything is visible. */
  readonly teams?: number;
  /** Each view's pivot is a group of so many objects: its own, and those nearest to it at the start. Default: no group. */
  readonly group?: number;
  /** What chance is seeded with. Default: the name. */
  readonly seed?: string;
}

/** Distance covered in a round, in world units: 20 to 100 a second. */
const SLOWEST = 1;
const FASTEST = 5;
/** The same per second, at most. */
const TOP_SPEED = (FASTEST * 1000) / ROUND_MS;
/** Chance in a round that an object takes another direction. */
const TURN = 0.02;
/** Angle by which pivots with sectors turn in a round, at most, either way: 2.5 to 3.5 s for a full turn. */
const SPIN = 0.125;

const RINGS = [120, 200, 500];
const EVERY_UPDATE: Bound = { sequence: 1 };
const ZONE_BOUNDS = [EVERY_UPDATE, { time: 500, sequence: 5, value: 100 }, { time: 2500, sequence: 10, value: 500 }];

const A: WorkloadPlan = {
  name: "A",
  about: "1,000 views, 10,000 objects, all moving, range 500",
  views: 1000,
  objects: 10_000,
  side: 5000,
  moving: 1,
  radii: [120, 200],
  bounds: ZONE_BOUNDS,
  range: 500,
};

export const PLANS: Readonly<Record<"A" | "B" | "C" | "D", WorkloadPlan>> = {
  A,
  B: { ...A, name: "B", about: "1,000 views, 100,000 objects, 10 % moving, range 500", objects: 100_000, moving: 0.1 },
  C: {
    ...A,
    name: "C",
    about: "a crowd: 1,000 views, 1,000 objects, all within 200 units",
    objects: 1000,
    side: 200,
    crowdRadius: 100,
  },
  D: {
    name: "D",
    about: "A with full replicas: no range, every 5 s beyond the zones",
    views: A.views,
    objects: A.objects,
    side: A.side,
    moving: 1,
    radii: RINGS,
    bounds: [...ZONE_BOUNDS, { time: 5000 }],
  },
};

/** Straight ahead as A everywhere; to the sides and behind, looser. */
const SECTORS: NonNullable<WorkloadPlan["sectors"]> = {
  degrees: [90, 200],
  bounds: [
    [EVERY_UPDATE, { time: 150, sequence: 3, value: 15 }, { time: 500, sequence: 5, value: 50 }],
    [
      { time: 500, sequence: 5, value: 100 },
      { time: 1000, sequence: 10, value: 150 },
      { time: 2000, sequence: 20, value: 250 },
    ],
    [
      { time: 2500, sequence: 10, value: 500 },
      { time: 3500, sequence: 20, value: 600 },
      { time: 5000, sequence: 40, value: 750 },
    ],
  ],
};

/** What brute force does not judge: it is compared with A, not with brute force. */
export const VARIANTS: Readonly<
  Record<
    "sectors" | "predicted" | "square" | "pivots4" | "group50" | "teams" | "firstMiss" | "path" | "relative",
    WorkloadPlan
  >
> = {
  sectors: {
    ...A,
    name: "sectors",
    about: "A, three sectors, pivots that turn in every round",
    seed: A.name,
    sectors: SECTORS,
  },
  predicted: {
    ...A,
    name: "predicted",
    about: "A with velocities, value bounds on what the player sees",
    seed: A.name,
    bounds: [
      { time: 500, value: 1 },
      { time: 500, value: 5 },
      { time: 2500, value: 20 },
    ],
    metric: "predicted",
  },
  square: {
    ...A,
    name: "square",
    about: "A with square zones and a square range: 1.27 times as large as the round ones",
    seed: A.name,
    shape: "square",
  },
  pivots4: {
    ...A,
    name: "pivots4",
    about: "A, four pivots in each view: neighbours at the start, which go ways of their own",
    seed: A.name,
    pivots: 4,
  },
  group50: {
    ...A,
    name: "group50",
    about: "A, each pivot a group of 50 objects, with zones as large as A's",
    seed: A.name,
    group: 50,
  },
  teams: {
    ...A,
    name: "teams",
    about: "A with two teams, which see what their units see: six of ten cells, of which 5 % change in a round",
    seed: A.name,
    teams: 2,
  },
  firstMiss: {
    ...A,
    name: "firstMiss",
    about: "A, time runs from the first update that was not sent",
    seed: A.name,
    clock: "firstMiss",
  },
  path: {
    ...A,
    name: "path",
    about: "A, value bounds on the way that objects have travelled",
    seed: A.name,
    metric: "path",
  },
  relative: {
    ...A,
    name: "relative",
    about: "A, value bounds in percent of a number that changes by 0.1 to 2 % in every round",
    seed: A.name,
    bounds: [EVERY_UPDATE, { time: 500, sequence: 5, value: 5 }, { time: 2500, sequence: 10, value: 15 }],
    metric: "relative:hull",
  },
};

/** What objects have under the metric `relative:hull`: it goes up and down between the two, by 1 to 4 a round. */
const LEAST_HULL = 200;
const MOST_HULL = 1000;

/** Of the vision of teams: about a twentieth of all cells comes into a team's sight in a round, or goes out of it. */
const VISION_CELL = 30;
const SIGHT = 30;

/** A group covers members up to this far from its centre: with the margin, its first zone is as large as A's once its members have spread. */
const GROUP_SPREAD = 100;

/** A quarter of workload A's world, at the same density. */
export const SMALL_WORLD: WorkloadPlan = { ...A, name: "small world", objects: 2500, side: 2500 };

/** A quarter of A with a quarter of its views, each of which may be sent half of what it asks for (`budget-run.ts`). It takes long to settle. */
export const HALF_BUDGET: WorkloadPlan = {
  ...SMALL_WORLD,
  name: "budget",
  about: "a quarter of A, each view with a budget of half of what it asks for",
  views: A.views / 4,
  seed: SMALL_WORLD.name,
};

type BodyFields = {
  x: NumericField<number>;
  y: NumericField<number>;
  heading: NumericField<number>;
  vx: NumericField<number>;
  vy: NumericField<number>;
  hull: NumericField<number>;
};

/** Has a heading, a velocity in world units per second, or a hull only where the plan needs it: what is not there costs nothing. */
function bodyType({ side, sectors, metric }: WorkloadPlan): ObjectType<BodyFields> {
  const axis = quantized(0, side, 0.01);
  const speed = quantized(-TOP_SPEED, TOP_SPEED, 0.1);
  const isPredicted = metric === "predicted";
  const type = object(
    "body",
    {
      ...{ x: axis, y: axis },
      ...(sectors && { heading: angle(12) }),
      ...(isPredicted && { vx: speed, vy: speed }),
      ...(metric === "relative:hull" && { hull: quantized(0, MOST_HULL, 0.5) }),
    },
    {
      position: ["x", "y"],
      ...(sectors && { orientation: "heading" }),
      ...(isPredicted && { velocity: ["vx", "vy"] }),
    },
  );
  return type as unknown as ObjectType<BodyFields>;
}

export class Workload {
  readonly plan: WorkloadPlan;
  readonly world: World;
  readonly #dice: Dice;
  readonly #bodies: Entity<BodyFields>[] = [];
  readonly #stepX: Float64Array;
  readonly #stepY: Float64Array;
  /** Rounds in which each object has moved, where they have a hull. */
  readonly #worn: Uint32Array;
  /** Where the objects were at the start. */
  readonly #startX: Float64Array;
  readonly #startY: Float64Array;

  constructor(plan: WorkloadPlan) {
    const { objects, seed = plan.name } = plan;
    this.plan = plan;
    this.#dice = new Dice(seed);
    this.#stepX = new Float64Array(objects);
    this.#stepY = new Float64Array(objects);
    this.#worn = new Uint32Array(objects);
    const type = bodyType(plan);
    this.world = new World({ protocol: new Protocol({ objects: [type as unknown as ObjectType<Fields>] }) });
    for (let index = 0; index < objects; index++) {
      this.#bodies.push(this.world.spawn(type, this.#somewhere()));
      this.#turn(index);
    }
    this.#startX = Float64Array.from(this.#bodies, ({ x }) => x);
    this.#startY = Float64Array.from(this.#bodies, ({ y }) => y);
  }

  /** What views may know of, for models; views are numbered in the order of `pivots`. */
  get visibility(): Pick<ModelOptions, "visible"> {
    const { teams, side } = this.plan;
    if (teams === undefined) return {};
    const area = { min: [0, 0], max: [side, side] } as const;
    return {
      visible: {
        teams: {
          area,
          cell: VISION_CELL,
          teamOf: (view) => view % teams,
          teamOfObject: ({ id }) => slotOf(id) % teams,
          sight: () => SIGHT,
        },
      },
    };
  }

  /** Ids of the objects that the views are centred on, by view. */
  get pivots(): ObjectId[] {
    return this.#bodies.slice(0, this.plan.views).map(({ id }) => id);
  }

  viewOn(pivot: ObjectId): ViewSettings {
    const { radii, bounds, range, sectors, metric, shape, clock } = this.plan;
    const set = {
      radii,
      bounds,
      ...(range !== undefined && { range }),
      ...(sectors && { sectors: sectors.degrees, bounds: sectors.bounds }),
      ...(metric && { metric }),
      ...(shape && { shape }),
      ...(clock && { clock }),
    };
    return { sets: [{ match: "everything", ...set }], pivots: this.#pivotsOf(pivot) };
  }

  #pivotsOf(own: ObjectId): Pivot[] {
    const { pivots = 1, group, radii } = this.plan;
    if (group === undefined) return this.#nearestTo(own, pivots).map((object) => ({ object }));
    const [innermost] = radii as [number];
    const coefficients = radii.slice(1).map((radius) => radius / innermost);
    const margin = innermost - GROUP_SPREAD;
    return [{ group: this.#nearestTo(own, group), margin, coefficients, spread: GROUP_SPREAD }];
  }

  /** An object and those that were nearest to it at the start, the nearest first. */
  #nearestTo(id: ObjectId, count: number): ObjectId[] {
    if (count === 1) return [id];
    const own = this.#bodies.findIndex((body) => body.id === id);
    const far = (index: number): number =>
      (this.#startX[index]! - this.#startX[own]!) ** 2 + (this.#startY[index]! - this.#startY[own]!) ** 2;
    const near = (this.plan.side * Math.sqrt((4 * count) / this.plan.objects)) ** 2;
    const indices = this.#bodies.map((_, index) => index);
    const some = indices.filter((index) => far(index) <= near);
    const sorted = (some.length >= count ? some : indices).sort((a, b) => far(a) - far(b));
    return sorted.slice(0, count).map((index) => this.#bodies[index]!.id);
  }

  /** One step of the game, committed. */
  step(): void {
    const { moving } = this.plan;
    for (let index = 0; index < this.#bodies.length; index++) {
      if (moving < 1 && this.#dice.next() >= moving) continue;
      if (this.#dice.next() < TURN) this.#turn(index);
      this.#move(index);
    }
    if (this.plan.sectors !== undefined) this.#spinPivots();
    this.world.commit();
  }

  /** Each at a pace of its own, half of them the other way. */
  #spinPivots(): void {
    for (let index = 0; index < this.plan.views; index++) {
      const body = this.#bodies[index]!;
      const spin = SPIN * (1 - (0.3 * (index % 10)) / 10);
      body.heading = (body.heading + (index % 2 === 0 ? spin : 2 * Math.PI - spin)) % (2 * Math.PI);
    }
  }

  #move(index: number): void {
    const body = this.#bodies[index]!;
    const { x, y } = body;
    while (!this.#isInside(x + this.#stepX[index]!, y + this.#stepY[index]!)) this.#turn(index);
    body.x = x + this.#stepX[index]!;
    body.y = y + this.#stepY[index]!;
    const { metric } = this.plan;
    if (metric === "relative:hull") this.#wear(index);
    if (metric !== "predicted") return;
    body.vx = (this.#stepX[index]! * 1000) / ROUND_MS;
    body.vy = (this.#stepY[index]! * 1000) / ROUND_MS;
  }

  /** Without chance, so that everybody moves as in A. */
  #wear(index: number): void {
    const rounds = ++this.#worn[index]!;
    const span = MOST_HULL - LEAST_HULL;
    const way = (rounds * (1 + (index % 4)) + index) % (2 * span);
    this.#bodies[index]!.hull = LEAST_HULL + (way < span ? way : 2 * span - way);
  }

  #turn(index: number): void {
    const [dx, dy] = this.#inUnitDisc();
    const length = Math.sqrt(dx * dx + dy * dy);
    const speed = this.#dice.range(SLOWEST, FASTEST);
    this.#stepX[index] = (dx / length) * speed;
    this.#stepY[index] = (dy / length) * speed;
  }

  #somewhere(): { x: number; y: number } {
    const { side, crowdRadius } = this.plan;
    if (crowdRadius === undefined) return { x: this.#dice.range(0, side), y: this.#dice.range(0, side) };
    const [dx, dy] = this.#inUnitDisc();
    return { x: side / 2 + dx * crowdRadius, y: side / 2 + dy * crowdRadius };
  }

  #isInside(x: number, y: number): boolean {
    const { side, crowdRadius } = this.plan;
    if (x < 0 || x > side || y < 0 || y > side) return false;
    return crowdRadius === undefined || (x - side / 2) ** 2 + (y - side / 2) ** 2 <= crowdRadius ** 2;
  }

  /** By rejection: no sine, no cosine, so that every machine draws the same. Never the very middle. */
  #inUnitDisc(): [number, number] {
    for (;;) {
      const dx = this.#dice.range(-1, 1);
      const dy = this.#dice.range(-1, 1);
      const square = dx * dx + dy * dy;
      if (square > 1e-6 && square <= 1) return [dx, dy];
    }
  }
}
