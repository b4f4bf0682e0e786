/** What the auditor has found so far: faults counted by kind, zone and cause, the newest faults and faulty pairs one by one, and the shortfalls that it saw. */

import type { ObjectId } from "@nearfield/schema";
import { CAUSE_NAMES, type Cause } from "../model.ts";
import { type FaultyPair, FaultyPairs } from "./faulty-pairs.ts";

/**
 * `missing`: an object that the client should have was never sent. `late`: a pair over its bound was not sent. `lingering`: the client has
 * an object that is gone, out of range or hidden, and was not told. `leaked`: an object was sent that it must not have. `uncounted`: a pair
 * was short for want of bytes, and the model's own account does not say so.
 */
export const FAULT_KINDS = ["missing", "late", "lingering", "leaked", "uncounted"] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

export interface Fault {
  readonly kind: FaultKind;
  readonly round: number;
  /** Session number of the client. */
  readonly session: number;
  readonly id: ObjectId;
  readonly zone: number;
  readonly cause: (typeof CAUSE_NAMES)[number];
}

/** Pairs that were found so, when they were looked at; a pair counts once in every look. */
export interface FaultCount {
  readonly kind: FaultKind;
  readonly zone: number;
  readonly cause: (typeof CAUSE_NAMES)[number];
  readonly pairs: number;
}

/** Faults of one kind: looks that found one, and the rounds of the first and the last. */
export interface FaultsOfKind {
  readonly kind: FaultKind;
  readonly looks: number;
  readonly first: number;
  readonly last: number;
}

/** `held back`: due, and not sent for want of bytes. `loosened`: over the bound as stated, not as loosened. `lost`: over the bound as delivered. */
export type SampledShortfall = "heldBack" | "loosened" | "lost";

export interface ShortCount {
  readonly of: SampledShortfall;
  readonly zone: number;
  readonly cause: (typeof CAUSE_NAMES)[number];
  readonly pairs: number;
}

/** Faults that are kept one by one, the newest ones. */
const KEPT_FAULTS = 32;
const SHORTFALLS: readonly SampledShortfall[] = ["heldBack", "loosened", "lost"];
const CAUSES = CAUSE_NAMES.length;

export class Findings {
  /** Faults found so far. Must be 0. */
  faults = 0;
  readonly #kept: Fault[] = [];
  readonly #faults: number[][] = FAULT_KINDS.map(() => []);
  readonly #kinds = FAULT_KINDS.map((kind) => ({ kind, looks: 0, first: 0, last: 0 }));
  readonly #pairs = new FaultyPairs();
  readonly #short: number[][] = SHORTFALLS.map(() => []);

  /** The newest faults, oldest first. */
  get newest(): readonly Fault[] {
    return this.#kept;
  }

  fault(kind: FaultKind, round: number, session: number, id: ObjectId, zone: number, cause: Cause): void {
    this.faults += 1;
    const index = FAULT_KINDS.indexOf(kind);
    add(this.#faults[index]!, zone * CAUSES + cause);
    const ofKind = this.#kinds[index]!;
    if (ofKind.looks === 0) ofKind.first = round;
    ofKind.last = round;
    ofKind.looks += 1;
    this.#pairs.found(kind, round, session, id, zone, CAUSE_NAMES[cause]!);
    this.#kept.push({ kind, round, session, id, zone, cause: CAUSE_NAMES[cause]! });
    if (this.#kept.length > KEPT_FAULTS) this.#kept.shift();
  }

  /** A pair was looked at, and nothing was wrong with it. */
  inOrder(session: number, id: number): void {
    this.#pairs.inOrder(session, id);
  }

  short(of: SampledShortfall, zone: number, cause: Cause): void {
    add(this.#short[SHORTFALLS.indexOf(of)]!, zone * CAUSES + cause);
  }

  /** The newest 64 pairs that were found faulty, the one found last at the end. */
  get faultyPairs(): readonly FaultyPair[] {
    return this.#pairs.list;
  }

  /** The kinds of which there were any. */
  faultsByKind(): FaultsOfKind[] {
    return this.#kinds.filter(({ looks }) => looks > 0).map((ofKind) => ({ ...ofKind }));
  }

  faultCounts(): FaultCount[] {
    return FAULT_KINDS.flatMap((kind, index) => cells(this.#faults[index]!).map((cell) => ({ kind, ...cell })));
  }

  shortCounts(): ShortCount[] {
    return SHORTFALLS.flatMap((of, index) => cells(this.#short[index]!).map((cell) => ({ of, ...cell })));
  }
}

function add(counts: number[], cell: number): void {
  counts[cell] = (counts[cell] ?? 0) + 1;
}

function cells(counts: readonly number[]): Pick<FaultCount, "zone" | "cause" | "pairs">[] {
  const found: Pick<FaultCount, "zone" | "cause" | "pairs">[] = [];
  counts.forEach((pairs, cell) => {
    if (pairs > 0) found.push({ zone: Math.floor(cell / CAUSES), cause: CAUSE_NAMES[cell % CAUSES]!, pairs });
  });
  return found;
}
