/** A world that moves by itself, seen whole by every client: what the wire is measured on. */

import type { ViewSettings, World } from "@nearfield/core";
import type { Protocol } from "@nearfield/schema";

export interface Scene {
  readonly name: string;
  readonly protocol: Protocol;
  readonly roundMs: number;
  /** Objects in it. */
  readonly objects: number;
  /** Puts the objects into a world; what comes back moves them by one round. */
  readonly begin: (world: World) => () => void;
}

/** Every update is due at once, wherever it is. */
export const EVERYTHING: ViewSettings = { sets: [{ match: "everything", bounds: [{ sequence: 1 }] }], pivots: [] };
