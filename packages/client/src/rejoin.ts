/**
 * Joining again after a server was started anew. A session cannot outlive its server, so the player comes in as a new one, with a new client; the
 * game is handed it in the making and goes on as after any join.
 */

import type { Reason } from "@nearfield/protocol/internal";
import type { Client } from "./client.ts";
import { ClientError, type ClientErrorCode } from "./errors.ts";

export interface RejoinOptions {
  /**
   * Called when a client that had joined ends because its server closes, or does not know its session any more: with another client on its way
   * in, to be awaited like that of `join`. Default: none, the client just ends.
   */
  readonly onRejoin?: (joining: Promise<Client>) => void;
  /** How long to try, ms. Default 60,000. Attempts follow each other after 0.5 s, then twice as long each time, at most 5 s. */
  readonly rejoinMs?: number;
}

/** What the game wants of it, and how it is done. */
export interface Rejoin {
  readonly onRejoin: RejoinOptions["onRejoin"] | undefined;
  readonly rejoinMs: number | undefined;
  /** Joins, and tries for so long to be let in. */
  readonly join: (joinMs: number) => Promise<Client>;
  readonly wait: (ms: number) => Promise<void>;
  readonly now: () => number;
  /** From 0 to 1: spreads the attempts of many clients. */
  readonly random: () => number;
}

const FIRST_MS = 500;
const LONGEST_MS = 5000;
/** The server has gone, or another one stands in its place. */
const RESTARTS: ReadonlySet<string> = new Set<ClientErrorCode>(["closing", "session-gone"]);
/** It may be different a moment later. */
const PASSING: ReadonlySet<string> = new Set<ClientErrorCode>([
  ...RESTARTS,
  "link",
  "full",
  "silent",
] as ClientErrorCode[]);

/** A client has ended: joins again where the game wants it and a restart explains it. */
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
