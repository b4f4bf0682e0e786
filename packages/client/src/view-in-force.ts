/**
 * The view as the server has it: what it granted of a proposal, the pivots that it uses, and how much it loosens the bounds while bytes or
 * time run short.
 */

import type { Pivot, ViewSettings } from "@nearfield/core";

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
  #view: AuthorisedView | undefined;
  /** Whether the server changed the pivots that this client asked for last. */
  #isOverruled = false;

  get inForce(): ViewInForce | undefined {
    return this.#view === undefined ? undefined : { ...this.#view, loosened: this.loosened };
  }

  /** The server says what is in force. `request` 0: it changed something by itself. */
  set(request: number, view: AuthorisedView): void {
    if (request === 0 && view.clamped.length > 0) this.#isOverruled = true;
    this.#view = view;
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
