/** What tells how a piece is: rings under those that are selected, bars over those that are selected, pointed at or damaged. */

import { FIRST_BUILDING, FLIES, RADIUS } from "../../rules/kinds.ts";
import { HOVERED, OWN, type Picture, type Pieces, SELECTED } from "../picture.ts";
import type { Layer } from "./layer.ts";
import { ACCENT, DANGER, PALE, tint, WARNING } from "./palette.ts";
import type { Sight } from "./sight.ts";
import type { Signs } from "./sign-shapes.ts";
import { SIGNS_BELOW } from "./unit-art.ts";

const BAR_PIXELS = 3;
const BACK = 0xc0060810;

export class StatusArt {
  readonly #signs: Signs;

  constructor(signs: Signs) {
    this.#signs = signs;
  }

  draw(rings: Layer, bars: Layer, picture: Picture, sight: Sight): void {
    this.#drawUnits(rings, bars, picture, sight);
    this.#drawBuildings(rings, bars, picture.buildings, sight);
  }

  #drawUnits(rings: Layer, bars: Layer, { units }: Picture, sight: Sight): void {
    // Bars of all that are damaged would hide the signs.
    const areSigns = sight.scale < SIGNS_BELOW;
    for (let unit = 0; unit < units.count; unit++) {
      const flags = units.flags[unit]! & (SELECTED | HOVERED);
      const health = units.health[unit]!;
      if (flags === 0 && (health >= 100 || areSigns)) continue;
      const [x, y, kind] = [units.x[unit]!, units.y[unit]!, units.kind[unit]!];
      const radius = RADIUS[kind]!;
      if (!sight.sees(x, y, radius * 3)) continue;
      if (flags !== 0) {
        const size = Math.max(radius * (FLIES[kind] === 1 ? 2 : 1.6), sight.pixels(7));
        rings.add(this.#signs.ring, x, y, size, 0, ringTint(units, unit, flags));
      }
      this.#drawBar(bars, x, y, radius * 1.9, Math.max(radius * 1.1, sight.pixels(6)), health / 100, 0, sight);
    }
  }

  #drawBuildings(rings: Layer, bars: Layer, buildings: Pieces, sight: Sight): void {
    const areSigns = sight.scale < SIGNS_BELOW;
    for (let at = 0; at < buildings.count; at++) {
      const flags = buildings.flags[at]! & (SELECTED | HOVERED);
      const [health, built] = [buildings.health[at]!, buildings.built[at]!];
      const isWhole = health >= 100 && built >= 100;
      if (flags === 0 && (isWhole || areSigns)) continue;
      const [x, y] = [buildings.x[at]!, buildings.y[at]!];
      const radius = RADIUS[FIRST_BUILDING + buildings.kind[at]!]!;
      if (!sight.sees(x, y, radius * 2)) continue;
      if (flags !== 0) rings.add(this.#signs.corners, x, y, radius * 1.08, 0, ringTint(buildings, at, flags));
      const lift = radius + sight.pixels(7);
      if (built < 100) this.#drawBar(bars, x, y, lift, radius * 0.8, built / 100, WARNING, sight);
      else this.#drawBar(bars, x, y, lift, radius * 0.8, health / 100, 0, sight);
    }
  }

  /** `lift`: world units up on the screen; `half`: half the length. Colour 0: by how much is left. */
  #drawBar(
    bars: Layer,
    x: number,
    y: number,
    lift: number,
    half: number,
    share: number,
    colour: number,
    sight: Sight,
  ): void {
    const { rotation } = sight;
    const [cosine, sine] = [Math.cos(rotation), Math.sin(rotation)];
    const [atX, atY] = [x + sine * lift, y - cosine * lift];
    const thick = sight.pixels(BAR_PIXELS) / 2;
    const edge = sight.pixels(1);
    const { plain } = this.#signs;
    bars.stretch(plain, atX, atY, half + edge, thick + edge, rotation, BACK);
    const fill = colour || (share > 0.66 ? 0x5dff8f : share > 0.33 ? WARNING : DANGER);
    const shift = half * (share - 1);
    bars.stretch(plain, atX + cosine * shift, atY + sine * shift, half * share, thick, rotation, tint(fill));
  }
}

function ringTint(pieces: Pieces, row: number, flags: number): number {
  const isOwn = (pieces.flags[row]! & OWN) !== 0;
  if ((flags & SELECTED) === 0) return tint(isOwn ? PALE : DANGER, 0.55);
  return tint(isOwn ? ACCENT : DANGER, 0.95);
}
