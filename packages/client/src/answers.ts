/**
 * Handles every message from the server that is not a frame. Each goes to whoever waits for it, and the game hears of it with the next
 * activities. Also keeps what only such messages tell: the room's state, the view in force, and whether the client has joined.
 */

import type { RoomState } from "@nearfield/protocol/internal";
import { Entrance } from "./entrance.ts";
import type { ClientError } from "./errors.ts";
import type { EventQueue } from "./event-queue.ts";
import type { News } from "./news.ts";
import type { ReplicaStore } from "./replica-store.ts";
import type { Delivered } from "./session.ts";
import { KnownView } from "./view-in-force.ts";
import type { Wishes } from "./wishes.ts";

/** The parts of the client that get the messages. */
export interface AnswerTakers {
  readonly store: ReplicaStore;
  readonly events: EventQueue;
  readonly wishes: Wishes;
  readonly news: News;
}

export class Answers {
  readonly entrance: Entrance = new Entrance();
  readonly view: KnownView = new KnownView();
  roomState: RoomState = "setup";
  readonly #takers: AnswerTakers;

  constructor(takers: AnswerTakers) {
    this.#takers = takers;
  }

  take(message: Delivered): void {
    const { view } = this;
    const { events, wishes, news } = this.#takers;
    switch (message.kind) {
      case "welcome":
      case "state":
        return this.#enterRoomState(message.state);
      case "event":
        return events.reliable(message.type, message.values);
      case "viewSet": {
        const { request, settings, clamped } = message;
        const authorised = { settings, clamped };
        view.set(request, authorised);
        wishes.viewSet(request, authorised);
        return news.tell("view", authorised);
      }
      case "viewRefused":
        return wishes.viewRefused(message.request, message.text);
      case "lockGranted":
        return wishes.lockGranted(message);
      case "lockDenied":
        return wishes.lockDenied(message.id, message.refusal);
      case "lockLost":
        wishes.lockLost(message.id);
        return news.tell("refusal", message.id, message.refusal);
      case "added":
        return wishes.added(message.request, message.id);
      case "addRefused":
        return wishes.addRefused(message.request, message.refusal);
      case "writeRefused":
        return news.tell("refusal", message.id, message.refusal);
      case "loosened": {
        const { outer, inner, every } = message;
        view.loosened = { outer, inner, every };
        return news.tell("loosened", view.loosened);
      }
      case "grouped":
        return wishes.grouped(message.request, message.refusal);
      case "explanations":
        return news.tell("explanations", message.round, message.list);
      case "joined":
        this.entrance.expect(message.own);
        return this.#lookAtEntrance();
    }
  }

  /** A frame was merged: awaited objects may be here now. */
  merged(): void {
    this.#takers.wishes.merged();
    this.#lookAtEntrance();
  }

  /** The client has ended: everything that is awaited fails. */
  fail(error: ClientError): void {
    this.#takers.wishes.fail(error);
    this.entrance.fail(error);
  }

  #lookAtEntrance(): void {
    this.entrance.look((id) => this.#takers.store.get(id) !== undefined);
  }

  #enterRoomState(state: RoomState): void {
    if (state === this.roomState) return;
    this.roomState = state;
    this.#takers.news.tell("roomState", state);
  }
}
