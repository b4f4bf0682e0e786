/** Which units a bot trains: by chance, or those that beat what it has seen of its enemies. */

import type { Dice } from "@nearfield/kit";
import { DAMAGE, FIRST_BUILDING, HEALTH, KIND, KINDS, RELOAD_STEPS } from "../rules/kinds.ts";
import { BUILDINGS, type BuildingKind, UNITS, type UnitKind } from "../state.ts";
import type { Eyes, OwnPiece } from "./eyes.ts";
import type { Hands } from "./hands.ts";
import type { Traits } from "./strengths.ts";

/** Share of what a sighting counts that is left after each thought. */
const FADE = 0.98;
/** With fewer soldiers, all ore is for soldiers. */
const FEWEST_SOLDIERS = 4;

export class Recruiting {
  readonly #dice: Dice;
  /** By kind: how many enemies of it were seen, fading. */
  readonly #seen = new Float64Array(KINDS.length);

  constructor(dice: Dice) {
    this.#dice = dice;
  }

  /** `kept`: ore that is not for units. */
  run(eyes: Eyes, hands: Hands, traits: Traits, kept: number): void {
    for (let kind = 0; kind < FIRST_BUILDING; kind++) this.#seen[kind]! *= FADE;
    for (const { kind } of eyes.enemies) this.#seen[kind]! += 1;
    const soldiers = eyes.units.filter(({ kind }) => kind !== KIND.builder).length;
    const reserve = soldiers < FEWEST_SOLDIERS ? 0 : kept;
    for (const building of this.#dice.shuffle([...eyes.buildings])) {
      if (building.built < 1 || !building.isFree || building.kind === KIND.base) continue;
      const kind = this.#choose(eyes, building, traits);
      if (kind === undefined) continue;
      // What is dear is waited for; else the cheapest unit would be trained always.
      if (eyes.ore < UNITS[kind].cost + reserve) return;
      hands.train(building.handle, kind, 1);
    }
  }

  #choose(eyes: Eyes, building: OwnPiece, { counters }: Traits): UnitKind | undefined {
    const { trains } = BUILDINGS[KINDS[building.kind] as BuildingKind];
    if (trains.length === 0) return undefined;
    // One scout looks for the others; more are trained only to fight.
    const isLost = eyes.otherStarts.some((start) => !eyes.hasSeen(start));
    if (isLost && trains.includes("scout") && eyes.ofKind(KIND.scout).length === 0) return "scout";
    if (!counters || this.#dice.chance(0.3)) return this.#dice.pick(trains);
    return trains.reduce((best, kind) => (this.#worth(kind) > this.#worth(best) ? kind : best));
  }

  /** Damage that a unit would do to what was seen and take from it, for its cost. */
  #worth(kind: UnitKind): number {
    const own = KIND[kind];
    let worth = 0;
    for (let enemy = 0; enemy < KINDS.length; enemy++) {
      // Somewhere there is a building to take.
      const weight = enemy < FIRST_BUILDING ? this.#seen[enemy]! : 0.2;
      const dealt = DAMAGE[own]![enemy]! / (RELOAD_STEPS[own]! * HEALTH[enemy]!);
      const taken = RELOAD_STEPS[enemy] === 0 ? 0 : DAMAGE[enemy]![own]! / (RELOAD_STEPS[enemy]! * HEALTH[own]!);
      worth += weight * (dealt - taken / 2);
    }
    return worth / UNITS[kind].cost;
  }
}
