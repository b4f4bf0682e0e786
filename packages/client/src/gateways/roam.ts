/** Goes on at another gateway of a cluster when this client's own one is gone. */

import type { Client } from "../client.ts";
import { ClockSync } from "../clock-sync.ts";

/**
 * Lets a client go on at another gateway of a cluster when its own one is gone: as the same player, with the same objects, and with every command that was not
 * carried out yet. Everything that it sees leaves, and comes again from there. `connect`, or the addresses that `join` was given, must lead to the other gateways.
 */
export function roam({ inside }: Client): void {
  const { session, store } = inside;
  session.moved = (stream) => {
    const { objects } = store;
    for (let slot = 0; slot < objects.slotHigh; slot++)
      if (objects.isLive(slot)) store.remove(objects.idAt(slot), false);
    store.locked.clear();
    store.round = 0;
    stream.goOnAfter(0, false);
    session.clock = new ClockSync(inside.now, session.clock.steadyMs);
  };
}
