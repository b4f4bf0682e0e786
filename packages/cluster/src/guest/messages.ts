/** What servers of a cluster say to each other. Every message says who sent it. The bytes are in `messages-codec.ts`. */

import type { FieldsOfObject } from "@nearfield/protocol/internal";
import type { CommandType, EventType, WorldId } from "@nearfield/schema";
import type { RoutedRefusal, RoutedWrite } from "@nearfield/server/internal";
import type { KeptSession } from "../journal/entries.ts";
import type { Entry, Kept, Moved } from "./objects-codec.ts";

/** The objects of a set, and how far a view of them reaches around a pivot. */
export interface Reach {
  readonly match: { readonly type: string } | { readonly tag: string } | { readonly predicate: string } | "everything";
  /** World units; below 0: the pivot does not count for this set. */
  readonly range: number;
}

/** Where a view is, and by which list of reaches. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly list: number;
}

/** What the sender's players see of the receiver's slices; replaces what it said before. */
export interface Interest {
  readonly kind: "interest";
  /** The sender has lost some news, and asks for everything anew. */
  readonly isAfresh: boolean;
  readonly lists: readonly (readonly Reach[])[];
  readonly areas: readonly Area[];
}

/** `left`: out of what the receiver asked for; `ceded`: another server owns it now, and tells of it. */
export type GoneReason = "left" | "destroyed" | "ceded";

export interface Gone {
  readonly id: WorldId;
  readonly hop: number;
  readonly reason: GoneReason;
}

/** One round of the sender, as far as the receiver asked for it. */
export interface News {
  readonly kind: "news";
  /** Counts the news from this sender to this receiver. */
  readonly sequence: number;
  /** There is nothing else: other copies from this sender are out of date. */
  readonly isWhole: boolean;
  /** For which slices it speaks; entries name them by index. */
  readonly slices: readonly { readonly id: string; readonly fence: number }[];
  readonly entries: readonly Entry[];
  readonly gone: readonly Gone[];
}

/** The receiver owns this object from now on (V §3.4.3: a one-way notification). It is said again until it is `taken`. */
export interface Handover {
  readonly kind: "handover";
  /** By which map the receiver owns the place. */
  readonly epoch: number;
  readonly object: Moved;
  /** Servers that have copies of it from the sender, and are told by the receiver from now on. */
  readonly copies: readonly number[];
}

export interface Taken {
  readonly kind: "taken";
  readonly id: WorldId;
  readonly hop: number;
}

/** Commands in order, out of a numbered stream. */
export interface Numbered<T> {
  /** All up to this one were confirmed by some owner. If the object does not include them, they are lost with a dead server. */
  readonly confirmed: number;
  /** Number of the last command before those that are listed. */
  readonly after: number;
  readonly list: readonly T[];
}

/** For whom they are: a player of the sender, and an object of it that the receiver owns. */
interface Routing {
  readonly player: WorldId;
  readonly nickname: string;
  readonly avatar: WorldId;
}

/** Commands of a player. Their numbers are those of the client's reliable messages, so some are missing. */
export interface Commands extends Numbered<NumberedCommand>, Routing {
  readonly kind: "commands";
}

export interface NumberedCommand {
  readonly number: number;
  readonly type: CommandType;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Stepped commands of a player, numbered by its gateway. */
export interface Steps extends Numbered<NumberedStep>, Routing {
  readonly kind: "steps";
}

export interface NumberedStep extends NumberedCommand {
  /** How many stepped commands of the client are included, once this one is. */
  readonly said: number;
  readonly stepMs: number;
}

/** Writes and removals by the owner of an object. Their numbers are those of the client's reliable messages, so some are missing. */
export interface Writes extends Numbered<NumberedWrite>, Routing {
  readonly kind: "writes";
}

export interface NumberedWrite {
  readonly number: number;
  readonly write: RoutedWrite;
}

/** A write of a player of the receiver was refused. It is said several times, since a message may be lost. */
export interface WriteRefused {
  readonly kind: "writeRefused";
  readonly player: WorldId;
  readonly id: WorldId;
  readonly number: number;
  readonly refusal: RoutedRefusal;
}

/** All that a player of the sender wants of the lock of an object now; replaces what the sender said before. What became of it stands in news of the object. */
export interface Locks extends Routing {
  readonly kind: "locks";
  /** How often the object had changed its owner, as far as the sender knows. */
  readonly hop: number;
  readonly requests: readonly StatedRequest[];
}

export interface StatedRequest {
  /** Counts the requests of the sender. */
  readonly ticket: number;
  /** The lock is given back, with these writes; undefined: it is wanted. */
  readonly release: FieldsOfObject | undefined;
}

/** A player of the sender has left. */
export interface Left {
  readonly kind: "left";
  readonly player: WorldId;
}

/** The executor of a dead server asks what the receiver knows of its objects; in parts, since there may be many. */
export interface Inquest {
  readonly kind: "inquest";
  readonly dead: number;
  readonly part: number;
  /** What the dead server's log has. */
  readonly listed: readonly { readonly id: WorldId; readonly hop: number; readonly version: number }[];
}

/**
 * What is known of an object. `own`: the sender owns it. `movedOn`: it went on from the dead server, with that hop. `open`: the sender is about to bring it back
 * for another dead server, with that hop. `state`: a copy, newer than what is in the log.
 */
export type Word =
  | { readonly kind: "own"; readonly id: WorldId }
  | { readonly kind: "movedOn" | "open"; readonly id: WorldId; readonly hop: number }
  | { readonly kind: "state"; readonly id: WorldId; readonly object: Kept };

/** The answer to one part; the last of its messages says so. */
export interface Testimony {
  readonly kind: "testimony";
  readonly dead: number;
  readonly part: number;
  readonly isLast: boolean;
  readonly words: readonly Word[];
}

/** A client with this secret wants to go on at the sender: who knows its session? */
export interface Seek {
  readonly kind: "seek";
  readonly token: Uint8Array;
}

/** The receiver looked for this session: its gateway is dead. */
export interface Found {
  readonly kind: "found";
  readonly session: KeptSession;
}

/** A player goes on at the sender, under another id. */
export interface Renamed {
  readonly kind: "renamed";
  readonly player: WorldId;
  readonly to: WorldId;
}

/** Who hears an event of another server's room. */
export type Hearers =
  | { readonly kind: "all" }
  | { readonly kind: "to"; readonly players: readonly WorldId[] }
  | { readonly kind: "near"; readonly point: readonly number[]; readonly radius: number }
  | { readonly kind: "along"; readonly from: readonly number[]; readonly to: readonly number[]; readonly zone: number };

/** An event for players of the receiver. */
export interface Heard {
  readonly kind: "heard";
  readonly type: EventType;
  readonly values: Readonly<Record<string, unknown>>;
  readonly unreliable: boolean;
  readonly hearers: Hearers;
}

export type Statement =
  | Interest
  | News
  | Handover
  | Taken
  | Commands
  | Steps
  | Writes
  | WriteRefused
  | Locks
  | Left
  | Inquest
  | Testimony
  | Seek
  | Found
  | Renamed
  | Heard;
export type Message = Statement & { readonly from: number };

/** Commands that one message holds. */
export const MOST_COMMANDS_OUT = 256;
