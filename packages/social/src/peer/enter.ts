/** How a player or a spectator comes into an action space, with an invitation of the server. */

import type { Client } from "@nearfield/client";
import {
  type OpenPeers,
  type SpaceMemberOptions,
  SpaceObserver,
  type SpaceObserverOptions,
  SpacePlayer,
  type SpaceSession,
  SpaceWatcher,
} from "@nearfield/rollback/mesh";
import type { Fight } from "@nearfield/rollback/session";
import { SpaceError } from "../spaces/errors.ts";
import type { Invitation } from "./invitation.ts";
import { ObservedSpace } from "./observed-space.ts";
import { Space } from "./space.ts";
import { WatchedSpace } from "./watched-space.ts";
import { Wiring } from "./wiring.ts";

export interface SpaceOptions {
  /** The rules, with the state that all begin with. Every machine must make it alike, from the invitation alone. */
  readonly fight: Fight;
  /** Bytes of an input, and how the timeline treats what it does not know yet (`...TIMELINES.lockstep`); alike on all machines. */
  readonly session: SpaceSession;
  /** Opens data channels: `browserPeers` of @nearfield/rollback/browser, or what `nodePeers()` of @nearfield/rollback/node gave. Default: all goes over the server. */
  readonly peers?: OpenPeers | undefined;
  /** STUN and TURN servers. Default: none, which is enough on one machine and in one local network. */
  readonly iceServers?: SpaceMemberOptions["iceServers"];
  /** From 0 to 1, to spread attempts to connect. Default: no spread. */
  readonly random?: () => number;
  /** Told once of every final state, in order. */
  readonly onSettled?: SpaceMemberOptions["onSettled"];
}

export interface ObserveOptions extends SpaceOptions {
  /** As the players have it, with seals that have no signer. */
  readonly session: SpaceObserverOptions["session"];
}

/** Takes the player's seat. Resolves when the server has let it in: tick from then on. Rejects with `SpaceError` ("refused", "ended") if it does not. */
export function enterSpace(client: Client, invitation: Invitation, options: SpaceOptions): Promise<Space> {
  if (invitation.address >= invitation.slots)
    throw new SpaceError("bad-option", "this invitation is for a spectator: watchSpace takes it");
  const wiring = new Wiring(client, invitation.space);
  const player = new SpacePlayer(memberOptions(client, invitation, options), wiring);
  const space = new Space(client, invitation, player, wiring);
  space.hear();
  return entered(client, wiring, space);
}

/** Takes a spectator's seat. Resolves and rejects as `enterSpace`. */
export function watchSpace(client: Client, invitation: Invitation, options: SpaceOptions): Promise<WatchedSpace> {
  const wiring = new Wiring(client, invitation.space);
  const watcher = new SpaceWatcher(memberOptions(client, invitation, options), wiring);
  const space = new WatchedSpace(invitation, watcher, wiring);
  space.hear();
  return entered(client, wiring, space);
}

/** Takes an observer's seat, in a fight whose inputs are signed. Resolves and rejects as `enterSpace`. */
export function observeSpace(client: Client, invitation: Invitation, options: ObserveOptions): Promise<ObservedSpace> {
  const wiring = new Wiring(client, invitation.space);
  const { session } = options;
  const observer = new SpaceObserver({ ...memberOptions(client, invitation, options), session }, wiring);
  const space = new ObservedSpace(client, invitation, observer, wiring);
  space.hear();
  return entered(client, wiring, space);
}

function memberOptions(client: Client, invitation: Invitation, options: SpaceOptions): SpaceMemberOptions {
  const { slots, address: own, absent, stepMs, startMs } = invitation;
  const { fight, session, peers, iceServers, random = () => 1, onSettled } = options;
  return {
    form: { slots, own, absent, stepMs, startMs },
    fight,
    session,
    openPeer: peers,
    iceServers: iceServers ?? [],
    random,
    now: () => client.clock.timeMs,
    onSettled,
  };
}

async function entered<T extends Space | WatchedSpace | ObservedSpace>(
  client: Client,
  wiring: Wiring,
  space: T,
): Promise<T> {
  wiring.enter();
  return await new Promise((resolve, reject) => {
    const off = client.activity(() => {
      if (space.ended === undefined && space.status === "waiting") return;
      off();
      if (space.ended === undefined) resolve(space);
      else reject(new SpaceError("ended", `space ${space.invitation.space}: ${space.ended}`));
    });
  });
}
