/**
 * What the drawing lab shows: a match that bots play, as the rules have it, and a crowd that marches. Both fill a picture as the page of the game does; nothing
 * of a network is needed.
 */

import { playerColour } from "@nearfield/kit";
import { Bot } from "../../../src/bots/bot.ts";
import { Fog } from "../../../src/browser/fog.ts";
import { OWN, type Picture, Pieces, SELECTED } from "../../../src/browser/picture.ts";
import { Battle } from "../../../src/rules/battle.ts";
import { FIRST_BUILDING, HEALTH, SIGHT } from "../../../src/rules/kinds.ts";
import { DOINGS, FLIGHT_HEIGHT, type MapName, STEP_MS, UNIT_KINDS } from "../../../src/state.ts";
import { Terrain } from "../../../src/terrain/terrain.ts";

export type Filled = { -readonly [K in keyof Picture]: Picture[K] };

export function emptyPicture(): Filled {
  return {
    nowMs: 0,
    ownSide: 0,
    colours: Array.from({ length: 16 }, (_, side) => Number.parseInt(playerColour(side).slice(1), 16)),
    units: new Pieces(),
    buildings: new Pieces(),
    remembered: new Pieces(),
    ore: new Pieces(),
    marks: [],
    ghost: undefined,
    box: undefined,
    paths: [],
    fog: undefined,
    overlay: undefined,
  };
}

export interface Stage {
  readonly terrain: Terrain;
  /** Goes on by so many ms and fills the picture. */
  fill(picture: Filled, elapsedMs: number): void;
  /** What went off since the last call. */
  readonly blasts: { x: number; y: number; size: number }[];
}

/** A match between bots, `seconds` after its begin. */
export class MatchStage implements Stage {
  readonly terrain: Terrain;
  readonly blasts: { x: number; y: number; size: number }[] = [];
  readonly #battle: Battle;
  readonly #bots: readonly Bot[];
  readonly #fog: Fog;
  #leftMs = 0;

  constructor(map: MapName, sides: number, seed: number, seconds: number) {
    this.terrain = new Terrain({ seed, map, sides });
    this.#battle = new Battle({ terrain: this.terrain }, () => true);
    this.#battle.begin();
    this.#fog = new Fog(this.terrain.size);
    this.#bots = Array.from(
      { length: sides },
      (_, side) => new Bot(this.#battle, { side, strength: "hard", seed: seed + side }),
    );
    for (let step = 0; step < (seconds * 1000) / STEP_MS; step++) {
      this.#step();
      if (step % 20 === 0) this.#look();
    }
    this.blasts.length = 0;
  }

  fill(picture: Filled, elapsedMs: number): void {
    this.#leftMs += Math.min(elapsedMs, 200);
    for (; this.#leftMs >= STEP_MS; this.#leftMs -= STEP_MS) this.#step();
    this.#look();
    picture.fog = this.#fog;
    for (const pieces of [picture.units, picture.buildings, picture.remembered, picture.ore]) pieces.clear();
    const { pieces, deposits } = this.#battle.state;
    for (let slot = 0; slot < pieces.high; slot++) {
      if (pieces.alive[slot] === 0) continue;
      const [x, y, kind, side] = [pieces.x[slot]!, pieces.y[slot]!, pieces.kind[slot]!, pieces.side[slot]!];
      const isBuilding = kind >= FIRST_BUILDING;
      const isSeen = this.#fog.isSeen(x, y);
      if (!isSeen && !(isBuilding && this.#fog.wasSeen(x, y))) continue;
      const into = isBuilding ? (isSeen ? picture.buildings : picture.remembered) : picture.units;
      const row = into.add();
      into.id[row] = pieces.handleOf(slot);
      into.x[row] = x;
      into.y[row] = y;
      into.z[row] = this.terrain.heightAt(x, y) + (UNIT_KINDS[kind] === "wasp" ? FLIGHT_HEIGHT : 0);
      into.heading[row] = Math.atan2(pieces.faceY[slot]!, pieces.faceX[slot]!);
      into.kind[row] = isBuilding ? kind - FIRST_BUILDING : kind;
      into.side[row] = side;
      into.health[row] = Math.ceil((100 * pieces.health[slot]!) / HEALTH[kind]!);
      into.built[row] = Math.floor(pieces.built[slot]! * 100);
      into.doing[row] = pieces.doing[slot]!;
      into.flags[row] = side === picture.ownSide ? OWN : 0;
      into.updatedMs[row] = picture.nowMs - ((picture.nowMs + slot * 137) % 1000);
    }
    for (let patch = 0; patch < this.terrain.ore.length; patch++) {
      const { x, y, amount } = this.terrain.ore[patch]!;
      if (!this.#fog.wasSeen(x, y)) continue;
      const row = picture.ore.add();
      picture.ore.id[row] = 100_000 + patch;
      picture.ore.x[row] = x;
      picture.ore.y[row] = y;
      picture.ore.built[row] = (255 * deposits.amount[patch]!) / amount;
    }
  }

  #step(): void {
    this.#battle.step();
    this.blasts.push(...this.#battle.state.happenings.blasts);
    for (const bot of this.#bots) bot.act();
  }

  #look(): void {
    const { pieces } = this.#battle.state;
    this.#fog.begin();
    for (let slot = 0; slot < pieces.high; slot++)
      if (pieces.alive[slot] === 1 && pieces.side[slot] === 0)
        this.#fog.see(pieces.x[slot]!, pieces.y[slot]!, SIGHT[pieces.kind[slot]!]!);
    this.#fog.end();
  }
}

/** So many units of eight sides that march and fight within a square in the middle of the map. */
export class CrowdStage implements Stage {
  readonly terrain: Terrain;
  readonly blasts: { x: number; y: number; size: number }[] = [];
  readonly #count: number;
  readonly #width: number;
  readonly #height: number;
  #nowMs = 0;

  constructor(count: number, width: number, height: number) {
    this.terrain = new Terrain({ seed: 7, map: "medium", sides: 2 });
    this.#count = count;
    this.#width = width;
    this.#height = height;
  }

  fill(picture: Filled, elapsedMs: number): void {
    this.#nowMs += elapsedMs;
    const { units } = picture;
    units.clear();
    const seconds = this.#nowMs / 1000;
    const middle = this.terrain.size / 2;
    const columns = Math.ceil(Math.sqrt((this.#count * this.#width) / this.#height));
    const rows = Math.ceil(this.#count / columns);
    for (let unit = 0; unit < this.#count; unit++) {
      const row = units.add();
      const turn = seconds * (0.4 + (unit % 7) * 0.05) + unit;
      const column = unit % columns;
      const line = Math.floor(unit / columns);
      units.id[row] = 1 + unit;
      units.x[row] = middle + ((column + 0.5) / columns - 0.5) * this.#width + Math.cos(turn) * 9;
      units.y[row] = middle + ((line + 0.5) / rows - 0.5) * this.#height + Math.sin(turn) * 9;
      units.heading[row] = turn + Math.PI / 2;
      units.kind[row] = unit % UNIT_KINDS.length;
      units.side[row] = (unit >> 3) % 8;
      units.health[row] = unit % 3 === 0 ? 30 + (unit % 60) : 100;
      units.built[row] = 100;
      units.doing[row] = unit % 2 === 0 ? DOINGS.indexOf("fighting") : DOINGS.indexOf("moving");
      units.flags[row] = unit % 4 === 0 ? OWN | SELECTED : 0;
      units.updatedMs[row] = picture.nowMs - ((picture.nowMs + unit * 37) % 1000);
    }
    // About thirty shells and deaths in a second.
    for (
      let count = Math.floor(seconds * 30) - Math.floor((this.#nowMs - elapsedMs) / (1000 / 30));
      count > 0;
      count--
    ) {
      const at = ((seconds * 977 + count * 311) % this.#count) | 0;
      this.blasts.push({ x: units.x[at]!, y: units.y[at]!, size: 8 + (at % 3) * 8 });
    }
  }
}
