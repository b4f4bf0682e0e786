/** What can be carried out of a dungeon, as goods of an account. All of them are stackable: only how many there are matters. */

import type { Loot } from "./dungeon/dungeon.ts";
import { LOOT_KINDS, type LootKind } from "./dungeon/numbers.ts";

export const CATALOGUE: Readonly<Record<LootKind, "stack">> = {
  gold: "stack",
  amber: "stack",
  ruby: "stack",
  relic: "stack",
};

export interface GoodsCount {
  readonly good: LootKind;
  readonly count: number;
}

export function goodsOf(loot: Loot): GoodsCount[] {
  return LOOT_KINDS.map((good) => ({ good, count: loot[good] })).filter(({ count }) => count > 0);
}
