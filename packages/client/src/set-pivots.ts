/** Moves the view of a client: a camera, a cursor, an object that a spectator follows. */

import type { Pivot } from "@nearfield/core";
import { checkPivots } from "@nearfield/core/internal";
import type { Client } from "./client.ts";
import { KnownView } from "./known-view.ts";
import { SentPivots } from "./sent-pivots.ts";

/** Asks the server to centre this client's view on these pivots. Cheap enough for every frame; only the newest counts. Throws `ViewError` for what is no pivot. */
export function setPivots({ inside }: Client, pivots: readonly Pivot[]): void {
  checkPivots(pivots);
  const { session, store, now } = inside;
  session.pivots ??= new SentPivots(session, KnownView.of(inside), store.protocol);
  session.pivots.ask(pivots, now());
}
