/**
 * Where a view looks, and how far its direction and its pivot are assumed to change in a round. With that the kernel plans pairs in a loose sector: no look
 * is needed before the object can have come into a stricter sector. Like all caps these are promises (`motion.ts`): if a view breaks one, all its
 * plans are void.
 */

import type { PlacedPivot } from "../../pivots.ts";
import { VIEW_DIR_X, VIEW_DIR_Y, VIEW_DIR_Z, VIEW_PACE, VIEW_TURN } from "../memory/layout.ts";
import { SpeedCaps } from "./motion.ts";

// Constants of this module: see `pair-table.ts`.
const [DIR_X, DIR_Y, DIR_Z] = [VIEW_DIR_X / 8, VIEW_DIR_Y / 8, VIEW_DIR_Z / 8];
const [TURN, PACE] = [VIEW_TURN / 8, VIEW_PACE / 8];

/** What is asked of a view. */
interface Bearer {
  readonly id: number;
  readonly sheet: Float64Array;
  /** How far its pivot has come in this round. */
  readonly step: number;
  /** All its pairs are judged anew in this round, since it is new or its settings are others, or since its pivots are. */
  readonly recheck: boolean;
  readonly repivoted: boolean;
}

/** The caps of all views, by their numbers. */
export class Bearings {
  /** A turn is the chord between two directions. */
  readonly #turns = new SpeedCaps();
  readonly #paces = new SpeedCaps();
  /** Scratch: how far the view at hand turned and moved. */
  readonly #way = new Float64Array(2);

  start(view: number): void {
    this.#turns.start(view, 0);
    this.#paces.start(view, 0);
  }

  /**
   * Notes where a view's pivot looks. Returns true if the pivot turned or moved farther than its caps allow. While all pairs of the view are judged
   * anew, no plan relies on the caps, and its last movement is not used to predict its next one.
   */
  note({ id, sheet, step, recheck, repivoted }: Bearer, { dirX, dirY, dirZ }: PlacedPivot, round: number): boolean {
    const way = this.#way;
    const dx = dirX - sheet[DIR_X]!;
    const dy = dirY - sheet[DIR_Y]!;
    const dz = dirZ - sheet[DIR_Z]!;
    way[0] = Math.sqrt(dx * dx + dy * dy + dz * dz);
    way[1] = step;
    const isAnew = recheck || repivoted;
    const turnsFarther = !isAnew && this.#turns.exceedsAt(id, way, 0, round);
    const movesFarther = !isAnew && this.#paces.exceedsAt(id, way, 1, round);
    sheet[DIR_X] = dirX;
    sheet[DIR_Y] = dirY;
    sheet[DIR_Z] = dirZ;
    this.#turns.copyTo(sheet, TURN, id);
    this.#paces.copyTo(sheet, PACE, id);
    return turnsFarther || movesFarther;
  }
}
