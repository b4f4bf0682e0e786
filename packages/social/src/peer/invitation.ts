/** How a player learns that it has a seat in an action space. */

import type { Client } from "@nearfield/client";
import type { Off } from "@nearfield/schema";
import { SpaceError } from "../spaces/errors.ts";
import { KEY_BYTES, playersOf, SpaceAsk, SpaceInvitation, SpaceKey } from "../spaces/messages.ts";

export interface Invitation {
  readonly space: number;
  /** What the game calls this kind of fight. */
  readonly kind: string;
  /** The own seat: below `slots`, a player's, and its number in the fight; from `slots` on, a spectator's or an observer's. */
  readonly address: number;
  /** Whether this seat is to check the fight: `observeSpace` takes it. */
  readonly isObserver: boolean;
  readonly slots: number;
  /** Slots that nobody had when the fight began. */
  readonly absent: readonly number[];
  readonly stepMs: number;
  /** When the fight begins, or began, by the server's clock. */
  readonly startMs: number;
  readonly seed: number;
  /** 16 bytes that name this fight and no other: for signed inputs. */
  readonly name: Uint8Array;
  /** By slot: what its player signs with; empty where nobody told a key. A `Space` keeps the list as the server says, so `SealOptions` may hold it. */
  readonly keys: Uint8Array[];
  /** Whatever else the server's game says. */
  readonly data: Uint8Array;
}

/**
 * Calls the handler with every invitation, once for each seat, those from before included: a page that was loaded anew, and goes on as the same player, hears of its fight
 * again. Returns a function that takes the handler back.
 */
export function onInvitation(client: Client, handler: (invitation: Invitation) => void): Off {
  const known = new Set<string>();
  const off = client.onEvent(SpaceInvitation, ({ absent, keys, ...told }) => {
    // The answer to the question below may repeat what came by itself.
    const seat = `${told.space} ${told.address}`;
    if (known.has(seat)) return;
    known.add(seat);
    const each = Array.from({ length: told.slots }, (_, slot) => keyAt(keys, slot));
    handler({ ...told, absent: playersOf(absent), keys: each });
  });
  client.send(SpaceAsk, {});
  return off;
}

/** Tells the server what this player signs with, 32 bytes, before a space is opened for it. The server tells it to all members (`invitation.keys`). */
export function tellKey(client: Client, key: Uint8Array): void {
  if (key.length !== KEY_BYTES)
    throw new SpaceError("bad-option", `a public key has ${KEY_BYTES} bytes, not ${key.length}`);
  client.send(SpaceKey, { key });
}

/** Zeros stand for a player who told no key. */
function keyAt(keys: Uint8Array, slot: number): Uint8Array {
  const key = keys.slice(slot * KEY_BYTES, (slot + 1) * KEY_BYTES);
  return key.some((byte) => byte !== 0) ? key : new Uint8Array(0);
}
