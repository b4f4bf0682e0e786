/**
 * How faults are planted: from outside, by what an engine is told and by what is made of its answers. A saboteur stands between the room and
 * a real `Engine`, or between the engine and its world; nothing in the product knows of it.
 */

import type { ViewSettings, World } from "@nearfield/core";
import {
  type Cause,
  type ConsistencyModel,
  DecisionKind,
  type Decisions,
  Engine,
  type ModelOptions,
  type ObjectSetSettings,
  type ViewId,
  type WorldObserver,
} from "@nearfield/core/internal";
import type { ObjectId } from "@nearfield/schema";
import type { Plant } from "./audited-room.ts";

type Methods = { [Key in keyof ConsistencyModel]?: ConsistencyModel[Key] };

/** A model that does as `model` does, but for these methods. */
function instead(model: ConsistencyModel, methods: (model: ConsistencyModel) => Methods): ConsistencyModel {
  const other = methods(model);
  return new Proxy(model, {
    get(target, key) {
      const value: unknown = key in other ? other[key as keyof Methods] : Reflect.get(target, key, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });
}

/** An engine some of whose methods do something else. */
export function withMethods(methods: (engine: ConsistencyModel) => Methods): Plant {
  return (world, options) => instead(new Engine(world, options), methods);
}

/** An engine with other options. */
export function withOptions(change: (options: ModelOptions) => ModelOptions): Plant {
  return (world, options) => new Engine(world, change(options));
}

/** An engine that is told of other views than were authorised. */
export function withSettings(change: (settings: ViewSettings) => ViewSettings): Plant {
  return withMethods((engine) => ({
    addView: (settings, options) => engine.addView(change(settings), options),
    changeView: (view, settings) => engine.changeView(view, change(settings)),
  }));
}

/** The same, set by set. */
export function withSets(change: (set: ObjectSetSettings) => ObjectSetSettings): Plant {
  return withSettings((settings) => ({ ...settings, sets: settings.sets.map(change) }));
}

/** An engine that does not hear some of what its world tells. */
export function deafTo(hears: (observer: WorldObserver) => Partial<WorldObserver>): Plant {
  return (world, options) => {
    // Versions as far as they were told: an engine that reads a version of which it was not told reads past the end of its own log.
    let versions = world.version.slice();
    const note = (slot: number): void => {
      if (slot >= versions.length) {
        const larger = world.version.slice();
        larger.set(versions);
        versions = larger;
      }
      versions[slot] = world.version[slot]!;
    };
    const muffled = new Proxy(world, {
      get(target, key) {
        if (key === "version") return versions;
        if (key === "observe") {
          return (observer: WorldObserver) => {
            const all: WorldObserver = {
              spawned: (slot) => {
                note(slot);
                observer.spawned?.(slot);
              },
              destroyed: (slot) => observer.destroyed?.(slot),
              updated: (slot, writer) => {
                note(slot);
                observer.updated?.(slot, writer);
              },
              moved: (slot) => observer.moved?.(slot),
              written: (slot) => observer.written?.(slot),
              reclassified: (slot) => observer.reclassified?.(slot),
            };
            target.observe({ ...all, ...hears(all) });
          };
        }
        const value: unknown = Reflect.get(target, key, target);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    return new Engine(muffled as World, options);
  };
}

/** An engine some of whose decisions get lost on the way to the writer, and that believes them sent. */
export function dropping(isDropped: (world: World, decision: Decision, count: number) => boolean): Plant {
  return (world, options) => {
    let count = 0;
    const lists = new Map<ViewId, { round: number; list: Decisions }>();
    let round = 0;
    return instead(new Engine(world, options), (engine) => ({
      round: (now) => {
        round = now;
        engine.round(now);
      },
      decisions: (view) => {
        const known = lists.get(view);
        if (known?.round === round) return known.list;
        const list = filtered(engine.decisions(view), (decision) => !isDropped(world, decision, count++));
        lists.set(view, { round, list });
        return list;
      },
    }));
  };
}

export interface Decision {
  readonly id: ObjectId;
  readonly kind: DecisionKind;
  readonly cause: Cause;
}

export const isRemoval = ({ kind }: Decision): boolean => kind === DecisionKind.leave || kind === DecisionKind.destroy;

function filtered(decisions: Decisions, isKept: (decision: Decision) => boolean): Decisions {
  const { ids, kinds, causes, zones, urgencies, settled, count, withheld } = decisions;
  const kept: number[] = [];
  for (let i = 0; i < count; i++) {
    const decision = { id: ids[i]! as ObjectId, kind: kinds[i]! as DecisionKind, cause: causes[i]! as Cause };
    if (isKept(decision)) kept.push(i);
  }
  const pick = <T extends ArrayLike<number>>(from: T, make: (numbers: number[]) => T): T =>
    make(kept.map((i) => from[i]!));
  return {
    ...decisions,
    count: kept.length,
    withheld,
    ids: pick(ids, (numbers) => Uint32Array.from(numbers)),
    kinds: pick(kinds, (numbers) => Uint8Array.from(numbers)),
    causes: pick(causes, (numbers) => Uint8Array.from(numbers)),
    zones: pick(zones, (numbers) => Uint8Array.from(numbers)),
    urgencies: pick(urgencies, (numbers) => Float64Array.from(numbers)),
    settled: pick(settled, (numbers) => Uint8Array.from(numbers)),
  };
}

type KernelFunctions = Record<string, (...numbers: number[]) => unknown>;

/** An engine some of whose kernel's functions do something else. */
export function withKernel(change: (kernel: KernelFunctions) => KernelFunctions): Plant {
  return (world, options) => {
    const { Instance } = WebAssembly;
    WebAssembly.Instance = class {
      readonly exports: KernelFunctions;

      constructor(...args: ConstructorParameters<typeof Instance>) {
        const kernel = new Instance(...args).exports as KernelFunctions;
        this.exports = { ...kernel, ...change(kernel) };
      }
    } as unknown as typeof Instance;
    try {
      return new Engine(world, options);
    } finally {
      WebAssembly.Instance = Instance;
    }
  };
}

/** An engine that forgets some pairs of every view that changes. */
export function forgetting(isForgotten: (id: ObjectId) => boolean): Plant {
  return (world, options) => {
    const changed = new Set<ViewId>();
    return instead(new Engine(world, options), (engine) => ({
      changeView: (view, settings) => {
        changed.add(view);
        engine.changeView(view, settings);
      },
      decisions: (view) => {
        const decisions = engine.decisions(view);
        return changed.has(view) ? filtered(decisions, ({ id }) => !isForgotten(id)) : decisions;
      },
    }));
  };
}
