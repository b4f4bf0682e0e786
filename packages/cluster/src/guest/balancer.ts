/** How much this server has to do, told to the others with its lease; and the maps that it proposes, so that all have about as much. */

import type { World } from "@nearfield/core";
import { type Load, nextMap } from "../slices/balance.ts";
import type { Membership } from "../slices/membership.ts";
import type { SliceMap } from "../slices/slice-map.ts";
import { liveSlots } from "./live-slots.ts";

export interface BalancerOptions {
  readonly world: World;
  readonly membership: Membership;
  /** Whether slices are cut and given away by load. Without it the load is only told. */
  readonly proposes: boolean;
}

export class Balancer {
  readonly #options: BalancerOptions;

  constructor(options: BalancerOptions) {
    this.#options = options;
  }

  balance(map: SliceMap): void {
    const { membership, proposes } = this.#options;
    const own = this.#ownLoads(map);
    membership.report(own.length);
    if (!proposes || membership.isLeaving) return;
    const loads = new Map(membership.staying).set(membership.number, own.length);
    const hasCounted = (server: number): boolean => membership.hasCounted(server);
    membership.propose(() => nextMap(map, { me: membership.number, loads, hasCounted, own }));
  }

  /** What lies in the slices of this server. What is on its way to the owner of another slice makes work there. */
  #ownLoads(map: SliceMap): Load[] {
    const { world, membership } = this.#options;
    const loads: Load[] = [];
    for (const slot of liveSlots(world)) {
      if (!world.isSpatial(slot) || world.isForeign(world.store.idAt(slot))) continue;
      const [x, y, z] = [world.x[slot]!, world.y[slot]!, world.z[slot]!];
      if (map.at(x, y, z).owner === membership.number) loads.push({ x, y, z, weight: 1 });
    }
    return loads;
  }
}
