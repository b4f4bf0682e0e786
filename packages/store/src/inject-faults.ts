/** Lets a test strike inside a store's commits, e.g. end the process there. */
import type { FaultHook } from "./faults.ts";
import { insideOf } from "./inside.ts";
import type { Store } from "./store.ts";

/** From now on the store calls `hook` at every fault point of every commit. What the hook throws before the commit ends the transaction; undefined takes the hook away. */
export function injectFaults(store: Store, hook: FaultHook | undefined): void {
  insideOf(store).faults.hook = hook;
}
