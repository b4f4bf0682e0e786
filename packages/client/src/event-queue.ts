/**
 * Events on their way to the game's handlers. Reliable ones are all delivered, in order. Unreliable ones are dropped once they are too old,
 * as after a pause. Bound: when more than `MAX_WAITING` reliable events wait, they are delivered at once instead of with the activities.
 */

import type { EventType, Fields, Off, Values } from "@nearfield/schema";
import { ListenersByKey } from "@nearfield/schema/internal";
import type { Guard } from "./guard.ts";

const MAX_WAITING = 4096;

type Handler = (values: Values<Fields>) => void;

interface Waiting {
  readonly type: EventType;
  readonly values: Values<Fields>;
  /** Round of an unreliable event; −1 for a reliable one, which does not age. */
  readonly round: number;
}

export interface EventCounters {
  /** Delivered events. */
  events: number;
  /** Events that were dropped because of their age, or because too many waited. */
  staleEvents: number;
}

export class EventQueue {
  readonly counters: EventCounters = { events: 0, staleEvents: 0 };
  readonly #handlers = new ListenersByKey<EventType, Handler>();
  readonly #guard: Guard;
  #waiting: Waiting[] = [];

  constructor(guard: Guard) {
    this.#guard = guard;
  }

  on(type: EventType, handler: Handler): Off {
    return this.#handlers.add(type, handler);
  }

  reliable(type: EventType, values: Values<Fields>): void {
    if (this.#waiting.length >= MAX_WAITING) this.flush(Number.POSITIVE_INFINITY);
    this.#waiting.push({ type, values, round: -1 });
  }

  unreliable(type: EventType, values: Values<Fields>, round: number): void {
    if (this.#waiting.length >= MAX_WAITING) this.counters.staleEvents += 1;
    else this.#waiting.push({ type, values, round });
  }

  /** Delivers what waits; drops unreliable events of rounds before `oldestRound`. */
  flush(oldestRound: number): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const { type, values, round } of waiting) {
      if (round >= 0 && round < oldestRound) {
        this.counters.staleEvents += 1;
        continue;
      }
      this.counters.events += 1;
      for (const handler of this.#handlers.of(type)) this.#guard.run("onEvent", handler, values, undefined);
    }
  }
}
