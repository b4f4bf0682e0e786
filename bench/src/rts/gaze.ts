/**
 * Where a player looks: a camera that rests on the base, follows the army, jumps to where there is a fight or somewhere along the front, and glides in between. Seeded, and
 * by what its side owns alone, so it is the same camera in every room that shows the match.
 */

import { Dice } from "@nearfield/netlab";
import { DOINGS, FIRST_BUILDING, KIND, ROUND_MS } from "@nearfield/skirmish";
import type { Match } from "./match.ts";
import { CAMERA_SIZE } from "./views.ts";

type Interest = "base" | "army" | "fight" | "scroll";
/** What a look goes to, with its share of all looks. */
const INTERESTS: readonly (readonly [Interest, number])[] = [
  ["base", 0.35],
  ["army", 0.3],
  ["fight", 0.25],
  ["scroll", 0.1],
];
/** How long a look lasts, s. */
const SHORTEST_S = 1.5;
const LONGEST_S = 9;
/** World units in a round, while scrolling. */
const SCROLL = 24;
const FIGHTING: number = DOINGS.indexOf("fighting");

export class Gaze {
  x = 0;
  y = 0;
  readonly #match: Match;
  readonly #side: number;
  readonly #dice: Dice;
  #interest: Interest = "base";
  #roundsLeft = 0;
  #scrollX = 0;
  #scrollY = 0;
  /** The unit that is followed, by slot. */
  #followed = -1;

  constructor(match: Match, side: number) {
    this.#match = match;
    this.#side = side;
    this.#dice = new Dice(`gaze ${match.plan.seed} ${side}`);
    this.#lookElsewhere();
  }

  round(): void {
    if (this.#roundsLeft-- <= 0) this.#lookElsewhere();
    const { pieces, terrain } = this.#match.battle.state;
    if (this.#interest === "scroll") {
      this.x += this.#scrollX;
      this.y += this.#scrollY;
    } else if (this.#interest !== "base" && this.#isOwn(this.#followed)) {
      this.x = pieces.x[this.#followed]!;
      this.y = pieces.y[this.#followed]!;
    }
    this.x = Math.min(terrain.size - CAMERA_SIZE[0] / 2, Math.max(CAMERA_SIZE[0] / 2, this.x));
    this.y = Math.min(terrain.size - CAMERA_SIZE[1] / 2, Math.max(CAMERA_SIZE[1] / 2, this.y));
  }

  #lookElsewhere(): void {
    this.#roundsLeft = Math.round((this.#dice.range(SHORTEST_S, LONGEST_S) * 1000) / ROUND_MS);
    this.#interest = this.#pickInterest();
    const angle = this.#dice.range(0, 2 * Math.PI);
    this.#scrollX = Math.cos(angle) * SCROLL;
    this.#scrollY = Math.sin(angle) * SCROLL;
    if (this.#interest === "scroll") return;
    const slot = this.#pickPiece();
    if (slot < 0) return;
    this.#followed = slot;
    const { pieces } = this.#match.battle.state;
    this.x = pieces.x[slot]!;
    this.y = pieces.y[slot]!;
  }

  #pickInterest(): Interest {
    let roll = this.#dice.next();
    for (const [interest, share] of INTERESTS) {
      if (roll < share) return interest;
      roll -= share;
    }
    return "base";
  }

  /** A piece of its own that fits the interest; else any fighting unit; else any piece. */
  #pickPiece(): number {
    const { pieces } = this.#match.battle.state;
    const fits = (slot: number): boolean => {
      const kind = pieces.kind[slot]!;
      if (this.#interest === "base") return kind >= FIRST_BUILDING;
      const isArmy = kind < FIRST_BUILDING && kind !== KIND.builder;
      return isArmy && (this.#interest === "army" || pieces.doing[slot] === FIGHTING);
    };
    const own: number[] = [];
    for (let slot = 0; slot < pieces.high; slot++) if (this.#isOwn(slot)) own.push(slot);
    const fitting = own.filter(fits);
    if (fitting.length > 0) return this.#dice.pick(fitting);
    return own.length > 0 ? this.#dice.pick(own) : -1;
  }

  #isOwn(slot: number): boolean {
    const { pieces } = this.#match.battle.state;
    return slot >= 0 && pieces.alive[slot] === 1 && pieces.side[slot] === this.#side;
  }
}
