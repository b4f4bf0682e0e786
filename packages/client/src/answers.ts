/**
 * Handles the messages from the server that every client gets besides frames: the room's state, events, and which objects a joining client waits for. What only some
 * games need goes to whoever has learnt to read it (`Session.learn`).
 */

import type { RoomState } from "@nearfield/protocol/internal";
import { Entrance } from "./entrance.ts";
import type { EventQueue } from "./event-queue.ts";
import type { News } from "./news.ts";
import type { ReplicaStore } from "./replica-store.ts";
import type { Delivered } from "./session.ts";

/** The parts of the client that get the messages. */
export interface AnswerTakers {
  readonly store: ReplicaStore;
  readonly events: EventQueue;
  readonly news: News;
}

export class Answers {
  readonly entrance: Entrance = new Entrance();
  roomState: RoomState = "setup";
  readonly #takers: AnswerTakers;

  constructor(takers: AnswerTakers) {
    this.#takers = takers;
  }

  take(message: Delivered): void {
    switch (message.kind) {
      case "welcome":
      case "state":
        return this.#enterRoomState(message.state);
      case "event":
        return this.#takers.events.reliable(message.type, message.values);
      case "joined":
        this.entrance.expect(message.own);
        this.lookAtEntrance();
    }
  }

  /** Awaited objects may be here now. */
  lookAtEntrance(): void {
    this.entrance.look((id) => this.#takers.store.get(id) !== undefined);
  }

  #enterRoomState(state: RoomState): void {
    if (state === this.roomState) return;
    this.roomState = state;
    this.#takers.news.tell("roomState", state);
  }
}
