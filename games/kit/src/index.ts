/** @nearfield/kit: code that the games share. It is not a game itself. */

// Chance and colours

export { Dice } from "./dice.ts";
export { PLAYER_COLOURS, playerColour } from "./player-colours.ts";

// Matches

export { MATCH_PHASES, MatchClock, type MatchPhase } from "./match-clock.ts";

// The page's link to its server

export { Joining, type LinkStatus } from "./joining.ts";
export { type LinkWords, linkWords } from "./link-words.ts";
export { PageLink, type Traffic } from "./page-link.ts";
export { type StatusWords, statusWords } from "./status-words.ts";
