/**
 * What the functions that take a client reach of it (`predict`, `setPivots`). They are functions, not methods, because a bundler leaves out
 * a function that nobody calls.
 */

import type { Predictions } from "./predictions.ts";
import type { ReplicaStore } from "./replica-store.ts";
import type { Session } from "./session.ts";
import type { KnownView } from "./view-in-force.ts";
import type { Wishes } from "./wishes.ts";

export interface Inside {
  readonly session: Session;
  readonly store: ReplicaStore;
  readonly wishes: Wishes;
  readonly view: KnownView;
  /** The client's own clock, ms. */
  readonly now: () => number;
  /** Whether the server applies commands at all. */
  readonly isRoomActive: () => boolean;
  /** Undefined until something is predicted. */
  predictions: Predictions | undefined;
}
