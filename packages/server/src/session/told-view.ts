/**
 * What a client knows of its own view. The client or the game may change the view in force. The client is told (`viewSet`) what it cannot
 * know, so that `viewOf(client)` is the view that the server judges by. Points that only move or turn are not told: a camera that the game
 * drives would cost a message in every round.
 *
 * Bound: changes by the game are told at most every `TELL_EVERY_MS`, and only the newest.
 */

import type { Pivot, ViewSettings } from "@nearfield/core";
import { isSameFrame } from "@nearfield/core/internal";

const TELL_EVERY_MS = 250;

export class ToldView {
  readonly #everyRounds: number;
  #known: ViewSettings | undefined;
  /** Whether the server changed the last pivots that the client asked for. */
  #wasOverruled = false;
  #toldIn = Number.NEGATIVE_INFINITY;

  constructor(roundMs: number) {
    this.#everyRounds = TELL_EVERY_MS / roundMs;
  }

  /** The client is being told this view. `isOverruled`: the server changed the pivots that the client asked for. */
  told(settings: ViewSettings, isOverruled: boolean): void {
    this.#known = settings;
    this.#wasOverruled = isOverruled;
  }

  /**
   * The server uses the pivots as the client asked for them; the client learns that from the next frame. If the server had changed its
   * pivots before, the client is told.
   */
  obeyed(settings: ViewSettings): void {
    this.#known = this.#wasOverruled ? undefined : settings;
    this.#wasOverruled = false;
  }

  /** Whether the client must be told this view in this round. If so, it counts as told from now on. */
  isNews(settings: ViewSettings, round: number): boolean {
    const known = this.#known;
    if (settings === known) return false;
    if (known !== undefined && settings.sets === known.sets && haveOnlyMoved(known.pivots, settings.pivots)) {
      this.#known = settings;
      return false;
    }
    if (round - this.#toldIn < this.#everyRounds) return false;
    this.#toldIn = round;
    this.told(settings, false);
    return true;
  }
}

function haveOnlyMoved(before: readonly Pivot[], after: readonly Pivot[]): boolean {
  return before.length === after.length && before.every((pivot, index) => hasOnlyMoved(pivot, after[index]!));
}

function hasOnlyMoved(before: Pivot, after: Pivot): boolean {
  if ((before.scale ?? 1) !== (after.scale ?? 1)) return false;
  if ("point" in before) return "point" in after;
  if ("camera" in before) return "camera" in after && isSameFrame(before, after);
  if ("object" in before) return "object" in after && before.object === after.object;
  return JSON.stringify(before) === JSON.stringify(after);
}
