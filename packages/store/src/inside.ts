/**
 * What is behind a store, for the few of our own functions that need more than its interface: faults in tests, dumps. It is not a property
 * of the store, so no user's code comes to depend on it.
 */
import type { Backend } from "./backend.ts";
import { StoreError } from "./errors.ts";
import type { Faults } from "./faults.ts";
import type { Store } from "./store.ts";

export interface Inside {
  readonly backend: Backend;
  readonly faults: Faults;
}

const insides = new WeakMap<Store, Inside>();

export function rememberInside(store: Store, inside: Inside): void {
  insides.set(store, inside);
}

export function insideOf(store: Store): Inside {
  const inside = insides.get(store);
  if (inside === undefined) throw new StoreError("bad-place", "this works with Nearfield's own stores only");
  return inside;
}
