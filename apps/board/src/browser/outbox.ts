/**
 * What this page has asked for and the server has not confirmed: waiting for a link, or under way. The page draws the board as if all of it were done.
 *
 * Requests leave in order. While there is no link they wait; newer ink for the same piece replaces the older, and moves of the same things are added up.
 * If the session ends before a request is confirmed, it is sent again in the next session; keys see to it that nothing is done twice.
 *
 * Bound: `MOST_WAITING` requests. Beyond it `add` refuses, and the page says so.
 */

import type { Request } from "./requests.ts";

export const MOST_WAITING = 2000;
/** So that a long time without a link is made up for within the rate that the board allows. */
const PER_SECOND = 45;

export interface Entry {
  readonly request: Request;
  /** Of the message that carried it; undefined: it waits. */
  readonly number: number | undefined;
  /** Whether the server has confirmed it. */
  readonly done: boolean;
}

interface OwnEntry {
  request: Request;
  number: number | undefined;
  done: boolean;
}

export class Outbox {
  #entries: OwnEntry[] = [];
  #allowance = PER_SECOND;

  /** In the order in which they were asked for. */
  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** How many wait for a link. */
  get waiting(): number {
    return this.#entries.reduce((count, { number }) => count + (number === undefined ? 1 : 0), 0);
  }

  /** Undefined if too much waits already. */
  add(request: Request): Entry | undefined {
    const merged = this.#merge(request);
    if (merged !== undefined) return merged;
    if (this.#entries.length >= MOST_WAITING) return undefined;
    const entry: OwnEntry = { request, number: undefined, done: false };
    this.#entries.push(entry);
    return entry;
  }

  #merge(request: Request): OwnEntry | undefined {
    const last = this.#entries.at(-1);
    if (last === undefined || last.number !== undefined) return undefined;
    const before = last.request;
    if (request.kind === "draw" && before.kind === "draw" && before.key === request.key) last.request = request;
    else if (request.kind === "move" && before.kind === "move" && sameKeys(before.keys, request.keys))
      last.request = { ...request, dx: before.dx + request.dx, dy: before.dy + request.dy };
    else return undefined;
    return last;
  }

  /** Sends what waits, as far as the rate allows. `send` answers with the message's number. */
  pump(elapsedMs: number, send: (request: Request) => number): void {
    this.#allowance = Math.min(PER_SECOND, this.#allowance + (elapsedMs * PER_SECOND) / 1000);
    for (const entry of this.#entries) {
      if (entry.number !== undefined) continue;
      if (this.#allowance < 1) return;
      this.#allowance -= 1;
      entry.number = send(entry.request);
    }
  }

  /** The replicas include messages up to this number. */
  confirm(number: number): void {
    for (const entry of this.#entries) if (entry.number !== undefined && entry.number <= number) entry.done = true;
    this.#entries = this.#entries.filter(({ done }) => !done);
  }

  /** A new session has begun: what the old one did not confirm is sent again. */
  renew(): void {
    for (const entry of this.#entries) entry.number = undefined;
  }
}

function sameKeys(a: readonly number[], b: readonly number[]): boolean {
  return a.length === b.length && a.every((key, index) => key === b[index]);
}
