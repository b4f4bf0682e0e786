/** An action space as an observer sees it, whom the server drew to check it: it replays what the players signed, and hands in what it found. */

import type { Client } from "@nearfield/client";
import type { SpaceObserver, WayView } from "@nearfield/rollback/mesh";
import type { Observer } from "@nearfield/rollback/trust";
import { HandIn } from "./hand-in.ts";
import type { Invitation } from "./invitation.ts";
import { SeatHolder } from "./seat-holder.ts";
import type { Testimony } from "./testimony.ts";
import type { Wiring } from "./wiring.ts";

export class ObservedSpace extends SeatHolder<SpaceObserver> {
  readonly #result: HandIn;

  constructor(client: Client, invitation: Invitation, observer: SpaceObserver, wiring: Wiring, testimony?: Testimony) {
    super(invitation, observer, wiring, testimony);
    this.#result = new HandIn(client, invitation.space);
  }

  /** What it found: disputes, omissions, the signed log. */
  get observer(): Observer {
    return this.member.observer;
  }

  /** The ways to the players: direct, relayed, lost or gone, and the round trip. */
  get ways(): readonly WayView[] {
    return this.member.ways;
  }

  /** The newest state that it has replayed. */
  get tail(): number {
    return this.member.timeline.tail;
  }

  /** Replays what has become final; call it some times a second, with `client.clock.timeMs`. Returns whether the fight's state has changed. */
  tick(nowMs: number): boolean {
    if (this.ended !== undefined) return false;
    this.#result.tick();
    return this.member.tick(nowMs);
  }

  /** Hands in what this observer found, once. At most 512 KiB. It leaves with the next ticks. */
  handIn(result: Uint8Array): void {
    this.#result.begin(result);
  }
}
