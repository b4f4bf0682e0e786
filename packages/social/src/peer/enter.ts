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
import type { Fight, PeerSession } from "@nearfield/rollback/session";
import type { Observer } from "@nearfield/rollback/trust";
import { SpaceError } from "../spaces/errors.ts";
import type { Invitation } from "./invitation.ts";
import { ObservedSpace } from "./observed-space.ts";
import { Space } from "./space.ts";
import { type PaidMember, type Proof, Testimony } from "./testimony.ts";
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
  /** For a fight whose result is paid (`openPaidSpaces` of the server): inputs are signed, and what is decided is told to the server. Default: nothing is. */
  readonly paid?: PaidMember;
}

export interface ObserveOptions extends SpaceOptions {
  /** As the players have it, with seals that have no signer. */
  readonly session: SpaceObserverOptions["session"];
}

/** An observer of a fight that is paid makes the fight and its session from the rules. */
export type ObservePaidOptions = Pick<SpaceOptions, "peers" | "iceServers" | "random"> & { readonly paid: PaidMember };

/** Takes the player's seat. Resolves when the server has let it in: tick from then on. Rejects with `SpaceError` ("refused", "ended") if it does not. */
export function enterSpace(client: Client, invitation: Invitation, options: SpaceOptions): Promise<Space> {
  if (invitation.address >= invitation.slots)
    throw new SpaceError("bad-option", "this invitation is for a spectator: watchSpace takes it");
  const wiring = new Wiring(client, invitation.space);
  const testimony = options.paid && new Testimony(invitation, options.paid.rules, () => proofOf(player.session));
  const player = new SpacePlayer(memberOptions(client, invitation, options, testimony), wiring);
  const space = new Space(client, invitation, player, wiring, testimony);
  space.claimOver(client);
  return entered(client, wiring, space);
}

/** Takes a spectator's seat. Resolves and rejects as `enterSpace`. */
export function watchSpace(client: Client, invitation: Invitation, options: SpaceOptions): Promise<WatchedSpace> {
  const wiring = new Wiring(client, invitation.space);
  const watcher = new SpaceWatcher(memberOptions(client, invitation, options), wiring);
  return entered(client, wiring, new WatchedSpace(invitation, watcher, wiring));
}

/** Takes an observer's seat, in a fight whose inputs are signed. Resolves and rejects as `enterSpace`. */
export function observeSpace(client: Client, invitation: Invitation, options: ObserveOptions): Promise<ObservedSpace> {
  const wiring = new Wiring(client, invitation.space);
  const testimony = options.paid && new Testimony(invitation, options.paid.rules, () => foundBy(observer.observer));
  const { session } = options;
  const common = memberOptions(client, invitation, options, testimony);
  const observer = new SpaceObserver({ ...common, session }, wiring);
  const space = new ObservedSpace(client, invitation, observer, wiring, testimony);
  space.claimOver(client);
  return entered(client, wiring, space);
}

/** Takes an observer's seat in a fight that is paid, and does all that is to be done there while the client runs. Resolves and rejects as `enterSpace`. */
export async function observePaid(
  client: Client,
  invitation: Invitation,
  { paid, ...rest }: ObservePaidOptions,
): Promise<ObservedSpace> {
  const { rules, verifier } = paid;
  const { inputBytes, hasLags = false, still = new Uint8Array(inputBytes) } = rules;
  const seals = { space: invitation.name, keys: invitation.keys, verifier };
  const session = { inputBytes, hasLags, still, seals };
  const observed = await observeSpace(client, invitation, { ...rest, paid, fight: rules.fight(invitation), session });
  const off = client.activity(() => observed.tick(client.clock.timeMs));
  observed.onEnd(off);
  return observed;
}

function proofOf(session: PeerSession | undefined): Proof | undefined {
  const log = session?.signedLog;
  return log && { log, omissions: [], isDoubted: session!.disputes.length > 0 };
}

function foundBy({ signedLog: log, omissions, disputes }: Observer): Proof {
  return { log, omissions, isDoubted: disputes.length + omissions.length > 0 };
}

function memberOptions(
  client: Client,
  invitation: Invitation,
  options: SpaceOptions,
  testimony?: Testimony,
): SpaceMemberOptions {
  const { slots, address: own, absent, stepMs, startMs } = invitation;
  const { fight, peers, iceServers, random = () => 1, onSettled } = options;
  return {
    form: { slots, own, absent, stepMs, startMs },
    fight,
    session: sessionOf(invitation, options),
    openPeer: peers,
    iceServers: iceServers ?? [],
    random,
    now: () => client.clock.timeMs,
    onSettled: (state, checksum, saved) => {
      testimony?.witness.settled(state, saved);
      onSettled?.(state, checksum, saved);
    },
  };
}

/** In a fight that is paid, inputs are signed with the keys of the invitation. */
function sessionOf({ name, keys }: Invitation, { session, paid }: SpaceOptions): SpaceSession {
  if (paid === undefined) return session;
  const { verifier, signer } = paid;
  return { ...session, seals: { space: name, keys, verifier, ...(signer && { signer }) } };
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
