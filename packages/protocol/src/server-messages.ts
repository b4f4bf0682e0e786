/**
 * What a server says, message by message. State travels as frames on the unsequenced channel. Everything that must arrive belongs to the reliable stream.
 * Explanations are a message of their own, so that debug traffic is not counted as the game's. `from-server.ts` has their bits.
 */

import type { ViewSettings } from "@nearfield/core";
import type { ResolvedClientPivots } from "@nearfield/core/internal";
import type { EventType, ObjectId, Values } from "@nearfield/schema";
import type { DecodedFrame } from "./decoded-frame.ts";
import type { ToldExplanation } from "./explanation-codec.ts";
import type { Role } from "./from-client.ts";
import type { FieldsOfObject } from "./primitives.ts";
import type { Reason } from "./reasons.ts";

/** A room is set up, then active until it is disabled (V §4). */
export const ROOM_STATES = ["setup", "active", "idle"] as const;
export type RoomState = (typeof ROOM_STATES)[number];

/** Why something a client asked for did not happen, without ending its connection. */
export const REFUSALS = [
  "not-active",
  "not-allowed",
  "not-owner",
  "not-locked",
  "gone",
  "quota",
  "queue-full",
  "timeout",
  "invalid",
  /** In a cluster: the server that owned the object has died, and with it the lock or the request; or nobody passes requests on to other servers. */
  "elsewhere",
] as const;
export type Refusal = (typeof REFUSALS)[number];

export interface Frame {
  readonly kind: "frame";
  readonly frame: DecodedFrame;
}

export interface Explanations {
  readonly kind: "explanations";
  readonly round: number;
  readonly list: readonly ToldExplanation[];
}

export interface Pong {
  readonly kind: "pong";
  readonly stamp: number;
  /** The server's time when the ping came, and how long the ping was kept before this answer, ms, exact to the microsecond. */
  readonly timeMs: number;
  readonly heldMs: number;
}

export interface Welcome {
  readonly kind: "welcome";
  /** Names the session as an owner of objects; 1 or more. */
  readonly session: number;
  readonly token: Uint8Array;
  readonly roundMs: number;
  readonly round: number;
  /** Low 16 bits of the number of the last reliable message received from this client; 0 in a new session. */
  readonly heard: number;
  readonly resumed: boolean;
  /** The nickname that the server granted: a suffix may have been added. */
  readonly nickname: string;
  /** The role that the server granted. */
  readonly role: Role;
  readonly state: RoomState;
  /** Milliseconds that the session is kept after its link breaks. */
  readonly resumeMs: number;
}

/** The connection is not accepted. */
export interface Refuse {
  readonly kind: "refuse";
  readonly reason: Reason;
}

/** The connection ends. */
export interface Bye {
  readonly kind: "bye";
  readonly reason: Reason;
}

export interface EventMessage {
  readonly kind: "event";
  readonly type: EventType;
  readonly values: Values<EventType["shape"]>;
}

/** The view that is in force now. `request` is 0 if this is no answer to a proposal. */
export interface ViewSet {
  readonly kind: "viewSet";
  readonly request: number;
  readonly settings: ViewSettings;
  /** What the server changed of the proposal, in words. */
  readonly clamped: readonly string[];
}

export interface ViewRefused {
  readonly kind: "viewRefused";
  readonly request: number;
  readonly text: string;
}

/** The lock is held. Contains the object's present state, so that writes under the lock build on it. */
export interface LockGranted {
  readonly kind: "lockGranted";
  readonly id: ObjectId;
  readonly round: number;
  readonly fields: FieldsOfObject;
}

export interface LockDenied {
  readonly kind: "lockDenied";
  readonly id: ObjectId;
  readonly refusal: Refusal;
}

/** A lock was taken back: held too long, or its object is gone. */
export interface LockLost {
  readonly kind: "lockLost";
  readonly id: ObjectId;
  readonly refusal: Refusal;
}

export interface Added {
  readonly kind: "added";
  readonly request: number;
  readonly id: ObjectId;
}

export interface AddRefused {
  readonly kind: "addRefused";
  readonly request: number;
  readonly refusal: Refusal;
}

/** A write or removal was not accepted; the object's true state follows in a frame. */
export interface WriteRefused {
  readonly kind: "writeRefused";
  readonly id: ObjectId;
  readonly refusal: Refusal;
}

export interface State {
  readonly kind: "state";
  readonly state: RoomState;
}

/**
 * How much the bounds of this client's view are loosened from now on, because bytes run short: in zones 1 and up, and in zone 0. 1: not at
 * all. And at least every how many rounds the client is served, because the server's time runs short; 1: in every round.
 */
export interface Loosened {
  readonly kind: "loosened";
  readonly outer: number;
  readonly inner: number;
  readonly every: number;
}

/**
 * The round in which the client joined is over. These are the own objects that its replica will have; it has joined when all of them are
 * there. A later message replaces this one, for example if an object is gone before it arrived.
 */
export interface Joined {
  readonly kind: "joined";
  readonly own: readonly ObjectId[];
}

/** What the room says of the pivots that clients ask for. A client to which nothing was said goes by `USUAL_CLIENT_PIVOTS`. */
export interface ClientPivotsSet {
  readonly kind: "clientPivots";
  readonly rules: ResolvedClientPivots;
}

/** The answer to `group`. Without a refusal it is done, from the next round on. */
export interface Grouped {
  readonly kind: "grouped";
  readonly request: number;
  readonly refusal: Refusal | undefined;
}

export type FromServer =
  | Frame
  | Explanations
  | Pong
  | Welcome
  | Refuse
  | Bye
  | EventMessage
  | ViewSet
  | ViewRefused
  | LockGranted
  | LockDenied
  | LockLost
  | Added
  | AddRefused
  | WriteRefused
  | State
  | Loosened
  | Joined
  | ClientPivotsSet
  | Grouped;
