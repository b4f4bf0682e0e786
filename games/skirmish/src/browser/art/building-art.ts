/**
 * Draws the buildings: those that are seen, in their side's colour, with what turns on them; those that are being built, rising out of their site behind a
 * scaffold; those that are only remembered, grey.
 */

import { FIRST_BUILDING, KIND, RADIUS } from "../../rules/kinds.ts";
import type { Effects } from "../effects.ts";
import type { Picture } from "../picture.ts";
import type { BuildingSheet } from "./building-shapes.ts";
import type { Decals } from "./decals.ts";
import type { Layer } from "./layer.ts";
import { ACCENT, grain, mix, tint } from "./palette.ts";
import { lowerPart } from "./sheet.ts";
import type { Shots } from "./shots.ts";
import type { Sight } from "./sight.ts";
import type { Signs } from "./sign-shapes.ts";
import { Tracks, turned } from "./tracks.ts";
import { SIGNS_BELOW } from "./unit-art.ts";

const BASE: number = KIND.base - FIRST_BUILDING;
const TOWER: number = KIND.tower - FIRST_BUILDING;
const PAD: number = KIND.pad - FIRST_BUILDING;
const FACTORY: number = KIND.factory - FIRST_BUILDING;
/** Percent of health below which a building smokes, and burns. */
const SMOKES = 66;
const BURNS = 34;
const PUFF_MS = 330;
const REMEMBERED = 0x93a0b5;

export interface BuildingLayers {
  readonly buildings: Layer;
  readonly remembered: Layer;
  readonly lights: Layer;
}

export class BuildingArt {
  readonly tracks: Tracks = new Tracks();
  readonly #sheet: BuildingSheet;
  readonly #signs: Signs;
  readonly #effects: Effects;
  readonly #shots: Shots;
  readonly #decals: Decals;
  #nowMs = 0;
  #colours: readonly number[] = [];
  readonly #lose = (row: number): void => {
    const kind = this.tracks.kind[row]!;
    const colour = mix(this.#colours[this.tracks.side[row]!] ?? 0, 0, 0.5);
    const radius = RADIUS[FIRST_BUILDING + kind]!;
    this.#decals.lose(this.tracks, row, this.#sheet.kinds[kind]!.whole, radius, colour, this.#nowMs);
  };

  constructor(sheet: BuildingSheet, signs: Signs, effects: Effects, shots: Shots, decals: Decals) {
    this.#sheet = sheet;
    this.#signs = signs;
    this.#effects = effects;
    this.#shots = shots;
    this.#decals = decals;
  }

  draw(layers: BuildingLayers, picture: Picture, sight: Sight, elapsedMs: number, isCalm: boolean): void {
    const { buildings, nowMs, colours } = picture;
    const { tracks } = this;
    this.#nowMs = nowMs;
    this.#colours = colours;
    tracks.begin();
    for (let at = 0; at < buildings.count; at++) {
      const [x, y, kind, side] = [buildings.x[at]!, buildings.y[at]!, buildings.kind[at]!, buildings.side[at]!];
      const built = buildings.built[at]!;
      const row = tracks.touch(buildings.id[at]!, x, y, kind, side, 0);
      if (kind === TOWER && built >= 100) this.#shots.guard(tracks, row, picture, sight);
      tracks.body[row] = turned(tracks.body[row]!, tracks.aim[row]!, (6 * elapsedMs) / 1000);
      const radius = RADIUS[FIRST_BUILDING + kind]!;
      if (!sight.sees(x, y, radius * 1.5)) continue;
      const colour = colours[side] ?? 0xffffff;
      this.#drawEdge(layers.buildings, x, y, radius, colour, sight);
      if (built < 100) this.#drawSite(layers.buildings, kind, x, y, radius, built, colour);
      else this.#drawWhole(layers, row, radius, colour, isCalm);
      this.#smoke(row, radius, buildings.health[at]!, built);
    }
    tracks.end(this.#lose);
    this.#drawRemembered(layers.remembered, picture, sight);
  }

  /** The building stands as far as it is built, from its lower edge upwards. */
  #drawSite(layer: Layer, kind: number, x: number, y: number, radius: number, built: number, colour: number): void {
    const share = built / 100;
    const { whole } = this.#sheet.kinds[kind]!;
    const reach = whole.reach * radius;
    const paint = tint(colour);
    layer.add(this.#sheet.site, x, y, radius, 0, paint);
    const part = 0.1 + 0.9 * share;
    layer.addPart(lowerPart(whole, part), whole, x, y + reach * (1 - part), reach, reach * part, 0, paint);
    layer.add(this.#sheet.scaffold, x, y, radius, 0, tint(colour, 0.9 * (1 - share * share)));
  }

  #drawWhole(layers: BuildingLayers, row: number, radius: number, colour: number, isCalm: boolean): void {
    const { tracks } = this;
    const [x, y, kind] = [tracks.x[row]!, tracks.y[row]!, tracks.kind[row]!];
    const { whole, turning } = this.#sheet.kinds[kind]!;
    const paint = tint(colour);
    const phase = grain(tracks.id[row]!, 2) * 6.28;
    layers.buildings.add(whole, x, y, radius, 0, paint);
    if (turning) {
      const recoil = Math.max(0, 1 - (this.#nowMs - tracks.firedMs[row]!) / 200) * 0.12 * radius;
      const turn = kind === BASE ? (isCalm ? phase : this.#nowMs / 1600 + phase) : tracks.body[row]!;
      layers.buildings.add(turning, x - Math.cos(turn) * recoil, y - Math.sin(turn) * recoil, radius, turn, paint);
    }
    const pulse = isCalm ? 0.5 : 0.5 + 0.5 * Math.sin(this.#nowMs / 500 + phase);
    if (kind === PAD) {
      const lamp = tint(colour, 0.16 + 0.2 * pulse);
      layers.lights.stretch(this.#signs.glow, x, y, radius * 0.9, radius * 0.9, 0, lamp);
    } else if (kind === FACTORY) {
      const glow = tint(0xffb066, 0.25 + 0.25 * pulse);
      layers.lights.stretch(
        this.#signs.glow,
        x + radius * 0.61,
        y - radius * 0.35,
        radius * 0.3,
        radius * 0.42,
        0,
        glow,
      );
    } else if (kind === BASE) {
      layers.lights.stretch(this.#signs.glow, x, y, radius * 0.5, radius * 0.5, 0, tint(colour, 0.12 + 0.18 * pulse));
    }
  }

  #smoke(row: number, radius: number, health: number, built: number): void {
    const { tracks } = this;
    if (built < 100 || health >= SMOKES || this.#nowMs < tracks.nextPuffMs[row]!) return;
    tracks.nextPuffMs[row] = this.#nowMs + PUFF_MS * (0.6 + health / SMOKES);
    this.#effects.burn(tracks.x[row]!, tracks.y[row]!, radius * 0.8, health < BURNS ? 1 : 0);
  }

  #drawRemembered(layer: Layer, { remembered, colours }: Picture, sight: Sight): void {
    for (let at = 0; at < remembered.count; at++) {
      const [x, y, kind] = [remembered.x[at]!, remembered.y[at]!, remembered.kind[at]!];
      const radius = RADIUS[FIRST_BUILDING + kind]!;
      if (!sight.sees(x, y, radius * 1.5)) continue;
      const colour = mix(colours[remembered.side[at]!] ?? 0xffffff, REMEMBERED, 0.72);
      this.#drawEdge(layer, x, y, radius, colour, sight);
      if (remembered.built[at]! < 100) this.#drawSite(layer, kind, x, y, radius, remembered.built[at]!, colour);
      else layer.add(this.#sheet.kinds[kind]!.whole, x, y, radius, 0, tint(colour, 0.9));
    }
  }

  /** From high up, where a building is a few pixels, its side's colour frames it. */
  #drawEdge(layer: Layer, x: number, y: number, radius: number, colour: number, sight: Sight): void {
    if (sight.scale >= SIGNS_BELOW) return;
    const size = radius * 0.95 + sight.pixels(1.5);
    layer.stretch(this.#signs.plain, x, y, size, size, 0, tint(colour));
  }

  /** The outline of a building that is about to be placed. */
  drawGhost(layer: Layer, kind: number, x: number, y: number, colour: number): void {
    const radius = RADIUS[FIRST_BUILDING + kind]!;
    layer.add(
      this.#sheet.kinds[kind]!.whole,
      x,
      y,
      radius,
      0,
      tint(colour === ACCENT ? mix(ACCENT, 0xffffff, 0.2) : colour, 0.62),
    );
  }
}
