/**
 * The map of a room as text for pages. The columns of its objects are made once a round for all pages. Which objects there are, of which types and
 * whose, changes rarely: these columns have a number (`members`), and a page that was told that number is told only where the objects are.
 */

import type { ObjectSetSettings } from "@nearfield/core/internal";
import type { Player } from "@nearfield/server";
import type { RoomSeam } from "@nearfield/server/seam";
import type { DrawnView } from "./feed/map.ts";
import { type MapMaker, MOST_OBJECTS } from "./map-maker.ts";

const DEGREES = 180 / Math.PI;

export class MapText {
  readonly #seam: RoomSeam;
  readonly #maker: MapMaker;
  readonly #isDeep: boolean;
  /** By type: index of the field that the heading is read from; −1: none. −2: the type has no place. */
  readonly #headingFields: readonly number[];
  readonly #ids: number[] = [];
  readonly #types: number[] = [];
  readonly #owners: number[] = [];
  readonly #x: number[] = [];
  readonly #y: number[] = [];
  readonly #z: number[] = [];
  readonly #headings: (number | null)[] = [];
  readonly #looks = new WeakMap<readonly ObjectSetSettings[], string>();
  #leftOut = 0;
  #round = -1;
  #members = 0;
  #membersText = "";
  #placesText = "";

  constructor(seam: RoomSeam, maker: MapMaker) {
    this.#seam = seam;
    this.#maker = maker;
    const types = seam.world.store.tables.map(({ type }) => type);
    this.#isDeep = types.some(({ position }) => position.length > 2);
    this.#headingFields = types.map(({ position, orientation }) =>
      position.length === 0 ? NO_PLACE : (orientation[0] ?? NO_HEADING),
    );
  }

  /** The number of the columns that `text` tells, or leaves out. */
  get members(): number {
    return this.#members;
  }

  /** @param told the `members` that the page was told last; 0: none. */
  text(round: number, players: readonly Player[], level: number, told: number): string {
    if (round !== this.#round) this.#draw(round);
    const { name, roundMs } = this.#seam;
    const head = `{"tell":"map","room":${JSON.stringify(name)},"round":${round},"timeMs":${round * roundMs},"members":${this.#members}`;
    const members = told === this.#members ? "" : this.#membersText;
    return `${head}${members}${this.#placesText},"level":${level}${this.#viewsText(players)}}`;
  }

  #draw(round: number): void {
    this.#round = round;
    if (this.#drawObjects()) {
      this.#members += 1;
      this.#membersText = `,"ids":${JSON.stringify(this.#ids)},"types":${JSON.stringify(this.#types)},"owners":${JSON.stringify(this.#owners)}`;
    }
    const z = this.#isDeep ? `,"z":${JSON.stringify(this.#z)}` : "";
    this.#placesText = `,"x":${JSON.stringify(this.#x)},"y":${JSON.stringify(this.#y)}${z},"headings":${JSON.stringify(this.#headings)},"leftOut":${this.#leftOut}`;
  }

  /** Returns whether the members are others than before. */
  #drawObjects(): boolean {
    const { world } = this.#seam;
    const { store } = world;
    let count = 0;
    let isChanged = this.#members === 0;
    this.#leftOut = 0;
    for (let slot = 0; slot < store.slotHigh; slot++) {
      if (!store.isLive(slot)) continue;
      const type = store.typeIndex[slot]!;
      const field = this.#headingFields[type]!;
      if (field === NO_PLACE) continue;
      if (count === MOST_OBJECTS) {
        this.#leftOut += 1;
        continue;
      }
      const id = store.idAt(slot);
      const owner = store.owner[slot]!;
      if (this.#ids[count] !== id || this.#owners[count] !== owner) {
        isChanged = true;
        this.#ids[count] = id;
        this.#types[count] = type;
        this.#owners[count] = owner;
      }
      this.#x[count] = hundredths(world.x[slot]!);
      this.#y[count] = hundredths(world.y[slot]!);
      if (this.#isDeep) this.#z[count] = hundredths(world.z[slot]!);
      this.#headings[count] = field === NO_HEADING ? null : Math.round(world.numberAt(slot, field) * DEGREES);
      count += 1;
    }
    if (count === this.#ids.length) return isChanged;
    for (const column of [this.#ids, this.#types, this.#owners, this.#x, this.#y, this.#headings])
      column.length = count;
    if (this.#isDeep) this.#z.length = count;
    return true;
  }

  #viewsText(players: readonly Player[]): string {
    const views: DrawnView[] = [];
    const looks: string[] = [];
    const known: (readonly ObjectSetSettings[])[] = [];
    for (const player of players) {
      const { sets } = player.settings;
      let look = known.indexOf(sets);
      if (look < 0) {
        look = known.push(sets) - 1;
        looks.push(this.#lookText(sets));
      }
      views.push(this.#maker.drawView(player, look));
    }
    return `,"views":${JSON.stringify(views)},"looks":[${looks.join()}]`;
  }

  #lookText(sets: readonly ObjectSetSettings[]): string {
    let text = this.#looks.get(sets);
    if (text === undefined) {
      text = JSON.stringify(this.#maker.setsOf(sets));
      this.#looks.set(sets, text);
    }
    return text;
  }
}

const NO_HEADING = -1;
const NO_PLACE = -2;

/** Whole numbers are written several times faster than others, and shorter. Neither infinity nor −0 stands in JSON. */
function hundredths(units: number): number {
  const rounded = Math.round(units * 100);
  return Number.isFinite(rounded) ? rounded + 0 : 0;
}
