/** Sixteen colours for players that can be told apart on a dark ground; pages, scoreboards and the playground's maps agree on them. */

export const PLAYER_COLOURS: readonly string[] = [
  "#ffe135",
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

/** After the last colour the first one comes again. */
export function playerColour(colour: number): string {
  return PLAYER_COLOURS[colour % PLAYER_COLOURS.length]!;
}
