/**
 * Which server keeps the lobby: the one that the key `lobby` names. A server that holds its lease writes itself there, on top of what it saw, when nobody is
 * named, or the named one is dead or leaves. The key's revision is the keeper's *fence*: a later keeper has a higher one. A keeper that begins anew takes a
 * new fence: what was said to it or by it before counts no more, whenever it arrives.
 */

import type { Off } from "@nearfield/schema";
import { decode, encode, readers } from "./messages.ts";
import type { ClusterPlace } from "./place.ts";

const KEY = "lobby";

export class KeeperElection {
  readonly #place: ClusterPlace;
  readonly #off: Off;
  #keeper = 0;
  #fence = 0;
  /** The fence with which this server can keep the lobby no longer. */
  #spent = -1;
  #isProposing = false;

  constructor(place: ClusterPlace) {
    this.#place = place;
    this.#off = place.bus.keys.watch(({ key, value, revision }) => {
      if (key !== KEY || revision <= this.#fence) return;
      this.#fence = revision;
      this.#keeper = decode(value, readers.keeper)?.server ?? 0;
    });
  }

  /** 0: none yet. */
  get keeper(): number {
    return this.#keeper;
  }

  get fence(): number {
    return this.#fence;
  }

  /** Whether this server had the newest fence, and waits for a new one. */
  get isSpent(): boolean {
    return this.#spent === this.#fence;
  }

  /** The keeper with the newest fence, this server, begins anew. */
  renew(): void {
    this.#spent = this.#fence;
  }

  /** To be called in every round. */
  tick(): void {
    const { membership, bus } = this.#place;
    if (this.#isProposing || !membership.isHeld || membership.isLeaving || this.#stays()) return;
    this.#isProposing = true;
    bus.keys.put(KEY, encode({ server: membership.number }), this.#fence, () => {
      this.#isProposing = false;
    });
  }

  close(): void {
    this.#off();
  }

  /** What is not known of the keeper's lease is no reason to take its place. */
  #stays(): boolean {
    if (this.isSpent) return false;
    const { alive, staying, unburied, buried } = this.#place.membership;
    if (this.#keeper === 0 || unburied.includes(this.#keeper) || buried.includes(this.#keeper)) return false;
    return staying.has(this.#keeper) || !alive.has(this.#keeper);
  }
}
