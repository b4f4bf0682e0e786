/**
 * The view as the server has it: what it granted of a proposal, the pivots that it uses, and how much it loosens the bounds while bytes or
 * time run short. Made for the first function that asks for it; the session keeps what the server said before.
 */

import type { Pivot, ViewSettings } from "@nearfield/core";
import {
  type Loosened as LoosenedMessage,
  VIEW_READERS,
  type ViewRefused,
  type ViewSet,
} from "@nearfield/protocol/internal";
import { ClientError } from "./errors.ts";
import type { Inside } from "./inside.ts";
import type { News } from "./news.ts";
import { Requests } from "./requests.ts";

/** The view that is in force, and what the server changed of the proposal. */
export interface AuthorisedView {
  readonly settings: ViewSettings;
  readonly clamped: readonly string[];
}

/** The view in force. What the server promises this client is the view's bounds times the factors. */
export interface ViewInForce extends AuthorisedView {
  readonly loosened: Loosened;
}

/** How much the bounds of the view are loosened now: in zones 1 and up, and in zone 0. 1: not at all. */
export interface Loosened {
  readonly outer: number;
  readonly inner: number;
  /**
   * At least every how many rounds this client is served. 1: in every round. More, while the server's rounds take too long: then a bound may
   * be passed by one round less than this.
   */
  readonly every: number;
}

export class KnownView {
  loosened: Loosened = { outer: 1, inner: 1, every: 1 };
  readonly #news: News;
  readonly #proposals = new Requests<number, AuthorisedView>();
  #requests = 0;
  #view: AuthorisedView | undefined;
  /** Whether the server changed the pivots that this client asked for last. */
  #isOverruled = false;

  private constructor({ session, news, asked }: Inside) {
    this.#news = news;
    asked.push(this.#proposals);
    session.learn<ViewSet | ViewRefused | LoosenedMessage>(VIEW_READERS, (message, isNews) =>
      this.#take(message, isNews),
    );
  }

  /** The one of this client. */
  static of(inside: Inside): KnownView {
    inside.view ??= new KnownView(inside);
    return inside.view;
  }

  get inForce(): ViewInForce | undefined {
    return this.#view === undefined ? undefined : { ...this.#view, loosened: this.loosened };
  }

  #take(message: ViewSet | ViewRefused | LoosenedMessage, isNews: boolean): void {
    switch (message.kind) {
      case "viewSet": {
        const { request, settings, clamped } = message;
        // Request 0: the server changed something by itself.
        if (request === 0 && clamped.length > 0) this.#isOverruled = true;
        this.#view = { settings, clamped };
        this.#proposals.resolve(request, this.#view);
        if (isNews) this.#news.tell("view", this.#view);
        return;
      }
      case "viewRefused":
        return this.#proposals.reject(message.request, new ClientError("view-refused", message.text));
      case "loosened": {
        const { outer, inner, every } = message;
        this.loosened = { outer, inner, every };
        if (isNews) this.#news.tell("loosened", this.loosened);
      }
    }
  }

  /** @param propose sends the proposal, under this number. */
  propose(propose: (request: number) => void): Promise<AuthorisedView> {
    this.#requests += 1;
    propose(this.#requests);
    return this.#proposals.wait(this.#requests);
  }

  /** This client asks for other pivots. */
  askPivots(): void {
    this.#isOverruled = false;
  }

  /** The server uses pivots of this client: as they are, unless it said otherwise. */
  obeyed(pivots: readonly Pivot[]): void {
    if (this.#view === undefined || this.#isOverruled) return;
    this.#view = { settings: { ...this.#view.settings, pivots }, clamped: this.#view.clamped };
  }
}
