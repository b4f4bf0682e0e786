/**
 * What a server of a cluster notes of each object beside the object itself: whose it is, how often it has changed its owner, and how new
 * its copy here is. Invariant: (hop, version) of a copy only rises, so a copy that is seen through two servers never goes back.
 */

import type { WorldId } from "@nearfield/schema";
import type { Claim } from "./objects-codec.ts";

export interface Record {
  /** The server that owns the object, as far as is known here. */
  source: number;
  hop: number;
  /** Of a copy: the version that its owner had. 0: nothing of this hop has come yet. */
  version: number;
  /** The world id of the player whose object it is, or 0. */
  player: WorldId;
  /** Number of the last command of that player that the object includes, as its client counts; and of the last one whose effects cannot be lost any more. */
  applied: number;
  safe: number;
  /** The last routed step that the object includes, and how many stepped commands of the client that makes. */
  stepped: number;
  said: number;
  /** Number of the last write of that player that the object includes, as its client counts. */
  written: number;
  /** Requests for its lock by players of other servers than its owner; and how long its holder had it when the object was handed over, ms. */
  claims: readonly Claim[];
  heldMs: number;
  /** Of a copy whose owner is not known to tell of it any more: the round in which it goes, unless somebody does. */
  goesInRound: number | undefined;
}

const NONE: readonly Claim[] = [];

export class Ledger {
  readonly #server: number;
  readonly #records = new Map<WorldId, Record>();

  constructor(server: number) {
    this.#server = server;
  }

  get(id: WorldId): Record | undefined {
    return this.#records.get(id);
  }

  /** The record of an object that this server owns. */
  own(id: WorldId): Record {
    const known = this.#records.get(id);
    if (known !== undefined) return known;
    const fresh = {
      source: this.#server,
      hop: 0,
      version: 0,
      player: 0 as WorldId,
      applied: 0,
      safe: 0,
      stepped: 0,
      said: 0,
      written: 0,
      claims: NONE,
      heldMs: 0,
      goesInRound: undefined,
    };
    this.#records.set(id, fresh);
    return fresh;
  }

  set(id: WorldId, record: Record): void {
    this.#records.set(id, record);
  }

  forget(id: WorldId): void {
    this.#records.delete(id);
  }

  /** Everything that is noted, in the order in which it came. */
  [Symbol.iterator](): IterableIterator<[WorldId, Record]> {
    return this.#records.entries();
  }
}
