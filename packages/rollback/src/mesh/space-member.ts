/**
 * What all members of an action space have in common, whether they play, watch or check it: the ways to the others, and what the server brings. Each kind says what it makes of a message. It owns
 * no loop and knows no clock.
 */

import type { WireError } from "@nearfield/schema/internal";
import type { IceServer, OpenPeer } from "@nearfield/transport/internal";
import type { Fight, OnSettled } from "../fight/replica.ts";
import type { PeerSessionOptions } from "../session/peer-session.ts";
import type { Topic } from "./frame.ts";
import { Mesh } from "./mesh.ts";
import type { PairState, PairTraffic } from "./pair.ts";
import type { SpacePort } from "./seat.ts";

/** What the server's invitation says of the fight. */
export interface SpaceForm {
  /** Players that the fight has room for. */
  readonly slots: number;
  /** The own address. */
  readonly own: number;
  /** Players who were not there when the fight began. */
  readonly absent: readonly number[];
  readonly stepMs: number;
  /** When the fight began or begins, by the server's clock (H9). */
  readonly startMs: number;
}

/** What a fight needs beside the invitation; alike on all machines. */
export type SpaceSession = Omit<
  PeerSessionOptions,
  "own" | "players" | "stepMs" | "startMs" | "snapshot" | "from" | "absent"
>;

export interface SpaceMemberOptions {
  readonly form: SpaceForm;
  readonly fight: Fight;
  readonly session: SpaceSession;
  /** Opens data channels; without it everything goes over the server. */
  readonly openPeer?: OpenPeer | undefined;
  /** STUN and TURN servers. Default: none, which is enough on one machine and in one local network. */
  readonly iceServers?: readonly IceServer[];
  /** From 0 to 1: spreads attempts to connect. */
  readonly random: () => number;
  /** The server's clock, by which `tick` is called too, ms. */
  readonly now: () => number;
  /** Told once of every final state, in order. After an entry by a snapshot it begins with a later one. */
  readonly onSettled?: OnSettled | undefined;
}

/** `waiting`: until the server has said who is there. `joining`: a sponsor is to let it in. `out`: voted out, or ruled out by the server. */
export type SpaceStatus = "waiting" | "joining" | "playing" | "out" | "left";

/** The way to another member. */
export interface WayView {
  readonly address: number;
  /** `gone`: voted out, has left, or was never there. `lost`: nothing is heard of it, directly or over the server. */
  readonly state: PairState | "gone";
  /** Round trip on the way that is used, ms; NaN while it is not known. */
  readonly rttMs: number;
  readonly traffic: Readonly<PairTraffic> | undefined;
}

export abstract class SpaceMember<O extends SpaceMemberOptions = SpaceMemberOptions> {
  protected readonly options: O;
  protected readonly mesh: Mesh;
  protected stands: SpaceStatus = "waiting";

  constructor(options: O, port: Pick<SpacePort, "relay" | "signal">) {
    const { form, now, random, openPeer, iceServers = [] } = options;
    this.options = options;
    this.mesh = new Mesh({
      own: form.own,
      openPeer,
      iceServers,
      random,
      now,
      port,
      onMessage: (from, topic, bytes) => this.hear(from, topic, bytes),
      onRefused: (from, error) => this.refuse(from, error),
    });
  }

  get status(): SpaceStatus {
    return this.stands;
  }

  relayed(from: number, frame: Uint8Array): void {
    this.mesh.relayed(from, frame);
  }

  signalled(from: number, bytes: Uint8Array): void {
    this.mesh.signalled(from, bytes);
  }

  /** Ends all ways to the others. Who tells the server is the caller. */
  leave(): void {
    this.stands = "left";
    this.mesh.end();
  }

  /** What another member sent. May throw `WireError`: then its sender is refused. */
  protected abstract hear(from: number, topic: Topic, bytes: Uint8Array): void;

  /** Another member sent what is no message: nothing of it is heard any more. */
  protected refuse(_from: number, _error: WireError): void {}

  protected wayTo(address: number): WayView {
    const pair = this.mesh.pairWith(address);
    return { address, state: pair?.state ?? "lost", rttMs: pair?.rttMs ?? Number.NaN, traffic: pair?.traffic };
  }
}
