/** Slots of all objects of a world, own ones and copies. */

import type { World } from "@nearfield/core";

export function* liveSlots({ store }: World): Iterable<number> {
  for (let slot = 0; slot < store.slotHigh; slot++) if (store.isLive(slot)) yield slot;
}
