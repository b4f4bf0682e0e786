/**
 * What rooms and the door know of the server they belong to: its protocol and limits, its rounds, and its sessions by
 * number and token.
 */

import type { Protocol } from "@nearfield/schema";
import { ServerError } from "./errors.ts";
import type { Resolved } from "./options.ts";
import type { Session } from "./session/session.ts";

const LEAST_TOKEN_BYTES = 8;
const MOST_TOKEN_BYTES = 32;

export class Host {
  readonly resolved: Resolved;
  /** Rounds run so far. */
  roundNumber = 0;
  readonly #onError: (error: unknown, where: string) => void;
  readonly #byToken = new Map<string, Session>();
  #sessions = 0;
  /** When the last round began, by the clock: its nominal time, or earlier if it was early. */
  #begunMs: number;

  constructor(resolved: Resolved, onError: (error: unknown, where: string) => void) {
    this.resolved = resolved;
    this.#onError = onError;
    this.#begunMs = resolved.now?.() ?? 0;
  }

  get protocol(): Protocol {
    return this.resolved.protocol;
  }

  /**
   * The server's time, ms: a round's is its nominal time, and between two rounds the clock goes on from there. A round that is late does
   * not move it; after rounds that were given up it goes on where they ended.
   */
  get timeMs(): number {
    const { now, roundMs } = this.resolved;
    return this.roundNumber * roundMs + (now === undefined ? 0 : Math.max(0, now() - this.#begunMs));
  }

  /** Counts the next round. */
  beginRound(): void {
    const { now, roundMs } = this.resolved;
    this.roundNumber += 1;
    if (now === undefined) return;
    const [nowMs, dueMs] = [now(), this.#begunMs + roundMs];
    this.#begunMs = nowMs - dueMs < roundMs ? Math.min(nowMs, dueMs) : nowMs;
  }

  /** Tells of an exception in the game's own code. */
  report(error: unknown, where: string): void {
    this.#onError(error, where);
  }

  /** Session numbers are never used twice. */
  nextSession(): number {
    this.#sessions += 1;
    return this.#sessions;
  }

  newToken(): Uint8Array {
    const token = this.resolved.tokenSource();
    if (token.length < LEAST_TOKEN_BYTES || token.length > MOST_TOKEN_BYTES) {
      const rule = `${LEAST_TOKEN_BYTES} to ${MOST_TOKEN_BYTES} are needed`;
      throw new ServerError("bad-option", `tokenSource gave ${token.length} bytes, but ${rule}`);
    }
    return token;
  }

  remember(session: Session): void {
    this.#byToken.set(keyOf(session.token), session);
  }

  sessionOf(token: Uint8Array): Session | undefined {
    return this.#byToken.get(keyOf(token));
  }

  forget(session: Session): void {
    this.#byToken.delete(keyOf(session.token));
  }
}

function keyOf(token: Uint8Array): string {
  return Array.from(token, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
