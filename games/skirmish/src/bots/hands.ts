/** What a bot can do: the orders of a player, for its own side. A battle gives these, and so does a client's link. */

import type { OrderRequest } from "../rules/orders.ts";
import type { BuildingKind, Refusal, UnitKind } from "../state.ts";
import type { Spot } from "../terrain/layout.ts";

export interface Hands {
  order(request: OrderRequest): Refusal | undefined;
  train(building: number, kind: UnitKind, count: number): Refusal | undefined;
  rally(building: number, at: Spot): Refusal | undefined;
  /** Whether a building would fit there, as the page shows it before a click. */
  fits(kind: BuildingKind, at: Spot): boolean;
}
