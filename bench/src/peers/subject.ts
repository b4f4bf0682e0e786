/**
 * What is compared: a *host* (the server's side) and a *crowd* (all its clients). The benchmark steps both round by round. So everything that was sent
 * in a round has arrived before replicas are measured, and the result does not depend on how busy the machine is.
 */

import type { Staleness } from "./staleness.ts";

export interface Volume {
  /** Bytes at the server's TCP sockets: written to, and read from clients. */
  readonly down: number;
  readonly up: number;
  /** Writes to clients, each of which leaves in a packet of its own; and what is written with the headers below a WebSocket. */
  readonly packets: number;
  readonly wire: number;
}

export interface Spent {
  /** Processor time of the host's whole process so far, all threads, user and system, ms. */
  readonly cpuMs: number;
  /** Wall time so far in which the host's main thread did not wait, ms. */
  readonly busyMs: number;
  /** The part of `busyMs` that the search for who sees whom took, if the game has to do it. */
  readonly interestMs: number;
}

/** What a host did not keep because time or bytes were short, since its start. */
export interface Shortage {
  /** Rounds that clients sat out, summed over clients. */
  readonly roundsOut: number;
  /** Pairs of a client and an object that were over their bound, summed over rounds. */
  readonly pairRounds: number;
}

export interface Host {
  /** Where clients connect to. */
  readonly url: string;
  /** One round for everybody; the scene walks on by a step, or stands still while clients come in. */
  round(walks: boolean): void;
  /** Messages that clients were sent so far; 0 where everybody is sent one in every round. */
  sent(): number;
  volume(): Volume;
  spent(): Spent;
  /** Where a host promises nothing, there is no shortage. */
  shortage?(): Shortage;
  close(): Promise<void>;
}

export interface Crowd {
  /** Lets `count` more clients in. The host's rounds must go on meanwhile. */
  join(count: number): Promise<void>;
  /** Everybody is in, and the host has run so many rounds; with the next the scene begins to walk. */
  begin(rounds: number, sent: number): Promise<void>;
  /** Waits until every client has merged this round of the scene (of the host's `sent` messages all), then adds how stale their replicas are. */
  look(round: number, into: Staleness | undefined, sent: number): Promise<void>;
  close(): Promise<void>;
}

/** Clients for load alone: they join, keep their session, and decode nothing, so that one process can be thousands. */
export interface IdleCrowd {
  /** Lets `count` more clients in. The host's rounds must go on meanwhile. */
  join(count: number): Promise<void>;
  /** Clients that are in, and messages that came to them since the start. */
  readonly members: number;
  readonly messages: number;
  close(): Promise<void>;
}

/** What this process has spent so far. */
export function spentHere(interestMs: number = 0): Spent {
  const { user, system } = process.cpuUsage();
  return { cpuMs: (user + system) / 1000, busyMs: performance.eventLoopUtilization().active, interestMs };
}

/** Waits for what arrives; gives up after `limitMs`. */
export async function until(condition: () => boolean, what: string, limitMs: number = 20_000): Promise<void> {
  const endMs = performance.now() + limitMs;
  while (!condition()) {
    if (performance.now() > endMs) throw new Error(`waited ${limitMs} ms for ${what}`);
    await new Promise((resolve) => {
      setTimeout(resolve, 1);
    });
  }
}
