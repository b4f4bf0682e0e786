/** Colours of the players, in one place: the page, the playground's map and the scoreboard agree on them. */

import { COLOURS } from "./state.ts";

const PLAYER_COLOURS: readonly string[] = [
  "#ffd24a",
  "#4de8ff",
  "#7dff6b",
  "#ff7a59",
  "#c08bff",
  "#ff8fd0",
  "#e8f0ff",
  "#4fa3ff",
  "#ffa630",
  "#b6e34a",
  "#3fe0b0",
  "#e07f8f",
  "#9fb4ff",
  "#f5b8ff",
  "#8fd6ff",
  "#d6c79a",
];

export function playerColour(colour: number): string {
  return PLAYER_COLOURS[colour % COLOURS]!;
}
