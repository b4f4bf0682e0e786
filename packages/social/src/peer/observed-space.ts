/** An action space as an observer sees it, whom the server drew to check it: it replays what the players signed, and hands in what it found. */

import type { Client } from "@nearfield/client";
import type { SpaceObserver, SpaceStatus } from "@nearfield/rollback/mesh";
import type { Observer } from "@nearfield/rollback/trust";
import type { Off } from "@nearfield/schema";
import { Listeners } from "@nearfield/schema/internal";
import { HandIn } from "./hand-in.ts";
import type { Invitation } from "./invitation.ts";
import type { Wiring } from "./wiring.ts";

export class ObservedSpace {
  readonly invitation: Invitation;
  readonly #observer: SpaceObserver;
  readonly #wiring: Wiring;
  readonly #result: HandIn;
  readonly #ends: Listeners<(why: string) => void> = new Listeners();
  #ended: string | undefined;

  constructor(client: Client, invitation: Invitation, observer: SpaceObserver, wiring: Wiring) {
    this.invitation = invitation;
    this.#observer = observer;
    this.#wiring = wiring;
    this.#result = new HandIn(client, invitation.space);
  }

  get status(): SpaceStatus {
    return this.#observer.status;
  }

  get ended(): string | undefined {
    return this.#ended;
  }

  /** What it found: disputes, omissions, the signed log. */
  get observer(): Observer {
    return this.#observer.observer;
  }

  /** The newest state that it has replayed. */
  get tail(): number {
    return this.#observer.timeline.tail;
  }

  /** Replays what has become final; call it some times a second, with `client.clock.timeMs`. Returns whether the fight's state has changed. */
  tick(nowMs: number): boolean {
    if (this.#ended !== undefined) return false;
    this.#result.tick();
    return this.#observer.tick(nowMs);
  }

  /** Hands in what this observer found, once. At most 512 KiB. It leaves with the next ticks. */
  handIn(result: Uint8Array): void {
    this.#result.begin(result);
  }

  leave(): void {
    this.#wiring.leave();
    this.#close("left");
  }

  onEnd(handler: (why: string) => void): Off {
    return this.#ends.add(handler);
  }

  /** For `observeSpace`. */
  hear(): void {
    this.#wiring.listen(this.#observer, {
      onSeat: ({ address }, _name, key) => {
        if (key.length > 0 && address < this.invitation.slots) this.invitation.keys[address] = key;
      },
      onRefusal: (code) => {
        if (code === "unknown-space" || code === "banned") this.#close(code);
      },
      onEnd: (why) => this.#close(why),
    });
  }

  #close(why: string): void {
    if (this.#ended !== undefined) return;
    this.#ended = why;
    this.#observer.leave();
    this.#wiring.cut();
    for (const handler of this.#ends.list) handler(why);
  }
}
