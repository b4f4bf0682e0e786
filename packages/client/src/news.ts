/**
 * News for the game that is neither an object nor an event, such as a new connection state. It is noted while messages are merged, and told
 * in that order when the activities run.
 */

import type { Reason, Refusal, RoomState, ToldExplanation } from "@nearfield/protocol/internal";
import type { ObjectId, Off } from "@nearfield/schema";
import { ListenersByKey } from "@nearfield/schema/internal";
import type { ConnectionState } from "./connection.ts";
import type { Guard } from "./guard.ts";
import type { AuthorisedView, Loosened } from "./known-view.ts";

export interface Handlers {
  state: (state: ConnectionState, reason: Reason | undefined) => void;
  link: (kind: string | undefined) => void;
  roomState: (state: RoomState) => void;
  view: (view: AuthorisedView) => void;
  refusal: (id: ObjectId, refusal: Refusal) => void;
  loosened: (factors: Loosened) => void;
  explanations: (round: number, list: readonly ToldExplanation[]) => void;
}

export class News {
  readonly #guard: Guard;
  readonly #handlers = new ListenersByKey<keyof Handlers, (...news: unknown[]) => void>();
  /** What to tell the handlers, in order. */
  #waiting: (() => void)[] = [];

  constructor(guard: Guard) {
    this.#guard = guard;
  }

  on<K extends keyof Handlers>(what: K, handler: Handlers[K]): Off {
    return this.#handlers.add(what, handler as unknown as (...news: unknown[]) => void);
  }

  /** Handlers run with the activities, when everything is merged. */
  tell<K extends keyof Handlers>(what: K, ...news: Parameters<Handlers[K]>): void {
    this.#waiting.push(() => {
      for (const handler of this.#handlers.of(what))
        this.#guard.run(what, () => handler(...news), undefined, undefined);
    });
  }

  /** Runs the handlers. What they cause is told next time. */
  flush(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const tell of waiting) tell();
  }
}
