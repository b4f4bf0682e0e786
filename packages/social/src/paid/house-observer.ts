/**
 * The server's own observer of a paid fight, for where nobody else can check it. It sits in the space like any observer, gets every player's signed inputs over the server, and replays
 * them. It costs the server one simulation of the fight.
 */

import { type Seat, SpaceObserver } from "@nearfield/rollback/mesh";
import type { Verifier } from "@nearfield/rollback/trust";
import type { ActionSpace } from "../spaces/action-space.ts";
import type { Insider } from "../spaces/seats.ts";
import type { Evidence } from "./evidence.ts";
import type { PaidForm, PaidRules } from "./rules.ts";
import { type Claim, Witness } from "./witness.ts";

export interface HouseObserverOptions {
  readonly space: ActionSpace;
  readonly form: PaidForm & { readonly absent: readonly number[]; readonly stepMs: number };
  readonly rules: PaidRules;
  readonly verifier: Verifier;
  readonly now: () => number;
  readonly onClaim: (claim: Claim, isDoubted: boolean) => void;
}

export class HouseObserver implements Insider {
  readonly #space: ActionSpace;
  readonly #witness: Witness;
  readonly #member: SpaceObserver;
  /** By slot, as the seats say. */
  readonly #keys: Uint8Array[];

  /** Takes a seat in the space. */
  static sit(options: HouseObserverOptions): HouseObserver {
    return options.space.seatInside((address, port) => new HouseObserver(options, address, port));
  }

  private constructor(
    { space, form, rules, verifier, now, onClaim }: HouseObserverOptions,
    own: number,
    port: ConstructorParameters<typeof SpaceObserver>[1],
  ) {
    const { slots, absent, stepMs } = form;
    const { inputBytes, hasLags = false, still = new Uint8Array(inputBytes) } = rules;
    this.#space = space;
    this.#keys = Array.from({ length: slots }, (_, slot) => space.seats[slot]!.key);
    this.#witness = new Witness(rules, form, (claim) => onClaim(claim, this.#isDoubted));
    const seals = { space: space.name, keys: this.#keys, verifier };
    this.#member = new SpaceObserver(
      {
        form: { slots, own, absent, stepMs, startMs: space.startMs },
        fight: rules.fight(form),
        session: { inputBytes, hasLags, still, seals },
        random: () => 1,
        now,
        onSettled: (state, _checksum, saved) => this.#witness.settled(state, saved),
      },
      port,
    );
  }

  /** What it can prove; undefined before the first checkpoint. */
  get evidence(): Evidence | undefined {
    const { outcome } = this.#witness;
    const { signedLog: log, omissions } = this.#member.observer;
    return outcome && { outcome, log, omissions };
  }

  tick(nowMs: number): void {
    this.#member.tick(nowMs);
  }

  leave(): void {
    this.#member.leave();
  }

  seat(seat: Seat): void {
    if (seat.address < this.#keys.length) this.#keys[seat.address] = this.#space.seats[seat.address]!.key;
    this.#member.seat(seat);
  }

  relayed(from: number, frame: Uint8Array): void {
    this.#member.relayed(from, frame);
  }

  signalled(from: number, signal: Uint8Array): void {
    this.#member.signalled(from, signal);
  }

  get #isDoubted(): boolean {
    const { disputes, omissions } = this.#member.observer;
    return disputes.length + omissions.length > 0;
  }
}
