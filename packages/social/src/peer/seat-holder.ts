/**
 * What all who hold a seat of an action space have in common, whether they play, watch or check it: they hear the server, leave, and are told once when the space has ended. Each kind
 * adds what it can do there.
 */

import type { Client } from "@nearfield/client";
import type { Seat, SpaceStatus } from "@nearfield/rollback/mesh";
import type { Off } from "@nearfield/schema";
import { Listeners } from "@nearfield/schema/internal";
import type { Invitation } from "./invitation.ts";
import type { Testimony } from "./testimony.ts";
import type { Member, Wiring } from "./wiring.ts";

/** The pure part of a member: `SpacePlayer`, `SpaceWatcher`, `SpaceObserver`. */
export interface HeldMember extends Member {
  readonly status: SpaceStatus;
  leave(): void;
}

export abstract class SeatHolder<M extends HeldMember> {
  readonly invitation: Invitation;
  protected readonly member: M;
  readonly #wiring: Wiring;
  readonly #testimony: Testimony | undefined;
  readonly #ends: Listeners<(why: string) => void> = new Listeners();
  #ended: string | undefined;

  constructor(invitation: Invitation, member: M, wiring: Wiring, testimony?: Testimony) {
    this.invitation = invitation;
    this.#testimony = testimony;
    this.member = member;
    this.#wiring = wiring;
    wiring.listen(member, {
      onSeat: (seat, name, key) => this.seated(seat, name, key),
      onRefusal: (code, detail) => {
        this.refused(code, detail);
        if (code === "unknown-space" || code === "banned") this.#close(code);
      },
      onEnd: (why) => this.#close(why),
    });
  }

  /** `joining`: a player lets it in, or tells it what is final. `out`: voted out; it asks to be let in again by itself. */
  get status(): SpaceStatus {
    return this.member.status;
  }

  /** Why the space has ended; undefined before. */
  get ended(): string | undefined {
    return this.#ended;
  }

  /** Claims of a paid fight that the server has not paid or denied yet. */
  get openClaims(): number {
    return this.#testimony?.open ?? 0;
  }

  /** The server was restarted: tells it over a new connection what of a paid fight it has not paid yet. */
  claimOver(client: Client): void {
    this.#testimony?.over(client);
  }

  /** Leaves for good. The others go on at once: nobody has to be voted out. */
  leave(): void {
    this.#wiring.leave();
    this.#close("left");
  }

  /** Called once, when the space has ended: by the server, or because this member left. */
  onEnd(handler: (why: string) => void): Off {
    return this.#ends.add(handler);
  }

  /** What the server says of a seat. The invitation's list of keys stays the server's. */
  protected seated({ address }: Seat, _name: string, key: Uint8Array): void {
    if (key.length > 0 && address < this.invitation.slots) this.invitation.keys[address] = key;
  }

  /** The server did not do what this member asked. */
  protected refused(_code: string, _detail: string): void {}

  #close(why: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = why;
    this.member.leave();
    this.#wiring.cut();
    for (const handler of this.#ends.list) handler(why);
  }
}
