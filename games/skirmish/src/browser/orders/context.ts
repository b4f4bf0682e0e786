/** What an order means by what lies under it: an enemy is attacked, ore is dug, own work is finished or mended, and everything else is a place to go to. */

import { KIND } from "../../rules/kinds.ts";
import type { OrderName } from "../../state.ts";
import type { Field } from "../field.ts";
import { OWN, SELECTED } from "../picture.ts";
import type { Found } from "../select/pick.ts";
import type { Squad } from "../select/squad.ts";

const WHOLE = 100;

export interface Meaning {
  readonly what: OrderName | "rally";
  /** Id of the target; 0: the place is meant. */
  readonly target: number;
}

export function meaningOf(found: Found, field: Field, squad: Squad): Meaning {
  if (squad.isBuilding) return { what: "rally", target: 0 };
  const hasBuilders = squad.counts[KIND.builder]! > 0;
  switch (found?.what) {
    case "unit":
    case "building": {
      const pieces = found.what === "unit" ? field.units : field.buildings;
      if ((pieces.flags[found.row]! & OWN) === 0) return { what: "attack", target: found.id };
      const needsWork = pieces.health[found.row]! < WHOLE || pieces.built[found.row]! < WHOLE;
      const isSelected = (pieces.flags[found.row]! & SELECTED) !== 0;
      if (needsWork && hasBuilders && !isSelected) return { what: "repair", target: found.id };
      return { what: "move", target: 0 };
    }
    case "remembered":
      // Nobody may name what is out of sight: go there and see.
      return { what: "attackMove", target: 0 };
    case "ore":
      return hasBuilders ? { what: "gather", target: found.id } : { what: "move", target: 0 };
    default:
      return { what: "move", target: 0 };
  }
}
