/**
 * What a client knows of its own view. The view in force may change by the client's own wish or by the game's; whatever the client cannot know
 * is told to it (`viewSet`), so that `client.view` is what the server judges by. Points that only move or turn are not told: a camera that the
 * game drives would cost a message in every round.
 *
 * Bound: changes by the game are told at most every `TELL_EVERY_MS`, the newest only.
 */

import type { Pivot, ViewSettings } from "@nearfield/core";

const TELL_EVERY_MS = 250;

export class ToldView {
  readonly #everyRounds: number;
  #known: ViewSettings | undefined;
  /** The last pivots of the client's own were changed by the server. */
  #wasOverruled = false;
  #toldIn = Number.NEGATIVE_INFINITY;

  constructor(roundMs: number) {
    this.#everyRounds = TELL_EVERY_MS / roundMs;
  }

  /** The client is being told this view, or the server's changes to the pivots it asked for. */
  told(settings: ViewSettings, isOverruled: boolean): void {
    this.#known = settings;
    this.#wasOverruled = isOverruled;
  }

  /** The server obeys pivots as the client asked for them, which it learns from the next frame. If it was overruled before, it is told. */
  obeyed(settings: ViewSettings): void {
    this.#known = this.#wasOverruled ? undefined : settings;
    this.#wasOverruled = false;
  }

  /** Whether the client has to be told this view in this round; it counts as told, then. */
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
  if ("object" in before) return "object" in after && before.object === after.object;
  return JSON.stringify(before) === JSON.stringify(after);
}
