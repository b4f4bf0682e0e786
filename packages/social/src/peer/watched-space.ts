/** An action space as a spectator sees it: the fight as it became final, a little late. One of the players tells it, over a data channel or the server. */

import type { SpaceWatcher } from "@nearfield/rollback/mesh";
import type { Timeline } from "@nearfield/rollback/session";
import { SeatHolder } from "./seat-holder.ts";

export class WatchedSpace extends SeatHolder<SpaceWatcher> {
  /** The number of the state that is shown, which is final; −1 before there is one. */
  get head(): number {
    return this.member.timeline?.head ?? -1;
  }

  get timeline(): Timeline | undefined {
    return this.member.timeline;
  }

  /** Shows what has become final; call it in every frame. Returns whether the fight's state has changed. */
  tick(nowMs: number): boolean {
    return this.ended === undefined && this.member.tick(nowMs);
  }
}
