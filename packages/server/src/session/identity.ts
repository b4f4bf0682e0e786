/**
 * Who wants in, and what the game answers. `authenticate` is asked once for each new client. It is shown the client's credentials and where
 * the client comes from, and answers with an identity or a refusal. A session that is taken up again is known by its own secret; nobody is
 * asked again. The server grants the role: a client can only ask for one.
 */

import { type ProtocolError, ProtocolError as Refusal, ROLES, type Role } from "@nearfield/protocol/internal";
import { ServerError } from "../errors.ts";

/** A client that wants in. Only `address` and `origin` are facts; the rest is what the client says. */
export interface Visitor {
  /** What `join` was given as `credentials`; empty where it was given none. At most 3,072 bytes. */
  readonly credentials: string;
  readonly nickname: string;
  readonly room: string;
  /** The role that it asks for. */
  readonly role: Role;
  /** Where it connects from, with its port. */
  readonly address: string;
  /** The page that opened the link, as the browser tells it. Undefined outside of browsers, where a client could claim any. */
  readonly origin: string | undefined;
}

/** Who the client is, as the game says: `player.identity`. */
export interface Identity {
  /** The name of this account in the game's own records. */
  readonly account: string;
  /** The role that it gets. Default: a player; or a spectator, if it asks for that and the room's `spectators` allows it. */
  readonly role?: Role;
  /** Whatever else the game wants to know of it. Never sent to anybody. */
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/**
 * Why a client is not let in. `credentials`: missing or wrong. `expired`: valid once. `denied`: not enough. `unavailable`: could not be
 * checked now.
 */
export type RefusedFor = "credentials" | "expired" | "denied" | "unavailable";

export interface Refused {
  readonly refused: RefusedFor;
  /** For people; the client is told. */
  readonly detail: string;
}

/** Called between rounds; may take as long as `times.authenticateMs`. */
export type Authenticate = (visitor: Visitor) => Identity | Refused | Promise<Identity | Refused>;

/** Who may spectate: nobody, anybody who asks, or whoever a function accepts. */
export type Spectators = "nobody" | "anybody" | ((visitor: Visitor) => boolean);

const DETAILS: Readonly<Record<RefusedFor, string>> = {
  credentials: "the credentials are missing or wrong",
  expired: "the credentials have expired",
  denied: "you may not join",
  unavailable: "your credentials could not be checked; try again later",
};

/** Makes the answer of `authenticate` that keeps somebody out. */
export function refuse(reason: RefusedFor, detail: string = DETAILS[reason]): Refused {
  return { refused: reason, detail };
}

/** Checks the game's answer. Throws `ServerError` if it is neither an identity nor a refusal. */
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

/** The role that the visitor gets. Throws `ProtocolError` if it asks for one that it may not have. */
export function grantRole(visitor: Visitor, identity: Identity | undefined, spectators: Spectators = "nobody"): Role {
  if (identity?.role !== undefined) return identity.role;
  if (visitor.role === "player") return "player";
  const isGranted = typeof spectators === "function" ? spectators(visitor) : spectators === "anybody";
  if (isGranted) return "spectator";
  throw new Refusal("denied", `room "${visitor.room}" takes no spectators, or not this one`);
}
