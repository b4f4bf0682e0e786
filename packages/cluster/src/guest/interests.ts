/**
 * What this server's players see of other servers' slices (V §3.4.1: object subscription). A pivot is stated once, with a lead: while it stays within
 * half the lead of where it was stated, nobody is told anything. The owner of a slice sends what lies within range + lead of the stated
 * place. So a copy is here before a view reaches it, also if both move towards each other for the time that the bus takes.
 *
 * Servers whose slices no view reaches are told nothing, and learn nothing of these players.
 */

import type { Pivot, ViewSettings, World } from "@nearfield/core";
import { type ObjectId, slotOf } from "@nearfield/schema";
import { ClusterError } from "../errors.ts";
import { distanceToBox, type SliceMap } from "../slices/slice-map.ts";
import type { Area, Interest, Reach } from "./messages.ts";

/** Objects leave a replica only beyond this many times its range (model: existence). */
export const LEAVES_AT = 1.1;

/** A former owner of a slice is told what is wanted for this many rounds: two ways over the bus, and its own round. */
const ROUNDS_OF_OLD_MAP = 8;
/** A statement is said again after so many rounds: the bus may lose a message, and a server from which nothing comes has nothing to show that it missed one. */
const ROUNDS_TO_SAY_AGAIN = 40;

interface Stated {
  readonly settings: ViewSettings;
  readonly areas: readonly PlacedReach[];
}

interface Told {
  /** Tells two statements apart. */
  readonly text: string;
  readonly round: number;
}

interface PlacedReach {
  readonly place: readonly [number, number, number];
  readonly reaches: readonly Reach[];
  /** The farthest that any set reaches here. */
  readonly farthest: number;
}

export class Interests {
  readonly #world: World;
  readonly #lead: number;
  readonly #eventReach: number;
  /** The map in force, and before it those that were shortly ago. */
  #maps: { readonly map: SliceMap; untilRound: number }[] = [];
  readonly #stated = new Map<number, Stated>();
  /** What each server was told last. */
  readonly #told = new Map<number, Told>();

  /** @param eventReach the farthest event of which this server's players must hear, world units. */
  constructor(world: World, lead: number, eventReach: number) {
    this.#world = world;
    this.#lead = lead;
    this.#eventReach = eventReach;
  }

  /** Takes over where the players look now. Returns whether anything is stated anew. Throws `ClusterError("no-range")`. */
  look(views: Iterable<readonly [number, ViewSettings]>): boolean {
    let isNews = false;
    const here = new Set<number>();
    for (const [player, settings] of views) {
      here.add(player);
      const places = settings.pivots.map((pivot) => placeOf(this.#world, pivot));
      const before = this.#stated.get(player);
      if (before !== undefined && before.settings.sets === settings.sets && this.#isNear(before, places)) continue;
      isNews = true;
      this.#stated.set(player, { settings, areas: areasOf(settings, places) });
    }
    for (const player of this.#stated.keys()) {
      if (here.has(player)) continue;
      this.#stated.delete(player);
      isNews = true;
    }
    return isNews;
  }

  /** What the owners of slices are to be told now, by server: what has changed, and what was said long ago. */
  *changes(map: SliceMap, server: number, round: number): Iterable<readonly [number, Interest]> {
    const byOwner = this.#byOwner(map, server, round);
    for (const owner of new Set([...byOwner.keys(), ...this.#told.keys()])) {
      const interest = packed(byOwner.get(owner) ?? []);
      const told = this.#told.get(owner);
      const isNew = told?.text !== JSON.stringify(interest);
      if (!isNew && round < told.round + ROUNDS_TO_SAY_AGAIN) continue;
      yield [owner, this.#tell(owner, interest, round)];
      // That nothing is wanted any more is said twice.
      if (!isNew && interest.areas.length === 0) this.#told.delete(owner);
    }
  }

  /** What a server was told, to be said again. What others are to be told is left to `changes`. */
  again(map: SliceMap, server: number, owner: number, round: number): Interest {
    const interest = packed(this.#byOwner(map, server, round).get(owner) ?? []);
    return { ...this.#tell(owner, interest, round), isAfresh: true };
  }

  #tell(owner: number, interest: Interest, round: number): Interest {
    this.#told.set(owner, { text: JSON.stringify(interest), round });
    return interest;
  }

  /** Where this server's players look, by the owner of a slice that they reach. */
  #byOwner(map: SliceMap, server: number, round: number): Map<number, PlacedReach[]> {
    const maps = this.#mapsOf(map, round);
    const byOwner = new Map<number, PlacedReach[]>();
    for (const { areas } of this.#stated.values()) {
      for (const area of areas) {
        for (const owner of new Set(maps.flatMap((one) => [...this.#ownersIn(one, area)]))) {
          if (owner === server) continue;
          const list = byOwner.get(owner) ?? [];
          list.push(area);
          byOwner.set(owner, list);
        }
      }
    }
    return byOwner;
  }

  /** A server is gone. */
  forget(owner: number): void {
    this.#told.delete(owner);
  }

  /**
   * The map, and those that were in force a moment ago: a former owner of a slice may not know yet that it has another one. It is told what is wanted until it has handed
   * everything over, so that nothing leaves in between.
   */
  #mapsOf(map: SliceMap, round: number): SliceMap[] {
    if (this.#maps.at(-1)?.map !== map) this.#maps.push({ map, untilRound: Number.POSITIVE_INFINITY });
    for (const [i, known] of this.#maps.entries())
      if (i < this.#maps.length - 1) known.untilRound = Math.min(known.untilRound, round + ROUNDS_OF_OLD_MAP);
    this.#maps = this.#maps.filter(({ untilRound }) => round < untilRound);
    return this.#maps.map((known) => known.map);
  }

  #ownersIn(map: SliceMap, { place, farthest }: PlacedReach): Set<number> {
    const owners = new Set<number>();
    const most = Math.max(LEAVES_AT * farthest, this.#eventReach) + this.#lead;
    for (const { box, owner } of map.slices) {
      if (distanceToBox(box, place) <= most) owners.add(owner);
    }
    return owners;
  }

  #isNear({ areas }: Stated, places: readonly (readonly number[] | undefined)[]): boolean {
    const placed = places.filter((place) => place !== undefined);
    if (placed.length !== areas.length) return false;
    return placed.every((place, i) => distance(areas[i]!.place, place) <= this.#lead / 2);
  }
}

/** Whether an area reaches a place; `slack` is added to every range. Undefined where the object's set does not count here. */
export function reachOf(reaches: readonly Reach[], matches: (match: Reach["match"]) => boolean): number {
  return reaches.find(({ match }) => matches(match))?.range ?? -1;
}

function areasOf({ sets, pivots }: ViewSettings, places: readonly (readonly number[] | undefined)[]): PlacedReach[] {
  return places.flatMap((place, index) => {
    if (place === undefined) return [];
    const widening = wideningOf(pivots[index]!);
    const reaches = sets.map(({ match, range, shape, pivots: counting }): Reach => {
      if (range === undefined || !Number.isFinite(range)) {
        const text = `the view's set ${JSON.stringify(match)} has no range; in a cluster every set has one, since no server knows the whole world`;
        throw new ClusterError("no-range", text);
      }
      if (counting !== undefined && !counting.includes(index)) return { match, range: -1 };
      // A square of this half-width lies in a circle that reaches to its corners.
      return { match, range: range * widening * (shape === "square" ? Math.sqrt(3) : 1) };
    });
    const farthest = Math.max(...reaches.map(({ range }) => range));
    return [{ place: place as [number, number, number], reaches, farthest }];
  });
}

/** How much farther than its range a pivot may reach in some direction. */
function wideningOf(pivot: Pivot): number {
  const scale = Math.max(1, pivot.scale ?? 1);
  if (!("camera" in pivot)) return scale;
  const [width, height] = pivot.size;
  return (scale * Math.sqrt(width * width + height * height)) / Math.min(width, height);
}

/** Where a pivot is; undefined while nothing that it is centred on is here. */
function placeOf(world: World, pivot: Pivot): readonly [number, number, number] | undefined {
  if ("point" in pivot) return [pivot.point[0] ?? 0, pivot.point[1] ?? 0, pivot.point[2] ?? 0];
  if ("camera" in pivot) return [...pivot.camera, 0];
  const members = "group" in pivot ? pivot.group : [pivot.object];
  const places = members.flatMap((id) => {
    const slot = liveSlot(world, id);
    return slot < 0 ? [] : [[world.x[slot]!, world.y[slot]!, world.z[slot]!] as const];
  });
  if (places.length === 0) return undefined;
  const mean = (axis: 0 | 1 | 2): number => places.reduce((sum, place) => sum + place[axis], 0) / places.length;
  return [mean(0), mean(1), mean(2)];
}

function liveSlot(world: World, id: ObjectId): number {
  const slot = slotOf(id);
  return world.store.isLive(slot) && world.store.idAt(slot) === id ? slot : -1;
}

function packed(areas: readonly PlacedReach[]): Interest {
  const lists: (readonly Reach[])[] = [];
  const indices = new Map<string, number>();
  const packedAreas = areas.map(({ place: [x, y, z], reaches }): Area => {
    const key = JSON.stringify(reaches);
    const list = indices.get(key) ?? lists.push(reaches) - 1;
    indices.set(key, list);
    return { x, y, z, list };
  });
  return { kind: "interest", isAfresh: false, lists, areas: packedAreas };
}

export function distance(a: readonly number[], b: readonly number[]): number {
  const [dx, dy, dz] = [a[0]! - b[0]!, a[1]! - b[1]!, a[2]! - b[2]!];
  return Math.sqrt(dx * dx + dy * dy + dz * dz);
}
