/** What a server of a cluster can tell of itself, counted when somebody asks. */

import type { World } from "@nearfield/core";
import type { Membership } from "../slices/membership.ts";

/** What one server has to do with another, from the moment when it started. */
export interface SightTo {
  readonly server: number;
  /** Objects that were handed over to it. */
  readonly transfers: number;
  /** Objects of which it has copies from here, and the areas that it asked for. */
  readonly copies: number;
  readonly areas: number;
}

export interface Sight {
  readonly server: number;
  /** Whether its lease counts: it may act for its slices. */
  readonly isHeld: boolean;
  readonly objects: number;
  /** Objects of other servers of which it has copies. */
  readonly copies: number;
  /** Players whose gateway it is. */
  readonly players: number;
  readonly updates: number;
  readonly forwarded: number;
  readonly dropped: number;
  /** Objects in each of its slices. */
  readonly slices: readonly { readonly id: string; readonly objects: number }[];
  readonly to: readonly SightTo[];
}

/** Counts the objects of a world, and those in each slice of this server. */
export function countObjects(world: World, { map, number }: Membership): Pick<Sight, "objects" | "copies" | "slices"> {
  const slices = (map?.ofOwner(number) ?? []).map(({ id }) => ({ id, objects: 0 }));
  const byId = new Map(slices.map((slice) => [slice.id, slice]));
  let [objects, copies] = [0, 0];
  for (let slot = 0; slot < world.store.slotHigh; slot++) {
    if (!world.store.isLive(slot)) continue;
    if (world.isForeign(world.store.idAt(slot))) {
      copies += 1;
      continue;
    }
    objects += 1;
    if (map === undefined || !world.isSpatial(slot)) continue;
    const slice = byId.get(map.at(world.x[slot]!, world.y[slot]!, world.z[slot]!).id);
    if (slice !== undefined) slice.objects += 1;
  }
  return { objects, copies, slices };
}

/** What is known of the same servers by several counts; what is missing is 0. */
export function joinSights(
  transfers: ReadonlyMap<number, number>,
  subscribers: Iterable<readonly [number, { readonly copies: number; readonly areas: number }]>,
): SightTo[] {
  const known = new Map(subscribers);
  return [...new Set([...transfers.keys(), ...known.keys()])].map((server) => {
    const { copies = 0, areas = 0 } = known.get(server) ?? {};
    return { server, transfers: transfers.get(server) ?? 0, copies, areas };
  });
}
