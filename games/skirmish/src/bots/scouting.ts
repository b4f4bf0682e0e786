/** A bot's scout: it runs from one unseen place to the next, starts first, then fields of ore. */

import { KIND } from "../rules/kinds.ts";
import { type Eyes, nearest } from "./eyes.ts";
import type { Hands } from "./hands.ts";

export class Scouting {
  /** Handle of the unit that scouts; 0: none. */
  scout = 0;

  run(eyes: Eyes, hands: Hands): void {
    const scouts = eyes.ofKind(KIND.scout);
    const scout = scouts.find(({ handle }) => handle === this.scout) ?? scouts[0];
    this.scout = scout?.handle ?? 0;
    if (scout === undefined || !scout.isFree) return;
    const unseen = [...eyes.otherStarts, ...eyes.patches].filter((place) => !eyes.hasSeen(place));
    const goal = nearest(unseen, scout);
    if (goal !== undefined) hands.order({ units: [scout.handle], what: "move", x: goal.x, y: goal.y });
  }
}
