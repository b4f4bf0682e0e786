/**
 * Joins again after the server was restarted. A session cannot outlive its server, so the player comes in as a new one, with a new client.
 * The game gets the promise of that client and goes on as after any join.
 */

import type { Reason } from "@nearfield/protocol/internal";
import type { Client } from "./client.ts";
import { ClientError, type ClientErrorCode } from "./errors.ts";

export interface RejoinOptions {
  /**
   * Called when a client that had joined ends because its server closes or does not know the session any more. It is given the promise of a
   * new client; await it like that of `join`. Default: none, the client just ends.
   */
  readonly onRejoin?: (joining: Promise<Client>) => void;
  /** How long to try, ms. Default 60,000. Attempts follow each other after 0.5 s, then twice as long each time, at most 5 s. */
  readonly rejoinMs?: number;
}

/** What a rejoin needs: the game's options, a way to join, a clock and dice. */
export interface Rejoin {
  readonly onRejoin: RejoinOptions["onRejoin"] | undefined;
  readonly rejoinMs: number | undefined;
  /** Joins; tries for `joinMs` to be let in. */
  readonly join: (joinMs: number) => Promise<Client>;
  readonly wait: (ms: number) => Promise<void>;
  readonly now: () => number;
  /** From 0 to 1: spreads the attempts of many clients. */
  readonly random: () => number;
}

const FIRST_MS = 500;
const LONGEST_MS = 5000;
/** Reasons that mean a restart: the server has gone, or another one is in its place. */
const RESTARTS: ReadonlySet<string> = new Set<ClientErrorCode>(["closing", "session-gone"]);
/** Refusals that may be over a moment later. */
const PASSING: ReadonlySet<string> = new Set<ClientErrorCode>([
  ...RESTARTS,
  "link",
  "full",
  "silent",
] as ClientErrorCode[]);

/** Called when a client has ended. Joins again if the game wants it and the reason is a restart. */
export function rejoinAfter(client: Pick<Client, "hasJoined">, reason: Reason | undefined, rejoin: Rejoin): void {
  if (client.hasJoined && RESTARTS.has(reason?.code ?? "")) rejoin.onRejoin?.(tryAgain(rejoin));
}

async function tryAgain({ rejoinMs = 60_000, join, wait, now, random }: Rejoin): Promise<Client> {
  const untilMs = now() + rejoinMs;
  for (let failures = 0; ; failures++) {
    await wait(Math.min(LONGEST_MS, FIRST_MS * 2 ** failures) * (0.5 + random() / 2));
    try {
      return await join(Math.max(0, untilMs - now()));
    } catch (error) {
      if (!(error instanceof ClientError) || !PASSING.has(error.code) || now() >= untilMs) throw error;
    }
  }
}
