/** Colours of the game in one place: every room has its own hue, so that a player knows where in the world he is. Players' own are the kit's. */

import { ROOMS } from "./maze.ts";
import type { GhostKind } from "./state.ts";

export const BACKGROUND = "#04050d";
export const DOT = "#ffdfba";
export const FRIGHTENED = "#2338ff";
export const BLINKING = "#f4f4ff";

export const GHOST_COLOURS: Readonly<Record<GhostKind, string>> = {
  hunter: "#ff3b4e",
  ambusher: "#ff9ce6",
  flanker: "#37e2e8",
  wanderer: "#ffb347",
};
/** Zones from exact to loose. */
export const ZONE_COLOURS: readonly string[] = ["#4dffa6", "#ffd24d", "#ff6b8b"];

export function zoneColour(zone: number): string {
  return ZONE_COLOURS[Math.min(zone, ZONE_COLOURS.length - 1)]!;
}

/** From teal in one corner of the world over blue to magenta in the other. */
export function roomHue(room: number): number {
  const column = room % ROOMS;
  const row = Math.floor(room / ROOMS);
  return 178 + column * 12 + row * 8;
}
