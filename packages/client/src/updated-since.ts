/** Which objects changed since the game last looked (F §4.2.2). */

import type { ObjectId } from "@nearfield/schema";
import type { Client } from "./client.ts";
import { Recency } from "./recency.ts";
import type { ReplicaStore } from "./replica-store.ts";

/** The present moment, as a mark for `updatedSince`. */
export function markOf({ inside }: Client): number {
  return recencyOf(inside.store).mark;
}

/** Objects that came or changed after the mark, the latest first. 0: all objects. Changes are noted from the first call of `markOf` or `updatedSince` on. */
export function updatedSince({ inside }: Client, mark: number): ObjectId[] {
  const { objects } = inside.store;
  return Array.from(recencyOf(inside.store).since(mark), (slot) => objects.idAt(slot));
}

function recencyOf(store: ReplicaStore): Recency {
  if (store.recency === undefined) {
    store.recency = new Recency();
    for (let slot = 0; slot < store.objects.slotHigh; slot++) if (store.objects.isLive(slot)) store.recency.touch(slot);
  }
  return store.recency;
}
