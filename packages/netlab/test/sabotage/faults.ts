/** The planted faults: what is wrong, how it is planted, and as what the auditor must find it. */

import type { Bound, Pivot } from "@nearfield/core";
import { Cause, DecisionKind, type FaultKind, type ObjectSetSettings } from "@nearfield/core/internal";
import { slotOf } from "@nearfield/schema";
import { type Plant, type RoomPlan, Score } from "./audited-room.ts";
import {
  deafTo,
  dropping,
  forgetting,
  isRemoval,
  withKernel,
  withMethods,
  withOptions,
  withSets,
  withSettings,
} from "./saboteur.ts";

export interface PlantedFault {
  readonly name: string;
  readonly plant: Plant;
  /** One of these kinds must be among what is found. */
  readonly kinds: readonly FaultKind[];
  readonly plan?: Omit<RoomPlan, "plant">;
}

/** Some objects, or pairs; the same ones always. */
const isUnlucky = (number: number): boolean => number % 3 === 1;

const changeBounds = (set: ObjectSetSettings, change: (bound: Bound) => Bound): ObjectSetSettings => ({
  ...set,
  bounds: set.bounds.map((bound) => (Array.isArray(bound) ? bound.map(change) : change(bound as Bound))) as Bound[],
});
const scaled = (bound: Bound, factor: number): Bound => ({
  ...(bound.time !== undefined && { time: bound.time * factor }),
  ...(bound.sequence !== undefined && { sequence: bound.sequence }),
  ...(bound.value !== undefined && { value: bound.value * factor }),
});

/** What the engine does not hear of its world. */
const unheard: readonly PlantedFault[] = [
  {
    name: "a move is not told",
    plant: deafTo((observer) => ({ moved: (slot) => isUnlucky(slot) || observer.moved?.(slot) })),
    kinds: ["late", "missing", "lingering"],
  },
  {
    name: "an update is not told: a version is not noted",
    plant: deafTo((observer) => ({ updated: (slot, writer) => isUnlucky(slot) || observer.updated?.(slot, writer) })),
    kinds: ["late"],
  },
  {
    name: "a spawn is not told",
    // Nor is what happens to the object, until the engine was told of a later slot: before, it has no memory for this one.
    plant: deafTo((observer) => {
      let highest = -1;
      return {
        spawned: (slot) => {
          if (isUnlucky(slot)) return;
          highest = Math.max(highest, slot);
          observer.spawned?.(slot);
        },
        updated: (slot, writer) => slot > highest || observer.updated?.(slot, writer),
        moved: (slot) => slot > highest || observer.moved?.(slot),
        reclassified: (slot) => slot > highest || observer.reclassified?.(slot),
      };
    }),
    kinds: ["missing"],
  },
  {
    name: "another set is not told: tags, owner or predicates changed",
    plant: deafTo(() => ({ reclassified: () => {} })),
    kinds: ["late", "lingering", "missing"],
  },
];

/** What the engine is told of views. */
const misled: readonly PlantedFault[] = [
  {
    name: "wrong zone: radii are too short",
    plant: withSets((set) =>
      set.radii === undefined ? set : { ...set, radii: set.radii.map((radius) => radius / 2) },
    ),
    kinds: ["late"],
  },
  {
    name: "wrong bound: a fifth too loose",
    plant: withSets((set) => changeBounds(set, (bound) => scaled(bound, 1.2))),
    kinds: ["late"],
  },
  { name: "wrong clock", plant: withSets((set) => ({ ...set, clock: "firstMiss" })), kinds: ["late"] },
  {
    name: "wrong sector: too narrow",
    plant: withSets((set) =>
      set.sectors === undefined ? set : { ...set, sectors: set.sectors.map((degrees) => degrees / 3) },
    ),
    kinds: ["late"],
  },
  {
    name: "wrong shape: round where it is square",
    plant: withSets((set) => ({ ...set, shape: "round" })),
    kinds: ["late"],
  },
  { name: "strict is not obeyed", plant: withSets((set) => ({ ...set, strict: false })), kinds: ["late"] },
  {
    name: "wrong set: the first ones are passed over",
    plant: withSettings((settings) => ({ ...settings, sets: settings.sets.slice(-1) })),
    kinds: ["late", "missing"],
  },
  {
    name: "range is not obeyed: too long",
    plant: withSets((set) => (set.range === undefined ? set : { ...set, range: set.range * 1.5 })),
    kinds: ["leaked", "lingering"],
  },
  {
    name: "range is not obeyed: too short",
    plant: withSets((set) => (set.range === undefined ? set : { ...set, range: set.range * 0.7 })),
    kinds: ["missing"],
  },
  {
    name: "a value is not judged",
    plant: withSets((set) => changeBounds(set, ({ value: _, ...bound }) => bound)),
    kinds: ["late"],
  },
  {
    name: "time is not judged",
    plant: withSets((set) => changeBounds(set, ({ time: _, ...bound }) => bound)),
    kinds: ["late"],
  },
  {
    name: "the wrong model is predicted by",
    plant: withSets((set) => (set.metric === "predicted" ? { ...set, metric: "predicted:hold" } : set)),
    kinds: ["late"],
  },
  {
    name: "a path is judged as the crow flies",
    plant: withSets((set) => (set.metric === "path" ? { ...set, metric: "displacement" } : set)),
    kinds: ["late"],
  },
  {
    name: "pivots do not move",
    plant: withMethods(() => ({ setPivots: () => {} })),
    kinds: ["late", "missing", "lingering"],
  },
  {
    name: "a view change is not obeyed",
    plant: withMethods((engine) => ({ changeView: (view, settings) => engine.setPivots(view, settings.pivots) })),
    kinds: ["late", "missing", "lingering", "leaked"],
  },
  {
    name: "a group's pivot does not move",
    plant: still((pivot) => "group" in pivot),
    kinds: ["late", "missing", "lingering"],
  },
  {
    name: "pivots are placed before the step",
    plant: placedBefore(),
    kinds: ["late", "missing", "lingering", "leaked"],
  },
  { name: "zoom is not obeyed", plant: withSettingsAndPivots((pivot) => ({ ...pivot, scale: 1 })), kinds: ["late"] },
  {
    name: "the owner is not known",
    plant: withMethods((engine) => ({
      addView: (settings, options) => engine.addView(settings, { ...options, session: 0 }),
    })),
    kinds: ["late"],
  },
  {
    name: "visible is not obeyed",
    plant: withOptions(({ visible: _, ...options }) => options),
    kinds: ["leaked", "lingering"],
    plan: { hides: true },
  },
  {
    name: "visible is asked once",
    plant: withOptions((options) => {
      const known = new Map<string, boolean>();
      return {
        ...options,
        visible: (view, entity) => {
          const key = `${view} ${entity.id}`;
          const { visible } = options;
          if (typeof visible !== "function") throw new Error("these rooms have a function");
          if (!known.has(key)) known.set(key, visible(view, entity));
          return known.get(key)!;
        },
      };
    }),
    kinds: ["lingering", "missing"],
    plan: { hides: true },
  },
  {
    name: "a metric stands still",
    plant: withSets((set) => (set.metric === "relative:hull" ? { ...set, metric: "displacement" } : set)),
    kinds: ["late"],
  },
];

/** What becomes of the engine's decisions. */
const undone: readonly PlantedFault[] = [
  {
    name: "a view sits out rounds unasked",
    plant: withMethods((engine) => ({
      round: (round) => {
        if (round > 20) engine.sitOut(0);
        engine.round(round);
      },
    })),
    kinds: ["late", "missing"],
  },
  {
    name: "views are not served after they sat out",
    plant: dropping((_, { kind }, count) => kind === DecisionKind.update && count % 5 === 0),
    kinds: ["late"],
    plan: { strained: true },
  },
  {
    name: "a due pair is dropped, and booked as sent",
    plant: dropping((_, { kind }, count) => kind === DecisionKind.update && count % 9 === 0),
    kinds: ["late"],
  },
  {
    name: "a ripe pair is dropped, and booked as sent",
    plant: dropping((_, { cause }) => cause === Cause.ripe),
    kinds: ["late"],
    plan: { calm: true },
  },
  {
    name: "a creation is dropped",
    plant: dropping((_, { kind }, count) => kind === DecisionKind.create && count % 9 === 0),
    kinds: ["missing"],
  },
  { name: "leaving is not told", plant: dropping((_, { kind }) => kind === DecisionKind.leave), kinds: ["lingering"] },
  {
    name: "destruction is not told",
    plant: dropping((_, { kind }) => kind === DecisionKind.destroy),
    kinds: ["lingering"],
  },
  {
    name: "what has no place is not sent",
    plant: dropping(
      (world, decision) =>
        !isRemoval(decision) &&
        world.get(decision.id)?.type.name === Score.name &&
        decision.kind === DecisionKind.update,
    ),
    kinds: ["late"],
  },
  {
    name: "the owner's object is not sent when it changes",
    plant: dropping((world, decision) => decision.cause === Cause.change && world.isSpatial(slotOf(decision.id))),
    kinds: ["late"],
  },
];

/** What the engine is told of the fate of its sends, and of want. */
const unhealed: readonly PlantedFault[] = [
  {
    name: "a loss is not told",
    plant: withMethods(() => ({ lose: () => {} })),
    kinds: ["late", "missing", "lingering"],
    plan: { lossy: true },
  },
  {
    name: "a loss is taken for an arrival",
    plant: withMethods((engine) => ({ lose: (view, id, round) => engine.acknowledge(view, id, round) })),
    kinds: ["late", "missing", "lingering"],
    plan: { lossy: true },
  },
  {
    name: "what was withheld is booked as sent",
    plant: withMethods(() => ({ withholdAll: () => {} })),
    kinds: ["late", "missing", "uncounted"],
    plan: { budget: 1200 },
  },
  {
    name: "shortfalls are not counted",
    plant: (world, options) => {
      const model = withMethods(() => ({}))(world, options);
      // The account is told of some shortfalls, and asks the model for those that the model keeps itself.
      model.account.short = () => {};
      model.account.isShort = () => false;
      return model;
    },
    kinds: ["uncounted"],
    plan: { budget: 1200 },
  },
  {
    name: "bounds are loosened in secret",
    plant: withMethods((engine) => ({
      addView: (settings, options) => {
        const view = engine.addView(settings, options);
        engine.loosen(view, 3, 2);
        return view;
      },
    })),
    kinds: ["late"],
  },
  {
    name: "a pause has no end",
    plant: withMethods(() => ({ resume: () => {} })),
    kinds: ["late", "missing", "lingering"],
    plan: { restless: true },
  },
];

/** What the engine's own parts leave undone. */
const broken: readonly PlantedFault[] = [
  {
    name: "crossing of borders is off",
    plant: withKernel(() => ({ crossSome: () => {} })),
    kinds: ["missing", "late"],
  },
  { name: "a wake-up gets lost", plant: withKernel(() => ({ wake: () => {} })), kinds: ["late"] },
  {
    name: "a plan is stale: what was planned with too small a cap stands",
    plant: withKernel(() => ({ planWatchers: () => {} })),
    // An object may also leave a range unnoticed.
    kinds: ["late", "lingering"],
  },
  {
    name: "pivots that lie on objects are not carried along",
    plant: withKernel(() => ({ follow: () => {} })),
    kinds: ["missing", "late", "lingering"],
  },
  {
    name: "pairs are forgotten when their view changes",
    plant: forgetting((id) => isUnlucky(id)),
    kinds: ["missing", "late"],
  },
];

export const PLANTED: readonly PlantedFault[] = [...unheard, ...misled, ...undone, ...unhealed, ...broken];

/** Pivots of that kind stay where they are first asked for. */
function still(isStill: (pivot: Pivot) => boolean): Plant {
  return (world, options) => {
    const here = (pivot: Pivot): Pivot => (isStill(pivot) ? { point: [500, 500] } : pivot);
    return withSettingsAndPivots(here)(world, options);
  };
}

function withSettingsAndPivots(change: (pivot: Pivot) => Pivot): Plant {
  return withMethods((engine) => ({
    addView: (settings, options) => engine.addView({ ...settings, pivots: settings.pivots.map(change) }, options),
    changeView: (view, settings) => engine.changeView(view, { ...settings, pivots: settings.pivots.map(change) }),
    setPivots: (view, pivots) => engine.setPivots(view, pivots.map(change)),
  }));
}

/** Where objects were at the end of the round before, instead of where they are. */
function placedBefore(): Plant {
  return (world, options) => {
    const wanted = new Map<number, readonly Pivot[]>();
    const places = new Map<number, readonly [number, number]>();
    const before = (pivot: Pivot): Pivot => {
      const place = "object" in pivot ? places.get(pivot.object) : undefined;
      return place === undefined ? pivot : { point: place, orientation: [1, 0], scale: pivot.scale ?? 1 };
    };
    return withMethods((engine) => ({
      addView: (settings, viewOptions) => {
        const view = engine.addView(settings, viewOptions);
        wanted.set(view, settings.pivots);
        return view;
      },
      changeView: (view, settings) => {
        wanted.set(view, settings.pivots);
        engine.changeView(view, settings);
      },
      setPivots: (view, pivots) => {
        wanted.set(view, pivots);
        engine.setPivots(view, pivots);
      },
      removeView: (view) => {
        wanted.delete(view);
        engine.removeView(view);
      },
      round: (round) => {
        for (const [view, pivots] of wanted) engine.setPivots(view, pivots.map(before));
        engine.round(round);
        for (let slot = 0; slot < world.store.slotHigh; slot++) {
          if (world.store.isLive(slot)) places.set(world.store.idAt(slot), [world.x[slot]!, world.y[slot]!]);
        }
      },
    }))(world, options);
  };
}
