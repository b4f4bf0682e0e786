/** How a bot passes its time in the town: it walks from place to place, and stands a while at each. */

import { Dice } from "@nearfield/kit";
import { exact } from "@nearfield/simulation";
import { PLACE_SPOTS, PLACES, PLAZA } from "../town/plan.ts";
import type { WalkWish } from "../town/walking.ts";

/** Rounds that it stands at a place, at least and at most. */
const RESTS = [40, 200] as const;
/** Rounds after which it takes another way, because something is in this one. */
const PATIENCE = 160;

export class Stroller {
  readonly #dice: Dice;
  #goal = { x: PLAZA.x, y: PLAZA.y + 90 };
  #rest = 0;
  #walked = 0;
  #heading = 0;

  constructor(seed: number) {
    this.#dice = new Dice(seed, "stroller");
  }

  /** What it does in this round. */
  step({ x, y }: { readonly x: number; readonly y: number }): WalkWish {
    const dx = this.#goal.x - x;
    const dy = this.#goal.y - y;
    const distance = Math.sqrt(dx * dx + dy * dy);
    if (this.#rest > 0) {
      this.#rest--;
      return { moveX: 0, moveY: 0, heading: this.#heading };
    }
    if (distance < 10 || this.#walked++ > PATIENCE) {
      this.#walked = 0;
      this.#rest = RESTS[0] + this.#dice.int(RESTS[1] - RESTS[0]);
      this.#choose();
      return { moveX: 0, moveY: 0, heading: this.#heading };
    }
    this.#heading = exact.directionOf(dx, dy);
    const stride = 70 / distance;
    return { moveX: Math.round(dx * stride), moveY: Math.round(dy * stride), heading: this.#heading };
  }

  #choose(): void {
    const turn = this.#dice.next() * 2 * Math.PI;
    const place = this.#dice.chance(0.55)
      ? PLACE_SPOTS[this.#dice.pick(PLACES)]
      : { ...PLAZA, radius: PLAZA.radius * 1.1 };
    const far = place.radius * 0.7;
    this.#goal = { x: place.x + exact.cosine(turn) * far, y: place.y + 18 + exact.sine(turn) * far * 0.6 };
  }
}
