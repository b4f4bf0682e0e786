/**
 * Where commands of players arrive. Ids, which are each client's own, become handles of pieces; the battle checks the rest, and a refusal goes back to the
 * player.
 *
 * An id that the player's side may not know of counts like one that does not exist: the answer would tell that the object does.
 */

import type { Player, Room } from "@nearfield/server";
import type { Battle } from "../rules/battle.ts";
import { CancelTraining, Order, Rally, Train } from "../shared.ts";
import { type Refusal, TILE } from "../state.ts";
import type { Heralds } from "./heralds.ts";
import type { Mirror } from "./mirror.ts";

/** A click this near to an ore patch of the terrain is meant for it. */
const PATCH_REACH = 2 * TILE;

/** What orders are given in: the match that is played now, and the side of whoever gives them. */
export interface OrderPlace {
  readonly battle: Battle;
  readonly mirror: Mirror;
  readonly side: number;
}

export class Desk {
  readonly #heralds: Heralds;
  readonly #placeOf: (player: Player) => OrderPlace | undefined;

  /** @param placeOf gives `undefined` for who may give no orders now. */
  constructor(room: Room, heralds: Heralds, placeOf: (player: Player) => OrderPlace | undefined) {
    this.#heralds = heralds;
    this.#placeOf = placeOf;
    room.onCommand(Order, (player, { units, target, ...order }) =>
      this.#carryOut(player, (place) =>
        place.battle.order(place.side, {
          ...order,
          units: units.map((id) => handle(place, player, id)),
          target: handle(place, player, target),
          patch: order.what === "gather" ? patch(place, player, target, order.x, order.y) : -1,
        }),
      ),
    );
    room.onCommand(Train, (player, { building, kind, count }) =>
      this.#carryOut(player, (place) => place.battle.train(place.side, handle(place, player, building), kind, count)),
    );
    room.onCommand(CancelTraining, (player, { building }) =>
      this.#carryOut(player, (place) => place.battle.cancelTraining(place.side, handle(place, player, building))),
    );
    room.onCommand(Rally, (player, { building, x, y }) =>
      this.#carryOut(player, (place) => place.battle.rally(place.side, handle(place, player, building), x, y)),
    );
  }

  #carryOut(player: Player, order: (place: OrderPlace) => Refusal | undefined): void {
    const place = this.#placeOf(player);
    const refusal = place === undefined ? "notPlaying" : order(place);
    if (refusal !== undefined) this.#heralds.refuse(player, refusal);
  }
}

/** The handle of the piece that an object shows, if the side may know of it; else 0. */
function handle({ battle, mirror, side }: OrderPlace, player: Player, id: number): number {
  const named = mirror.handleOf(player.entityOf(id)?.id);
  const slot = battle.state.pieces.slotOf(named);
  return slot >= 0 && battle.mayKnow(side, slot) ? named : 0;
}

/** The ore patch of an `Ore` in sight; without one, the patch of the terrain nearest to the place. −1: none. */
function patch({ battle, mirror, side }: OrderPlace, player: Player, id: number, x: number, y: number): number {
  const { deposits, vision } = battle.state;
  const named = mirror.patchOf(player.entityOf(id)?.id);
  if (named >= 0 && vision.sees(side, deposits.x[named]!, deposits.y[named]!)) return named;
  let best = -1;
  let bestSquare = PATCH_REACH * PATCH_REACH;
  for (let at = 0; at < deposits.count; at++) {
    const [dx, dy] = [deposits.x[at]! - x, deposits.y[at]! - y];
    const square = dx * dx + dy * dy;
    if (square > bestSquare) continue;
    best = at;
    bestSquare = square;
  }
  return best;
}
