/**
 * The snapshots that a player hands to those who come later. Each of them gets one, made when it first asks, and another when it connects or enters anew or
 * says that it begins again. Bound: one snapshot for each address that the server named this player for.
 */

import type { Seat } from "./seat.ts";
import { readWant, Sending } from "./transfer.ts";

interface Sent {
  readonly sending: Sending;
  readonly visit: number;
  readonly entry: number;
  readonly round: number;
}

export class Snapshots {
  readonly #make: () => Uint8Array;
  readonly #sent = new Map<number, Sent>();
  #made = 0;

  constructor(make: () => Uint8Array) {
    this.#make = make;
  }

  /** The messages that answer a want of this seat. Throws `WireError` if it is no want. */
  answer({ address, visit, entry }: Seat, want: Uint8Array): Uint8Array[] {
    const { round, id, missing } = readWant(want);
    let sent = this.#sent.get(address);
    if (sent === undefined || sent.visit !== visit || sent.entry !== entry || round > sent.round) {
      this.#made++;
      sent = { sending: new Sending(this.#made, this.#make()), visit, entry, round };
      this.#sent.set(address, sent);
    }
    return sent.sending.chunks(id, missing);
  }

  /** Nobody of this address needs anything any more. */
  forget(address: number): void {
    this.#sent.delete(address);
  }
}
