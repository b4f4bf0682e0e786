/**
 * Random worlds as scripts: a list of small steps, each a few integers, interpreted on one world that several models observe at once.
 * A shorter script is a simpler world, so a property-based test can shrink a failure to the steps that matter.
 */

import { angle, type ObjectId, object, Protocol, quantized, uint } from "@nearfield/schema";
import {
  type Bound,
  type Entity,
  type Metric,
  type Pivot,
  thresholds,
  type ViewSettings,
  World,
} from "../src/index.ts";
import { type ConsistencyModel, DecisionKind, type ObjectSetSettings, type ViewId } from "../src/internal/index.ts";
import { Fog } from "./fogs.ts";
import { acknowledgeTogether, type Send, withholdTogether } from "./small-world.ts";

export const Ship = object(
  "ship",
  {
    x: quantized(-100, 100, 0.1),
    y: quantized(-100, 100, 0.1),
    heading: angle(8),
    hull: uint(7),
    vx: quantized(-100, 100, 0.5),
    vy: quantized(-100, 100, 0.5),
    ax: quantized(-100, 100, 0.5),
    ay: quantized(-100, 100, 0.5),
    spin: quantized(-4, 4, 0.1),
  },
  {
    position: ["x", "y"],
    velocity: ["vx", "vy"],
    acceleration: ["ax", "ay"],
    orientation: "heading",
    turnRate: "spin",
  },
);
export const Drone = object(
  "drone",
  { x: quantized(-100, 100, 0.5), y: quantized(-100, 100, 0.5), z: quantized(-100, 100, 0.5), hull: uint(7) },
  { position: ["x", "y", "z"], write: "owner" },
);
export const Score = object("score", { points: uint(16) });
export const protocol: Protocol = new Protocol({ objects: [Ship, Drone, Score] });

export const ROUND_MS = 50;
/** Metrics for models and world: how far off places and headings are, in thresholds. */
export const THRESHOLDS: readonly Metric[] = [
  thresholds({
    ...{ name: "sent", position: 1, angle: 0.2, model: "accelerated", turning: "sent" },
    preReckoning: { restSpeed: 2 },
  }),
  thresholds({ name: "derived", position: 2, angle: 0.5, model: "history", turning: "derived" }),
];
const SESSIONS = 3;
const AXES = ["x", "y", "z"] as const;

/** One step: what to do, and four numbers to do it with. */
export type Step = readonly [kind: number, a: number, b: number, c: number, d: number];

/** Plays one round and nothing else. */
export const A_ROUND: Step = [33, 0, 0, 0, 0];

/** Most steps play one to four rounds. Some play many, so that views are silent for long enough to let ripe pairs ride along. */
function roundsOf([, a]: Step): number {
  return a % 8 === 7 ? 16 : 1 + (a % 4);
}

/** Numbers from a step, as many as it takes. */
export class Digits {
  #state: number;
  constructor(step: Step) {
    this.#state = step.reduce((hash, digit) => Math.imul(hash ^ digit, 0x01000193) >>> 0, 0x811c9dc5);
  }
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  below(n: number): number {
    return Math.floor(this.next() * n);
  }
  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]!;
  }
}

const TIMES = [0, 50, 60, 100, 150, 200, 500, 1000, Number.POSITIVE_INFINITY];
const SEQUENCES = [0, 1, 2, 3, 5, 10, Number.POSITIVE_INFINITY];
const VALUES = [0, 0.2, 0.5, 1, 3, 10, 25, Number.POSITIVE_INFINITY];

function someBounds(dice: Digits, zones: number, sectors: number): Bound[][] {
  const ladder = (rungs: readonly number[]): ((zone: number, sector: number) => number) => {
    const start = dice.below(rungs.length);
    const perZone = dice.below(3);
    const perSector = dice.below(2);
    return (zone, sector) => rungs[Math.min(rungs.length - 1, start + zone * perZone + sector * perSector)]!;
  };
  const [time, sequence, value] = [ladder(TIMES), ladder(SEQUENCES), ladder(VALUES)];
  const letsNothingWait = dice.next() < 0.15 ? 1 : 0;
  return Array.from({ length: zones }, (_, z) =>
    Array.from({ length: sectors }, (_, s) =>
      z < letsNothingWait ? { sequence: 1 } : { time: time(z, s), sequence: sequence(z, s), value: value(z, s) },
    ),
  );
}

function someSet(
  dice: Digits,
  match: ObjectSetSettings["match"],
  pivotCount: number,
  rangedOnly: boolean,
  moreMetrics: readonly string[],
): ObjectSetSettings {
  const radii = [4, 10, 25, 60].slice(0, dice.below(4)).map((radius) => radius * (0.5 + dice.next()));
  radii.sort((a, b) => a - b);
  const sectors = dice.next() < 0.4 ? [60, 140].slice(0, 1 + dice.below(2)) : [];
  return {
    match,
    radii,
    sectors,
    bounds: someBounds(dice, radii.length + 1, sectors.length + 1),
    shape: dice.pick(["round", "square"]),
    clock: dice.pick(["refresh", "firstMiss"]),
    strict: dice.next() < 0.3,
    own: dice.pick(["changes", "changes", "bounds"]),
    metric: dice.pick([
      "displacement",
      "displacement",
      "path",
      "relative:hull",
      "predicted",
      "predicted",
      "predicted:hold",
      "predicted:fading",
      "predicted:quadratic",
      "predicted:accelerated",
      "predicted:historyLine",
      "predicted:historyCurve",
      "predicted:history",
      ...moreMetrics,
    ]),
    ...(rangedOnly || dice.next() < 0.3 ? { range: 8 + dice.below(40) } : {}),
    ...(pivotCount > 1 && dice.next() < 0.3 ? { pivots: [dice.below(pivotCount)] } : {}),
  };
}

/** How an object moves by itself; one that fidgets makes an update of each axis. */
interface Course {
  readonly velocity: readonly number[];
  readonly fidgets: boolean;
}

interface ScriptedView {
  readonly id: ViewId;
  readonly assumesDelivery: boolean;
  budgeted: boolean;
  /** Share of its decisions that is withheld. */
  withheld: number;
  paused: boolean;
  /** Share of the rounds that it sits out. */
  out: number;
  pivots: readonly Pivot[];
}

/** Interprets a script on one world; `models` all see the same. */
export class ScriptedWorld {
  readonly world: World = new World({ protocol });
  readonly models: readonly ConsistencyModel[];
  readonly views: ScriptedView[] = [];
  round = 0;
  /** Whether anything was ever withheld, loosened or paused, or a view sat out: what may make a shortfall. */
  wasShort = false;
  readonly #courses = new Map<ObjectId, Course>();
  readonly #inFlight: Send[] = [];
  readonly #moreMetrics: readonly string[];
  readonly #fog: Fog;

  /**
   * @param moreMetrics that the models were given besides those in the box.
   * @param fog that the models were given.
   */
  constructor(
    build: (world: World) => readonly ConsistencyModel[],
    moreMetrics: readonly Metric[] = [],
    fog: Fog = new Fog("clear", 1, 1),
  ) {
    this.#fog = fog;
    this.#moreMetrics = moreMetrics.map(({ name }) => name);
    this.world.predicate("weak", (entity) => (entity as Entity & { hull?: number }).hull! < 40);
    this.models = build(this.world);
  }

  /**
   * @param afterRound is called when the models have decided, before anything is withheld.
   * @param later is called when what is withheld is known, and when the next round begins, after whatever was done in between.
   */
  play(step: Step, afterRound: () => void, later?: (moment: "withheld" | "over") => void): void {
    const dice = new Digits(step);
    const kinds: readonly (() => void)[] = [
      () => this.#spawn(dice),
      () => this.#spawn(dice),
      () => this.#write(dice, 0),
      () => this.#write(dice, 0),
      () => this.#write(dice, 1 + dice.below(SESSIONS)),
      () => this.#steer(dice),
      () => this.#steer(dice),
      () => this.#teleport(dice),
      () => this.#destroy(dice),
      () => this.#classify(dice),
      () => this.#addView(dice),
      () => this.#changeView(dice),
      () => this.#movePivots(dice),
      () => this.#pauseOrResume(dice),
      () => this.#removeView(dice),
      () => this.#demand(dice),
      () => this.#correct(dice),
      () => this.#loosen(dice),
      () => this.#stint(dice),
      () => this.#takeTurns(dice),
    ];
    const kind = step[0] % 34;
    if (kind < kinds.length) kinds[kind]!();
    else for (let i = roundsOf(step); i > 0; i--) this.#round(dice, afterRound, later);
  }

  #round(dice: Digits, afterRound: () => void, later?: (moment: "withheld" | "over") => void): void {
    later?.("over");
    const arrived: Send[] = [];
    for (const send of this.#inFlight.splice(0)) {
      const { view, id, round } = send;
      const fate = dice.next();
      if (fate < 0.25) this.#inFlight.push(send);
      else if (!this.views.some((known) => known.id === view)) continue;
      else if (fate < 0.5) for (const model of this.models) model.lose(view, id, round);
      else if (fate < 0.6) for (const model of this.models) model.acknowledge(view, id, round);
      else arrived.push(send);
    }
    for (const model of this.models) acknowledgeTogether(model, arrived);
    for (const [id, course] of this.#courses) this.#move(id, course);
    const views = this.views.map(({ id }) => id);
    this.#fog.stir(dice, this.world, views, this.models);
    this.world.commit(0);
    for (const { id, out } of this.views) {
      if (out > 0 && dice.next() < out) for (const model of this.models) model.sitOut(id);
    }
    this.round++;
    for (const model of this.models) model.round(this.round);
    afterRound();
    for (const { id: view, withheld } of this.views) {
      const { ids, count } = this.models[0]!.decisions(view);
      const held = new Set<ObjectId>();
      for (let i = 0; i < count; i++) {
        const id = ids[i]! as ObjectId;
        if (dice.next() < withheld) held.add(id);
        else this.#inFlight.push({ view, id, round: this.round });
      }
      for (const model of this.models) withholdTogether(model, view, held, this.round);
      const counts = new Set(this.models.map((model) => model.decisions(view).withheld));
      if (counts.size > 1) throw new Error(`round ${this.round}, view ${view}: withheld ${[...counts].join(" and ")}`);
    }
    later?.("withheld");
  }

  #move(id: ObjectId, { velocity, fidgets }: Course): void {
    const entity = this.world.get(id) as Record<string, number> | undefined;
    if (entity === undefined) {
      this.#courses.delete(id);
      return;
    }
    for (const [i, axis] of AXES.entries()) {
      if (!(axis in entity)) continue;
      entity[axis] = clamp(entity[axis]! + velocity[i]!);
      if (fidgets) this.world.commit(0);
    }
  }

  #spawn(dice: Digits): void {
    if (this.world.count >= 14) return;
    const place = { x: dice.next() * 80 - 40, y: dice.next() * 80 - 40, hull: dice.below(100) };
    const owner = dice.next() < 0.3 ? 1 + dice.below(SESSIONS) : 0;
    const tags = dice.next() < 0.3 ? ["vip"] : [];
    const kind = dice.below(6);
    if (kind === 0) this.world.spawn(Score, { points: dice.below(10) }, { owner, tags });
    else if (kind < 3) this.world.spawn(Drone, { ...place, z: dice.next() * 20 - 10 }, { owner, tags });
    else this.world.spawn(Ship, { ...place, heading: dice.next() * 6 }, { owner, tags });
  }

  #write(dice: Digits, writer: number): void {
    const entity = this.#any(dice) as Record<string, number> | undefined;
    if (entity === undefined) return;
    if ("points" in entity) entity["points"] = dice.below(10);
    else if (dice.next() < 0.4) entity["hull"] = dice.below(100);
    else {
      entity["x"] = clamp(entity["x"]! + dice.next() * 4 - 2);
      if ("heading" in entity && dice.next() < 0.5) entity["heading"] = dice.next() * 6;
      if ("spin" in entity && dice.next() < 0.3) entity["spin"] = dice.pick([0, 0, 0.5, -3]);
    }
    this.world.commit(writer);
  }

  #steer(dice: Digits): void {
    const entity = this.#any(dice);
    if (entity === undefined) return;
    const speed = dice.pick([0, 0.02, 0.2, 1, 3]);
    const velocity = [0, 0, 0].map(() => (dice.next() * 2 - 1) * speed);
    this.#courses.set(entity.id, { velocity, fidgets: dice.next() < 0.3 });
    if (!("vx" in entity) || dice.next() < 0.2) return;
    const off = dice.pick([0, 0, 0.5, 5]);
    const moving = entity as Entity & { vx: number; vy: number };
    moving.vx = clamp((velocity[0]! * 1000) / ROUND_MS + off);
    moving.vy = clamp((velocity[1]! * 1000) / ROUND_MS);
    if (dice.next() < 0.5) Object.assign(moving, { ax: dice.pick([0, 1, -5, 40]), ay: dice.pick([0, 0, 2, -20]) });
  }

  #teleport(dice: Digits): void {
    const entity = this.#any(dice) as Record<string, number> | undefined;
    if (entity === undefined || !("x" in entity)) return;
    entity["x"] = dice.next() * 180 - 90;
    entity["y"] = dice.next() * 180 - 90;
  }

  #destroy(dice: Digits): void {
    const entity = this.#any(dice);
    if (entity !== undefined) this.world.destroy(entity);
  }

  #classify(dice: Digits): void {
    const entity = this.#any(dice);
    if (entity === undefined) return;
    const kind = dice.below(3);
    if (kind === 0) this.world.tag(entity, "vip");
    else if (kind === 1) this.world.untag(entity, "vip");
    else this.world.setOwner(entity, dice.below(SESSIONS + 1));
  }

  #addView(dice: Digits): void {
    if (this.views.length >= 5) return;
    const assumeDelivered = dice.next() < 0.2;
    const budgeted = !assumeDelivered && dice.next() < 0.5;
    const options = { session: dice.below(SESSIONS + 1), assumeDelivered, budgeted };
    const settings = this.#someView(dice);
    const [id] = this.models.map((model) => model.addView(settings, options));
    const { pivots } = settings;
    this.views.push({
      id: id!,
      assumesDelivery: assumeDelivered,
      budgeted,
      withheld: 0,
      paused: false,
      out: 0,
      pivots,
    });
  }

  #loosen(dice: Digits): void {
    const view = this.#anyView(dice);
    if (view === undefined) return;
    const outer = dice.pick([1, 1.5, 2, 8]);
    const inner = outer === 1 ? 1 : dice.pick([1, 1, 1.25]);
    this.wasShort ||= outer > 1;
    for (const model of this.models) model.loosen(view.id, outer, inner);
  }

  /** Gives a view a budget or takes it, and withholds some of what is decided for it, from now on. */
  #stint(dice: Digits): void {
    const view = this.#anyView(dice);
    if (view === undefined || view.assumesDelivery) return;
    view.budgeted = dice.next() < 0.8;
    const spare = dice.pick([0, 2, 10, 1000]);
    for (const model of this.models) {
      model.setBudgeted(view.id, view.budgeted);
      model.setSpare(view.id, spare);
    }
    view.withheld = view.budgeted ? dice.pick([0, 0, 0.02, 0.3, 0.7]) : 0;
    this.wasShort ||= view.withheld > 0;
  }

  /** A view sits out some of the rounds from now on, or none. */
  #takeTurns(dice: Digits): void {
    const view = this.#anyView(dice);
    if (view === undefined) return;
    view.out = dice.pick([0, 0.3, 0.7, 0.9, 1]);
    this.wasShort ||= view.out > 0;
  }

  #changeView(dice: Digits): void {
    const view = this.#anyView(dice);
    if (view === undefined) return;
    const proposed = this.#someView(dice);
    const settings = dice.next() < 0.5 ? proposed : { ...proposed, pivots: zoomed(view.pivots, dice) };
    view.pivots = settings.pivots;
    for (const model of this.models) model.changeView(view.id, settings);
  }

  #movePivots(dice: Digits): void {
    const view = this.#anyView(dice);
    if (view === undefined) return;
    const pivots = dice.next() < 0.7 ? this.#somePivots(dice) : zoomed(view.pivots, dice);
    view.pivots = pivots;
    for (const model of this.models) model.setPivots(view.id, pivots);
  }

  #pauseOrResume(dice: Digits): void {
    const view = this.#anyView(dice);
    if (view === undefined) return;
    view.paused = !view.paused;
    this.wasShort = true;
    for (const model of this.models) {
      if (view.paused) model.pause(view.id);
      else model.resume(view.id);
    }
  }

  #removeView(dice: Digits): void {
    const view = this.#anyView(dice);
    if (view === undefined || dice.next() < 0.5) return;
    this.views.splice(this.views.indexOf(view), 1);
    this.#inFlight.splice(0, Number.POSITIVE_INFINITY, ...this.#inFlight.filter((send) => send.view !== view.id));
    for (const model of this.models) model.removeView(view.id);
  }

  #demand(dice: Digits): void {
    const view = this.#anyView(dice);
    const entity = this.#any(dice);
    if (view === undefined || entity === undefined) return;
    for (const model of this.models) model.demand(view.id, entity.id);
  }

  #correct(dice: Digits): void {
    const entity = this.#any(dice);
    if (entity !== undefined) this.world.correct(entity, 1);
  }

  #someView(dice: Digits): ViewSettings {
    const pivots = this.#somePivots(dice);
    const rangedOnly = dice.next() < 0.4;
    const matches: ObjectSetSettings["match"][] = [
      ...(dice.next() < 0.4 ? [{ tag: "vip" }] : []),
      ...(dice.next() < 0.4 ? [{ predicate: "weak" }] : []),
      ...(dice.next() < 0.4 ? [{ type: "ship" }] : []),
      "everything",
    ];
    return { pivots, sets: matches.map((match) => someSet(dice, match, pivots.length, rangedOnly, this.#moreMetrics)) };
  }

  #somePivots(dice: Digits): Pivot[] {
    return Array.from({ length: dice.pick([0, 1, 1, 1, 2, 3]) }, (): Pivot => {
      const scale = dice.pick([1, 1, 0.5, 2]);
      const kind = dice.below(5);
      const some = this.#any(dice);
      if (kind === 4) return someCamera(dice, scale);
      if (kind === 0 || some === undefined) {
        const point = [dice.next() * 80 - 40, dice.next() * 80 - 40, ...(dice.next() < 0.3 ? [dice.next() * 10] : [])];
        return { point, scale, ...(dice.next() < 0.5 ? { orientation: [dice.next() - 0.5, dice.next() - 0.5] } : {}) };
      }
      if (kind === 1) {
        const group = Array.from({ length: 1 + dice.below(4) }, () => this.#any(dice)!.id);
        const spread = dice.next() < 0.4 ? { spread: dice.pick([0, 3, 12]) } : {};
        return { group, margin: dice.below(5), coefficients: [1.5, 3, 5].slice(0, dice.below(4)), scale, ...spread };
      }
      return { object: some.id, scale };
    });
  }

  #any(dice: Digits): Entity | undefined {
    const { store } = this.world;
    const live: number[] = [];
    for (let slot = 0; slot < store.slotHigh; slot++) if (store.isLive(slot)) live.push(slot);
    return live.length === 0 ? undefined : store.entityAt(dice.pick(live));
  }

  #anyView(dice: Digits): ScriptedView | undefined {
    return this.views.length === 0 ? undefined : dice.pick(this.views);
  }
}

function someCamera(dice: Digits, scale: number): Pivot {
  return {
    camera: [dice.next() * 60 - 30, dice.next() * 60 - 30],
    size: [dice.pick([4, 12, 30]), dice.pick([4, 9, 40])],
    ...(dice.next() < 0.6 && { rotation: dice.pick([Math.PI / 2, 0.5, -2, dice.next() * 7]) }),
    coefficients: [1.5, 3, 5].slice(0, dice.below(4)),
    scale,
  };
}

/** The same pivots, whether or not what they are centred on still lives. */
function zoomed(pivots: readonly Pivot[], dice: Digits): Pivot[] {
  return pivots.map((pivot) => ({ ...pivot, scale: dice.pick([pivot.scale ?? 1, 0.5, 2]) }));
}

/** What a model decided for a view, as text in a fixed order. */
export function decided(model: ConsistencyModel, view: ViewId): string[] {
  const { count, ids, kinds, causes, zones, urgencies, waits, settled } = model.decisions(view);
  const names = Object.keys(DecisionKind);
  return Array.from({ length: count }, (_, i) => {
    const what = `${names[kinds[i]!]} ${ids[i]} cause ${causes[i]} zone ${zones[i]}`;
    return `${what} urgency ${urgencies[i]} waited ${waits[i]}${settled[i] === 1 ? " settled" : ""}`;
  }).sort();
}

function clamp(position: number): number {
  return Math.max(-100, Math.min(100, position));
}
