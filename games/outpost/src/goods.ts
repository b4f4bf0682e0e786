/** What an account can have: what is carried out of dungeons, and what the merchant sells besides. All of it is stackable: only how many there are matters. */

import type { Loot } from "./dungeon/dungeon.ts";
import { LOOT_KINDS, type LootKind } from "./dungeon/numbers.ts";

export const GOODS = [...LOOT_KINDS, "lantern"] as const;
export type Good = (typeof GOODS)[number];

export const CATALOGUE: Readonly<Record<Good, "stack">> = {
  gold: "stack",
  amber: "stack",
  ruby: "stack",
  relic: "stack",
  /** Who has one carries a light through the town, and everybody sees it. */
  lantern: "stack",
};

export interface GoodsCount {
  readonly good: LootKind;
  readonly count: number;
}

export function goodsOf(loot: Loot): GoodsCount[] {
  return LOOT_KINDS.map((good) => ({ good, count: loot[good] })).filter(({ count }) => count > 0);
}
