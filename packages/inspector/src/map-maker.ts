/** Draws a room from above: its objects as columns, and the views of chosen players. */

import type { World } from "@nearfield/core";
import type { ObjectSetSettings } from "@nearfield/core/internal";
import type { Player } from "@nearfield/server";
import type { RoomSeam } from "@nearfield/server/seam";
import { drawnSets, PivotPlaces, rounded } from "./drawn.ts";
import type { DrawnSet, DrawnView, MapTell } from "./feed/map.ts";

/** The most objects that a map shows. */
export const MOST_OBJECTS = 5000;
const DEGREES = 180 / Math.PI;

export class MapMaker {
  readonly places: PivotPlaces = new PivotPlaces();
  readonly #seam: RoomSeam;
  readonly #drawn = new WeakMap<readonly ObjectSetSettings[], DrawnSet[]>();
  readonly #isDeep: boolean;

  constructor(seam: RoomSeam) {
    this.#seam = seam;
    this.#isDeep = seam.world.store.tables.some(({ type }) => type.position.length > 2);
  }

  draw(round: number, players: Iterable<Player>, level: number): MapTell {
    const { world, name, roundMs } = this.#seam;
    const map: MapTell = {
      tell: "map",
      room: name,
      round,
      timeMs: round * roundMs,
      ids: [],
      types: [],
      x: [],
      y: [],
      ...(this.#isDeep && { z: [] }),
      headings: [],
      owners: [],
      leftOut: 0,
      level,
      views: [],
      looks: [],
    };
    this.#drawObjects(world, map);
    const looks = new Map<readonly ObjectSetSettings[], number>();
    for (const player of players) {
      const { sets } = player.settings;
      let look = looks.get(sets);
      if (look === undefined) {
        look = map.looks.push(this.setsOf(sets)) - 1;
        looks.set(sets, look);
      }
      map.views.push(this.drawView(player, look));
    }
    return map;
  }

  #drawObjects(world: World, map: MapTell): void {
    const { store } = world;
    for (let slot = 0; slot < store.slotHigh; slot++) {
      if (!store.isLive(slot) || !world.isSpatial(slot)) continue;
      if (map.ids.length === MOST_OBJECTS) {
        map.leftOut += 1;
        continue;
      }
      const { orientation } = store.tableAt(slot).type;
      map.ids.push(store.idAt(slot));
      map.types.push(store.typeIndex[slot]!);
      map.x.push(rounded(world.x[slot]!));
      map.y.push(rounded(world.y[slot]!));
      map.z?.push(rounded(world.z[slot]!));
      map.headings.push(orientation.length === 0 ? null : Math.round(world.numberAt(slot, orientation[0]!) * DEGREES));
      map.owners.push(store.owner[slot]!);
    }
  }

  /** @param look index of the player's sets among those that are drawn. */
  drawView(player: Player, look: number): DrawnView {
    const pivots = this.places.drawn(player.settingsWithUnits.pivots, this.#seam.world);
    return { player: player.id, nickname: player.nickname, pivots, look };
  }

  /** Cached, since settings rarely change and a recording holds many frames of them. */
  setsOf(sets: readonly ObjectSetSettings[]): DrawnSet[] {
    let drawn = this.#drawn.get(sets);
    if (drawn === undefined) {
      drawn = drawnSets({ sets });
      this.#drawn.set(sets, drawn);
    }
    return drawn;
  }
}
