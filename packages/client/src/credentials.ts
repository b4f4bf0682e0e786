/** What a client shows when it joins: credentials, or the ticket of a session. A ticket is the session's secret in hexadecimal digits. */

import { MAX_CREDENTIALS_BYTES, MAX_TOKEN_BYTES } from "@nearfield/protocol/internal";
import { checkText, IS_DEVELOPMENT } from "@nearfield/schema/internal";
import { ClientError } from "./errors.ts";

/** Throws `ClientError` for what does not fit into a hello. */
export function checkCredentials(credentials: unknown): asserts credentials is string {
  try {
    checkText(credentials, "credentials", MAX_CREDENTIALS_BYTES);
  } catch {
    throw new ClientError("bad-option", IS_DEVELOPMENT && wrongCredentials(credentials));
  }
}

function wrongCredentials(credentials: unknown): string {
  const what = typeof credentials === "string" ? `${credentials.length} characters` : typeof credentials;
  return `credentials: must be text of at most ${MAX_CREDENTIALS_BYTES} bytes in UTF-8, not ${what}`;
}

export function writeTicket(token: Uint8Array): string {
  return Array.from(token, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Undefined for text that is not a ticket; others may write to the storage that it comes from. */
export function readTicket(ticket: string): Uint8Array | undefined {
  if (!/^([0-9a-f]{2})+$/.test(ticket) || ticket.length > 2 * MAX_TOKEN_BYTES) return undefined;
  return Uint8Array.from(ticket.match(/../g)!, (digits) => Number.parseInt(digits, 16));
}
