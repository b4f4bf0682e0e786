/** Goes on at another gateway of a cluster when this client's own one is gone. */

import { encodeDebug, isFromClient } from "@nearfield/protocol/internal";
import type { Client } from "../client.ts";
import { ClockSync } from "../clock-sync.ts";

const GIVEN_UP = ["write", "lock", "release", "remove"] as const;

/**
 * Lets a client go on at another gateway of a cluster when its own one is gone: as the same player, with the same objects, and with every command that was not
 * carried out yet. Everything that it sees leaves, and comes again from there. Locks, and writes and removals that the old gateway has not confirmed, are given up: they name
 * objects by ids of that gateway. `connect`, or the addresses that `join` was given, must lead to the other gateways.
 */
export function roam({ inside }: Client): void {
  const { session, store } = inside;
  // The server counts every message. This one asks for no explanations, which nobody gets from a new gateway.
  const nothing = (number: number): Uint8Array =>
    encodeDebug({ kind: "debug", everyRounds: 0, ids: [] }, store.protocol, number);
  session.moved = (stream) => {
    const { objects } = store;
    for (let slot = 0; slot < objects.slotHigh; slot++)
      if (objects.isLive(slot)) store.remove(objects.idAt(slot), false);
    inside.wishes?.loseLocks();
    store.writing?.giveUpAll();
    store.round = 0;
    stream.goOnAfter(0, false);
    stream.rewrite((bytes, number) => (GIVEN_UP.some((kind) => isFromClient(bytes, kind)) ? nothing(number) : bytes));
    session.clock = new ClockSync(inside.now, session.clock.steadyMs);
  };
}
