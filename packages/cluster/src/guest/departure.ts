/**
 * An orderly end of one server: slices are given away and objects handed over, then its clients go to other gateways, then its lease ends.
 *
 *     give away → send clients away → end the lease
 *
 * Each step begins when the one before is complete: nothing is owned here and everything that was handed over is safe elsewhere; every client goes on
 * elsewhere, or has not come for some time. Without another server that stays there is nobody to take anything, and nothing ends.
 *
 * Nobody can know that nothing is on its way here: a server that has not heard of the newest map may hand over an object at that moment, and a message may be
 * lost. So the lease ends as that of a dead server does, with an executor that asks everybody.
 */

import type { RoomSeam } from "@nearfield/server/seam";
import type { Journal } from "../journal/journal.ts";
import { withoutServers } from "../slices/balance.ts";
import type { Membership } from "../slices/membership.ts";
import type { SliceMap } from "../slices/slice-map.ts";
import type { Transfers } from "./transfers.ts";

/** Clients that are not back anywhere after this time are not waited for, ms. */
const MOST_WAIT_MS = 8000;

export interface DepartureOptions {
  readonly seam: RoomSeam;
  readonly membership: Membership;
  readonly transfers: Transfers;
  readonly journal: Journal;
  /** Objects that this server owns. */
  readonly countOwn: () => number;
}

export class Departure {
  readonly #options: DepartureOptions;
  #done: (() => void) | undefined;
  #sentAwayInRound = 0;

  constructor(options: DepartureOptions) {
    this.#options = options;
  }

  /** @param done is called when the lease has ended: the process may end then. */
  begin(done: () => void): void {
    this.#done ??= done;
    this.#options.membership.leave();
  }

  /** Clients have been sent away: whoever looks for one of their sessions is told of it. */
  get isOut(): boolean {
    return this.#sentAwayInRound > 0;
  }

  /** To be called at the end of every round in which this server may act. */
  tick(map: SliceMap, round: number): void {
    const { membership } = this.#options;
    if (this.#done === undefined || membership.staying.size === 0) return;
    if (map.ofOwner(membership.number).length > 0) return this.#giveAway();
    if (!this.#isEmpty()) return;
    if (!this.isOut) this.#sendAway(round);
    else if (this.#isAlone(round)) membership.end(this.#heirs()[0]!, this.#done);
  }

  #giveAway(): void {
    const { membership } = this.#options;
    const heirs = this.#heirs();
    membership.propose((map) => withoutServers(map!, (server) => server === membership.number, heirs));
  }

  /** Servers that stay, the idlest first. */
  #heirs(): number[] {
    return [...this.#options.membership.staying].sort((a, b) => a[1] - b[1] || a[0] - b[0]).map(([server]) => server);
  }

  #isEmpty(): boolean {
    const { membership, transfers, journal, countOwn } = this.#options;
    const isExecutor = membership.unburied.some((server) => membership.isExecutorOf(server));
    return !isExecutor && !transfers.isWaiting && journal.refugees.size === 0 && countOwn() === 0;
  }

  #sendAway(round: number): void {
    this.#sentAwayInRound = round;
    this.#options.seam.sendAway("this server closes; others go on");
  }

  #isAlone(round: number): boolean {
    const { seam } = this.#options;
    return seam.connections.size === 0 || (round - this.#sentAwayInRound) * seam.roundMs >= MOST_WAIT_MS;
  }
}
