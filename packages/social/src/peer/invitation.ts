/** How a player learns that it has a seat in an action space. */

import type { Client } from "@nearfield/client";
import type { Off } from "@nearfield/schema";
import { playersOf, SpaceAsk, SpaceInvitation } from "../spaces/messages.ts";

export interface Invitation {
  readonly space: number;
  /** What the game calls this kind of fight. */
  readonly kind: string;
  /** The own seat: below `slots`, a player's, and its number in the fight; from `slots` on, a spectator's. */
  readonly address: number;
  readonly slots: number;
  /** Slots that nobody had when the fight began. */
  readonly absent: readonly number[];
  readonly stepMs: number;
  /** When the fight begins, or began, by the server's clock. */
  readonly startMs: number;
  readonly seed: number;
  /** Whatever else the server's game says. */
  readonly data: Uint8Array;
}

/**
 * Calls the handler with every invitation, those from before included: a page that was loaded anew, and goes on as the same player, hears of its fight
 * again. Returns a function that takes the handler back.
 */
export function onInvitation(client: Client, handler: (invitation: Invitation) => void): Off {
  const off = client.onEvent(SpaceInvitation, ({ absent, ...told }) => handler({ ...told, absent: playersOf(absent) }));
  client.send(SpaceAsk, {});
  return off;
}
