/** @nearfield/kit/browser: what the pages of games and apps share: words for their elements, sheets, figures, sounds. */

export { escapeText, find, make, setText } from "./dom.ts";
export { FrameTimes } from "./frame-times.ts";
export { tellPeople } from "./people.ts";
export { Sheets } from "./sheets.ts";
export { type Heard, SoundPlayer } from "./sound-player.ts";
export { chime, type Recipe, type Tone } from "./sound-recipe.ts";
export { fillWays } from "./ways.ts";
export { Writer } from "./writer.ts";
