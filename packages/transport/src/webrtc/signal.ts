/**
 * What the two sides tell each other over the WebSocket to set up the data channel beside it: JSON in plain ASCII behind frame byte 4.
 *
 * - `available` (server, once, at the start, to clients that asked for `SIGNALS_PROTOCOL`): a data channel may be offered; with the STUN and TURN servers to use;
 * - `offer` (client), `answer` (server): the two ends of attempt number N;
 * - `close` (either): attempt N is given up, and why.
 *
 * Nothing here throws on what a peer sent: length first, then form, then every field; else a reason to close with.
 */

import type { CloseReason } from "../link.ts";
import { checkDescription, type Description } from "./description.ts";

/** Bytes of the longest signal; an answer with four candidates has about 500. */
export const MAX_SIGNAL_BYTES = 4096;
/** Most STUN and TURN servers that are told. */
export const MAX_ICE_SERVERS = 4;
/** Characters of the longest text in a signal. */
export const MAX_TEXT = 256;
const ICE_URL = /^(?:stuns?|turns?):[A-Za-z0-9.:[\]_-]+(?:\?transport=(?:udp|tcp))?$/;

/** A server that tells a peer its outer address (STUN), or relays for it (TURN). */
export interface IceServer {
  /** For example "stun:stun.example:3478" or "turn:turn.example:3478?transport=udp". */
  readonly url: string;
  /** For TURN. */
  readonly username?: string;
  readonly credential?: string;
}

export type Signal =
  | { readonly kind: "available"; readonly iceServers: readonly IceServer[] }
  | { readonly kind: "offer" | "answer"; readonly attempt: number; readonly description: Description }
  | { readonly kind: "close"; readonly attempt: number; readonly why: string };

export function encodeSignal(signal: Signal): Uint8Array {
  const text = JSON.stringify(signal);
  const ascii = text.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return Uint8Array.from(ascii, (character) => character.charCodeAt(0));
}

export function decodeSignal(bytes: Uint8Array): Signal | { readonly fault: CloseReason } {
  if (bytes.length > MAX_SIGNAL_BYTES) return fault(`${bytes.length} bytes, limit ${MAX_SIGNAL_BYTES}`);
  let value: unknown;
  try {
    value = JSON.parse(String.fromCharCode(...bytes));
  } catch {
    return fault("not JSON");
  }
  return check(value) ?? fault("not a signal, or a field is not what it must be");
}

export function isIceServer(value: unknown): value is IceServer {
  if (typeof value !== "object" || value === null) return false;
  const { url, username, credential } = value as Partial<Record<keyof IceServer, unknown>>;
  return (
    isText(url) &&
    ICE_URL.test(url) &&
    (username === undefined || isText(username)) &&
    (credential === undefined || isText(credential))
  );
}

function check(value: unknown): Signal | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  const { kind, attempt, description, iceServers, why } = value as Record<string, unknown>;
  if (kind === "available") {
    const isFine = Array.isArray(iceServers) && iceServers.length <= MAX_ICE_SERVERS && iceServers.every(isIceServer);
    return isFine ? { kind, iceServers } : undefined;
  }
  if (typeof attempt !== "number" || !Number.isSafeInteger(attempt) || attempt < 1) return undefined;
  if (kind === "close") return isText(why) ? { kind, attempt, why } : undefined;
  if (kind !== "offer" && kind !== "answer") return undefined;
  const checked = checkDescription(description);
  return checked === undefined ? undefined : { kind, attempt, description: checked };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.length <= MAX_TEXT;
}

function fault(detail: string): { readonly fault: CloseReason } {
  return { fault: { code: "signal", detail } };
}
