/**
 * Why a connection was refused or ended. One list for both sides and for the wire (refuse, bye and the link's close
 * code), so that a program can act on the code while a person reads the text beside it.
 */

import type { BitReader, BitWriter } from "@nearfield/schema/internal";
import { readChoice, readText, writeChoice, writeText } from "./primitives.ts";

export const REASONS = [
  /** The other side left on purpose. */
  "left",
  /** The server is shutting down. */
  "closing",
  /** The two sides were built with different versions of this protocol. */
  "version",
  /** The two sides describe different objects, commands or events. */
  "schema",
  "nickname",
  "room",
  "full",
  /** The session to resume is unknown or has run out. */
  "session-gone",
  /** The same session was taken up by another connection. */
  "replaced",
  /** The server's game ended this player. */
  "kicked",
  /** Bytes that are no message of this protocol. */
  "malformed",
  /** A well-formed message that may not be sent now, or by this side. */
  "unexpected",
  /** A command or event nobody handles. */
  "unknown-command",
  /** A write, lock or removal aimed at an object of somebody else. */
  "foreign-object",
  /** A view no honest client sends, such as bounds that tighten outward. */
  "bad-view",
  /** More messages or bytes in one round than the limits allow. */
  "flood",
  /** The buffer of unacknowledged reliable messages is full. */
  "overflow",
  /** Frames were never acknowledged. */
  "no-acks",
  /** Nothing was heard for too long. */
  "silent",
  /** The link broke or could not be made. */
  "link",
  /** The credentials are missing or wrong: log in. */
  "credentials",
  /** The credentials were good once: fetch new ones. */
  "expired",
  /** The server knows who it is and does not let it in, or not in that role. */
  "denied",
  /** The server could not find out who it is, or not in time: try again later. */
  "unavailable",
  /** The server's own code failed in serving this client; the server's host has been told. */
  "failed",
  /** One address has too many connections, players or hellos. */
  "too-many",
  /** This client took more of the server's time than one may. */
  "costly",
] as const;

export type ReasonCode = (typeof REASONS)[number];

export interface Reason {
  readonly code: ReasonCode;
  /** For people; at most `MAX_TEXT_BYTES` bytes travel. */
  readonly detail: string;
}

export function writeReason(w: BitWriter, reason: Reason): void {
  writeChoice(w, REASONS, reason.code);
  writeText(w, reason.detail);
}

export function readReason(r: BitReader): Reason {
  return { code: readChoice(r, REASONS, "reason"), detail: readText(r) };
}

/** Something the other side did that ends the connection. */
export class ProtocolError extends Error {
  readonly code: ReasonCode;

  /** @param detail false in a production build (`IS_DEVELOPMENT`). */
  constructor(code: ReasonCode, detail: string | false) {
    super(detail === false ? code : detail);
    this.name = "ProtocolError";
    this.code = code;
  }

  get reason(): Reason {
    return { code: this.code, detail: this.message };
  }
}
