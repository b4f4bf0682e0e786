/**
 * The pairs that the auditor found faulty, one entry each: since when, and how often. A pair that is faulty in look after look stays one entry. A look that finds
 * the pair in order, or faulty in another way, closes the entry; the next fault begins a new one. The newest entries are kept.
 */

import type { ObjectId } from "@nearfield/schema";
import type { CAUSE_NAMES } from "../model.ts";
import type { FaultKind } from "./findings.ts";

export interface FaultyPair {
  readonly kind: FaultKind;
  /** Session number of the client. */
  readonly session: number;
  readonly id: ObjectId;
  /** As of the last fault. */
  readonly zone: number;
  readonly cause: (typeof CAUSE_NAMES)[number];
  /** Rounds in which it was found first and last. */
  readonly since: number;
  readonly last: number;
  /** Looks in which it was found so. */
  readonly looks: number;
  /** It has been in order since. An object that is gone is not looked at any more, so its entry may stay open. */
  readonly isOver: boolean;
}

type Entry = { -readonly [Key in keyof FaultyPair]: FaultyPair[Key] };

/** Entries that are kept. */
const KEPT = 64;

export class FaultyPairs {
  /** By the round of the last fault, oldest first. */
  readonly #entries: Entry[] = [];
  #open = 0;

  get list(): readonly FaultyPair[] {
    return this.#entries;
  }

  found(
    kind: FaultKind,
    round: number,
    session: number,
    id: ObjectId,
    zone: number,
    cause: (typeof CAUSE_NAMES)[number],
  ): void {
    const entries = this.#entries;
    let at = -1;
    for (let i = 0; i < entries.length; i++) {
      const one = entries[i]!;
      if (one.isOver || one.id !== id || one.session !== session) continue;
      if (one.kind === kind) at = i;
      else this.#close(one);
    }
    if (at < 0) this.#open += 1;
    const entry: Entry =
      at >= 0
        ? entries.splice(at, 1)[0]!
        : { kind, session, id, zone, cause, since: round, last: round, looks: 0, isOver: false };
    entry.zone = zone;
    entry.cause = cause;
    entry.last = round;
    entry.looks += 1;
    entries.push(entry);
    if (entries.length > KEPT) this.#forgetOldest();
  }

  /** The pair was looked at, and nothing was wrong. Costs nothing while no entry is open. */
  inOrder(session: number, id: number): void {
    if (this.#open === 0) return;
    for (const entry of this.#entries) {
      if (!entry.isOver && entry.id === id && entry.session === session) this.#close(entry);
    }
  }

  #close(entry: Entry): void {
    entry.isOver = true;
    this.#open -= 1;
  }

  #forgetOldest(): void {
    const { isOver } = this.#entries.shift()!;
    if (!isOver) this.#open -= 1;
  }
}
