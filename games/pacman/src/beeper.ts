/**
 * The beep (V §5.1): while an opponent is in a room next to yours, a beep sounds every second or so, from his side. In the same room you see him,
 * so it is silent. Pure: the page gives it the positions of its replica. For neighbouring rooms these are not exact, which is enough for a beep.
 */

import { DX, DY, HEADINGS, type Heading, roomIndex } from "./maze.ts";
import type { Spot } from "./state.ts";

/** Ms between two beeps. */
export const BEEP_EVERY_MS = 1200;

export interface Proximity {
  /** Sides on which an opponent is one room away: 0 up, 1 right, 2 down, 3 left. */
  readonly sides: readonly Heading[];
  /** True once each `BEEP_EVERY_MS` while there is such a side, beginning at once. */
  readonly beep: boolean;
}

export class Beeper {
  #nextAt = 0;

  look(nowMs: number, own: Spot | undefined, opponents: Iterable<Spot>): Proximity {
    const sides = own ? sidesOf(own, opponents) : [];
    // Walking along a wall must not restart the beep at every step: the pace holds even while nobody is near.
    const beep = sides.length > 0 && nowMs >= this.#nextAt;
    if (beep) this.#nextAt = nowMs + BEEP_EVERY_MS;
    return { sides, beep };
  }
}

function sidesOf(own: Spot, opponents: Iterable<Spot>): Heading[] {
  const found = new Set<Heading>();
  const [column, row] = [roomIndex(own.x), roomIndex(own.y)];
  for (const opponent of opponents) {
    for (const heading of HEADINGS) {
      if (roomIndex(opponent.x) === column + DX[heading] && roomIndex(opponent.y) === row + DY[heading])
        found.add(heading);
    }
  }
  return [...found].sort();
}
