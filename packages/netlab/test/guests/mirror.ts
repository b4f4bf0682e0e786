/**
 * Two guests that show the ships of one server's world in a room of another: the least that a cluster needs of the seam. The lookout has a view
 * in the room that owns the ships, judged there for players of the other server. The mirror brings what the lookout is due into its room.
 * Both servers run in one process, so what a bus would carry is handed over by a call.
 */

import type { ViewSettings } from "@nearfield/core";
import { DecisionKind } from "@nearfield/core/internal";
import type { ObjectId, WorldId } from "@nearfield/schema";
import type { Guest, GuestView, RoomSeam } from "@nearfield/server/seam";
import { Ship } from "../scenario.ts";

export interface News {
  readonly worldId: WorldId;
  /** Undefined: the ship is out of range, or gone. */
  readonly values: { readonly x: number; readonly y: number; readonly hull: number } | undefined;
}

export class Lookout implements Guest {
  readonly name = "lookout";
  readonly view: GuestView;
  readonly #seam: RoomSeam;
  readonly #known = new Map<ObjectId, WorldId>();
  #news: News[] = [];

  constructor(seam: RoomSeam, settings: ViewSettings) {
    this.#seam = seam;
    this.view = seam.addView(settings, { session: seam.takeSession(), assumeDelivered: true });
  }

  roundEnded(): void {
    const { count, ids, kinds } = this.view.decisions;
    for (let i = 0; i < count; i++) this.#tell(ids[i]! as ObjectId, kinds[i]! >= DecisionKind.leave);
  }

  #tell(id: ObjectId, isOver: boolean): void {
    const ship = this.#seam.world.get(Ship, id);
    const worldId = this.#known.get(id) ?? this.#seam.world.worldIdOf(id);
    this.#known.set(id, worldId);
    const values = isOver || ship === undefined ? undefined : { x: ship.x, y: ship.y, hull: ship.hull };
    this.#news.push({ worldId, values });
  }

  /** What has been due since the last call. */
  take(): News[] {
    return this.#news.splice(0);
  }
}

export class Mirror implements Guest {
  readonly name = "mirror";
  readonly #seam: RoomSeam;
  readonly #take: () => News[];

  constructor(seam: RoomSeam, take: () => News[]) {
    this.#seam = seam;
    this.#take = take;
  }

  roundBegins(): void {
    const { world } = this.#seam;
    for (const { worldId, values } of this.#take()) {
      const ship = world.byWorldId(worldId);
      if (ship !== undefined && !world.isForeign(ship)) continue;
      if (values === undefined) {
        if (ship !== undefined) world.destroy(ship);
      } else if (ship === undefined) this.#seam.bring(Ship, worldId, values);
      else Object.assign(ship, values);
    }
  }
}
