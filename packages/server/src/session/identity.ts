/**
 * Who knocks, and what the game says to it. `authenticate` is asked once for each new client, with what the client shows and where it
 * comes from, and answers with an identity or a refusal; a session that is taken up again is known by its own secret and not asked again.
 * The role is the server's to grant: a client can only ask.
 */

import { type ProtocolError, ProtocolError as Refusal } from "@nearfield/protocol";
import { ROLES, type Role } from "@nearfield/protocol/internal";
import { ServerError } from "../errors.ts";

/** A client that wants in. Everything but `address` and `origin` is what it says of itself. */
export interface Visitor {
  /** What `join` was given as `credentials`; empty where it was given none. At most 3,072 bytes. */
  readonly credentials: string;
  readonly nickname: string;
  readonly room: string;
  /** What it would like to be. */
  readonly role: Role;
  /** Where it connects from, with its port. */
  readonly address: string;
  /** The page that opened the link, as the browser tells it; undefined outside of browsers, where anything could be claimed. */
  readonly origin: string | undefined;
}

/** Whom the server takes a client for: `player.identity`. */
export interface Identity {
  /** Names whoever it is in the game's own books. */
  readonly account: string;
  /** What it is here. Default: a player; a spectator if it asks for it and the room's `spectators` lets it. */
  readonly role?: Role;
  /** Whatever else the game wants to know of it. Never sent to anybody. */
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** Why somebody is not let in: what it showed is missing or wrong, was good once, is not enough, or could not be looked up now. */
export type RefusedFor = "credentials" | "expired" | "denied" | "unavailable";

export interface Refused {
  readonly refused: RefusedFor;
  /** For people; the client is told. */
  readonly detail: string;
}

/** Called between rounds; may take as long as `times.authenticateMs`. */
export type Authenticate = (visitor: Visitor) => Identity | Refused | Promise<Identity | Refused>;

/** Who may look on: nobody, whoever asks, or whom a function lets. */
export type Spectators = "nobody" | "anybody" | ((visitor: Visitor) => boolean);

const DETAILS: Readonly<Record<RefusedFor, string>> = {
  credentials: "the credentials are missing or wrong",
  expired: "the credentials have expired",
  denied: "you may not join",
  unavailable: "your credentials could not be checked; try again later",
};

/** What `authenticate` returns to keep somebody out. */
export function refuse(reason: RefusedFor, detail: string = DETAILS[reason]): Refused {
  return { refused: reason, detail };
}

/** An answer of the game's as the server uses it. Throws `ServerError` for one that is neither. */
export function readAnswer(answer: unknown): Identity | ProtocolError {
  const given = (typeof answer === "object" && answer !== null ? answer : {}) as Partial<Identity & Refused>;
  if (typeof given.refused === "string" && Object.hasOwn(DETAILS, given.refused))
    return new Refusal(given.refused, given.detail ?? DETAILS[given.refused]);
  if (typeof given.account !== "string" || (given.role !== undefined && !ROLES.includes(given.role))) {
    const role = given.role === undefined ? "" : ` and role ${JSON.stringify(given.role)}`;
    throw new ServerError(
      "bad-option",
      `authenticate answered with account ${JSON.stringify(given.account)}${role}; it must return { account: string, role?: "player" | "spectator" }, or refuse(…)`,
    );
  }
  return given as Identity;
}

/** What the visitor becomes. Throws `ProtocolError` where it asks for what it does not get. */
export function grantRole(visitor: Visitor, identity: Identity | undefined, spectators: Spectators = "nobody"): Role {
  if (identity?.role !== undefined) return identity.role;
  if (visitor.role === "player") return "player";
  const isGranted = typeof spectators === "function" ? spectators(visitor) : spectators === "anybody";
  if (isGranted) return "spectator";
  throw new Refusal("denied", `room "${visitor.room}" takes no spectators, or not this one`);
}
