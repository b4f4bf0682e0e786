/** An action space as a spectator sees it: the fight as it became final, a little late. One of the players tells it, over a data channel or the server. */

import type { SpaceStatus, SpaceWatcher } from "@nearfield/rollback/mesh";
import type { Timeline } from "@nearfield/rollback/session";
import type { Off } from "@nearfield/schema";
import { Listeners } from "@nearfield/schema/internal";
import type { Invitation } from "./invitation.ts";
import type { Wiring } from "./wiring.ts";

export class WatchedSpace {
  readonly invitation: Invitation;
  readonly #watcher: SpaceWatcher;
  readonly #wiring: Wiring;
  readonly #ends: Listeners<(why: string) => void> = new Listeners();
  #ended: string | undefined;

  constructor(invitation: Invitation, watcher: SpaceWatcher, wiring: Wiring) {
    this.invitation = invitation;
    this.#watcher = watcher;
    this.#wiring = wiring;
  }

  /** `playing`: it shows the fight. */
  get status(): SpaceStatus {
    return this.#watcher.status;
  }

  get ended(): string | undefined {
    return this.#ended;
  }

  /** The number of the state that is shown, which is final; −1 before there is one. */
  get head(): number {
    return this.#watcher.timeline?.head ?? -1;
  }

  get timeline(): Timeline | undefined {
    return this.#watcher.timeline;
  }

  /** Shows what has become final; call it in every frame. Returns whether the fight's state has changed. */
  tick(nowMs: number): boolean {
    return this.#ended === undefined && this.#watcher.tick(nowMs);
  }

  leave(): void {
    this.#wiring.leave();
    this.#close("left");
  }

  onEnd(handler: (why: string) => void): Off {
    return this.#ends.add(handler);
  }

  /** For `watchSpace`. */
  hear(): void {
    this.#wiring.listen(this.#watcher, {
      onSeat: () => {},
      onRefusal: (code) => {
        if (code === "unknown-space" || code === "banned") this.#close(code);
      },
      onEnd: (why) => this.#close(why),
    });
  }

  #close(why: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = why;
    this.#watcher.leave();
    this.#wiring.cut();
    for (const handler of this.#ends.list) handler(why);
  }
}
