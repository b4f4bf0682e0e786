/** Every colour of the stage: floor and walls, the things that lie about, and the cells of a view. Players' colours are the kit's. */

import type { ItemKind } from "../../state.ts";

/** Beyond the level. */
export const VOID = "#05070d";

/** Paint and light of the four quarters of a level, so that people know where they are without reading a map. */
export const QUARTERS: readonly string[] = ["#2fe0c6", "#9d7dff", "#ffad33", "#ff5f8f"];

/** The paint of a place: the quarter of the level it lies in. */
export function quarterColour(
  level: { readonly width: number; readonly height: number },
  x: number,
  y: number,
): string {
  return QUARTERS[(x < level.width / 2 ? 0 : 1) + (y < level.height / 2 ? 0 : 2)]!;
}

/** What lies about, by its kind. */
export const ITEM_COLOURS: Readonly<Record<ItemKind, string>> = {
  health: "#5dff8f",
  armour: "#55b8ff",
  ammo: "#ffe066",
  launcher: "#ff8a4c",
};

export const SHOT = "#fff0b8";
export const FIRE = "#ff9b3d";
export const HURT = "#ff3b4e";

/** Cells of a view by how exact they are: cool and bright where a replica may be 30 ms old, warm and dim towards ten times that. */
const EXACTNESS: readonly string[] = ["#4df0c0", "#4aa8ff", "#a56bff", "#ff5f8f"];

/** 0: the strictest bound of a view, 1: the loosest. */
export function boundColour(looseness: number): string {
  const at = Math.min(0.999, Math.max(0, looseness)) * (EXACTNESS.length - 1);
  return mix(EXACTNESS[Math.floor(at)]!, EXACTNESS[Math.floor(at) + 1]!, at % 1);
}

/** A colour with another opacity; `colour` is `#rrggbb`. */
export function fade(colour: string, opacity: number): string {
  const value = Number.parseInt(colour.slice(1), 16);
  return `rgb(${value >> 16} ${(value >> 8) & 255} ${value & 255} / ${opacity})`;
}

/** A colour mixed with another; `share` 0 leaves it, 1 is the other one. */
export function mix(colour: string, other: string, share: number): string {
  const [a, b] = [Number.parseInt(colour.slice(1), 16), Number.parseInt(other.slice(1), 16)];
  const part = (shift: number): number => Math.round(((a >> shift) & 255) * (1 - share) + ((b >> shift) & 255) * share);
  return `#${((part(16) << 16) | (part(8) << 8) | part(0)).toString(16).padStart(6, "0")}`;
}
